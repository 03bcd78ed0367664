//! The operations of the language: THE table ([`TABLE`]), and what its columns mean.
//!
//! An operation is declared once, in `table.rs`: its name in the text form, how the author writes it in Rust, and one
//! row for each family of operand types, with its spelling in C (CUDA and host C++) and in Warp Python, its accuracy and its
//! derivative. Type inference, the check of the IR, the text form, the writers, the adjoint, the documentation and the
//! tests all read it. Only the interpreter adds something of its own for every operation: its meaning.

mod declare;
mod docs;
mod gradient;
mod keys;
mod table;

use crate::ir::{Expr, Scalar, Type};
pub use docs::markdown;
pub use gradient::{Rule, differentiable, pullback};
use keys::{KEY_BITS, MOST_OPERANDS};
pub(crate) use keys::{KeyMap, key};
use std::sync::LazyLock;
pub use table::{Op, TABLE};

/// An operation: one entry of the table.
#[derive(Debug)]
pub struct OpDef {
    /// The operation itself.
    pub op: Op,
    /// Its name in the text form; unique.
    pub name: &'static str,
    /// How the author writes it.
    pub rust: Syntax,
    /// What it computes, as a sentence.
    pub doc: &'static str,
    /// Its rows, tried in order.
    pub overloads: &'static [Overload],
}

/// How the author writes an operation in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// `a + b`.
    Infix(&'static str),
    /// `-a`.
    Prefix(&'static str),
    /// `a.max(b)`, and also `f32::max(a, b)`.
    Method(&'static str),
    /// `Vec3::new(a, b, c)`: an associated function of the result type.
    Assoc(&'static str),
}

/// One row of an operation: its operand types for every type `T` of a class, and its spelling for them.
#[derive(Debug)]
pub struct Overload {
    /// Which types `T` stands for.
    pub class: Class,
    /// The operand types.
    pub args: &'static [Pat],
    /// The result type.
    pub ret: Pat,
    /// The spelling in CUDA and C++.
    pub c: Spelling,
    /// The spelling in Warp Python.
    pub py: Spelling,
    /// How far two correct implementations may differ.
    pub accuracy: Accuracy,
    /// What the adjoint of each operand gains, where the types are floats; operands beyond the list carry no derivative.
    pub gradient: &'static [Rule],
}

/// A set of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `bool`.
    Bool,
    /// `i32`, `i64`.
    Signed,
    /// `u32`, `u64`, `usize`.
    Unsigned,
    /// The integers of a fixed width.
    Int,
    /// `u32`, `u64`.
    Uint,
    /// `usize`.
    Index,
    /// Every integer, `usize` too.
    AnyInt,
    /// `f32`, `f64`.
    Float,
    /// Every number.
    Num,
    /// Vectors of floats.
    FloatVec,
    /// Vectors of two floats.
    FloatVec2,
    /// Vectors of three floats.
    FloatVec3,
    /// Vectors of integers.
    IntVec,
    /// Vectors of signed integers.
    SignedVec,
    /// Every vector.
    Vec,
    /// Vectors of two components.
    Vec2,
    /// Vectors of three components.
    Vec3,
    /// Vectors of four components.
    Vec4,
    /// Every matrix.
    Mat,
    /// Matrices of two rows.
    Mat2,
    /// Matrices of three rows.
    Mat3,
    /// Matrices of four rows.
    Mat4,
    /// Every quaternion.
    Quat,
}

impl Class {
    /// Whether `ty` belongs to the class.
    pub fn contains(self, ty: Type) -> bool {
        let float_vec = |n: Option<u8>| matches!(ty, Type::Vector(s, m) if s.is_float() && n.is_none_or(|n| n == m));
        let vec = |n: u8| matches!(ty, Type::Vector(_, m) if m == n);
        let mat = |n: u8| matches!(ty, Type::Matrix(_, m) if m == n);
        match self {
            Class::Bool => ty == Type::BOOL,
            Class::Signed => ty.is_scalar() && ty.scalar().is_signed_integer(),
            Class::Unsigned => ty.is_scalar() && ty.scalar().is_integer() && !ty.scalar().is_signed_integer(),
            Class::Int => ty.is_scalar() && ty.scalar().is_integer() && ty != Type::INDEX,
            Class::Uint => Class::Unsigned.contains(ty) && ty != Type::INDEX,
            Class::Index => ty == Type::INDEX,
            Class::AnyInt => ty.is_scalar() && ty.scalar().is_integer(),
            Class::Float => ty.is_scalar() && ty.is_float(),
            Class::Num => ty.is_scalar() && ty != Type::BOOL,
            Class::FloatVec => float_vec(None),
            Class::FloatVec2 => float_vec(Some(2)),
            Class::FloatVec3 => float_vec(Some(3)),
            Class::IntVec => matches!(ty, Type::Vector(s, _) if !s.is_float()),
            Class::SignedVec => matches!(ty, Type::Vector(s, _) if s != Scalar::U32),
            Class::Vec => matches!(ty, Type::Vector(..)),
            Class::Vec2 => vec(2),
            Class::Vec3 => vec(3),
            Class::Vec4 => vec(4),
            Class::Mat => matches!(ty, Type::Matrix(..)),
            Class::Mat2 => mat(2),
            Class::Mat3 => mat(3),
            Class::Mat4 => mat(4),
            Class::Quat => matches!(ty, Type::Quat(_)),
        }
    }
}

/// An operand or result type, in terms of the row's type `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pat {
    /// `T` itself.
    T,
    /// The scalar that `T` is made of.
    S,
    /// The vector that is as long as a column of the matrix `T`.
    Col,
    /// The vector of three scalars of `T`.
    V3,
    /// The vector with one component more than `T`.
    Longer,
    /// The vector with one component less than `T`.
    Shorter,
    /// This type, whatever `T` is.
    Is(Type),
}

impl Pat {
    /// The type that the pattern stands for.
    pub fn apply(self, t: Type) -> Type {
        let s = t.scalar();
        match (self, t) {
            (Pat::S, _) => Type::Scalar(s),
            (Pat::Col, Type::Matrix(_, n)) => Type::Vector(s, n),
            (Pat::V3, _) => Type::Vector(s, 3),
            (Pat::Longer, Type::Vector(_, n)) => Type::Vector(s, n + 1),
            (Pat::Shorter, Type::Vector(_, n)) => Type::Vector(s, n - 1),
            (Pat::Is(ty), _) => ty,
            (Pat::T | Pat::Col | Pat::Longer | Pat::Shorter, _) => t,
        }
    }
}

/// How a language writes an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// Between its operands.
    Infix(&'static str),
    /// Before its operand.
    Prefix(&'static str),
    /// A call of a function that the language has, by its full name (`wp.sin`).
    Call(&'static str),
    /// A call of a `<cmath>` function: with an `f` after the name for `f32`.
    Math(&'static str),
    /// A call of a function of the language's prelude, which is emitted with the kernel.
    Helper(&'static str),
    /// A construction of a value of the result type from its operands: `vec3(a, b, c)`.
    Construct,
}

/// How far two correct implementations of an operation may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accuracy {
    /// Not at all: IEEE 754 or integer arithmetic in a stated order.
    Exact,
    /// Not at all, but that of two zeros of different signs either may be the result.
    EitherZero,
    /// Units in the last place, as libm's functions do.
    Ulp(u32),
    /// The same, and the result is never beyond -1 and 1.
    UlpWithinOne(u32),
}

impl Accuracy {
    /// The units in the last place, of a function of a library.
    pub fn ulp(self) -> Option<u32> {
        match self {
            Accuracy::Exact | Accuracy::EitherZero => None,
            Accuracy::Ulp(ulp) | Accuracy::UlpWithinOne(ulp) => Some(ulp),
        }
    }
}

impl Op {
    /// The entry of the table.
    pub fn def(self) -> &'static OpDef {
        &TABLE[self as usize]
    }

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        self.def().name
    }

    /// The operation of that [`name`](Op::name).
    pub fn from_name(name: &str) -> Option<Op> {
        TABLE.iter().find(|def| def.name == name).map(|def| def.op)
    }

    /// Every row that takes operands of the types `args` and gives `ret`, with its type `T`; at most one in a sound table.
    pub fn row(self, args: &[Type], ret: Type) -> Option<(&'static Overload, Type)> {
        self.row_by(args.iter().copied(), ret).map(|row| (row.overload, row.t))
    }

    /// The [`row`](Op::row) for these operands.
    pub fn row_of(self, args: &[Expr], ret: Type) -> Option<(&'static Overload, Type)> {
        self.row_by(args.iter().map(|arg| arg.ty), ret).map(|row| (row.overload, row.t))
    }

    /// The number of the [`row`](Op::row) for these operands and its type `T`, among all of them of all operations.
    pub(crate) fn row_number(self, args: &[Expr], ret: Type) -> Option<usize> {
        self.row_by(args.iter().map(|arg| arg.ty), ret).map(|row| row.number)
    }

    /// The types that it may give for operands of the types `args`.
    pub(crate) fn results(self, args: &[Type]) -> impl Iterator<Item = Type> {
        let rows = match args.len() {
            1..=MOST_OPERANDS => {
                // Those that differ in the result alone stand beside each other.
                let (rows, keys) = (&ROWS.of[self as usize], keys::keys_of_operands(args.iter().copied()));
                let place = |key: u64| rows.partition_point(|row| row.key < key);
                &rows[place(keys.start)..place(keys.end)]
            }
            _ => &[],
        };
        rows.iter().map(|row| row.overload.ret.apply(row.t))
    }

    fn row_by(self, args: impl ExactSizeIterator<Item = Type>, ret: Type) -> Option<&'static Row> {
        if args.len() > MOST_OPERANDS {
            return None;
        }
        ROWS.found.get(&self.key(keys::key(args, ret)))
    }

    /// That of a row among those of all operations.
    fn key(self, of_types: u64) -> u64 {
        (self as u64) << KEY_BITS | of_types
    }

    /// How far two correct implementations may differ for scalars. Operations of other types are exact.
    pub fn accuracy(self) -> Accuracy {
        // Asked for every operation that is executed.
        static OF_ALL: LazyLock<Vec<Accuracy>> = LazyLock::new(|| {
            let of = |def: &OpDef| def.overloads.iter().map(|row| row.accuracy).find(|found| *found != Accuracy::Exact);
            TABLE.iter().map(|def| of(def).unwrap_or(Accuracy::Exact)).collect()
        });
        OF_ALL[self as usize]
    }

    /// Whether the second operand is evaluated only when the first one does not decide.
    pub fn is_lazy(self) -> bool {
        matches!(self, Op::And | Op::Or)
    }
}

/// A row with a type that its `T` may stand for.
#[derive(Clone, Copy)]
struct Row {
    /// That of operands and result.
    key: u64,
    overload: &'static Overload,
    t: Type,
    number: usize,
}

/// The rows of all operations.
struct Rows {
    /// Those of each operation by their keys.
    of: Vec<Vec<Row>>,
    /// Each by its key and its operation.
    found: KeyMap<Row>,
}

static ROWS: LazyLock<Rows> = LazyLock::new(|| {
    let mut numbers = 0..;
    let mut rows_of = |def: &'static OpDef| {
        let row = |(overload, t): (&'static Overload, Type)| {
            let key = keys::key(overload.args.iter().map(|pat| pat.apply(t)), overload.ret.apply(t));
            Some(Row { key, overload, t, number: numbers.next()? })
        };
        let mut rows: Vec<Row> = def.rows().filter_map(row).collect();
        rows.sort_by_key(|row| row.key);
        rows
    };
    let of: Vec<Vec<Row>> = TABLE.iter().map(&mut rows_of).collect();
    let found = TABLE.iter().zip(&of).flat_map(|(def, rows)| rows.iter().map(|row| (def.op.key(row.key), *row)));
    Rows { found: found.collect(), of }
});

impl OpDef {
    /// Every row with every type that its `T` may stand for.
    pub fn rows(&'static self) -> impl Iterator<Item = (&'static Overload, Type)> {
        self.overloads.iter().flat_map(|row| Type::all().filter(|t| row.class.contains(*t)).map(move |t| (row, t)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_entries_in_order() {
        let mut names = HashSet::new();
        for (place, def) in TABLE.iter().enumerate() {
            assert_eq!(def.op as usize, place);
            assert!(names.insert(def.name), "{} stands twice in the table", def.name);
        }
    }

    #[test]
    fn every_row_is_found_by_its_types() {
        for def in &TABLE {
            for (row, t) in def.rows() {
                let args: Vec<Type> = row.args.iter().map(|pat| pat.apply(t)).collect();
                let (found, of) = def.op.row(&args, row.ret.apply(t)).expect("the row is there");
                assert!(std::ptr::eq(found, row) && of == t, "{} of {t}", def.name);
                assert!(args.len() <= MOST_OPERANDS);
            }
        }
    }

    #[test]
    fn what_is_not_exact_is_a_row_of_scalars() {
        for def in &TABLE {
            let inexact: Vec<_> = def.overloads.iter().filter(|row| row.accuracy != Accuracy::Exact).collect();
            assert!(inexact.len() <= 1 && inexact.iter().all(|row| row.class == Class::Float), "{}", def.name);
        }
    }

    #[test]
    fn every_operand_list_has_one_meaning() {
        for def in &TABLE {
            let mut seen = HashSet::new();
            for (row, t) in def.rows() {
                let args: Vec<Type> = row.args.iter().map(|pat| pat.apply(t)).collect();
                let key = (args, row.ret.apply(t));
                assert!(seen.insert(key.clone()), "{}: two rows for {key:?}", def.name);
            }
        }
    }
}

//! The columns of the table: operations, overloads, spellings, accuracies.

use super::gradient::Rule;
use super::pattern::{Class, Pat};
use crate::ir::{Op, Scalar};

/// An entry of the table: one operation.
#[derive(Debug)]
pub struct OpDef {
    /// The operation itself.
    pub op: Op,
    /// The name in the text form. Unique.
    pub name: &'static str,
    /// The Rust syntax.
    pub rust: Syntax,
    /// A sentence on what the operation computes.
    pub doc: &'static str,
    /// The overloads. At most one fits given operand and result types.
    pub overloads: &'static [Overload],
}

/// The Rust syntax of an operation.
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
    /// `rand_init(a, b)`.
    Function(&'static str),
    /// `randf(&mut a, b)`: a random number from the state `a`, which advances. From a copy, `randf(&mut { a }, b)`, the
    /// operation is an expression without an effect.
    Draw(&'static str),
}

impl Syntax {
    /// The symbol or the name.
    pub fn word(self) -> &'static str {
        let (Syntax::Infix(word)
        | Syntax::Prefix(word)
        | Syntax::Method(word)
        | Syntax::Assoc(word)
        | Syntax::Function(word)
        | Syntax::Draw(word)) = self;
        word
    }
}

/// One row of an operation: operand and result types in terms of a type `T` from a class, and the spellings for them.
#[derive(Debug)]
pub struct Overload {
    /// The types that `T` stands for.
    pub class: Class,
    /// The size, if the row is one of many that differ only in a size.
    pub size: Option<u8>,
    /// The operand types.
    pub args: &'static [Pat],
    /// The result type.
    pub ret: Pat,
    /// The spelling in CUDA and C++.
    pub c: Spelling,
    /// The spelling in Warp Python.
    pub py: Spelling,
    /// The accuracy that all targets guarantee.
    pub accuracy: Accuracy,
    /// The derivative rules, one for each operand, for rows with float results. Operands beyond the list carry no
    /// derivative.
    pub gradient: &'static [Rule],
}

impl Overload {
    /// Whether the result is made of floats, for some `T` of the class.
    pub(super) fn gives_floats(&self) -> bool {
        let scalars = match self.ret {
            Pat::Is(ty) => return ty.is_float(),
            Pat::T
            | Pat::S
            | Pat::Col
            | Pat::Row
            | Pat::Transposed
            | Pat::Right(_)
            | Pat::With(_)
            | Pat::V3
            | Pat::Longer
            | Pat::Shorter => self.class.family().scalars,
        };
        scalars.contains(Scalar::F32) || scalars.contains(Scalar::F64)
    }
}

/// The spelling of an operation in a target language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// An operator between two operands.
    Infix(&'static str),
    /// An operator before its operand.
    Prefix(&'static str),
    /// A call of a function of the language, by its full name (`wp.sin`).
    Call(&'static str),
    /// A call of a `<cmath>` function; its name gets the suffix `f` for `f32`.
    Math(&'static str),
    /// A call of a function of the writer's prelude, which is emitted with the kernel.
    Helper(&'static str),
    /// A constructor of the result type: `vec3(a, b, c)`.
    Construct,
    /// The first operand as it is. The text does not check it.
    First,
}

/// The largest difference between two correct implementations of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accuracy {
    /// No difference: IEEE 754 or integer arithmetic in a defined order.
    Exact,
    /// No difference, except that either of two zeros of different signs may be the result.
    EitherZero,
    /// This many units in the last place, as for the functions of libm.
    Ulp(u32),
    /// As `Ulp`, and the result is always between -1 and 1.
    UlpWithinOne(u32),
}

impl Accuracy {
    /// The units in the last place of a library function; `None` for exact operations.
    pub fn ulp(self) -> Option<u32> {
        match self {
            Accuracy::Exact | Accuracy::EitherZero => None,
            Accuracy::Ulp(ulp) | Accuracy::UlpWithinOne(ulp) => Some(ulp),
        }
    }
}

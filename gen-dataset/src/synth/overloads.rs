//! The operation table, indexed for random choice by result type, with weights for each family.

use super::rng::Rng;
use kernel_ir::ir::{Scalar, Type};
use kernel_ir::ops::{Op, TABLE};
use std::collections::HashMap;
use std::sync::LazyLock;

/// An overload of the table for one type.
#[derive(Debug)]
pub(super) struct Overload {
    pub(super) op: Op,
    /// The type for the overload's `T`.
    pub(super) t: Type,
    pub(super) args: Vec<Type>,
    pub(super) ret: Type,
    /// Whether it is an inexact function.
    is_function: bool,
}

/// The class of operations that a family prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum OpClass {
    /// Sums, products, integers and bits.
    Arithmetic,
    /// Functions of floats.
    Math,
    /// Vectors and quaternions.
    Vector,
    /// Matrices.
    Matrix,
    /// All operations.
    Any,
}

/// Overloads with their weights.
type Weighted = Vec<(usize, &'static Overload)>;

/// All overloads of the operations that random terms may use, except those of integers of 8 and 16 bits, whose sums leave
/// their range too often. The step `narrow` has some of them.
static OVERLOADS: LazyLock<Vec<Overload>> = LazyLock::new(|| {
    let mut rows = Vec::new();
    for def in TABLE.iter().filter(|def| def.op.is_ordinary()) {
        for (overload, t) in def.rows().filter(|(_, t)| !t.scalar().is_narrow() && !t.scalar().is_half()) {
            let args = overload.args.iter().map(|pat| pat.apply(t)).collect();
            let is_function = overload.accuracy.ulp().is_some();
            rows.push(Overload { op: def.op, t, args, ret: overload.ret.apply(t), is_function });
        }
    }
    rows
});

/// The overloads for each class and result type, with their weights.
static CHOICES: LazyLock<HashMap<(OpClass, Type), Weighted>> = LazyLock::new(|| {
    let mut choices: HashMap<_, Vec<_>> = HashMap::new();
    for op_class in [OpClass::Arithmetic, OpClass::Math, OpClass::Vector, OpClass::Matrix, OpClass::Any] {
        for overload in OVERLOADS.iter() {
            choices.entry((op_class, overload.ret)).or_default().push((overload.weight(op_class), overload));
        }
    }
    choices
});

/// The overloads of each operation in a class.
static FEATURES: LazyLock<HashMap<OpClass, Vec<Weighted>>> = LazyLock::new(|| {
    let op_classes = [OpClass::Arithmetic, OpClass::Math, OpClass::Vector, OpClass::Matrix, OpClass::Any];
    let of = |op_class| {
        let entries = TABLE.iter().map(|def| {
            let rows = OVERLOADS.iter().filter(|overload| overload.op == def.op && overload.is_about(op_class));
            rows.map(|overload| (overload.commonness(), overload)).collect::<Vec<_>>()
        });
        entries.filter(|rows| !rows.is_empty()).collect()
    };
    op_classes.into_iter().map(|op_class| (op_class, of(op_class))).collect()
});

impl Overload {
    fn involves(&self, is_such: impl Fn(&Type) -> bool) -> bool {
        self.args.iter().any(&is_such) || is_such(&self.ret)
    }

    /// Whether an operand of type `ty` is the index of a component, which must be a literal.
    pub(super) fn numbers_part(&self, ty: Type) -> bool {
        ty == Type::INDEX && !self.t.is_scalar()
    }

    fn is_about(&self, op_class: OpClass) -> bool {
        match op_class {
            OpClass::Arithmetic => !self.is_function && !self.involves(|ty| !ty.is_scalar()),
            OpClass::Math => self.t.is_scalar() && self.t.is_float(),
            OpClass::Vector => self.involves(|ty| ty.is_vector() || ty.is_quat()),
            OpClass::Matrix => self.involves(|ty| ty.is_matrix()),
            OpClass::Any => true,
        }
    }

    fn weight(&self, op_class: OpClass) -> usize {
        let usual = match self.op {
            Op::Add | Op::Sub | Op::Mul => 30,
            Op::Div => 8,
            Op::Abs | Op::Min | Op::Max | Op::Clamp | Op::Sqrt | Op::Exp | Op::Ln | Op::Sin | Op::Cos | Op::Tanh => 5,
            // The rarer functions.
            _ if self.is_function => 1,
            _ => 2,
        };
        match op_class {
            OpClass::Any => usual,
            _ if self.is_about(op_class) => usual.max(6),
            _ => usual,
        }
    }

    /// The weight of the type.
    fn commonness(&self) -> usize {
        match self.t.scalar() {
            Scalar::F32 => 8,
            Scalar::I32 | Scalar::U32 => 5,
            Scalar::F64 => 3,
            _ => 2,
        }
    }
}

/// Chooses an overload with the result type `ret`.
pub(super) fn choose(rng: &mut Rng, op_class: OpClass, ret: Type) -> Option<&'static Overload> {
    CHOICES.get(&(op_class, ret)).map(|rows| rng.weighted(rows))
}

/// Chooses an overload with the result type `ret` that takes a `from`, and returns the position of that operand.
pub(super) fn taking(rng: &mut Rng, op_class: OpClass, from: Type, ret: Type) -> Option<(&'static Overload, usize)> {
    let rows = CHOICES.get(&(op_class, ret))?;
    let fitting: Vec<_> = rows
        .iter()
        .filter(|(_, overload)| overload.args.contains(&from) && !overload.numbers_part(from))
        .copied()
        .collect();
    if fitting.is_empty() {
        return None;
    }
    let overload = rng.weighted(&fitting);
    let places: Vec<usize> = (0..overload.args.len()).filter(|place| overload.args[*place] == from).collect();
    Some((overload, rng.pick(&places)))
}

/// Chooses an overload to build a kernel around. Every operation of the class is equally likely.
pub(super) fn feature(rng: &mut Rng, op_class: OpClass) -> Option<&'static Overload> {
    let entries = FEATURES.get(&op_class)?;
    if entries.is_empty() {
        return None;
    }
    let entry = &entries[rng.below(entries.len())];
    Some(rng.weighted(entry))
}

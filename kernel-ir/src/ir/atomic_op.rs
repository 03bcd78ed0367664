//! The atomic operations.

use super::{AtomicOp, Op, Scalar, ScalarSet, TypeSet};

/// The integers that can be updated atomically. GPUs have no atomic operations on integers of 8 and 16 bits.
const INTEGERS: ScalarSet = ScalarSet::of(&[Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64]);

/// The numbers that can be replaced atomically, or by the smaller or larger one.
const NUMBERS: ScalarSet = INTEGERS.or(ScalarSet::FLOATS);

/// The numbers that can be added to atomically. Devices without an instruction for floats of 16 bits exchange the bits.
const SUMS: ScalarSet = NUMBERS.or(ScalarSet::HALVES);

impl AtomicOp {
    /// Every atomic operation.
    pub const ALL: [AtomicOp; 9] = [
        AtomicOp::Add,
        AtomicOp::Sub,
        AtomicOp::Min,
        AtomicOp::Max,
        AtomicOp::And,
        AtomicOp::Or,
        AtomicOp::Xor,
        AtomicOp::Exch,
        AtomicOp::Cas,
    ];

    /// The name in Rust, in Warp and in the text form, such as `atomic_add`.
    pub fn name(self) -> &'static str {
        match self {
            AtomicOp::Add => "atomic_add",
            AtomicOp::Sub => "atomic_sub",
            AtomicOp::Min => "atomic_min",
            AtomicOp::Max => "atomic_max",
            AtomicOp::And => "atomic_and",
            AtomicOp::Or => "atomic_or",
            AtomicOp::Xor => "atomic_xor",
            AtomicOp::Exch => "atomic_exch",
            AtomicOp::Cas => "atomic_cas",
        }
    }

    /// The operation that computes the new value from the old value and the operand; `None` if the operand is the new value.
    pub fn op(self) -> Option<Op> {
        Some(match self {
            AtomicOp::Add => Op::Add,
            AtomicOp::Sub => Op::Sub,
            AtomicOp::Min => Op::Min,
            AtomicOp::Max => Op::Max,
            AtomicOp::And => Op::BitAnd,
            AtomicOp::Or => Op::BitOr,
            AtomicOp::Xor => Op::BitXor,
            AtomicOp::Exch | AtomicOp::Cas => return None,
        })
    }

    /// Whether this is an addition or a subtraction.
    pub fn is_sum(self) -> bool {
        matches!(self, AtomicOp::Add | AtomicOp::Sub)
    }

    /// Whether the new value is the operand, so that the last thread decides what stays.
    pub fn is_exchange(self) -> bool {
        self.op().is_none()
    }

    /// The types of places that the operation updates: whole elements, or parts of them. Sums also work on whole vectors,
    /// matrices and quaternions, of which each number is updated by itself.
    pub(crate) fn types(self, is_whole: bool) -> TypeSet {
        match self {
            AtomicOp::Add | AtomicOp::Sub if is_whole => TypeSet::made_of(SUMS),
            AtomicOp::Add | AtomicOp::Sub => TypeSet::scalars(SUMS),
            AtomicOp::Min | AtomicOp::Max | AtomicOp::Exch => TypeSet::scalars(NUMBERS),
            AtomicOp::And | AtomicOp::Or | AtomicOp::Xor | AtomicOp::Cas => TypeSet::scalars(INTEGERS),
        }
    }
}

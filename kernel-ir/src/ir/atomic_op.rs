//! The atomic operations.

use super::{AtomicOp, Op};

impl AtomicOp {
    /// Every atomic operation.
    pub const ALL: [AtomicOp; 4] = [AtomicOp::Add, AtomicOp::Sub, AtomicOp::Min, AtomicOp::Max];

    /// The name in Rust, in Warp and in the text form, such as `atomic_add`.
    pub fn name(self) -> &'static str {
        match self {
            AtomicOp::Add => "atomic_add",
            AtomicOp::Sub => "atomic_sub",
            AtomicOp::Min => "atomic_min",
            AtomicOp::Max => "atomic_max",
        }
    }

    /// The operation that computes the new value from the old value and the operand.
    pub fn op(self) -> Op {
        match self {
            AtomicOp::Add => Op::Add,
            AtomicOp::Sub => Op::Sub,
            AtomicOp::Min => Op::Min,
            AtomicOp::Max => Op::Max,
        }
    }
}

//! What a thread leaves to be added later.

use crate::interp::num::Num;
use crate::ir::ParamId;
use crate::ops::Op;

/// What a thread adds to a scalar of an array.
#[derive(Clone, Copy)]
pub(super) struct Addition<S, D> {
    pub(super) array: ParamId,
    pub(super) scalar: usize,
    pub(super) op: Op,
    pub(super) value: Num<S, D>,
}

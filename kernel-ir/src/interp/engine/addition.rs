//! Buffered additions.

use crate::interp::num::Num;
use crate::ir::ParamId;
use crate::ops::Op;

/// An addition to a scalar of an array, to be made later.
#[derive(Clone, Copy)]
pub(super) struct Addition<S, D> {
    pub(super) array: ParamId,
    pub(super) scalar: usize,
    pub(super) op: Op,
    pub(super) value: Num<S, D>,
}

//! Arguments of the runs of a gradient check.

use crate::data::{Argument, Scalars};
use crate::interp::{Dual, Number};

/// Arguments that compute in f64, whatever their declared types.
pub(super) type Wide = Argument<f64, f64>;

/// Arguments after a launch in dual numbers.
pub(super) type DualArg = Argument<Dual, Dual>;

/// The floats of an argument; empty if it has none.
pub(super) fn floats<N: Number>(arg: &Argument<N, N>) -> &[N] {
    arg.data.singles().or(arg.data.doubles()).map_or(&[], Vec::as_slice)
}

pub(super) fn floats_mut<N>(arg: &mut Argument<N, N>) -> Option<&mut Vec<N>> {
    if let Scalars::F16(data) | Scalars::BF16(data) | Scalars::F32(data) | Scalars::F64(data) = &mut arg.data {
        Some(data)
    } else {
        None
    }
}

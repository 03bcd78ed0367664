//! The floats of arguments that compute with one number type, whatever they declare.

use crate::data::{Argument, Scalars};
use crate::interp::Number;

/// The floats of an argument; none if it is made of something else.
pub(super) fn floats<N: Number>(arg: &Argument<N, N>) -> &[N] {
    if let Scalars::F32(data) | Scalars::F64(data) = &arg.data { data } else { &[] }
}

/// The same, to be changed.
pub(super) fn floats_mut<N>(arg: &mut Argument<N, N>) -> Option<&mut Vec<N>> {
    if let Scalars::F32(data) | Scalars::F64(data) = &mut arg.data { Some(data) } else { None }
}

//! Generic functions. An instance of one is the function with types and values in the place of its parameters, as
//! syntax, so every later stage sees a plain function.

mod generic;
mod kernels;
mod substitute;

pub use generic::sample_arguments;
pub(super) use generic::{Generic, GenericArg, GenericKind, is_generic, listed, parameters, read_arg, suffix};
pub use kernels::{Instance, instances};
pub(super) use substitute::instance;

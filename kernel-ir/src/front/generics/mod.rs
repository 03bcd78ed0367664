//! Generic functions. An instance of one is the function with types and values in the place of its parameters, as
//! syntax, so every later stage sees a plain function.

mod functions;
mod generic;
mod kernels;
mod stand_in;
mod substitute;

pub(super) use functions::{FunctionParam, function_params};
pub use generic::sample_arguments;
pub(super) use generic::{Generic, GenericArg, GenericKind, is_generic, listed, parameters, read_arg};
pub use kernels::{Instance, Instances, instances};
pub(super) use stand_in::stand_in;
pub(super) use substitute::instance;

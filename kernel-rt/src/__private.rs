//! What the code that `#[kernel]` emits names: all of it under the one path `::kernel_rt::__private`, so that it means
//! the same whatever the user's module has in scope. Not for people.

pub use crate::launch::args::{array, each_arg, launch_dim, slice, slice_mut, store, value};
pub use crate::launch::device::{Access, DeviceLaunch};
pub use crate::launch::run::run;
pub use crate::{Device, DeviceArray, KernelInfo, LaunchDim, LaunchError};
pub use core::marker::Sized;
pub use core::primitive::{str, usize};
pub use core::result::Result::{self, Ok};
pub use core::{compile_error, module_path, unreachable};
pub use inventory::submit;
pub use kernel_ir::data::Arg;

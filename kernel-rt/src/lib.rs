//! What a kernel's user calls: the attributes `#[kernel]` and `#[device]`, arrays, devices, launches and the registry.
//!
//! ```
//! use kernel_rt::prelude::*;
//!
//! /// y = a·x + y.
//! #[kernel(family = "arithmetic")]
//! pub fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
//!     let i = tid();
//!     y[i] += a * x[i];
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut host_y = vec![1.0; 4];
//! saxpy::cpu(4, 2.0, &[1.0, 2.0, 3.0, 4.0], &mut host_y)?; // plain slices, no device
//!
//! let device = Device::cpu();
//! let x = device.array_from(&[1.0, 2.0, 3.0, 4.0])?;
//! let y = device.zeros::<f32>(4)?;
//! saxpy::launch(&device, 4, (2.0, &x, &y))?; // any device; or a `Tape`, for gradients
//! # assert_eq!((host_y, y.to_vec()?), (vec![3.0, 5.0, 7.0, 9.0], vec![2.0, 4.0, 6.0, 8.0]));
//! # Ok(())
//! # }
//! ```
//!
//! The attribute turns the function into a type of the same name with the associated functions `launch` and `cpu`, the
//! constants `NAME`, `FAMILY`, `RUST_SOURCE`, `IR`, `CUDA_FORWARD`, `CPP_FORWARD` and `PYTHON`, and an entry among the
//! [`registered_kernels`]. A kernel with an adjoint also has `cpu_backward`, `IR_BACKWARD`, `CUDA_BACKWARD` and
//! `CPP_BACKWARD`; the [`tape`] takes gradients through launches in sequence.

#![cfg_attr(
    not(feature = "cuda"),
    allow(
        dead_code,
        unused_imports,
        reason = "some of it is for CUDA devices alone; a build with `cuda` finds what nobody uses"
    )
)]

mod array;
mod atomic;
#[cfg(feature = "cuda")]
mod cuda;
#[cfg(not(feature = "cuda"))]
#[path = "no_cuda.rs"]
mod cuda;
mod device;
mod launch;
pub mod prelude;
mod registry;
pub mod tape;
mod thread;

#[doc(hidden)]
pub mod __private;

pub(crate) use array::AnyValue;
pub use array::{Array, Array2, Array3, Array4, Element, Float, FloatElement, ShapeError, Value};
pub use atomic::{AtomicNumber, atomic_add, atomic_max, atomic_min, atomic_sub};
pub use device::{Device, DeviceArray, DeviceError, Graph, Pass, Timer, Writer};
pub use kernel_macros::{device, kernel};
pub use launch::{LaunchDim, LaunchError, Launcher};
pub use registry::{BackwardInfo, CpuVersion, KernelInfo, registered_kernels};
pub use tape::{LaunchId, Seed, Tape, TapeError};
pub use thread::{tid, tid2, tid3, tid4};

//! The runtime for kernels: the attributes `#[kernel]` and `#[device]`, arrays, devices, launches, gradients and the
//! registry.
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
//!
//! # Modules, lowest layer first
//!
//! | module | what it has | imports |
//! |---|---|---|
//! | [`value`], `strong` | vectors, matrices and quaternions, and the strong products of adjoints | |
//! | `index_below` | checks of indices into parts of arrays | |
//! | `array`, `atomic`, `thread`, `block`, `tile`, `random` | arrays on the host, atomic updates, thread indices, blocks, tiles, random
//! numbers | `value` |
//! | `error` | the errors of devices and launches | |
//! | `registry` | the kernels that the macro has registered | `error` |
//! | `backend` | running kernels: the CPU backend, the interface of accelerators, each accelerator, their table | those
//! above |
//! | `device`, `device_array` | devices, and arrays on them | `backend` and below |
//! | `gradient` | adjoints of arrays and values | `device_array` and below |
//! | [`interop`] | arrays of other libraries, and files of arrays | `device_array` and below |
//! | `launch` | targets of a launch, and the checks before it | `gradient` and below |
//! | `graph`, [`tape`] | recorded launches, to be replayed or differentiated | `launch` and below |
//! | `__private`, [`prelude`] | names for emitted code, and for authors | all but `library` |
//! | [`library`] | device functions and structs for kernels | all |
//!
//! A module imports only modules of earlier rows, and no files import each other in a cycle.

// The attributes write paths from `::kernel_rt`, also in this crate.
extern crate self as kernel_rt;

mod array;
mod atomic;
mod backend;
mod block;
mod device;
mod device_array;
mod error;
mod gradient;
mod graph;
mod index_below;
pub mod interop;
mod launch;
pub mod library;
mod messages;
pub mod prelude;
mod random;
mod registry;
mod strong;
pub mod tape;
mod thread;
mod tile;
pub mod value;

#[doc(hidden)]
pub mod __private;

pub use array::{
    Array, Array2, Array3, Array4, DataElement, Element, FloatElement, NumberElement, ShapeError, UniformElement, Value,
};
pub use atomic::{
    AtomicInteger, AtomicNumber, AtomicSum, atomic_add, atomic_and, atomic_cas, atomic_exch, atomic_max, atomic_min,
    atomic_or, atomic_sub, atomic_xor,
};
#[cfg(feature = "wgpu")]
pub use backend::{ShaderLanguage, translate_wgsl};
pub use block::{Block, Lanes, PerThread, Shared, block, shared};
pub use device::{Device, Timer};
pub use device_array::{DeviceArray, Download, IntoElements, Writer};
pub use error::{DeviceError, LaunchError};
pub use gradient::LaunchId;
pub use graph::Graph;
pub use index_below::IndexBelow;
pub use kernel_macros::{device, kernel};
pub use launch::{LaunchDim, Launcher, LoadedText};
pub use random::{rand_init, rand_seed, randf, randf_range, randi, randi_range, randn, randu, randu_range};
pub use registry::{BackwardInfo, CpuVersion, KernelInfo, Pass, registered_kernels};
pub use strong::{StrongCross, StrongDiv, StrongDot, StrongMul};
pub use tape::{Seed, Tape, TapeError};
pub use thread::{tid, tid2, tid3, tid4};
pub use tile::{Col, MatMul, Row, Tile, TileArray, TileGrid, TileGridSums, TileSlice, TileSliceSums, TileSums};
pub use value::{Cast, Float, Integer, Matrix, Number, Quaternion, SignedNumber, Vector};

/// Compiler types in the signatures of this crate, so that its users need no dependency on `kernel-ir`.
pub mod ir {
    pub use kernel_ir::adjoint::Source;
    pub use kernel_ir::data::{Arg, Data};
    pub use kernel_ir::ir::{ParamId, Scalar, Type};
    pub use kernel_ir::verify::VerifiedKernel;
}

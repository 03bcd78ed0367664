//! Backends: each runs kernels on one kind of device.
//!
//! - [`cpu`] runs compiled kernel bodies on Rust arrays of the host. It is called directly.
//! - Every other backend implements [`Accelerator`]: a device with its own memory that runs kernels from their texts
//!   and IR, with arguments as bytes. Arrays, tapes, graphs and launches use accelerators through this trait only.
//!
//! A new backend is a folder here that implements [`Accelerator`], and a row in [`table`].

mod accelerator;
pub(crate) mod cpu;
#[cfg(feature = "cuda")]
mod cuda;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod fault;
mod program;
mod table;
#[cfg(feature = "wgpu")]
mod wgpu;

pub(crate) use accelerator::{
    Accelerator, Buffer, Checks, Graph, KernelArg, KernelLaunch, PendingCopy, Timer, make_unique,
};
pub(crate) use program::Program;
pub(crate) use table::open;
#[cfg(feature = "wgpu")]
pub use wgpu::{ShaderLanguage, translate_wgsl};

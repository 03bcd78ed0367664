//! Backends: what runs kernels on one kind of device.
//!
//! - [`cpu`] runs the compiled bodies of kernels on elements that the host holds as Rust arrays. It needs no seam.
//! - Every other backend is an [`Accelerator`]: a device with memory of its own that runs kernels from their texts and
//!   their IR, with arguments as bytes. Arrays, tapes, graphs and launches know accelerators by this trait alone.
//!
//! A further backend is a folder here with an implementation of [`Accelerator`], and a row in [`table`].

mod accelerator;
pub(crate) mod cpu;
#[cfg(feature = "cuda")]
mod cuda;
mod program;
mod table;

pub(crate) use accelerator::{Accelerator, Buffer, Checks, Graph, KernelArg, KernelLaunch, Timer, make_unique};
pub(crate) use program::Program;
pub(crate) use table::open;

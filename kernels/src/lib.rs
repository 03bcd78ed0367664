//! The kernel families, one module each, with annotated Rust and nothing else. [`bodies`] and [`fitting`] have kernels of several
//! families, about rigid bodies, shapes and surfaces, and [`functions`] the shared device functions.
//!
//! Linking this crate registers its kernels; `kernel_rt::registered_kernels()` lists them. The linker may drop a crate
//! that the program does not name, so a program calls [`link`].

pub mod arithmetic;
pub mod atomic;
pub mod bodies;
pub mod combined;
pub mod control_flow;
pub mod fitting;
pub mod functions;
pub mod loops;
pub mod math;
pub mod matrix;
pub mod multi_conditional;
pub mod nested_loop;
pub mod random_math;
pub mod reduction;
pub mod scalar_param;
pub mod vector;

/// Does nothing; a program that calls it has the kernels of this crate in its registry.
pub fn link() {}

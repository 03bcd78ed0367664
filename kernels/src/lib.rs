//! The kernel families: one module each, annotated Rust and nothing else. [`functions`] has what several of them call.
//!
//! Linking this crate registers every kernel in it; `kernel_rt::registered_kernels()` lists them. [`link`] makes sure that
//! the linker keeps the crate although nothing else of it is named.

pub mod arithmetic;
pub mod atomic;
pub mod combined;
pub mod control_flow;
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

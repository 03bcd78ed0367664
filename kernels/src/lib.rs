//! The kernel families, one module each, with annotated Rust and nothing else. [`functions`] has the device functions that
//! several families share.
//!
//! Longer kernels, which are whole methods with structs and functions of their own, stand in modules by subject:
//! [`simulation`], [`graphics`], [`numerics`], [`learning`], [`data`], and [`bodies`] about rigid bodies. Each kernel belongs
//! to the family of what it mostly does.
//!
//! Linking this crate registers its kernels; `kernel_rt::registered_kernels()` lists them. The linker may drop a crate
//! that the program does not name, so a program calls [`link`].

pub mod arithmetic;
pub mod atomic;
pub mod bodies;
pub mod combined;
pub mod control_flow;
pub mod data;
pub mod functions;
pub mod graphics;
pub mod learning;
pub mod loops;
pub mod math;
pub mod matrix;
pub mod multi_conditional;
pub mod nested_loop;
pub mod numerics;
pub mod random_math;
pub mod reduction;
pub mod scalar_param;
pub mod shared;
pub mod simulation;
pub mod tile;
pub mod vector;

/// Does nothing; a program that calls it has the kernels of this crate in its registry.
pub fn link() {}

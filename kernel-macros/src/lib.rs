//! The attribute macro `#[kernel]`: a thin entry point over `kernel-ir`.
//!
//! # A look inside
//!
//! With the environment variable `WEFT_DUMP` set to a list of stages, such as `WEFT_DUMP=ir,cuda`, every kernel prints
//! those stages to the standard error stream as it is compiled. The stages are `rust` (the author's source, formatted),
//! `ir`, `cuda`, `cpp`, `python`, `ir_backward`, `cuda_backward` and `cpp_backward`. Cargo does not see the variable: `touch` the file to have it compiled again.

mod dump;
mod expand;

use proc_macro::TokenStream;

/// Makes a kernel of a function: `#[kernel]`, `#[kernel(family = "arithmetic")]`, or with `no_grad` for one without an
/// adjoint.
///
/// `fn saxpy(a: f32, x: &[f32], y: &mut [f32])` becomes a type `saxpy` with the associated functions
///
/// - `launch(&device, n, (a, &x, &y))`: runs it on a device, the arrays being `DeviceArray`s;
/// - `cpu(n, a, &x, &mut y)`: runs it on the CPU, on plain slices and `Array`s;
/// - `cpu_backward(n, …)`: runs its adjoint, which takes what it needs of the arguments, then an adjoint for each float one;
///
/// with the constants `NAME`, `FAMILY`, `RUST_SOURCE`, `IR`, `CUDA_FORWARD`, `CPP_FORWARD`, `PYTHON`,
/// `IR_BACKWARD`, `CUDA_BACKWARD` and `CPP_BACKWARD`; and an entry among `kernel_rt::registered_kernels()`. The language of the body is a subset of Rust, described in
/// `docs/language.md`.
#[proc_macro_attribute]
pub fn kernel(attr: TokenStream, item: TokenStream) -> TokenStream {
    let expansion = expand::kernel(attr.into(), item.into());
    dump::print(&expansion.stages);
    expansion.tokens.into()
}

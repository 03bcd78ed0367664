//! The attribute macros `#[kernel]` and `#[device]`. They are thin wrappers of `kernel-ir`: the crate parses tokens,
//! calls the compiler and emits code.
//!
//! # Inspecting the stages
//!
//! Set the environment variable `WEFT_DUMP` to a list of stages, such as `WEFT_DUMP=ir,cuda`. Every kernel then prints
//! these stages to standard error when it is compiled. The stages are `rust` (the formatted source), `ir`, `cuda`,
//! `cpp`, `python`, `ir_backward`, `cuda_backward` and `cpp_backward`; `all` means all of them. Cargo does not track the
//! variable: `touch` the file to compile it again.

mod dump;
mod expand;

use proc_macro::TokenStream;

/// Turns a function into a kernel: `#[kernel]`, `#[kernel(family = "arithmetic")]`. With `no_grad`, the kernel has no
/// adjoint. With `slots = 8`, the adjoint stores at most 8 checkpoints of each loop.
///
/// `fn saxpy(a: f32, x: &[f32], y: &mut [f32])` becomes a type `saxpy` with the associated functions
///
/// - `launch(&device, n, (a, &x, &y))`: runs it on a device; its arrays are `DeviceArray`s;
/// - `cpu(n, a, &x, &mut y)`: runs it on the CPU; its arrays are plain slices and `Array`s;
/// - `cpu_backward(n, …)`: runs its adjoint. The arguments are those of the kernel that the adjoint needs, then an
///   adjoint for each float argument. An array under `atomic_min` or `atomic_max` is passed twice: as it was after the
///   launch, and as it was before;
///
/// with the constants `NAME`, `FAMILY`, `RUST_SOURCE`, `IR`, `CUDA_FORWARD`, `CPP_FORWARD`, `PYTHON`, `IR_BACKWARD`,
/// `CUDA_BACKWARD` and `CPP_BACKWARD`, and an entry in `kernel_rt::registered_kernels()`. The language of the body is a
/// subset of Rust; see `docs/language.md`.
#[proc_macro_attribute]
pub fn kernel(attr: TokenStream, item: TokenStream) -> TokenStream {
    finish(expand::kernel(attr.into(), item.into()))
}

/// Turns a function, struct, enum without data or constant into one that kernels may use: `#[device]`. Before a module it does so for all
/// items of the module, methods and operators included.
///
/// A device function takes values and arrays, and returns values or changes arrays. Its language is that of kernels
/// without `tid()`. It remains an ordinary Rust function. A kernel in another module or crate may call it
/// by any path. The attribute also defines a macro of the same name, which `use` imports with the function; kernels get
/// its source from that macro.
///
/// ```ignore
/// /// Smooth step between 0 and 1.
/// #[device]
/// pub fn smoothstep(t: f32) -> f32 {
///     t * t * (3.0 - 2.0 * t)
/// }
/// ```
///
/// `grad` gives the derivatives with respect to the listed parameters; with respect to the others, the derivative is
/// zero. Each derivative is a device function. It takes the same parameters, then the adjoint of the result, and
/// returns the adjoint of the parameter. With `surrogate` after the list, it may differ from the true derivative;
/// otherwise gradient checks compare the two.
///
/// ```ignore
/// /// The root of x³ = a, with the derivative of the root and not that of the steps.
/// #[device(grad(a = cube_root_da))]
/// fn cube_root(a: f32) -> f32 {
///     newton(a)
/// }
///
/// #[device]
/// fn cube_root_da(a: f32, adj: f32) -> f32 {
///     let root = newton(a);
///     adj / (3.0 * root * root)
/// }
/// ```
///
/// `warp = "quat_rpy"` names the function or type of NVIDIA Warp with the same values, which the Warp text uses instead.
#[proc_macro_attribute]
pub fn device(attr: TokenStream, item: TokenStream) -> TokenStream {
    finish(expand::device(attr.into(), item.into()))
}

/// Continues the expansion of an annotated function with the source of a device function. For emitted code only.
#[doc(hidden)]
#[proc_macro]
pub fn resume(state: TokenStream) -> TokenStream {
    finish(expand::resume(state.into()))
}

fn finish(expansion: expand::Expansion) -> TokenStream {
    dump::print(&expansion.stages);
    expansion.tokens.into()
}

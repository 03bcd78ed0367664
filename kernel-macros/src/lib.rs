//! The attribute macros `#[kernel]` and `#[device]`: thin entry points over `kernel-ir`.
//!
//! # A look inside
//!
//! With the environment variable `WEFT_DUMP` set to a list of stages, such as `WEFT_DUMP=ir,cuda`, every kernel prints
//! those stages to the standard error stream as it is compiled. The stages are `rust` (the author's source, formatted),
//! `ir`, `cuda`, `cpp`, `python`, `ir_backward`, `cuda_backward` and `cpp_backward`. Cargo does not see the variable: `touch` the file to have it compiled again.

mod dump;
mod expand;

use proc_macro::TokenStream;

/// Makes a kernel of a function: `#[kernel]`, `#[kernel(family = "arithmetic")]`; with `no_grad` for one without an
/// adjoint, with `slots = 8` for one whose adjoint keeps at most 8 states of each loop.
///
/// `fn saxpy(a: f32, x: &[f32], y: &mut [f32])` becomes a type `saxpy` with the associated functions
///
/// - `launch(&device, n, (a, &x, &y))`: runs it on a device, the arrays being `DeviceArray`s;
/// - `cpu(n, a, &x, &mut y)`: runs it on the CPU, on plain slices and `Array`s;
/// - `cpu_backward(n, …)`: runs its adjoint, which takes what it needs of the arguments, then an adjoint for each float one;
///   an array under `atomic_min` or `atomic_max` as it was after the launch, and another time as it was before;
///
/// with the constants `NAME`, `FAMILY`, `RUST_SOURCE`, `IR`, `CUDA_FORWARD`, `CPP_FORWARD`, `PYTHON`,
/// `IR_BACKWARD`, `CUDA_BACKWARD` and `CPP_BACKWARD`; and an entry among `kernel_rt::registered_kernels()`. The language of the body is a subset of Rust, described in
/// `docs/language.md`.
#[proc_macro_attribute]
pub fn kernel(attr: TokenStream, item: TokenStream) -> TokenStream {
    finish(expand::kernel(attr.into(), item.into()))
}

/// Makes a function that kernels and other device functions may call: `#[device]`.
///
/// It takes values (numbers, vectors, matrices, quaternions), returns one, and has the language of kernels without arrays,
/// `tid()` and atomics. It stays an ordinary Rust function. A kernel that calls it may stand in another module or crate and
/// names it by any path; `use` brings it with all that kernels need of it, a macro of the same name.
///
/// ```ignore
/// /// Smooth step between 0 and 1.
/// #[device]
/// pub fn smoothstep(t: f32) -> f32 {
///     t * t * (3.0 - 2.0 * t)
/// }
/// ```
///
/// A derivative of the author's own takes the place of that of the code, for each parameter in a list; by the others the
/// derivative is zero. Its function takes the same parameters, then the adjoint of the result, and gives the adjoint of the
/// parameter. With `surrogate` behind the list it may differ from the true derivative, which tests otherwise demand.
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
#[proc_macro_attribute]
pub fn device(attr: TokenStream, item: TokenStream) -> TokenStream {
    finish(expand::device(attr.into(), item.into()))
}

/// Goes on with an annotated function when a device function that it names has been found. Not for people.
#[doc(hidden)]
#[proc_macro]
pub fn resume(state: TokenStream) -> TokenStream {
    finish(expand::resume(state.into()))
}

fn finish(expansion: expand::Expansion) -> TokenStream {
    dump::print(&expansion.stages);
    expansion.tokens.into()
}

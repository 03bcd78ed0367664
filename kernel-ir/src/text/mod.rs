//! The text form of the IR: a printer and a parser.
//!
//! ```text
//! /// y = a·x + y.
//! #[kernel(family = "arithmetic", dim = 1)]
//! fn saxpy(
//!     a: f32 in -2.0f64..2.0f64,
//!     x: &[f32; dim(0)] in -1.0f64..1.0f64,
//!     y: &mut [f32; x.extent(0)],
//! ) {
//!     let i.0: usize = tid(0);
//!     y[i.0] += a * x[i.0];
//! }
//! ```
//!
//! The form resembles Rust, and holds the whole IR except spans:
//! - A local is its name and its id: `i.0`. A bare name is a parameter.
//! - A literal carries its type: `1i32`, `0.5f32`, `f32::INFINITY`. It is exact.
//! - An operation with a sign in Rust is written with that sign and Rust's precedence. Any other is a call by its name
//!   in the [table](crate::ops): `max(a, b)`. If the operands do not determine the result type, it follows the name:
//!   `splat<vec3>(a)`.
//! - `v.x` is component 0, `v[k]` a component by number, `m.col(k)` a column, `x.extent(0)` the extent of an array.
//! - `place name= value` is an update by an operation without a sign.
//! - Structs precede functions and kernel: `struct Ray { from: vec3, to: vec3, }`. `Ray(a, b)` makes one, and `(a, b)` a
//!   tuple; `ray.3.from` and `pair.4.0` are fields. Enums are among them: `enum Shape: i32 { Sphere = 0, Box = 1, }`, of
//!   which `Shape(1i32)` is a value and `shape.5.value` the number.
//! - `old.2 = atomic_add(x[k.1], v);` stores the value from before the update.
//! - `//` starts a comment, which is dropped.
//! - Device functions precede the kernel, callees and derivatives first, with `#[device]` or
//!   `#[device(grad(a = f_da), surrogate)]`. A function or struct that Warp has itself has `warp = f` among the arguments.
//!
//! Parsing inverts printing for kernels that pass [`verify`](crate::verify). The types of expressions are not printed:
//! the parser infers them from the operation table.

#![deny(clippy::wildcard_enum_match_arm)]

mod error;
mod lex;
mod parse;
mod print;
mod syntax;
#[cfg(test)]
mod tests;

pub use error::ParseError;
pub use parse::parse;
pub use print::print;
pub(crate) use print::print_expr;

//! The text form of the IR: printed and read back.
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
//! It looks like Rust and says everything that the IR says, except spans:
//! - a local is its name and its id, `i.0`; a bare name is a parameter;
//! - a literal carries its type, `1i32`, `0.5f32`, `f32::INFINITY`, and is exact;
//! - an operation that Rust writes with a sign is written so, with Rust's precedence; any other is a call by its name in
//!   the [table](crate::ops), `max(a, b)`; where the operands leave the result type open, it follows the name:
//!   `splat<vec3>(a)`;
//! - `v.x` is the component 0, `v[k]` a component by number, `m.col(k)` a column, `x.extent(0)` the length of an array;
//! - `place name= value` is an update by an operation for which Rust has no sign;
//! - `old.2 = atomic_add(x[k.1], v);` stores the value from before;
//! - `//` starts a comment, which is not kept;
//! - device functions stand before the kernel, callees and derivatives first, under `#[device]` or
//!   `#[device(grad(a = f_da), surrogate)]`.
//!
//! A kernel that passes the [check](crate::verify) comes back as it was. The types of expressions are not written: reading
//! finds them again with the table of operations.

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

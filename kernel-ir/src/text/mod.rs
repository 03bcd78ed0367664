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

mod lex;
mod parse;
mod print;
#[cfg(test)]
mod tests;

pub use parse::{ParseError, parse};
pub use print::print;

/// The words that start a statement or an expression of their own. A parameter of that name is written `r#if`.
const RESERVED: [&str; 9] = ["break", "continue", "false", "for", "if", "let", "return", "true", "while"];

/// The name behind a word that is marked as one.
fn unmarked(word: &str) -> &str {
    word.strip_prefix("r#").filter(|name| RESERVED.contains(name)).unwrap_or(word)
}

/// The names of the components of a vector or quaternion.
const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// How tightly the signs of Rust bind; more is tighter.
mod precedence {
    /// An `if … else …`.
    pub(super) const LOOSEST: u8 = 0;
    /// A cast.
    pub(super) const CAST: u8 = 10;
    /// `-a`, `!a`.
    pub(super) const PREFIX: u8 = 11;
    /// Everything that carries its own brackets.
    pub(super) const ATOM: u8 = 12;

    /// An operation between its operands.
    pub(super) fn infix(sign: &str) -> u8 {
        match sign {
            "||" => 1,
            "&&" => 2,
            "==" | "!=" | "<" | "<=" | ">" | ">=" => 3,
            "|" => 4,
            "^" => 5,
            "&" => 6,
            "<<" | ">>" => 7,
            "+" | "-" => 8,
            _ => 9,
        }
    }

    /// Whether Rust has an assignment with that sign: `+=` but not `<=`.
    pub(super) fn has_assignment(sign: &str) -> bool {
        infix(sign) > 3
    }
}

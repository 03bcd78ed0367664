//! The operations of the language: THE table ([`TABLE`]), and what its columns mean.
//!
//! An operation is declared once, in `operations.rs`: its name in the text form, its Rust syntax, and one row for each
//! family of operand types, with its spelling in C (CUDA and host C++), its spelling in Warp Python, its accuracy and
//! its derivative. Type inference, the verifier, the text form, the writers, the adjoint, the documentation and the
//! tests read the table. Only the interpreter has code of its own for every operation: its meaning.

#![deny(clippy::wildcard_enum_match_arm)]

pub mod build;
mod declare;
mod def;
mod docs;
mod gradient;
mod keys;
mod lookup;
mod pattern;
mod pullback;
pub(crate) mod schedule;
mod table;
#[cfg(test)]
#[expect(clippy::wildcard_enum_match_arm, reason = "tests look at a few kinds")]
mod tests;

pub use crate::ir::Op;
pub use def::{Accuracy, OpDef, Overload, Spelling, Syntax};
pub use docs::markdown;
pub use gradient::Rule;
pub(crate) use keys::{Key, KeyMap, MOST_OPERANDS};
pub use pattern::{Class, Pat};
pub(crate) use pattern::{image, narrow};
pub use pullback::{differentiable, pullback};
pub use table::TABLE;

//! The writer of Rust: the `#[kernel]` source of a kernel, and the body of its CPU version.
//!
//! The text is what an author would write, and the front end compiles it to the same kernel. Rust differs from the IR
//! in these points:
//!
//! - **Names** may be shadowed in Rust. The author's names stay, unless one would hide a name that is still used
//!   (`names.rs`).
//! - **Types** are written only where Rust cannot infer them (`typing.rs`).
//! - **Statements** that the front end has split off one Rust expression are joined again: `let old = atomic_add(…)`,
//!   `let x = if … { …; a } else { b }` (`stmt.rs`), `let (i, j) = tid2()` (`thread_index.rs`), `const N: i32 = 4`
//!   (`declarations.rs`).
//! - **Cases.** A chain of branches that compare one integer with constants is a `match` (`matches.rs`).
//! - **Borrows.** An atomic, an update of a vector in an N-D array, and `col_mut` borrow their target mutably before
//!   Rust computes the new value. Values that are read from the target are bound to a name first (`place.rs`).
//! - **Optional arrays.** Where a branch uses the elements of an array whose presence it tests, the test unwraps the
//!   array under its own name: `if let Some(z) = z` (`optional.rs`). In a body an absent array is an empty one.
//! - **Enums.** The number of an enum is `value as i32`, and comparisons are of the enums themselves (`enums.rs`).
//! - **Tiles** stand where the author had them (`tiles.rs`), and phases where a text has none, as in bodies.
//! - **Local arrays** become Rust arrays: `[0.0f32; 32]`.
//! - **NaNs** other than `f32::NAN` and `f64::NAN` do not round-trip.

mod code;
mod declarations;
mod elements;
mod enums;
mod expr;
mod head;
mod literal;
mod lockstep;
mod matches;
mod names;
mod optional;
mod place;
mod stmt;
mod thread_index;
mod tiles;
mod typing;
mod writer;

use crate::analysis::Lockstep;
use crate::verify::VerifiedKernel;
pub use lockstep::GroupNames;
pub use names::body_params;
use writer::Writer;

/// The kernel as an author writes it: device functions, doc comment, `#[kernel(…)]`, signature and body.
pub fn write(kernel: &VerifiedKernel) -> String {
    Writer::for_kernel(kernel).kernel()
}

/// The device functions and the statements of the body. They are valid inside a function with the kernel's parameters,
/// named as by [`body_params`], where `tid()` and the like return the thread index and `kernel_rt::prelude` is in
/// scope. They are not free of lints: the surrounding code must allow unused variables, and rustc's errors for
/// operations that certainly fail at run time.
pub fn write_body(kernel: &VerifiedKernel) -> String {
    Writer::for_body(kernel).body()
}

/// As [`write_body`], for a group of threads in lockstep.
pub fn write_group(kernel: &VerifiedKernel, lockstep: &Lockstep, names: GroupNames<'_>) -> String {
    lockstep::write(kernel, lockstep, names)
}

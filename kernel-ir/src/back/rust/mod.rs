//! Rust: the `#[kernel]` source of a kernel, and the body of its CPU version.
//!
//! The text is what an author would write, and the front end makes the same kernel of it. Where Rust and the IR differ:
//!
//! - **Names** may be shadowed in Rust, so the author's stay, unless one would hide another that is still used
//!   (`names.rs`).
//! - **Types** are written where Rust could not tell them, and nowhere else (`typing.rs`).
//! - **Statements** that the front end made of one Rust expression become it again: `let old = atomic_add(…)`, `let x =
//!   if … { …; a } else { b }` (`stmt.rs`), `let (i, j) = tid2()` (`thread_index.rs`), `const N: i32 = 4`
//!   (`declarations.rs`).
//! - **Borrows.** Rust takes `&mut` of what an atomic, an update of a vector in an N-D array or `col_mut` changes before
//!   it computes the new value. What is read from there gets a name first (`place.rs`).
//! - **Local arrays** are Rust's: `[0.0f32; 32]`. The front end has none, so only kernels without them come back.
//!   Neither do NaNs other than `f32::NAN` and `f64::NAN`.

mod code;
mod declarations;
mod expr;
mod head;
mod literal;
mod lockstep;
mod names;
mod place;
mod stmt;
mod thread_index;
mod typing;
mod writer;

use crate::analysis::Lockstep;
use crate::verify::VerifiedKernel;
pub use lockstep::GroupNames;
pub use names::body_params;
use writer::Writer;

/// The kernel as an author writes it: its device functions, then doc comment, `#[kernel(…)]`, signature and body.
pub fn write(kernel: &VerifiedKernel) -> String {
    Writer::for_kernel(kernel).kernel()
}

/// The device functions and the statements of the body, for a function with the kernel's parameters in which `tid()` and its kin give the index
/// of the thread, the parameters have the names of [`body_params`], and `kernel_rt::prelude` is in scope. They are correct
/// but not free of lints: allow unused variables, and the errors for what certainly fails at run time.
pub fn write_body(kernel: &VerifiedKernel) -> String {
    Writer::for_body(kernel).body()
}

/// The same as [`write_body`] for a group of threads that go in step.
pub fn write_group(kernel: &VerifiedKernel, lockstep: &Lockstep, names: GroupNames<'_>) -> String {
    lockstep::write(kernel, lockstep, names)
}

//! The writer of WGSL, the shading language of WebGPU: compute shaders for any GPU.
//!
//! A text is a module with one entry point. It differs from the IR in these points:
//!
//! - **Threads.** A workgroup has [`WORKGROUP`] threads along x. A thread computes its number in the launch from the number
//!   of its workgroup, along x and y, and the indices along the launch axes by division. Threads beyond the launch return. In a
//!   kernel with sums over the launch (`sums.rs`) the threads go on in steps of the dispatch, so a dispatch may have fewer.
//! - **Arguments** are described by [`Arguments`]: a uniform buffer with by-value parameters, extents and the launch size,
//!   and a storage buffer for each array, with the bytes that the host has (`memory.rs`). `usize` is `u32`.
//! - **Device functions** cannot take arrays in WGSL. There is an instance for each choice of arrays.
//! - **Floats of 16 bits** are values of `f32`, rounded after each operation; memory has their bits.
//! - **Values.** Vectors of 2 to 4 components are those of WGSL. Matrices and longer vectors are arrays, and their
//!   operations are functions of the prelude, with the order of steps of the interpreter.
//! - **Conditional expressions** become `select`, which evaluates both sides. No expression of WGSL fails: an index out of
//!   bounds reads an element or zero, a division by zero has a value, and integers wrap around.
//! - **Floats.** WGSL lets a compiler reorder sums, fuse products with sums, and assume that no float is NaN or infinite; the
//!   functions of WGSL have errors without a bound, or with a large one. The text has functions of its own for all but
//!   `+ - * /`, `sqrt` and rounding, and tests NaN by bits. A text cannot forbid a driver to
//!   reorder `+`; a runtime can, in SPIR-V.
//! - **Atomic operations** on floats exchange bits in a loop. Sums over the whole launch are added up in each workgroup
//!   first.
//! - **Messages** are left out: WGSL has no way to print.
//!
//! A kernel is refused with a reason if it needs what WGSL lacks: atomic operations on numbers of 64 bits in structs of
//! several types.

mod arguments;
mod checked;
mod expr;
mod guarded;
mod lines;
mod loops;
mod memory;
mod prelude;
mod reserved;
mod stmt;
mod sums;
mod text;
mod types;
mod workgroup;
mod writer;

use crate::back::fault::Checks;
use crate::verify::VerifiedKernel;
use lines::Lines;

pub use arguments::{ArgumentField, ArgumentSource, Arguments, WORKGROUP};

/// Writes the kernel as a WGSL module. The entry point is the only one.
///
/// # Errors
/// The reason for which the kernel cannot be written in WGSL, as the end of the sentence "WGSL has no …".
pub fn write(kernel: &VerifiedKernel) -> Result<String, String> {
    write_with(kernel, Checks::Off)
}

/// Writes the kernel with checks. An index out of bounds, or the store of a NaN, is recorded in a
/// [`Fault`](crate::back::Fault), and the launch continues with element 0. The arguments are
/// [`Arguments::checked`]; the record is the binding behind those of the arrays.
///
/// # Errors
/// Those of [`write()`].
pub fn write_checked(kernel: &VerifiedKernel) -> Result<String, String> {
    write_with(kernel, Checks::On)
}

fn write_with(kernel: &VerifiedKernel, checks: Checks) -> Result<String, String> {
    let first = writer::write(kernel, checks, &|_| false);
    // What the text calls is known only after it is written. If a variable hides one of these functions, the text is
    // written again with other names.
    let written = match first.given.iter().any(|name| first.uses(name)) {
        true => writer::write(kernel, checks, &|name| first.uses(name)),
        false => first,
    };
    if let Some(why) = written.prelude.missing.iter().chain(&written.refusals).next() {
        return Err(why.clone());
    }
    let mut whole = Lines::default();
    whole.whole(&written.prelude.text());
    Ok(whole.text + &written.text)
}

//! The writer of NVIDIA Warp Python.
//!
//! A Warp kernel is a Python function that Warp compiles from its source; Python does not run it. Warp 1.19 differs
//! from the IR in these points:
//!
//! - **Scalars.** Warp has no index type. `usize` becomes the 32-bit `int`, so indices end at 2³¹ − 1. Types are never
//!   mixed implicitly: every constant other than an `int`, a `float` (32 bits) or a `bool` is a call, such as
//!   `wp.float64(0.5)`.
//! - **Variables** have one type, and the whole function as scope. Warp treats a variable that is initialised with a
//!   bare constant as a constant, and refuses to change it in a loop. Such a variable is initialised with `float(0.0)`
//!   (`declare.rs`).
//! - **Loops.** `range` counts in `int`, and so does any replacement of it. A loop therefore makes fewer than 2³¹
//!   trips, and a range with a step is shorter than that by a step. Ranges of other integer types count trips from zero
//!   and compute the value from the count. Ranges that may reach the limits of `int` become `while` loops (`loops.rs`).
//! - **Lazy operands.** `and`, `or` and `a if c else b` evaluate the same operands as in Rust, so expressions need not
//!   be split.
//! - **Optional arrays** are true where they are present: `if z:`. As a `bool`, the presence is `not (not z)`. A launch passes
//!   `None` for an absent array.
//! - **Negation.** Warp's `-x` of a scalar is `0 - x`, which loses the sign of zero, so the helper `neg` replaces it.
//!   Vectors and matrices keep the sign.
//! - **Integers.** `//` rounds down, `/` rounds towards zero as in Rust. Signed overflow is undefined, as in C++.
//! - **Aggregates.** `m[i, j]` is row `i`, column `j`; `m[:, j]` is a column. A part of an array element can be the
//!   target of `=`, `+=` and `-=` only; a column of one cannot be assigned.
//! - **Device functions** precede the kernel, under `@wp.func`. A derivative that the author gives becomes a
//!   `@wp.func_grad` after its function.
//! - **Names.** A component of a variable is passed to a generic function by number: `to_i32(sum[0])`, not
//!   `to_i32(sum.x)`. In the latter, Warp would take the variable for Python's `sum`.
//! - **Functions** that differ from Rust in any bit are replaced by those of `prelude.py`.

mod declare;
mod expr;
mod loops;
mod prelude;
mod reserved;
mod stmt;
#[cfg(test)]
mod tests;
mod tiles;
mod types;
mod writer;

use crate::ir::Kernel;
use crate::rewrite::shared_atomics;
use crate::verify::VerifiedKernel;
use prelude::Helpers;
use writer::Writer;

/// The kernel as a Python module. The module defines it with `@wp.kernel`, under the name [`function_name`].
pub fn write(kernel: &VerifiedKernel) -> String {
    if kernel.has_tiles() {
        return written(&tiles::for_warp(kernel.with_tiles())).module();
    }
    written(&shared_atomics::as_updates(kernel)).module()
}

/// The name of the emitted function: that of the kernel, with an underscore appended if Python, Warp or the emitted
/// helpers use it.
pub fn function_name(kernel: &VerifiedKernel) -> String {
    if kernel.has_tiles() {
        return written(&tiles::for_warp(kernel.with_tiles())).function_name().to_owned();
    }
    written(&shared_atomics::as_updates(kernel)).function_name().to_owned()
}

/// The writer after writing the kernel. The helpers that the kernel calls are known only then. If a name hides one of
/// them, the kernel is written again with other names.
fn written(kernel: &Kernel) -> Writer<'_> {
    let mut writer = Writer::new(kernel, Helpers::default());
    writer.definition();
    if writer.hides_a_helper() {
        writer = Writer::new(kernel, writer.helpers);
        writer.definition();
    }
    writer
}

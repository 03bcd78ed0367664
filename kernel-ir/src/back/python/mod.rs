//! NVIDIA Warp Python.
//!
//! A Warp kernel is a Python function that Warp reads, not one that Python runs. Where Warp 1.19 and the IR differ:
//!
//! - **Scalars.** Warp has no index type: `usize` is `int`, which is 32 bits wide, so indices end at 2³¹ − 1. It mixes
//!   no types: every constant other than an `int`, a `float` (32 bits) or a `bool` is a call, `wp.float64(0.5)`.
//! - **Variables** have one type and one scope, the function. A variable that starts as a bare constant is a constant
//!   for Warp, and a loop may not change it; such a variable starts as `float(0.0)` (`declare.rs`).
//! - **Loops.** `range` counts in `int`, and so does whatever stands for it: a loop makes less than 2³¹ trips, and a
//!   range in steps is shorter than that by a step. Ranges of other integers are counted from zero and computed from
//!   the count; ranges that may touch the ends of `int` are written as `while` (`loops.rs`).
//! - **Lazy operands.** `and`, `or` and `a if c else b` evaluate what Rust evaluates, so expressions stay whole.
//! - **Negation.** Warp's `-x` is `0 - x`, without the sign of zero; vectors and matrices have it.
//! - **Integers.** `//` rounds down, `/` rounds towards zero like Rust's; signed overflow is undefined as in C++.
//! - **Aggregates.** `m[i, j]` is row `i`, column `j`; `m[:, j]` is a column. A part of an array element accepts
//!   `=`, `+=` and `-=` only, a column of one nothing at all.
//! - **Device functions** stand before the kernel under `@wp.func`; a derivative that the author gives is a
//!   `@wp.func_grad` behind its function.
//! - **Names.** A component of a variable is an argument of a generic function by its number: `to_i32(sum[0])`, not
//!   `to_i32(sum.x)`, for Warp would mistake the variable for Python's `sum`.
//! - **Functions** whose meaning is not Rust's or glam's to the bit are replaced by those of `prelude.py`.

mod declare;
mod expr;
mod loops;
mod prelude;
mod reserved;
mod stmt;
#[cfg(test)]
mod tests;
mod types;
mod writer;

use crate::verify::VerifiedKernel;
use prelude::Helpers;
use writer::Writer;

/// The kernel as a Python module that defines it with `@wp.kernel`, under the name [`function_name`].
pub fn write(kernel: &VerifiedKernel) -> String {
    written(kernel).module()
}

/// The name of the emitted function: the kernel's own, with an underscore at its end if Python, Warp or the emitted
/// helpers need that name.
pub fn function_name(kernel: &VerifiedKernel) -> String {
    written(kernel).function_name().to_owned()
}

/// The writer when it has written the kernel. What the kernel calls shows when it is written; only then is it known which
/// names it must leave alone.
fn written(kernel: &VerifiedKernel) -> Writer<'_> {
    let mut writer = Writer::new(kernel, Helpers::default());
    writer.definition();
    if writer.hides_a_helper() {
        writer = Writer::new(kernel, writer.helpers);
        writer.definition();
    }
    writer
}

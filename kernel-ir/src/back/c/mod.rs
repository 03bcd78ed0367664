//! CUDA C++ and host C++: one writer, two dialects, both written at once.
//!
//! What differs from the IR:
//!
//! - **Threads.** The IR is the work of one thread. Emitted CUDA is a kernel with a grid-stride loop for each launch
//!   axis, the last axis on `x`, so any grid covers any launch; a launch of four axes is one loop over all of them.
//!   Emitted host C++ is the same function with plain loops. An early `return` is the `continue` of the innermost of
//!   these loops; where it stands inside a loop of the body, the body becomes a function of its own.
//! - **Arguments** are those of [`Kernel::abi`](crate::ir::Kernel::abi). `usize` is `index_t`, whose width one line of the text decides. It must
//!   hold every index with some room above: the launch size plus the number of threads of the grid, an index plus the
//!   step of a loop.
//! - **Sums over all threads.** What CUDA threads only add to, at a constant index (the gradient of a by-value parameter),
//!   each of them adds up for itself, and each block once to memory: atomic operations at one address wait for each other.
//! - **Aggregates** are plain structs with glam's memory layout, and their operations are glam's, in glam's order.
//! - **Undefined behaviour.** Where Rust's meaning is defined and C's is not (casts out of range, shifts of negative
//!   values, wrapping arithmetic, loops up to the end of a type), the text goes another way. What ends a Rust program
//!   with an error (overflow, division by zero, an index out of bounds) is not checked.
//! - **Device functions** stand before the kernel, as `static` functions.
//! - **The prelude** brings what the language lacks, cut to what the kernel uses. CUDA text includes nothing.

mod dialect;
mod expr;
mod fault;
mod lines;
mod loops;
mod prelude;
mod program;
mod reserved;
mod stmt;
mod types;
mod writer;

#[cfg(test)]
#[expect(clippy::wildcard_enum_match_arm, reason = "a test need not be led to a new kind")]
mod tests;

use crate::verify::VerifiedKernel;
use dialect::Checks;
use prelude::Prelude;
use writer::Writer;

pub use dialect::Dialect;
pub use fault::Fault;
pub use program::{BLOCK_ON_HOST, CUDA_ON_HOST, RecordedLaunch, depends_on_order, write_program};
pub use reserved::entry_name;
pub use types::with_wide_indices;

/// The kernel, or an adjoint, as source text that compiles on its own.
pub fn write(kernel: &VerifiedKernel, dialect: Dialect) -> String {
    let [text] = write_with(kernel, [dialect], Checks::Off);
    text
}

/// The texts of [`write()`] in CUDA C++ and in host C++. Most of their lines are the same, and written once.
pub fn write_both(kernel: &VerifiedKernel) -> (String, String) {
    let dialects = [Dialect::Cuda, Dialect::Cpp];
    // A grid has three axes: where the launch has more, blocks are not equally deep.
    let texts = match kernel.dim {
        ..=3 => write_with(kernel, dialects, Checks::Off),
        _ => dialects.map(|dialect| write(kernel, dialect)),
    };
    texts.into()
}

/// The kernel in CUDA C++ with checks: an index out of bounds and a NaN that is stored are noted in a [`Fault`], and the
/// launch goes on with the element 0. The function takes the arguments of [`Kernel::checked_abi`](crate::ir::Kernel::checked_abi).
pub fn write_checked(kernel: &VerifiedKernel) -> String {
    let [text] = write_with(kernel, [Dialect::Cuda], Checks::On);
    text
}

fn write_with<const N: usize>(kernel: &VerifiedKernel, dialects: [Dialect; N], checks: Checks) -> [String; N] {
    let mut writer = Writer::new(kernel, &dialects, checks, &|_| false);
    writer.write();
    let Some(preludes) = std::mem::take(&mut writer.preludes).finish() else {
        return dialects.map(|dialect| {
            let [text] = write_with(kernel, [dialect], checks);
            text
        });
    };
    let mut written = preludes.into_iter().zip(std::mem::take(&mut writer.lines).finish());
    dialects.map(|dialect| {
        let (prelude, text) = written.next().expect("each dialect has a text");
        // What the kernel calls shows when it is written; only then is it known which names its locals must not hide.
        match writer.given().any(|name| prelude.uses(name)) {
            true => write_around(kernel, dialect, checks, &prelude),
            false => whole(prelude, checks, &text),
        }
    })
}

/// The text in which no name of the kernel hides one that `prelude` has.
fn write_around(kernel: &VerifiedKernel, dialect: Dialect, checks: Checks, prelude: &Prelude) -> String {
    let is_called = |name: &str| prelude.uses(name);
    let dialects = [dialect];
    let mut writer = Writer::new(kernel, &dialects, checks, &is_called);
    writer.write();
    let preludes = writer.preludes.finish().into_iter().flatten();
    preludes.zip(writer.lines.finish()).map(|(prelude, text)| whole(prelude, checks, &text)).collect()
}

/// The text with what it needs before it.
fn whole(mut prelude: Prelude, checks: Checks, text: &str) -> String {
    let mut whole = prelude.text(text.len() + CHECKED.len());
    if checks == Checks::On {
        whole.extend(["\n", CHECKED]);
    }
    whole.extend(["\n", text]);
    whole
}

/// What checked text needs before the kernel.
const CHECKED: &str = include_str!("checked.cuh");

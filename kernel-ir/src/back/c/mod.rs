//! The writer of CUDA C++ and host C++: two dialects, written at once.
//!
//! The emitted code differs from the IR in these points:
//!
//! - **Threads.** The IR describes one thread. A CUDA kernel has a grid-stride loop for each launch axis, with the last
//!   axis on `x`, so that any grid covers any launch. A launch of four axes uses one loop over all indices. Host C++ is
//!   the same function with plain loops. An early `return` becomes the `continue` of the innermost of these loops. If
//!   it is inside a loop of the body, the body becomes a function of its own.
//! - **Blocks.** A block kernel has a loop over the blocks, which a block of the stated size strides through; see
//!   `blocks`. Host C++ runs phases as loops.
//! - **Arguments** are those of [`Kernel::abi`](crate::ir::Kernel::abi). `usize` becomes `index_t`, whose width is set
//!   by one line of the text. It must hold every index with headroom: the launch size plus the number of threads of the
//!   grid, and an index plus the step of a loop.
//! - **Optional arrays** are null pointers where they are absent, and their extents are 0.
//! - **Grid reductions.** If CUDA threads only add to an element at a constant index, such as the gradient of a
//!   by-value parameter, each thread adds up its own terms, and each block makes one atomic addition. Atomics at one
//!   address would otherwise be serialised.
//! - **Aggregates** are plain structs with the layout of the values of `kernel-rt`. Their operations take the same
//!   steps in the same order.
//! - **Undefined behaviour.** Where Rust defines an operation and C does not (out-of-range casts, shifts of negative
//!   values, wrapping arithmetic, loops up to the limit of a type), the text uses a defined equivalent. Errors of a
//!   Rust program (overflow, division by zero, an index out of bounds) are not checked.
//! - **Device functions** precede the kernel, as `static` functions.
//! - **The prelude** defines the types and functions that the language lacks, as far as the kernel uses them. CUDA text
//!   includes no headers.

mod blocks;
mod dialect;
mod expr;
mod lines;
mod loops;
pub mod on_host;
mod prelude;
mod program;
mod reserved;
mod stmt;
mod threads;
mod types;
mod writer;

#[cfg(test)]
#[expect(clippy::wildcard_enum_match_arm, reason = "a test need not be led to a new kind")]
mod tests;

use crate::back::fault::Checks;
use crate::verify::VerifiedKernel;
use prelude::Prelude;
use writer::Writer;

pub use dialect::Dialect;
pub use on_host::{BLOCK_ON_HOST, CUDA_ON_HOST};
pub use program::{RecordedLaunch, depends_on_order, write_program};
pub use reserved::entry_name;
pub use types::with_wide_indices;

/// Writes the kernel as a self-contained translation unit.
pub fn write(kernel: &VerifiedKernel, dialect: Dialect) -> String {
    let [text] = write_with(kernel, [dialect], Checks::Off);
    text
}

/// Writes the kernel as [`write()`] does, in CUDA C++ and in host C++. Most lines are equal in both and are written
/// once.
pub fn write_both(kernel: &VerifiedKernel) -> (String, String) {
    let dialects = [Dialect::Cuda, Dialect::Cpp];
    // A grid has three axes. With more launch axes, the loops of the two dialects have different nesting depths. The
    // dialects have little in common in a block kernel.
    let texts = match kernel.dim {
        ..=3 if kernel.block.is_none() => write_with(kernel, dialects, Checks::Off),
        _ => dialects.map(|dialect| write(kernel, dialect)),
    };
    texts.into()
}

/// Writes the kernel in CUDA C++ with checks. An index out of bounds, or the store of a NaN, is recorded in a
/// [`Fault`](crate::back::Fault), and the launch continues with element 0. The function takes the arguments of
/// [`Kernel::checked_abi`](crate::ir::Kernel::checked_abi).
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
        // The functions that the kernel calls are known only after it is written. If a local hides one of them, the
        // text is written again with other names.
        match writer.given().any(|name| prelude.uses(name)) {
            true => write_around(kernel, dialect, checks, &prelude),
            false => whole(prelude, checks, &text),
        }
    })
}

/// Writes the kernel with names that hide no name in `prelude`.
fn write_around(kernel: &VerifiedKernel, dialect: Dialect, checks: Checks, prelude: &Prelude) -> String {
    let is_called = |name: &str| prelude.uses(name);
    let dialects = [dialect];
    let mut writer = Writer::new(kernel, &dialects, checks, &is_called);
    writer.write();
    let preludes = writer.preludes.finish().into_iter().flatten();
    preludes.zip(writer.lines.finish()).map(|(prelude, text)| whole(prelude, checks, &text)).collect()
}

/// The text with its prelude.
fn whole(mut prelude: Prelude, checks: Checks, text: &str) -> String {
    let mut whole = prelude.text(text.len() + CHECKED.len());
    if checks == Checks::On {
        whole.extend(["\n", CHECKED]);
    }
    whole.extend(["\n", text]);
    whole
}

/// The declarations for checked text.
const CHECKED: &str = include_str!("checked.cuh");

//! CUDA C++ and host C++: one writer, two dialects.
//!
//! What differs from the IR:
//!
//! - **Threads.** The IR is the work of one thread. Emitted CUDA is a kernel with a grid-stride loop for each launch
//!   axis, the last axis on `x`, so any grid covers any launch; a launch of four axes is one loop over all of them.
//!   Emitted host C++ is the same function with plain loops. An early `return` is the `continue` of the innermost of
//!   these loops; where it stands inside a loop of the body, the body becomes a function of its own.
//! - **Arguments** are those of [`Kernel::abi`]. `usize` is `index_t`, whose width one line of the text decides. It must
//!   hold every index with some room above: the launch size plus the number of threads of the grid, an index plus the
//!   step of a loop.
//! - **Aggregates** are plain structs with glam's memory layout, and their operations are glam's, in glam's order.
//! - **Undefined behaviour.** Where Rust's meaning is defined and C's is not (casts out of range, shifts of negative
//!   values, wrapping arithmetic, loops up to the end of a type), the text goes another way. What ends a Rust program
//!   with an error (overflow, division by zero, an index out of bounds) is not checked.
//! - **Device functions** stand before the kernel, as `static` functions.
//! - **The prelude** brings what the language lacks, cut to what the kernel uses. CUDA text includes nothing.

mod expr;
mod lines;
mod loops;
mod prelude;
mod program;
mod reserved;
mod stmt;
mod types;
mod writer;

#[cfg(test)]
mod tests;

use crate::check::CheckedKernel;
use crate::ir::Kernel;
use writer::Writer;

pub use program::{Launch, write_program};

/// A C++ header that gives the words of CUDA a meaning on the host: emitted CUDA text behind it compiles and runs there.
pub const CUDA_ON_HOST: &str = include_str!("cuda_on_host.h");

/// Which C++ is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// For NVIDIA GPUs, as NVRTC and nvcc compile it.
    Cuda,
    /// For the host: C++17, one thread after the other.
    Cpp,
}

/// The kernel, or an adjoint, as source text that compiles on its own.
pub fn write(kernel: &CheckedKernel, dialect: Dialect) -> String {
    // What the kernel calls shows when it is written; only then is it known which names its locals must not hide.
    let mut writer = Writer::new(kernel, dialect, &|_| false);
    let text = writer.write();
    if !writer.given.iter().any(|name| writer.prelude.uses(name)) {
        return format!("{}\n{text}", writer.prelude.text());
    }
    let is_called = |name: &str| writer.prelude.uses(name);
    let mut writer = Writer::new(kernel, dialect, &is_called);
    let text = writer.write();
    format!("{}\n{text}", writer.prelude.text())
}

/// The name of the emitted function: the kernel's own, with underscores at its end if C++ or CUDA use it already.
pub fn entry_name(kernel: &Kernel) -> String {
    let mut name = kernel.name.trim_start_matches("r#").to_owned();
    while reserved::is_global(&name) {
        name.push('_');
    }
    name
}

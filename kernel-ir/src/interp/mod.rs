//! The meaning of the IR, executed.

use crate::check::CheckedKernel;
use crate::data::Arg;

/// Why a launch ended early: an error of the program.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What went wrong, with the numbers.
    pub message: String,
    /// The index of the thread in which it did.
    pub thread: Vec<usize>,
}

/// Runs every thread of a launch of `dim`, in row-major order, in the types that the kernel declares.
///
/// # Errors
/// The first error of the program; `args` are then as the threads up to it left them.
pub fn run(kernel: &CheckedKernel, dim: &[usize], args: &mut [Arg]) -> Result<(), Fault> {
    let _ = (kernel, dim, args);
    Ok(())
}

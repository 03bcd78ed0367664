//! Reads a kernel from IR text, and runs it in the interpreter.

use kernel_ir::data::Arg;
use kernel_ir::verify::{self, VerifiedKernel};
use kernel_ir::{interp, text};

/// Parses and verifies the text form of a kernel's IR.
///
/// # Errors
/// A sentence with the first mistake in the text.
pub(crate) fn read_kernel(ir: &str) -> Result<VerifiedKernel, String> {
    let kernel = text::parse(ir).map_err(|error| format!("line {} of the IR: {}", error.line, error.message))?;
    verify::verify(kernel).map_err(|mistakes| match mistakes.first() {
        Some(mistake) => mistake.message.clone(),
        None => "the IR breaks a rule".to_owned(),
    })
}

/// Runs the interpreter.
///
/// # Errors
/// A sentence with the thread and its run-time error.
pub(crate) fn run_interpreter(kernel: &VerifiedKernel, dim: &[usize], args: &mut [Arg]) -> Result<(), String> {
    interp::run(kernel, dim, args).map_err(|fault| format!("thread {:?}: {}", fault.thread, fault.message))
}

//! The writer of the toy target.

use kernel_ir::verify::VerifiedKernel;

/// A line with the name of the kernel and its number of statements.
pub(crate) fn write(kernel: &VerifiedKernel) -> String {
    let statements = kernel.body.len();
    format!("kernel {}: {statements} statement{}\n", kernel.name, if statements == 1 { "" } else { "s" })
}

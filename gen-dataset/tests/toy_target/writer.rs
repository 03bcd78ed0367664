//! The writer of the toy target.

use kernel_ir::verify::VerifiedKernel;

/// A line that names the kernel and counts what it does.
pub(crate) fn write(kernel: &VerifiedKernel) -> String {
    let statements = kernel.body.len();
    format!("kernel {}: {statements} statement{}\n", kernel.name, if statements == 1 { "" } else { "s" })
}

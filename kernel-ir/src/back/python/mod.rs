//! NVIDIA Warp Python.

use crate::check::CheckedKernel;

/// The kernel as a Python module that defines it with `@wp.kernel`.
pub fn write(kernel: &CheckedKernel) -> String {
    let _ = kernel;
    String::new()
}

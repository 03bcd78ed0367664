//! CUDA C++ and host C++.

use crate::check::CheckedKernel;

/// Which C++ is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// For NVIDIA GPUs, as NVRTC and nvcc compile it.
    Cuda,
    /// For the host: C++17, one thread after the other.
    Cpp,
}

/// The forward kernel as source text that compiles on its own.
pub fn write_forward(kernel: &CheckedKernel, dialect: Dialect) -> String {
    let _ = (kernel, dialect);
    String::new()
}

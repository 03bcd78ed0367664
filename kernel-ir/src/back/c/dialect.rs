//! The dialects of C++.

/// A dialect of C++.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// CUDA C++ for NVIDIA GPUs, as NVRTC and nvcc compile it.
    Cuda,
    /// C++17 for the host. The threads run sequentially.
    Cpp,
}

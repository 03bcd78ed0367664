//! Which C++ is written, and whether it checks what it does.

/// Which C++ is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// For NVIDIA GPUs, as NVRTC and nvcc compile it.
    Cuda,
    /// For the host: C++17, one thread after the other.
    Cpp,
}

/// Whether a text checks what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checks {
    Off,
    On,
}

//! The dialects of C++.

use super::types;
use crate::ir::{Scalar, Type};

/// A dialect of C++.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// CUDA C++ for NVIDIA GPUs, as NVRTC and nvcc compile it.
    Cuda,
    /// HIP for AMD GPUs, as clang compiles it: CUDA C++ with other headers and with warps of 32 or 64 threads.
    Hip,
    /// C++17 for the host. The threads run sequentially.
    Cpp,
}

impl Dialect {
    /// The name of a type.
    pub(super) fn type_name(self, ty: Type) -> &'static str {
        match (self, ty.is_scalar() && ty.scalar() == Scalar::BF16) {
            (Dialect::Hip, true) => "bfloat16",
            _ => types::type_name(ty),
        }
    }

    /// Whether the threads of a text run side by side, in a grid of blocks.
    pub(super) fn has_grid(self) -> bool {
        match self {
            Dialect::Cuda | Dialect::Hip => true,
            Dialect::Cpp => false,
        }
    }

    /// The value `v` of the thread `step` lanes further in the warp, of which the first `lanes` threads take part.
    pub(super) fn shuffle_down(self) -> &'static str {
        match self {
            Dialect::Cuda => "__shfl_down_sync(0xffffffffu >> (32 - lanes), v, step)",
            // A warp has 32 or 64 threads, and all of them take part.
            Dialect::Hip => "__shfl_down(v, step)",
            Dialect::Cpp => "v",
        }
    }

    /// The function that gives the variable of a lane by its number. All threads of the warp call it.
    pub(super) fn shuffle(self) -> &'static str {
        match self {
            Dialect::Cuda | Dialect::Cpp => "__shfl_sync",
            Dialect::Hip => "__shfl",
        }
    }

    /// The function that gives the variable of the lane whose number differs by some bits.
    pub(super) fn shuffle_xor(self) -> &'static str {
        match self {
            Dialect::Cuda | Dialect::Cpp => "__shfl_xor_sync",
            Dialect::Hip => "__shfl_xor",
        }
    }

    /// The first argument of these functions: all lanes take part. In HIP they always do.
    pub(super) fn all_lanes(self) -> &'static str {
        match self {
            Dialect::Cuda | Dialect::Cpp => "0xffffffffu, ",
            Dialect::Hip => "",
        }
    }

    /// The headers that every text includes.
    pub(super) fn headers(self) -> &'static [&'static str] {
        match self {
            Dialect::Hip => &["<hip/hip_runtime.h>"],
            Dialect::Cuda | Dialect::Cpp => &[],
        }
    }

    /// Whether a text must include what a function or type is from. A dialect for GPUs has what the C++ headers declare,
    /// and names only its own headers.
    pub(super) fn includes(self, header: &str) -> bool {
        match self {
            Dialect::Cuda => header.starts_with("<cuda_"),
            Dialect::Hip => header.starts_with("<hip/"),
            Dialect::Cpp => true,
        }
    }
}

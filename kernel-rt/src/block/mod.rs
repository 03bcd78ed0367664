//! Blocks of threads that work together, for kernels that are launched over blocks.
//!
//! ```
//! use kernel_rt::prelude::*;
//!
//! /// sums[b] = the sum of 128 numbers of x, for each block b.
//! #[kernel(no_grad)]
//! fn block_sums(#[shape(dim0 * 128)] x: &[f32], sums: &mut [f32]) {
//!     let block = block::<128>();
//!     let values = block.phase(|t| x[block.index * block.size + t]);
//!     sums[block.index] = values.block_sum();
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut sums = [0.0; 2];
//! block_sums::cpu(2, &[1.0; 256], &mut sums)?; // two blocks of 128 threads
//! assert_eq!(sums, [128.0; 2]);
//! # Ok(())
//! # }
//! ```
//!
//! On the CPU, a block is one thread of the launch, and a phase is a loop over its threads.

mod operations;

pub use operations::Lanes;

use std::array;
use std::ops::{Index, IndexMut};

/// The block that runs, which has `N` threads. [`block`] returns it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Block<const N: usize> {
    /// The index of the block in the launch.
    pub index: usize,
    /// The number of its threads, `N`.
    pub size: usize,
}

/// The block that runs, with its number of threads: `let block = block::<256>();`, at the start of a kernel.
///
/// # Panics
/// Outside a kernel.
pub fn block<const N: usize>() -> Block<N> {
    panic!("`block::<{N}>()` is the block of a kernel, and only a function under `#[kernel]` runs in one")
}

/// An array that the threads of the block share, of zeros: `let mut tile = shared::<f32, 256>();`.
pub fn shared<T: Copy + Default, const LEN: usize>() -> Shared<T, LEN> {
    Shared([T::default(); LEN])
}

impl<const N: usize> Block<N> {
    /// The block with this index.
    #[doc(hidden)]
    pub fn at(index: usize) -> Block<N> {
        Block { index, size: N }
    }

    /// Calls `each` for each thread of the block. On a GPU the threads run side by side, and all of them have ended the phase
    /// before the next statement begins. Returns the values of the threads.
    pub fn phase<T>(&self, each: impl FnMut(usize) -> T) -> PerThread<T, N> {
        PerThread(array::from_fn(each))
    }

    /// A value for each thread, which starts as `value`. In a phase, `v[t]` is that of the thread `t`.
    pub fn per_thread<T: Copy>(&self, value: T) -> PerThread<T, N> {
        PerThread([value; N])
    }
}

/// A value for each of the `N` threads of a block. Each thread has access to its own value.
#[derive(Clone, Debug)]
pub struct PerThread<T, const N: usize>([T; N]);

/// An array of `LEN` elements that the threads of a block share. [`shared`] makes it.
#[derive(Clone, Debug)]
pub struct Shared<T, const LEN: usize>([T; LEN]);

impl<T, const LEN: usize> Shared<T, LEN> {
    /// The number of elements, `LEN`.
    #[expect(clippy::len_without_is_empty, reason = "no shared array is empty")]
    pub fn len(&self) -> usize {
        LEN
    }
}

/// Implements indices for a type around an array.
macro_rules! indexed {
    ($($name:ident)*) => {$(
        impl<T, const N: usize> Index<usize> for $name<T, N> {
            type Output = T;

            #[track_caller]
            fn index(&self, index: usize) -> &T {
                &self.0[index]
            }
        }

        impl<T, const N: usize> IndexMut<usize> for $name<T, N> {
            #[track_caller]
            fn index_mut(&mut self, index: usize) -> &mut T {
                &mut self.0[index]
            }
        }
    )*};
}

indexed!(PerThread Shared);

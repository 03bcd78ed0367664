//! Arrays of other libraries, and files of arrays.
//!
//! | feature | module | what it exchanges |
//! |---|---|---|
//! | `ndarray` | `ndarray` | arrays and views of the crate `ndarray` |
//! | `npy` | `npy` | NumPy's files `.npy` and `.npz` |
//! | `image` | `image` | images of the crate `image`, and PNG files |
//! | `serde` | `serde` | host arrays in any format of serde |
//! | `glam`, `mint`, `nalgebra` | `glam`, `mint`, `nalgebra` | vectors, matrices and quaternions of these crates |
//! | `dlpack` | `dlpack` | memory of NumPy, PyTorch, JAX and others, on the CPU and on CUDA devices |
//!
//! No feature is on by default.
//!
//! # Design
//!
//! - **Elements are axes.** Other libraries have arrays of scalars. An element with several scalars is one or two more
//!   axes for them, behind the axes of the array: `Vec3` is an axis of 3, `Quat` an axis of 4 (x, y, z, w), `Mat2` two
//!   axes of 2, the row before the column. So `m[k, i, j]` in NumPy is row `i`, column `j` of matrix `k`. Matrices lie
//!   column by column in memory here. Views and tensors say so by their strides; files are rewritten row by row.
//! - **No hidden copy.** A function without "copy" in its name or its documentation takes over memory, or lends it. It
//!   takes what is laid out as an [`Array`](crate::Array) is, and refuses the rest with [`InteropError::Layout`], which
//!   names the function that copies. Files are copies in any case, so any layout is read.
//! - **Nothing is believed.** Headers of files and tensors come from outside. Products of extents are checked, and memory
//!   is allocated for data that are there, not for data that a header promises.
//!
//! The module `layout` has the arithmetic of axes and strides; the others translate between it and their library.

#[cfg(feature = "dlpack")]
pub mod dlpack;
mod error;
#[cfg(feature = "glam")]
mod glam;
#[cfg(feature = "image")]
pub mod image;
#[cfg(any(feature = "dlpack", feature = "ndarray", feature = "npy"))]
mod layout;
#[cfg(feature = "mint")]
mod mint;
#[cfg(feature = "nalgebra")]
mod nalgebra;
#[cfg(feature = "ndarray")]
pub mod ndarray;
#[cfg(feature = "npy")]
pub mod npy;
#[cfg(feature = "serde")]
mod serde;

pub use error::InteropError;

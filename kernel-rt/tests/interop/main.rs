//! Arrays in other libraries and in files: round trips of all element types, and errors for what does not fit.

mod dlpack;
mod features;
mod image;
mod ndarray;
mod npy;
mod python;
mod samples;
mod serde;

//! The error of exchanging arrays.

use crate::array::ShapeError;
use crate::error::{self, DeviceError};
use std::io;

/// The reason why an array cannot be exchanged with another library or a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InteropError {
    /// The scalars have another type.
    #[error("the array takes `{expected}`, and the data are `{found}`")]
    Type {
        /// The scalar type of the array.
        expected: String,
        /// The scalar type of the data.
        found: String,
    },
    /// The numbers of axes differ, or the axes of one element have other extents.
    #[error("the array has {}{}, and the data have the shape {found:?}", error::axes(*axes), of_elements(.element))]
    Shape {
        /// The number of axes of the array.
        axes: usize,
        /// The extents of the further axes for one element.
        element: Vec<usize>,
        /// The extents of the data.
        found: Vec<usize>,
    },
    /// The number of elements, or of bytes, overflows `usize`.
    #[error("data of shape {shape:?} have more bytes than `usize` can count")]
    TooLarge {
        /// The extents.
        shape: Vec<usize>,
    },
    /// The elements are not in a row in row-major order, or are not aligned, so they cannot be taken without a copy.
    #[error("the elements are not laid out as an array's; `{copy}` copies them from any layout")]
    Layout {
        /// The function that copies.
        copy: &'static str,
    },
    /// The memory may only be read, and the array could be written to.
    #[error("the memory may only be read; `{copy}` makes an array that can be changed")]
    ReadOnly {
        /// The function that copies.
        copy: &'static str,
    },
    /// The data are on another device than the array is to be.
    #[error("the data are on {found}, and the array is to be on {expected}")]
    Device {
        /// The device of the array.
        expected: String,
        /// The device of the data.
        found: String,
    },
    /// The data break the rules of their format.
    #[error("{format}: {problem}")]
    Malformed {
        /// The name of the format.
        format: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// The file ends before the data that its header promises.
    #[error("the file ends after {found} of {expected} bytes of data")]
    Truncated {
        /// The number of bytes that the header promises.
        expected: usize,
        /// The number of bytes that are there.
        found: usize,
    },
    /// The archive has no array of this name.
    #[error("the archive has no array `{name}`; it has {}", listed(.available))]
    NoSuchArray {
        /// The name.
        name: String,
        /// The names that the archive has.
        available: Vec<String>,
    },
    /// Reading or writing fails.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The image cannot be read or written.
    #[cfg(feature = "image")]
    #[error(transparent)]
    Image(#[from] ::image::ImageError),
    /// A device fails.
    #[error(transparent)]
    OnDevice(#[from] DeviceError),
    /// The number of elements does not fit the shape.
    #[error(transparent)]
    Elements(#[from] ShapeError),
}

fn of_elements(element: &[usize]) -> String {
    match element {
        [] => String::new(),
        element => format!(" and elements of shape {element:?}"),
    }
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        names => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    }
}

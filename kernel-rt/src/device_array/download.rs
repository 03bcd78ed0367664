//! Copies to the host in the background.

use crate::array::{Element, Storage};
use crate::backend::PendingCopy;
use crate::error::DeviceError;
use std::fmt;
use std::sync::Arc;

/// A copy to the host that [`DeviceArray::download`](super::DeviceArray::download) has started.
pub struct Download<T>(Source<T>);

/// Where the elements come from.
enum Source<T> {
    /// A snapshot on the host.
    Host(Arc<Storage<T>>),
    /// A copy of so many elements from a device.
    Device(Box<dyn PendingCopy>, usize),
}

impl<T> Download<T> {
    pub(super) fn of_host(storage: Arc<Storage<T>>) -> Download<T> {
        Download(Source::Host(storage))
    }

    /// The copy of `len` elements.
    pub(super) fn of_device(copy: Box<dyn PendingCopy>, len: usize) -> Download<T> {
        Download(Source::Device(copy, len))
    }
}

impl<T: Element> Download<T> {
    /// The elements in row-major order, when the copy is complete.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] if an earlier kernel or the copy fails; [`DeviceError::NotBool`] if the elements are `bool`s,
    /// and a byte of them is neither 0 nor 1. The CPU returns no error.
    pub fn wait(self) -> Result<Vec<T>, DeviceError> {
        match self.0 {
            Source::Host(storage) => Ok(storage.as_slice().to_vec()),
            Source::Device(copy, len) => {
                let bytes = copy.wait()?;
                T::from_memory(len, |memory| {
                    memory.copy_from_slice(&bytes);
                    Ok(())
                })
            }
        }
    }
}

impl<T> fmt::Debug for Download<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Download").finish_non_exhaustive()
    }
}

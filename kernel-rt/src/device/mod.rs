//! Devices: what runs kernels and holds arrays.

mod array;

pub(crate) use array::{AnyArray, ArrayId, Handle, HostWrite, Stamp};
pub use array::{DeviceArray, Writer};

use crate::array::volume;
use crate::{Array, Element};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What runs kernels and holds arrays. A cheap handle: clones stand for the same device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Cpu,
}

/// Why a device, or an array on it, is not to be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The runtime was built without CUDA.
    #[error("CUDA device {ordinal} is not available: this build of kernel-rt has no CUDA support")]
    NoCuda {
        /// The number of the device that was asked for.
        ordinal: usize,
    },
    /// The array would have more elements than `usize` can count.
    #[error("an array of shape {shape:?} has more elements than `usize` can count")]
    TooLarge {
        /// The extents, outermost first.
        shape: Vec<usize>,
    },
    /// An array was to get another number of elements than it has.
    #[error("an array of {expected} elements cannot take {found}")]
    WrongLength {
        /// The number of elements of the array.
        expected: usize,
        /// The number of elements that were passed.
        found: usize,
    },
}

impl Device {
    /// The host's processor. All its handles stand for one device.
    pub fn cpu() -> Device {
        Device(Kind::Cpu)
    }

    /// The CUDA device of that number.
    ///
    /// # Errors
    /// This build has no CUDA support.
    pub fn cuda(ordinal: usize) -> Result<Device, DeviceError> {
        Err(DeviceError::NoCuda { ordinal })
    }

    /// A 1-D array on this device with the elements of `host`.
    ///
    /// # Errors
    /// The device cannot hold it. The CPU always can.
    pub fn array_from<T: Element>(&self, host: &[T]) -> Result<DeviceArray<T>, DeviceError> {
        Ok(DeviceArray::new(self, Array::from(host.to_vec())))
    }

    /// An array on this device with the shape and the elements of `host`.
    ///
    /// # Errors
    /// The device cannot hold it. The CPU always can.
    pub fn array_from_nd<T: Element, const N: usize>(
        &self,
        host: &Array<T, N>,
    ) -> Result<DeviceArray<T, N>, DeviceError> {
        Ok(DeviceArray::new(self, host.clone()))
    }

    /// A 1-D array of `len` zeros on this device.
    ///
    /// # Errors
    /// The device cannot hold it. The CPU always can.
    pub fn zeros<T: Element>(&self, len: usize) -> Result<DeviceArray<T>, DeviceError> {
        self.zeros_nd([len])
    }

    /// An array of zeros of that shape on this device.
    ///
    /// # Errors
    /// The number of elements overflows `usize`, or the device cannot hold them.
    pub fn zeros_nd<T: Element, const N: usize>(&self, shape: [usize; N]) -> Result<DeviceArray<T, N>, DeviceError> {
        volume(&shape).ok_or_else(|| DeviceError::TooLarge { shape: shape.to_vec() })?;
        Ok(DeviceArray::new(self, Array::zeros(shape)))
    }

    /// Waits until no launch runs on this device, and keeps others waiting as long as the guard lives: the launches
    /// on a device happen one after the other.
    pub(crate) fn queue(&self) -> MutexGuard<'static, ()> {
        static CPU: Mutex<()> = Mutex::new(());
        let queue = match self.0 {
            Kind::Cpu => &CPU,
        };
        // Nothing is guarded that a panic could leave half done.
        queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Array2;

    #[test]
    fn arrays_come_back_as_they_went() {
        let device = Device::cpu();
        assert_eq!(device.array_from(&[1, 2, 3]).unwrap().to_vec().unwrap(), [1, 2, 3]);
        let host = Array2::from_vec([1, 2], vec![0.5, 1.5]).unwrap();
        let array = device.array_from_nd(&host).unwrap();
        assert_eq!(array.to_array().unwrap(), host);
        assert_eq!((array.shape(), array.len(), array.is_empty()), ([1, 2], 2, false));
    }

    #[test]
    fn what_is_not_to_be_had_is_an_error() {
        assert_eq!(Device::cuda(1), Err(DeviceError::NoCuda { ordinal: 1 }));
        let shape = [usize::MAX, 2];
        let error = Device::cpu().zeros_nd::<f32, 2>(shape).unwrap_err();
        assert_eq!(error, DeviceError::TooLarge { shape: shape.to_vec() });
    }
}

//! Devices: what runs kernels and holds arrays.

mod array;
mod error;
mod graph;
mod run;
mod timer;

pub(crate) use array::{AnyArray, ArrayId, Elements, Handle, HostWrite, Stamp};
pub use array::{DeviceArray, Writer};
pub use error::DeviceError;
pub use graph::Graph;
pub use run::Pass;
pub use timer::Timer;

use crate::array::volume;
use crate::cuda::Cuda;
use crate::{Array, Element};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What runs kernels and holds arrays. A cheap handle: clones stand for the same device.
///
/// On a CUDA device, launches are in the order of the calls, and the calls return before the device is done; what reads
/// results waits. An error inside a kernel shows at the next call that waits. [`Device::stream`] gives launches that may
/// run beside each other.
#[derive(Clone, Debug)]
pub struct Device {
    kind: Kind,
    checks: Checks,
}

/// Whether launches on a CUDA device look at what they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checks {
    Off,
    On,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Cpu,
    Cuda(Arc<Cuda>),
}

impl Device {
    /// The host's processor. All its handles stand for one device.
    pub fn cpu() -> Device {
        Device::of(Kind::Cpu)
    }

    /// The CUDA device of that number; 0 is the first. All its handles stand for one device.
    ///
    /// # Errors
    /// This build has no CUDA support, the driver or NVRTC is not installed, or there is no such device.
    pub fn cuda(ordinal: usize) -> Result<Device, DeviceError> {
        Ok(Device::of(Kind::Cuda(Cuda::open(ordinal)?)))
    }

    fn of(kind: Kind) -> Device {
        Device { kind, checks: Checks::Off }
    }

    /// The same device with checked launches: an index out of bounds, or a NaN that is stored, is an error that names
    /// kernel, parameter, thread and index, and no memory outside of arrays is touched. The launch itself goes on, and what it
    /// leaves in the arrays has no meaning. Each such launch waits for its end, so it is for finding mistakes.
    ///
    /// The CPU checks indices in any case, and nothing else. Launches in a [`Graph`] are not checked.
    #[must_use]
    pub fn checked(&self) -> Device {
        Device { kind: self.kind.clone(), checks: Checks::On }
    }

    /// Another stream of the same device: what is launched on it may run at the same time as what is launched on others.
    ///
    /// An array belongs to the stream that made it. Any stream can use it: a launch that takes an array of another stream
    /// waits for what was asked of that stream before, and what is asked of that stream afterwards waits for the launch. So
    /// results are those of the order of the calls, whatever runs at the same time; launches run side by side where each
    /// takes arrays of its own stream only. A [`Graph`], a [`Tape`](crate::Tape) and a [`Timer`] are of the stream they are
    /// made for, and [`Device::synchronize`] waits for that alone.
    ///
    /// The CPU has one stream, which is returned.
    ///
    /// # Errors
    /// The device fails. The CPU does not.
    ///
    /// # Examples
    /// ```
    /// use kernel_rt::prelude::*;
    ///
    /// let device = Device::cpu();
    /// let side = device.stream()?;
    /// let ours = device.array_from(&[1.0f32, 2.0])?;
    /// // In the order of the calls, although the streams are two.
    /// let theirs = side.zeros::<f32>(2)?;
    /// theirs.copy_from(&ours)?;
    /// assert_eq!(theirs.to_vec()?, [1.0, 2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stream(&self) -> Result<Device, DeviceError> {
        let kind = match &self.kind {
            Kind::Cpu => Kind::Cpu,
            Kind::Cuda(cuda) => Kind::Cuda(Arc::new(cuda.stream()?)),
        };
        Ok(Device { kind, checks: self.checks })
    }

    /// What the device is called, for people.
    pub fn name(&self) -> String {
        self.cuda_device().map_or_else(|| "CPU".to_owned(), |cuda| cuda.name())
    }

    /// Waits until everything that was asked of this stream of the device is done.
    ///
    /// # Errors
    /// A kernel has failed. The CPU does not.
    pub fn synchronize(&self) -> Result<(), DeviceError> {
        self.cuda_device().map_or(Ok(()), |cuda| cuda.synchronize())
    }

    /// A 1-D array on this device with the elements of `host`.
    ///
    /// # Errors
    /// The device cannot hold it. The CPU always can.
    pub fn array_from<T: Element>(&self, host: &[T]) -> Result<DeviceArray<T>, DeviceError> {
        DeviceArray::new(self, Array::from(host.to_vec()))
    }

    /// An array on this device with the shape and the elements of `host`.
    ///
    /// # Errors
    /// The device cannot hold it. The CPU always can.
    pub fn array_from_nd<T: Element, const N: usize>(
        &self,
        host: &Array<T, N>,
    ) -> Result<DeviceArray<T, N>, DeviceError> {
        DeviceArray::new(self, host.clone())
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
        DeviceArray::zeros(self, shape)
    }

    /// The CUDA device, if it is one.
    pub(crate) fn cuda_device(&self) -> Option<&Arc<Cuda>> {
        match &self.kind {
            Kind::Cpu => None,
            Kind::Cuda(cuda) => Some(cuda),
        }
    }

    pub(crate) fn checks(&self) -> Checks {
        self.checks
    }

    /// Waits until no launch is put together for this device, and keeps others waiting as long as the guard lives: the
    /// launches on a device happen one after the other.
    pub(crate) fn queue(&self) -> MutexGuard<'_, ()> {
        static CPU: Mutex<()> = Mutex::new(());
        let queue = self.cuda_device().map_or(&CPU, |cuda| cuda.turn());
        // Nothing is guarded that a panic could leave half done.
        queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether both stand for one device, with checks or without, on whatever stream.
impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Device {}

/// As in "on the CPU".
impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Cpu => f.write_str("the CPU"),
            Kind::Cuda(cuda) => write!(f, "CUDA device {}", cuda.ordinal()),
        }
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
        let shape = [usize::MAX, 2];
        let error = Device::cpu().zeros_nd::<f32, 2>(shape).unwrap_err();
        assert_eq!(error, DeviceError::TooLarge { shape: shape.to_vec() });
    }
}

//! Arrays on a device.

use super::{Device, DeviceError};
use crate::{Array, Element};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An array of `N` axes on a device. A cheap handle: clones stand for the same elements.
pub struct DeviceArray<T, const N: usize = 1>(Arc<Shared<T, N>>);

/// What the handles of an array share.
struct Shared<T, const N: usize> {
    device: Device,
    shape: [usize; N],
    version: AtomicU64,
    /// The elements. Readers take a snapshot; a writer copies them only if a snapshot is still alive.
    elements: Mutex<Arc<Array<T, N>>>,
}

/// The elements on the host, locked to be written.
pub struct HostWrite<'a, T, const N: usize>(MutexGuard<'a, Arc<Array<T, N>>>);

/// Which array a handle stands for: equal for the handles of one array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ArrayId(usize);

impl<T: Element, const N: usize> DeviceArray<T, N> {
    pub(super) fn new(device: &Device, elements: Array<T, N>) -> DeviceArray<T, N> {
        DeviceArray(Arc::new(Shared {
            device: device.clone(),
            shape: elements.shape(),
            version: AtomicU64::new(0),
            elements: Mutex::new(Arc::new(elements)),
        }))
    }

    /// A copy of the elements in row-major order.
    ///
    /// # Errors
    /// The device fails. The CPU does not.
    pub fn to_vec(&self) -> Result<Vec<T>, DeviceError> {
        Ok(self.read().as_slice().to_vec())
    }

    /// A copy of the array on the host.
    ///
    /// # Errors
    /// The device fails. The CPU does not.
    pub fn to_array(&self) -> Result<Array<T, N>, DeviceError> {
        Ok(Array::clone(&self.read()))
    }

    /// The elements as they are now; later launches do not change them.
    pub(crate) fn read(&self) -> Arc<Array<T, N>> {
        Arc::clone(&self.lock())
    }

    /// The elements for a launch to write; raises the version.
    pub(crate) fn write(&self) -> HostWrite<'_, T, N> {
        let elements = self.lock();
        self.0.version.fetch_add(1, Ordering::Relaxed);
        HostWrite(elements)
    }

    fn lock(&self) -> MutexGuard<'_, Arc<Array<T, N>>> {
        // A panic leaves an array partly written, as an error of the kernel does, but never broken.
        self.0.elements.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T, const N: usize> DeviceArray<T, N> {
    /// The extents, outermost first.
    pub fn shape(&self) -> [usize; N] {
        self.0.shape
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.0.shape.iter().product()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The device that holds the elements.
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// How many launches have written to the array.
    pub fn version(&self) -> u64 {
        self.0.version.load(Ordering::Relaxed)
    }

    pub(crate) fn id(&self) -> ArrayId {
        ArrayId(Arc::as_ptr(&self.0).addr())
    }
}

impl<T: Element, const N: usize> HostWrite<'_, T, N> {
    /// The array.
    pub fn array(&mut self) -> &mut Array<T, N> {
        Arc::make_mut(&mut self.0)
    }
}

impl<T, const N: usize> Clone for DeviceArray<T, N> {
    fn clone(&self) -> DeviceArray<T, N> {
        DeviceArray(Arc::clone(&self.0))
    }
}

impl<T, const N: usize> fmt::Debug for DeviceArray<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeviceArray")
            .field("device", &self.0.device)
            .field("shape", &self.0.shape)
            .field("version", &self.version())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_raises_the_version_and_shows_in_every_handle() {
        let array = Device::cpu().zeros::<i32>(2).unwrap();
        let handle = array.clone();
        array.write().array()[[1]] = 7;
        assert_eq!(handle.to_vec().unwrap(), [0, 7]);
        assert_eq!((handle.version(), handle.id()), (1, array.id()));
    }

    #[test]
    fn a_snapshot_does_not_see_later_writes() {
        let array = Device::cpu().array_from(&[1, 2]).unwrap();
        let before = array.read();
        array.write().array()[[0]] = 9;
        assert_eq!(before.as_slice(), [1, 2]);
        assert_eq!(array.to_vec().unwrap(), [9, 2]);
    }
}

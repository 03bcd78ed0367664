//! Arrays on a device.

use super::{Device, DeviceError};
use crate::{Array, Element};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An array of `N` axes on a device. A cheap handle: clones stand for the same elements.
pub struct DeviceArray<T, const N: usize = 1>(Arc<Shared<T, N>>);

/// What the handles of an array share.
struct Shared<T, const N: usize> {
    device: Device,
    shape: [usize; N],
    state: Mutex<State<T, N>>,
}

/// What changes about an array.
struct State<T, const N: usize> {
    /// Readers take a snapshot; a writer copies the elements only if a snapshot is still alive.
    elements: Arc<Array<T, N>>,
    stamp: Stamp,
}

/// Which contents an array has: two equal versions of one array are the same contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// How often the array was changed.
    pub(crate) version: u64,
    /// Who changed it last, if anyone did.
    pub(crate) writer: Option<Writer>,
}

/// Who changed an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// The program, from the host.
    Host,
    /// A launch of the kernel of that name.
    Launch(&'static str),
}

/// The elements on the host, locked to be written.
pub struct HostWrite<'a, T, const N: usize>(MutexGuard<'a, State<T, N>>);

/// Which array a handle stands for: equal for the handles of one array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ArrayId(usize);

/// A [`DeviceArray`] of any element type and number of axes.
pub trait AnyArray: Send + Sync {
    #[doc(hidden)]
    fn handle(&self) -> Handle;
}

/// A handle of an array of any element type and number of axes. It keeps the array alive, and so its id its own.
pub struct Handle(Box<dyn Tracked>);

/// What a [`Handle`] knows of its array.
trait Tracked: Send + Sync {
    fn id(&self) -> ArrayId;
    fn stamp(&self) -> Stamp;
    fn is_float(&self) -> bool;
}

impl<T: Element, const N: usize> DeviceArray<T, N> {
    pub(super) fn new(device: &Device, elements: Array<T, N>) -> DeviceArray<T, N> {
        DeviceArray(Arc::new(Shared {
            device: device.clone(),
            shape: elements.shape(),
            state: Mutex::new(State { elements: Arc::new(elements), stamp: Stamp { version: 0, writer: None } }),
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

    /// Replaces the elements, in row-major order.
    ///
    /// # Errors
    /// `host` has another number of elements, or the device fails. The CPU does not.
    pub fn assign(&self, host: &[T]) -> Result<(), DeviceError> {
        if host.len() != self.len() {
            return Err(DeviceError::WrongLength { expected: self.len(), found: host.len() });
        }
        self.write(Writer::Host).array().as_mut_slice().copy_from_slice(host);
        Ok(())
    }

    /// The elements as they are now; later launches do not change them.
    pub(crate) fn read(&self) -> Arc<Array<T, N>> {
        Arc::clone(&self.lock().elements)
    }

    /// The elements for `writer` to write; raises the version.
    pub(crate) fn write(&self, writer: Writer) -> HostWrite<'_, T, N> {
        let mut state = self.lock();
        state.stamp = Stamp { version: state.stamp.version + 1, writer: Some(writer) };
        HostWrite(state)
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

    /// How many launches, and writes from the host, have changed the array.
    pub fn version(&self) -> u64 {
        self.lock().stamp.version
    }

    fn lock(&self) -> MutexGuard<'_, State<T, N>> {
        // A panic leaves an array partly written, as an error of the kernel does, but never broken.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn id(&self) -> ArrayId {
        ArrayId(Arc::as_ptr(&self.0).addr())
    }
}

impl<T: Element, const N: usize> HostWrite<'_, T, N> {
    /// The array.
    pub fn array(&mut self) -> &mut Array<T, N> {
        Arc::make_mut(&mut self.0.elements)
    }
}

impl<T: Element, const N: usize> AnyArray for DeviceArray<T, N> {
    fn handle(&self) -> Handle {
        Handle(Box::new(self.clone()))
    }
}

impl<T: Element, const N: usize> Tracked for DeviceArray<T, N> {
    fn id(&self) -> ArrayId {
        DeviceArray::id(self)
    }

    fn stamp(&self) -> Stamp {
        self.lock().stamp
    }

    fn is_float(&self) -> bool {
        T::TYPE.is_float()
    }
}

impl Handle {
    pub(crate) fn id(&self) -> ArrayId {
        self.0.id()
    }

    pub(crate) fn stamp(&self) -> Stamp {
        self.0.stamp()
    }

    /// Whether the elements are made of floats.
    pub(crate) fn is_float(&self) -> bool {
        self.0.is_float()
    }
}

/// As in "it was changed by …".
impl fmt::Display for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Writer::Host => f.write_str("the host"),
            Writer::Launch(kernel) => write!(f, "a launch of `{kernel}`"),
        }
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
        array.write(Writer::Launch("k")).array()[[1]] = 7;
        assert_eq!(handle.to_vec().unwrap(), [0, 7]);
        assert_eq!((handle.version(), handle.id()), (1, array.id()));
    }

    #[test]
    fn an_array_knows_who_changed_it() {
        let array = Device::cpu().zeros::<i32>(2).unwrap();
        assert_eq!(array.handle().stamp(), Stamp { version: 0, writer: None });
        array.write(Writer::Launch("k"));
        assert_eq!(array.handle().stamp(), Stamp { version: 1, writer: Some(Writer::Launch("k")) });
        array.assign(&[3, 4]).unwrap();
        assert_eq!(array.handle().stamp(), Stamp { version: 2, writer: Some(Writer::Host) });
    }

    #[test]
    fn as_many_elements_are_assigned_as_there_are() {
        let array = Device::cpu().zeros_nd::<i32, 2>([1, 2]).unwrap();
        assert_eq!(array.assign(&[1]), Err(DeviceError::WrongLength { expected: 2, found: 1 }));
        assert_eq!(array.version(), 0);
    }

    #[test]
    fn a_snapshot_does_not_see_later_writes() {
        let array = Device::cpu().array_from(&[1, 2]).unwrap();
        let before = array.read();
        array.assign(&[9, 2]).unwrap();
        assert_eq!(before.as_slice(), [1, 2]);
        assert_eq!(array.to_vec().unwrap(), [9, 2]);
    }
}

//! Arrays on a device.

use crate::array::{Array, Element, volume};
use crate::backend::{self, Buffer};
use crate::device::Device;
use crate::error::DeviceError;
use kernel_ir::data::Arg;
use kernel_ir::ir::{Scalar, Type};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An array of `N` axes on a device, in row-major order. It is a cheap handle: clones denote the same elements.
pub struct DeviceArray<T, const N: usize = 1>(Arc<Shared<T, N>>);

/// What the handles of an array share.
struct Shared<T, const N: usize> {
    device: Device,
    shape: [usize; N],
    contents: Contents<T, N>,
}

/// Where the elements of an array are.
enum Contents<T, const N: usize> {
    /// They are its own.
    Own(Mutex<State<T, N>>),
    /// They are the rows from this one on of an array that has its own.
    Rows(DeviceArray<T, N>, usize),
}

/// What changes about an array.
struct State<T, const N: usize> {
    elements: Elements<T, N>,
    stamp: Stamp,
}

/// The elements, where the device has them. Readers take a snapshot; a writer copies them only if a snapshot is still
/// alive.
pub(crate) enum Elements<T, const N: usize> {
    Host(Arc<Array<T, N>>),
    Device(Arc<dyn Buffer>),
}

/// A version of the contents: an array with an unchanged stamp has unchanged contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// The number of changes so far.
    pub(crate) version: u64,
    /// The last writer, if any.
    pub(crate) writer: Option<Writer>,
}

/// The origin of a change of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// Host code.
    Host,
    /// A launch of the kernel with this name.
    Launch(&'static str),
}

/// The elements on the host, locked to be written.
pub struct HostWrite<'a, T: Element, const N: usize> {
    state: MutexGuard<'a, State<T, N>>,
    /// A copy of the rows that are written, and which is the first; `None` if it is the whole array.
    rows: Option<(Array<T, N>, usize)>,
}

/// The identity of an array: equal for all its handles and views.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ArrayId(usize);

/// A [`DeviceArray`] of any element type and number of axes.
pub trait AnyArray: Send + Sync {
    #[doc(hidden)]
    fn handle(&self) -> Handle;
}

/// A type-erased handle of an array. It keeps the array alive, so its id cannot be reused.
#[derive(Clone)]
pub struct Handle(Arc<dyn Tracked>);

/// The type-erased interface behind a [`Handle`].
trait Tracked: Send + Sync {
    fn id(&self) -> ArrayId;
    fn device(&self) -> &Device;
    fn stamp(&self) -> Stamp;
    fn shape(&self) -> &[usize];
    fn ty(&self) -> Type;
    /// The bytes of an element.
    fn element_size(&self) -> usize;
    fn buffer(&self) -> Arc<dyn Buffer>;
    fn to_arg(&self) -> Result<Arg, DeviceError>;
    fn is_view(&self) -> bool;
    fn make_unique(&self, writer: Writer) -> Result<(), DeviceError>;
}

impl Device {
    /// A 1-D array on this device with the elements of `host`.
    ///
    /// # Errors
    /// The device is out of memory; never on the CPU.
    pub fn array_from<T: Element>(&self, host: &[T]) -> Result<DeviceArray<T>, DeviceError> {
        DeviceArray::new(self, Array::from(host.to_vec()))
    }

    /// An array on this device with the shape and the elements of `host`.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] if the device is out of memory. The CPU returns no error.
    pub fn array_from_nd<T: Element, const N: usize>(
        &self,
        host: &Array<T, N>,
    ) -> Result<DeviceArray<T, N>, DeviceError> {
        DeviceArray::new(self, host.clone())
    }

    /// A 1-D array of `len` zeros on this device.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] if the device is out of memory. The CPU returns no error.
    pub fn zeros<T: Element>(&self, len: usize) -> Result<DeviceArray<T>, DeviceError> {
        self.zeros_nd([len])
    }

    /// An array of zeros of this shape on this device.
    ///
    /// # Errors
    /// [`DeviceError::TooLarge`] if the number of elements, or of bytes, overflows `usize`; [`DeviceError::Driver`] if
    /// the device is out of memory.
    pub fn zeros_nd<T: Element, const N: usize>(&self, shape: [usize; N]) -> Result<DeviceArray<T, N>, DeviceError> {
        volume(&shape).ok_or_else(|| DeviceError::TooLarge { shape: shape.to_vec() })?;
        DeviceArray::zeros(self, shape)
    }
}

impl<T: Element, const N: usize> DeviceArray<T, N> {
    fn new(device: &Device, host: Array<T, N>) -> Result<DeviceArray<T, N>, DeviceError> {
        let shape = host.shape();
        let elements = match device.accelerator() {
            None => Elements::Host(Arc::new(host)),
            Some(accelerator) => Elements::Device(accelerator.buffer_from(bytemuck::cast_slice(host.as_slice()))?),
        };
        Ok(DeviceArray::with(device, shape, elements))
    }

    /// The caller has checked that the number of elements fits in `usize`.
    fn zeros(device: &Device, shape: [usize; N]) -> Result<DeviceArray<T, N>, DeviceError> {
        let elements = match device.accelerator() {
            None => Elements::Host(Arc::new(Array::zeros(shape))),
            Some(accelerator) => {
                let len = volume(&shape).and_then(|len| len.checked_mul(size_of::<T>()));
                let len = len.ok_or_else(|| DeviceError::TooLarge { shape: shape.to_vec() })?;
                Elements::Device(accelerator.zeros(len)?)
            }
        };
        Ok(DeviceArray::with(device, shape, elements))
    }

    /// An array of these elements, which are on `device` and of that shape.
    pub(crate) fn with(device: &Device, shape: [usize; N], elements: Elements<T, N>) -> DeviceArray<T, N> {
        let state = Mutex::new(State { elements, stamp: Stamp { version: 0, writer: None } });
        DeviceArray(Arc::new(Shared { device: device.clone(), shape, contents: Contents::Own(state) }))
    }

    /// The rows of that range: a view of a part along the outermost axis, as an array of its own shape. What is written to
    /// one shows in the other, and counts as a change of both; the view keeps the array alive. Launches take views as they
    /// take arrays, but a launch that writes to one takes no other part of the same array, and a tape takes none.
    ///
    /// On an accelerator a view costs nothing. On the CPU a launch copies the rows, and those that it writes back again.
    ///
    /// ```
    /// # use kernel_rt::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let array = Device::cpu().array_from(&[1, 2, 3, 4])?;
    /// let middle = array.rows(1..3)?;
    /// middle.fill(0)?;
    /// assert_eq!((array.to_vec()?, middle.to_vec()?), (vec![1, 0, 0, 4], vec![0, 0]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::NoSuchRows`] if `range` is not inside the array.
    pub fn rows(&self, range: Range<usize>) -> Result<DeviceArray<T, N>, DeviceError> {
        let mut shape = self.shape();
        if range.start > range.end || range.end > shape[0] {
            return Err(DeviceError::NoSuchRows { range, rows: shape[0] });
        }
        shape[0] = range.len();
        let (array, first) = match &self.0.contents {
            Contents::Own(_) => (self, range.start),
            Contents::Rows(array, first) => (array, first + range.start),
        };
        let contents = Contents::Rows(array.clone(), first);
        Ok(DeviceArray(Arc::new(Shared { device: self.device().clone(), shape, contents })))
    }

    /// The array of which this one is a view, and the first row.
    pub(crate) fn origin(&self) -> Option<(&DeviceArray<T, N>, usize)> {
        match &self.0.contents {
            Contents::Own(_) => None,
            Contents::Rows(array, first) => Some((array, *first)),
        }
    }

    /// A copy of the elements in row-major order, after all launches so far.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] if an earlier kernel or the copy fails. The CPU returns no error.
    pub fn to_vec(&self) -> Result<Vec<T>, DeviceError> {
        Ok(match self.elements() {
            Elements::Host(array) => array.as_slice().to_vec(),
            Elements::Device(buffer) => {
                let mut elements = vec![T::zeroed(); self.len()];
                buffer.download(bytemuck::cast_slice_mut(&mut elements))?;
                elements
            }
        })
    }

    /// A copy of the array on the host. Waits for all earlier launches.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] if an earlier kernel or the copy fails. The CPU returns no error.
    pub fn to_array(&self) -> Result<Array<T, N>, DeviceError> {
        let elements = self.to_vec()?;
        Ok(Array::from_vec(self.shape(), elements).expect("an array has as many elements as its shape says"))
    }

    /// Replaces all elements by `host`, in row-major order.
    ///
    /// # Errors
    /// [`DeviceError::WrongLength`] if the numbers of elements differ; [`DeviceError::Driver`] if the device fails.
    pub fn assign(&self, host: &[T]) -> Result<(), DeviceError> {
        if host.len() != self.len() {
            return Err(DeviceError::WrongLength { expected: self.len(), found: host.len() });
        }
        let elements = match self.device().accelerator() {
            None => {
                self.write(Writer::Host).array().as_mut_slice().copy_from_slice(host);
                return Ok(());
            }
            Some(_) if self.origin().is_some() => {
                self.0.make_unique(Writer::Host)?;
                return self.0.buffer().upload(bytemuck::cast_slice(host));
            }
            Some(accelerator) => Elements::Device(accelerator.buffer_from(bytemuck::cast_slice(host))?),
        };
        self.replace(elements);
        Ok(())
    }

    /// Sets every element to `value`.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] if the device fails. The CPU returns no error.
    pub fn fill(&self, value: T) -> Result<(), DeviceError> {
        self.assign(&vec![value; self.len()])
    }

    /// Replaces all elements by those of `other`, which may be on another device.
    ///
    /// # Errors
    /// [`DeviceError::WrongLength`] if the numbers of elements differ; [`DeviceError::Driver`] if a device fails.
    pub fn copy_from(&self, other: &DeviceArray<T, N>) -> Result<(), DeviceError> {
        match other.elements() {
            Elements::Host(array) => self.assign(array.as_slice()),
            Elements::Device(from) if self.device() == other.device() && self.len() == other.len() => {
                self.0.make_unique(Writer::Host)?;
                self.0.buffer().copy_from(&*from)
            }
            Elements::Device(_) => self.assign(&other.to_vec()?),
        }
    }

    /// An array of the elements as they are now.
    pub(crate) fn snapshot(&self) -> DeviceArray<T, N> {
        DeviceArray::with(self.device(), self.shape(), self.elements())
    }

    /// The elements as they are now; later launches do not change them.
    pub(crate) fn elements(&self) -> Elements<T, N> {
        let elements = self.lock().elements.clone();
        match (self.origin(), elements) {
            (None, elements) => elements,
            (Some((_, first)), Elements::Host(array)) => Elements::Host(Arc::new(rows_of(&array, first, self.shape()))),
            (Some(_), Elements::Device(_)) => Elements::Device(self.0.buffer()),
        }
    }

    /// [`DeviceArray::elements`] of an array on the CPU: a launch has seen to that.
    pub(crate) fn read(&self) -> Arc<Array<T, N>> {
        match self.elements() {
            Elements::Host(array) => array,
            Elements::Device(_) => unreachable!("the CPU version of a kernel is launched on arrays of the CPU"),
        }
    }

    /// Write access for `writer`. Raises the version.
    pub(crate) fn write(&self, writer: Writer) -> HostWrite<'_, T, N> {
        let mut state = self.lock();
        state.stamp = state.stamp.next(writer);
        let rows = match (self.origin(), &state.elements) {
            (Some((_, first)), Elements::Host(array)) => Some((rows_of(array, first, self.shape()), first)),
            _ => None,
        };
        HostWrite { state, rows }
    }

    fn replace(&self, elements: Elements<T, N>) {
        let mut state = self.lock();
        *state = State { elements, stamp: state.stamp.next(Writer::Host) };
    }
}

/// A copy of rows: those from `first` on of an array, as many as `shape` says.
fn rows_of<T: Element, const N: usize>(array: &Array<T, N>, first: usize, shape: [usize; N]) -> Array<T, N> {
    let row: usize = shape[1..].iter().product();
    let elements = array.as_slice()[first * row..][..shape[0] * row].to_vec();
    Array::from_vec(shape, elements).expect("there are as many elements as the shape says")
}

impl Stamp {
    /// The stamp after a change by `writer`.
    fn next(self, writer: Writer) -> Stamp {
        Stamp { version: self.version + 1, writer: Some(writer) }
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

    /// The number of launches and host writes that have changed the array.
    pub fn version(&self) -> u64 {
        self.lock().stamp.version
    }

    fn lock(&self) -> MutexGuard<'_, State<T, N>> {
        self.0.lock()
    }

    pub(crate) fn id(&self) -> ArrayId {
        self.0.id()
    }
}

impl<T, const N: usize> Shared<T, N> {
    /// A view has the id of its array.
    fn id(&self) -> ArrayId {
        match &self.contents {
            Contents::Own(_) => ArrayId(std::ptr::from_ref(self).addr()),
            Contents::Rows(array, _) => array.id(),
        }
    }

    /// The state of the array, for a view that of the array behind it.
    fn lock(&self) -> MutexGuard<'_, State<T, N>> {
        match &self.contents {
            // A panic leaves an array partly written, as an error of the kernel does, but never broken.
            Contents::Own(state) => state.lock().unwrap_or_else(PoisonError::into_inner),
            Contents::Rows(array, _) => array.lock(),
        }
    }
}

impl<T: Element, const N: usize> HostWrite<'_, T, N> {
    /// The array.
    pub fn array(&mut self) -> &mut Array<T, N> {
        match (&mut self.rows, &mut self.state.elements) {
            (Some((rows, _)), _) => rows,
            (None, Elements::Host(array)) => Arc::make_mut(array),
            (None, Elements::Device(_)) => unreachable!("the CPU version of a kernel is launched on arrays of the CPU"),
        }
    }
}

/// Rows go back to their array, those of a launch that has failed too.
impl<T: Element, const N: usize> Drop for HostWrite<'_, T, N> {
    fn drop(&mut self) {
        if let (Some((rows, first)), Elements::Host(array)) = (&self.rows, &mut self.state.elements) {
            let row: usize = rows.shape()[1..].iter().product();
            Arc::make_mut(array).as_mut_slice()[first * row..][..rows.as_slice().len()]
                .copy_from_slice(rows.as_slice());
        }
    }
}

impl<T: Element, const N: usize> AnyArray for DeviceArray<T, N> {
    fn handle(&self) -> Handle {
        Handle(Arc::clone(&self.0) as Arc<dyn Tracked>)
    }
}

impl<T: Element, const N: usize> Tracked for Shared<T, N> {
    fn id(&self) -> ArrayId {
        Shared::id(self)
    }

    fn device(&self) -> &Device {
        &self.device
    }

    fn stamp(&self) -> Stamp {
        self.lock().stamp
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn ty(&self) -> Type {
        T::TYPE
    }

    fn element_size(&self) -> usize {
        size_of::<T>()
    }

    fn buffer(&self) -> Arc<dyn Buffer> {
        let state = self.lock();
        let Elements::Device(buffer) = &state.elements else {
            unreachable!("a launch on an accelerator takes arrays of that device")
        };
        match &self.contents {
            Contents::Own(_) => Arc::clone(buffer),
            Contents::Rows(_, first) => {
                let row = self.shape[1..].iter().product::<usize>() * size_of::<T>();
                Arc::clone(buffer).part(first * row, self.shape[0] * row)
            }
        }
    }

    fn to_arg(&self) -> Result<Arg, DeviceError> {
        let elements = self.lock().elements.clone();
        let data = match (&elements, &self.contents) {
            (Elements::Host(array), Contents::Own(_)) => T::data_from(array.as_slice()),
            (Elements::Host(array), Contents::Rows(_, first)) => {
                T::data_from(rows_of(array, *first, self.shape).as_slice())
            }
            (Elements::Device(_), _) => {
                let mut elements = vec![T::zeroed(); self.shape.iter().product()];
                self.buffer().download(bytemuck::cast_slice_mut(&mut elements))?;
                T::data_from(&elements)
            }
        };
        Ok(Arg { ty: T::TYPE, shape: self.shape.to_vec(), data })
    }

    fn is_view(&self) -> bool {
        matches!(self.contents, Contents::Rows(..))
    }

    fn make_unique(&self, writer: Writer) -> Result<(), DeviceError> {
        let mut state = self.lock();
        let Elements::Device(buffer) = &mut state.elements else {
            unreachable!("a launch on an accelerator takes arrays of that device")
        };
        backend::make_unique(buffer)?;
        state.stamp = state.stamp.next(writer);
        Ok(())
    }
}

impl Handle {
    pub(crate) fn id(&self) -> ArrayId {
        self.0.id()
    }

    /// Whether it is a view of a part of another array.
    pub(crate) fn is_view(&self) -> bool {
        self.0.is_view()
    }

    pub(crate) fn device(&self) -> &Device {
        self.0.device()
    }

    pub(crate) fn stamp(&self) -> Stamp {
        self.0.stamp()
    }

    /// Whether the elements consist of floats.
    pub(crate) fn is_float(&self) -> bool {
        self.0.ty().is_float()
    }

    /// The extents, outermost first.
    pub(crate) fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    /// The scalar type of the elements.
    pub(crate) fn scalar(&self) -> Scalar {
        self.0.ty().scalar()
    }

    /// The size of all elements in bytes.
    pub(crate) fn size(&self) -> usize {
        self.0.shape().iter().product::<usize>() * self.0.element_size()
    }

    /// The elements of an array on an accelerator as they are now; later launches do not change them.
    pub(crate) fn buffer(&self) -> Arc<dyn Buffer> {
        self.0.buffer()
    }

    /// A copy of the array as data.
    pub(crate) fn to_arg(&self) -> Result<Arg, DeviceError> {
        self.0.to_arg()
    }

    /// Prepares an array on an accelerator for a write by `writer`: copies shared elements, and raises the version.
    pub(crate) fn make_unique(&self, writer: Writer) -> Result<(), DeviceError> {
        self.0.make_unique(writer)
    }
}

impl<T, const N: usize> Clone for Elements<T, N> {
    fn clone(&self) -> Elements<T, N> {
        match self {
            Elements::Host(array) => Elements::Host(Arc::clone(array)),
            Elements::Device(buffer) => Elements::Device(Arc::clone(buffer)),
        }
    }
}

/// The writer in a sentence, as in "it was changed by …".
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
    use crate::array::Array2;

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
    fn a_view_is_a_part_of_its_array() {
        let array = Device::cpu().array_from_nd(&Array::from_vec([3, 2], vec![1, 2, 3, 4, 5, 6]).unwrap()).unwrap();
        let (all, tail) = (array.clone(), array.rows(1..3).unwrap());
        let last = tail.rows(1..2).unwrap();
        assert_eq!((tail.shape(), last.to_vec().unwrap()), ([2, 2], vec![5, 6]));
        last.write(Writer::Launch("k")).array()[[0, 1]] = 9;
        assert_eq!((all.to_vec().unwrap(), tail.to_vec().unwrap()), (vec![1, 2, 3, 4, 5, 9], vec![3, 4, 5, 9]));
        let stamp = Stamp { version: 1, writer: Some(Writer::Launch("k")) };
        assert_eq!([array.handle(), last.handle()].map(|handle| handle.stamp()), [stamp, stamp]);
        let snapshot = tail.snapshot();
        tail.copy_from(&Device::cpu().zeros_nd([2, 2]).unwrap()).unwrap();
        drop((array, tail));
        assert_eq!((last.to_vec().unwrap(), snapshot.to_vec().unwrap()), (vec![0, 0], vec![3, 4, 5, 9]));
        assert_eq!(all.to_vec().unwrap(), [1, 2, 0, 0, 0, 0]);
    }

    #[test]
    fn a_view_has_rows_that_are_there() {
        let array = Device::cpu().zeros::<f32>(3).unwrap();
        assert!(array.rows(3..3).unwrap().is_empty());
        let view = array.rows(1..3).unwrap();
        assert_eq!(view.rows(1..3).unwrap_err(), DeviceError::NoSuchRows { range: 1..3, rows: 2 });
    }

    #[test]
    fn a_snapshot_does_not_see_later_writes() {
        let array = Device::cpu().array_from(&[1, 2]).unwrap();
        let before = array.read();
        array.assign(&[9, 2]).unwrap();
        assert_eq!(before.as_slice(), [1, 2]);
        assert_eq!(array.to_vec().unwrap(), [9, 2]);
    }

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

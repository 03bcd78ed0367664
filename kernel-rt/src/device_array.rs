//! Arrays on a device.

mod download;

use crate::array::{Array, Element, ElementList, Storage, volume};
use crate::backend::{self, Buffer};
use crate::device::Device;
use crate::error::{DeviceError, LaunchError};
use kernel_ir::data::Arg;
use kernel_ir::ir::{Structure, Type};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

pub use download::Download;

/// An array of `N` axes on a device, in row-major order. It is a cheap handle: clones denote the same elements.
pub struct DeviceArray<T, const N: usize = 1>(Arc<Shared<T, N>>);

/// What the handles of an array share.
struct Shared<T, const N: usize> {
    device: Device,
    shape: [usize; N],
    memory: Arc<Memory<T>>,
    /// The place of the first element in the memory.
    first: usize,
    /// Whether this is a view of another array.
    is_view: bool,
}

/// The elements of an array, which its views share.
struct Memory<T>(Mutex<State<T>>);

/// What changes about an array.
struct State<T> {
    elements: Elements<T>,
    stamp: Stamp,
    /// The parts whose elements have been checked for a structure, with the version and the first place: see
    /// [`Handle::check_once`].
    checked: Vec<Checked>,
}

/// A part of a version of an array that has been checked.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Checked {
    version: u64,
    first: usize,
    len: usize,
    structure: Structure,
}

/// Elements in a row, where the device has them. Readers take a snapshot; a writer copies them only if a snapshot is
/// still alive.
pub(crate) enum Elements<T> {
    Host(Arc<Storage<T>>),
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
    /// In the memory that `state` locks. It stands first because fields are dropped in this order.
    array: Array<T, N>,
    _state: MutexGuard<'a, State<T>>,
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
    /// Whether the elements of this version have been checked for the structure.
    fn is_checked(&self, version: u64, structure: Structure) -> bool;
    /// Notes that they have been.
    fn set_checked(&self, version: u64, structure: Structure);
    fn shape(&self) -> &[usize];
    fn ty(&self) -> Type;
    /// The bytes of an element.
    fn element_size(&self) -> usize;
    fn buffer(&self) -> Arc<dyn Buffer>;
    fn to_args(&self) -> Result<Vec<Arg>, DeviceError>;
    fn is_view(&self) -> bool;
    fn make_unique(&self, writer: Writer) -> Result<(), DeviceError>;
}

/// Elements for a 1-D array: a vector, which becomes the array, or a slice, which is copied.
pub trait IntoElements<T> {
    /// The elements as a vector.
    fn into_elements(self) -> Vec<T>;
}

impl<T> IntoElements<T> for Vec<T> {
    fn into_elements(self) -> Vec<T> {
        self
    }
}

impl<T: Clone> IntoElements<T> for &Vec<T> {
    fn into_elements(self) -> Vec<T> {
        self.clone()
    }
}

impl<T: Clone> IntoElements<T> for &[T] {
    fn into_elements(self) -> Vec<T> {
        self.to_vec()
    }
}

impl<T: Clone, const LEN: usize> IntoElements<T> for &[T; LEN] {
    fn into_elements(self) -> Vec<T> {
        self.to_vec()
    }
}

impl Device {
    /// A 1-D array on this device with the elements of `host`: a slice, or a vector. On the CPU a vector becomes the
    /// array without a copy.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] if the device is out of memory. The CPU returns no error.
    pub fn array_from<T: Element>(&self, host: impl IntoElements<T>) -> Result<DeviceArray<T>, DeviceError> {
        DeviceArray::new(self, Array::from(host.into_elements()))
    }

    /// An array on this device with the shape and the elements of `host`: an array, or a reference to one. On the CPU an
    /// array becomes the array of the device without a copy.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] if the device is out of memory. The CPU returns no error.
    pub fn array_from_nd<T: Element, const N: usize>(
        &self,
        host: impl Into<Array<T, N>>,
    ) -> Result<DeviceArray<T, N>, DeviceError> {
        DeviceArray::new(self, host.into())
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
            None => Elements::Host(Arc::new(host.into_storage())),
            Some(accelerator) => Elements::Device(accelerator.buffer_from(&T::to_memory(host.as_slice()))?),
        };
        Ok(DeviceArray::with(device, shape, elements))
    }

    /// The caller has checked that the number of elements fits in `usize`.
    fn zeros(device: &Device, shape: [usize; N]) -> Result<DeviceArray<T, N>, DeviceError> {
        let elements = match device.accelerator() {
            None => Elements::Host(Arc::new(Array::zeros(shape).into_storage())),
            Some(accelerator) => {
                let len = volume(&shape).and_then(|len| len.checked_mul(size_of::<T>()));
                let len = len.ok_or_else(|| DeviceError::TooLarge { shape: shape.to_vec() })?;
                Elements::Device(accelerator.zeros(len)?)
            }
        };
        Ok(DeviceArray::with(device, shape, elements))
    }

    /// An array of these elements, which are on `device` and as many as the shape says.
    pub(crate) fn with(device: &Device, shape: [usize; N], elements: Elements<T>) -> DeviceArray<T, N> {
        let state = State { elements, stamp: Stamp { version: 0, writer: None }, checked: Vec::new() };
        let memory = Arc::new(Memory(Mutex::new(state)));
        DeviceArray(Arc::new(Shared { device: device.clone(), shape, memory, first: 0, is_view: false }))
    }

    /// A view of the elements from `first` on, as many as the shape says. They are inside the array.
    fn view<const M: usize>(&self, first: usize, shape: [usize; M]) -> DeviceArray<T, M> {
        let (device, memory, first) = (self.device().clone(), Arc::clone(&self.0.memory), self.0.first + first);
        DeviceArray(Arc::new(Shared { device, shape, memory, first, is_view: true }))
    }

    /// The rows of that range: a view of a part along the outermost axis, as an array of its own shape. What is written to
    /// one shows in the other, and counts as a change of both; the view keeps the array alive. Launches take views as they
    /// take arrays, but a launch that writes to one takes no other part of the same array, and a tape takes none.
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
        // The extents of an array without elements can have a product that overflows.
        let first = if self.is_empty() { 0 } else { range.start * shape[1..].iter().product::<usize>() };
        Ok(self.view(first, shape))
    }

    /// A view of the same elements with other extents, in the same order. It shares them with this array as
    /// [`rows`](DeviceArray::rows) do. Nothing is copied.
    ///
    /// ```
    /// # use kernel_rt::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let array = Device::cpu().array_from(vec![1, 2, 3, 4, 5, 6])?;
    /// let m = array.reshape([2, 3])?;
    /// m.rows(1..2)?.fill(0)?;
    /// assert_eq!(array.to_vec()?, [1, 2, 3, 0, 0, 0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::Reshape`] if the number of elements is not the product of the extents.
    pub fn reshape<const M: usize>(&self, shape: [usize; M]) -> Result<DeviceArray<T, M>, DeviceError> {
        match volume(&shape) == Some(self.len()) {
            true => Ok(self.view(0, shape)),
            false => Err(DeviceError::Reshape { from: self.shape().to_vec(), to: shape.to_vec() }),
        }
    }

    /// The array that has the elements of a view, as one axis, and the place of the view's first element there; `None`
    /// for an array that is no view.
    pub(crate) fn origin(&self) -> Option<(DeviceArray<T, 1>, usize)> {
        let Shared { device, memory, first, is_view, .. } = &*self.0;
        if !is_view {
            return None;
        }
        let len = match &self.lock().elements {
            Elements::Host(storage) => storage.len(),
            Elements::Device(buffer) => buffer.len() / size_of::<T>(),
        };
        let memory = Arc::clone(memory);
        let whole = Shared { device: device.clone(), shape: [len], memory, first: 0, is_view: false };
        Some((DeviceArray(Arc::new(whole)), *first))
    }

    /// The part of a 1-D array that a view with this shape and this first element has.
    pub(crate) fn part_of(whole: &DeviceArray<T, 1>, first: usize, shape: [usize; N]) -> DeviceArray<T, N> {
        whole.view(first, shape)
    }

    /// A copy of the elements in row-major order, after all launches so far.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] if an earlier kernel or the copy fails; [`DeviceError::NotBool`] if the elements are `bool`s,
    /// and a byte of them is neither 0 nor 1. The CPU returns no error.
    pub fn to_vec(&self) -> Result<Vec<T>, DeviceError> {
        Ok(match self.elements() {
            Elements::Host(storage) => storage.as_slice().to_vec(),
            Elements::Device(buffer) => download(&*buffer, self.len())?,
        })
    }

    /// Starts a copy of the elements to the host, behind all launches so far. The device works on while the host does
    /// something else; later launches do not change what is copied.
    ///
    /// ```
    /// # use kernel_rt::prelude::*;
    /// let y = Device::cpu().array_from(&[1.0, 2.0])?;
    /// let copy = y.download()?;
    /// y.fill(0.0)?;
    /// assert_eq!(copy.wait()?, [1.0, 2.0]);
    /// # Ok::<(), kernel_rt::DeviceError>(())
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::Driver`] if an earlier kernel or the copy fails. The CPU returns no error.
    pub fn download(&self) -> Result<Download<T>, DeviceError> {
        Ok(match self.elements() {
            Elements::Host(storage) => Download::of_host(storage),
            Elements::Device(buffer) => Download::of_device(buffer.start_download()?, self.len()),
        })
    }

    /// A copy of the array on the host. Waits for all earlier launches.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] if an earlier kernel or the copy fails; [`DeviceError::NotBool`] if the elements are `bool`s,
    /// and a byte of them is neither 0 nor 1. The CPU returns no error.
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
            Some(_) if self.0.is_view => {
                self.0.make_unique(Writer::Host)?;
                return self.0.buffer().upload(&T::to_memory(host));
            }
            Some(accelerator) => Elements::Device(accelerator.buffer_from(&T::to_memory(host))?),
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
            Elements::Host(storage) => self.assign(storage.as_slice()),
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
    pub(crate) fn elements(&self) -> Elements<T> {
        let elements = self.lock().elements.clone();
        match elements {
            elements if !self.0.is_view => elements,
            Elements::Host(storage) => Elements::Host(Arc::new(Storage::part(&storage, self.0.first, self.len()))),
            Elements::Device(buffer) => Elements::Device(self.0.part_of(buffer)),
        }
    }

    /// [`DeviceArray::elements`] of an array on the CPU: a launch has seen to that. They are only read.
    pub(crate) fn read(&self) -> Array<T, N> {
        match &self.lock().elements {
            Elements::Host(storage) => {
                let elements = Storage::part(storage, self.0.first, self.len());
                Array::from_storage(self.shape(), elements).expect("an array has as many elements as its shape says")
            }
            Elements::Device(_) => unreachable!("the CPU version of a kernel is launched on arrays of the CPU"),
        }
    }

    /// Write access for `writer` to an array on the CPU: a launch has seen to that. Raises the version.
    pub(crate) fn write(&self, writer: Writer) -> HostWrite<'_, T, N> {
        let mut state = self.lock();
        state.stamp = state.stamp.next(writer);
        let Elements::Host(storage) = &mut state.elements else {
            unreachable!("the CPU version of a kernel is launched on arrays of the CPU")
        };
        if !storage.is_writable() {
            *storage = Arc::new(Storage::clone(storage));
        }
        // SAFETY: `HostWrite` drops the part before it unlocks the state, and the lock keeps everything else from the
        // storage until then. Emitted code, which alone gets a `HostWrite`, borrows the array and never moves it out.
        let elements = unsafe { Arc::make_mut(storage).lend(self.0.first, self.len()) };
        let array = Array::from_storage(self.shape(), elements);
        HostWrite { array: array.expect("an array has as many elements as its shape says"), _state: state }
    }

    fn replace(&self, elements: Elements<T>) {
        let mut state = self.lock();
        *state = State { elements, stamp: state.stamp.next(Writer::Host), checked: Vec::new() };
    }
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
        self.0.len()
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

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock()
    }

    pub(crate) fn id(&self) -> ArrayId {
        self.0.id()
    }
}

impl<T, const N: usize> Shared<T, N> {
    /// The record of a check of these elements.
    fn record(&self, version: u64, structure: Structure) -> Checked {
        Checked { version, first: self.first, len: self.shape.iter().product(), structure }
    }

    /// A view has the id of its array.
    fn id(&self) -> ArrayId {
        ArrayId(Arc::as_ptr(&self.memory).addr())
    }

    fn len(&self) -> usize {
        volume(&self.shape).expect("every constructor has checked the number of elements")
    }

    /// The state of the array, for a view that of the array behind it.
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // A panic leaves an array partly written, as an error of the kernel does, but never broken.
        self.memory.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The part of the array's buffer that this view has.
    fn part_of(&self, buffer: Arc<dyn Buffer>) -> Arc<dyn Buffer> {
        match self.is_view {
            true => buffer.part(self.first * size_of::<T>(), self.len() * size_of::<T>()),
            false => buffer,
        }
    }
}

impl<T: Element, const N: usize> HostWrite<'_, T, N> {
    /// The array.
    pub fn array(&mut self) -> &mut Array<T, N> {
        &mut self.array
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

    fn is_checked(&self, version: u64, structure: Structure) -> bool {
        self.lock().checked.contains(&self.record(version, structure))
    }

    fn set_checked(&self, version: u64, structure: Structure) {
        let mut state = self.lock();
        state.checked.retain(|checked| checked.version == version);
        state.checked.push(self.record(version, structure));
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn ty(&self) -> Type {
        T::ir_type()
    }

    fn element_size(&self) -> usize {
        size_of::<T>()
    }

    fn buffer(&self) -> Arc<dyn Buffer> {
        let Elements::Device(buffer) = &self.lock().elements else {
            unreachable!("a launch on an accelerator takes arrays of that device")
        };
        self.part_of(Arc::clone(buffer))
    }

    fn to_args(&self) -> Result<Vec<Arg>, DeviceError> {
        let elements = self.lock().elements.clone();
        let columns = match elements {
            Elements::Host(storage) => T::columns(&storage.as_slice()[self.first..][..self.len()]),
            Elements::Device(buffer) => T::columns(&download::<T>(&*self.part_of(buffer), self.len())?),
        };
        let columns = T::ir_type().leaves().into_iter().zip(columns);
        Ok(columns.map(|(ty, data)| Arg { ty, shape: self.shape.to_vec(), data }).collect())
    }

    fn is_view(&self) -> bool {
        self.is_view
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

    /// Calls `check` with the elements as data, unless it has succeeded for this structure and these elements.
    ///
    /// # Errors
    /// Those of `check`.
    pub(crate) fn check_once(
        &self,
        structure: Structure,
        check: impl FnOnce(Result<Vec<Arg>, DeviceError>) -> Result<(), LaunchError>,
    ) -> Result<(), LaunchError> {
        let version = self.stamp().version;
        if !self.0.is_checked(version, structure) {
            check(self.to_args())?;
            self.0.set_checked(version, structure);
        }
        Ok(())
    }

    /// Whether the elements consist of floats.
    pub(crate) fn is_float(&self) -> bool {
        self.0.ty().is_float()
    }

    /// The extents, outermost first.
    pub(crate) fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    /// The type of the elements.
    pub(crate) fn ty(&self) -> Type {
        self.0.ty()
    }

    /// The size of all elements in bytes.
    pub(crate) fn size(&self) -> usize {
        self.0.shape().iter().product::<usize>() * self.0.element_size()
    }

    /// The elements of an array on an accelerator as they are now; later launches do not change them.
    pub(crate) fn buffer(&self) -> Arc<dyn Buffer> {
        self.0.buffer()
    }

    /// A copy of the array as data: an argument for each of its columns.
    pub(crate) fn to_args(&self) -> Result<Vec<Arg>, DeviceError> {
        self.0.to_args()
    }

    /// Prepares an array on an accelerator for a write by `writer`: copies shared elements, and raises the version.
    pub(crate) fn make_unique(&self, writer: Writer) -> Result<(), DeviceError> {
        self.0.make_unique(writer)
    }
}

impl<T> Clone for Elements<T> {
    fn clone(&self) -> Elements<T> {
        match self {
            Elements::Host(storage) => Elements::Host(Arc::clone(storage)),
            Elements::Device(buffer) => Elements::Device(Arc::clone(buffer)),
        }
    }
}

/// The first `len` elements of a buffer. Waits for all earlier launches.
///
/// # Errors
/// [`DeviceError::Driver`] if an earlier kernel or the copy fails; [`DeviceError::NotBool`] if a byte is no `bool`.
pub(crate) fn download<T: Element>(buffer: &dyn Buffer, len: usize) -> Result<Vec<T>, DeviceError> {
    T::from_memory(len, |memory| buffer.download(memory))
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

/// Device and shape, and for an array on the CPU its elements, unless a launch is writing them. An accelerator would
/// have to wait for all earlier work.
impl<T: fmt::Debug, const N: usize> fmt::Debug for DeviceArray<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shared { device, shape, memory, first, .. } = &*self.0;
        let mut shown = f.debug_struct("DeviceArray");
        shown.field("device", &format_args!("{device}")).field("shape", shape);
        let state = match memory.0.try_lock() {
            Ok(state) => Some(state),
            Err(TryLockError::Poisoned(state)) => Some(state.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        };
        match state.as_deref() {
            Some(State { elements: Elements::Host(storage), .. }) => {
                let elements = &storage.as_slice()[*first..][..self.len()];
                shown.field("elements", &ElementList::new(shape, elements)).finish()
            }
            _ => shown.finish_non_exhaustive(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Array2;

    #[test]
    fn elements_are_checked_once_for_each_version() {
        let array = Device::cpu().array_from(&[1_u32, 2, 3]).unwrap();
        let checks = std::cell::Cell::new(0);
        let check = |handle: Handle, structure| {
            let check = |_| {
                checks.set(checks.get() + 1);
                Ok(())
            };
            handle.check_once(structure, check).unwrap();
            checks.get()
        };
        assert_eq!(check(array.handle(), Structure::Distinct), 1);
        assert_eq!(check(array.clone().handle(), Structure::Distinct), 1);
        assert_eq!(check(array.handle(), Structure::Sorted), 2);
        assert_eq!(check(array.rows(1..3).unwrap().handle(), Structure::Distinct), 3);
        assert_eq!(check(array.handle(), Structure::Distinct), 3);
        array.assign(&[1_u32, 2, 3]).unwrap();
        assert_eq!(check(array.handle(), Structure::Distinct), 4);
        let failed = array.handle().check_once(Structure::Offsets, |_| Err(LaunchError::NoAdjoint { kernel: "k" }));
        assert!(failed.is_err() && array.handle().check_once(Structure::Offsets, |_| Ok(())).is_ok());
    }

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
        let array = Device::cpu().array_from_nd(Array::from_vec([3, 2], vec![1, 2, 3, 4, 5, 6]).unwrap()).unwrap();
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
        let snapshot = array.rows(1..2).unwrap().snapshot();
        snapshot.fill(5).unwrap();
        assert_eq!((array.to_vec().unwrap(), snapshot.to_vec().unwrap()), (vec![9, 2], vec![5]));
    }

    #[test]
    fn a_vector_becomes_an_array_without_a_copy() {
        let elements = vec![1.0f32, 2.0];
        let address = elements.as_ptr();
        let array = Device::cpu().array_from(elements).unwrap();
        assert_eq!(array.read().as_slice().as_ptr(), address);
        let host = Array2::from_vec([1, 2], vec![1, 2]).unwrap();
        let address = host.as_slice().as_ptr();
        assert_eq!(Device::cpu().array_from_nd(host).unwrap().read().as_slice().as_ptr(), address);
    }

    #[test]
    fn a_write_to_a_view_copies_nothing() {
        let array = Device::cpu().array_from(vec![1, 2, 3, 4]).unwrap();
        let address = array.read().as_slice().as_ptr();
        array.rows(1..3).unwrap().write(Writer::Host).array()[[0]] = 7;
        array.reshape([2, 2]).unwrap().write(Writer::Host).array()[[1, 1]] = 8;
        assert_eq!((array.read().as_slice().as_ptr(), array.to_vec().unwrap()), (address, vec![1, 7, 3, 8]));
    }

    #[test]
    fn a_reshaped_array_is_a_view() {
        let array = Device::cpu().array_from(vec![1, 2, 3, 4, 5, 6]).unwrap();
        let m = array.rows(2..6).unwrap().reshape([2, 2]).unwrap();
        assert_eq!(m.to_array().unwrap()[[1, 0]], 5);
        m.rows(1..2).unwrap().fill(0).unwrap();
        assert_eq!((array.to_vec().unwrap(), array.version()), (vec![1, 2, 3, 4, 0, 0], 1));
        let error = m.reshape([3]).unwrap_err();
        assert_eq!(error, DeviceError::Reshape { from: vec![2, 2], to: vec![3] });
        let empty = Device::cpu().zeros_nd::<f32, 2>([usize::MAX, 0]).unwrap();
        assert!(empty.rows(7..9).unwrap().reshape([0, 2, 3]).unwrap().is_empty());
    }

    #[test]
    fn debug_shows_elements_but_never_waits() {
        let array = Device::cpu().array_from_nd(Array2::from_vec([1, 2], vec![1, 2]).unwrap()).unwrap();
        let shown = "DeviceArray { device: the CPU, shape: [1, 2], elements: [[1, 2]] }";
        assert_eq!(format!("{array:?}"), shown);
        let _writer = array.write(Writer::Host);
        assert_eq!(format!("{array:?}"), "DeviceArray { device: the CPU, shape: [1, 2], .. }");
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

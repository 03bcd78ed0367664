//! DLPack: memory of arrays handed to other libraries and taken from them, on the CPU and on CUDA devices.
//!
//! A [`Tensor`] is memory with a shape, strides and an owner. Arrays become tensors and tensors become arrays; a raw
//! pointer to [`ManagedTensorVersioned`] or [`ManagedTensor`] is what other libraries take and give. In Python it is
//! inside a capsule with the name [`CAPSULE`] or [`CAPSULE_UNVERSIONED`].
//!
//! ```
//! use kernel_rt::interop::dlpack::Tensor;
//! use kernel_rt::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let x = Device::cpu().array_from(vec![1.0f32, 2.0, 3.0])?;
//! let pointer = x.to_dlpack()?.into_raw(); // to be handed to another library
//! // SAFETY: the pointer is that of `into_raw`, and nothing else uses it.
//! let tensor = unsafe { Tensor::from_raw(pointer) }?;
//! assert_eq!(tensor.as_slice::<f32, 1>()?, [1.0, 2.0, 3.0]);
//! # Ok(())
//! # }
//! ```
//!
//! # Ownership
//!
//! - **Out.** A tensor owns a part of what it was made from: the vector of an [`Array`], or the elements of a
//!   [`DeviceArray`] as they were. `into_raw` gives that ownership to whoever has the pointer. The consumer calls the
//!   deleter of the structure once, from any thread. A consumer that never does leaks the memory.
//! - **In.** `from_raw` takes the ownership. The array that comes out of a tensor calls the deleter when its last handle
//!   and its last snapshot are dropped.
//! - **Reading and writing.** [`DeviceArray::to_dlpack`] shares the elements with the array: the flag *read-only* is set,
//!   and the array copies its elements before its next change while a tensor is alive. The older structure has no such
//!   flag, so a read-only tensor has no older form. Memory that comes in read-only is copied before it is changed.
//!   A consumer that ignores the flag, as PyTorch 2.15 does, must not write: use [`DeviceArray::copy_to_dlpack`].
//!
//! # Layouts
//!
//! Strides count scalars, and elements with several scalars are further axes; see [`interop`](super). What lies as an
//! array does, byte offset included, is taken without a copy. [`Tensor::to_array`] copies every other layout.
//!
//! # CUDA
//!
//! The device of a tensor has the ordinal of [`Device::cuda`]. Memory that goes out is complete: `to_dlpack` waits for the
//! stream of the array. Memory that comes in must be complete too: wait for the producer's stream first, as with
//! `torch.cuda.synchronize()`.

use super::InteropError;
use super::layout::{Stored, array_shape, gather, lies_as_array, numpy_name, row_major, scalar_shape, scalar_strides};
use crate::array::{Array, Storage, UniformElement, volume};
use crate::device::Device;
use crate::device_array::{DeviceArray, Elements};
use crate::error::DeviceError;
use kernel_ir::ir::Scalar;
use std::ffi::{CStr, c_void};
use std::fmt;
use std::ptr::NonNull;
use std::sync::Arc;

/// The name of a Python capsule with a [`ManagedTensorVersioned`]. A consumer renames it to `used_dltensor_versioned`.
pub const CAPSULE: &CStr = c"dltensor_versioned";
/// The name of a Python capsule with a [`ManagedTensor`]. A consumer renames it to `used_dltensor`.
pub const CAPSULE_UNVERSIONED: &CStr = c"dltensor";

/// The version of the protocol that is written, and whose major number is read.
const VERSION: Version = Version { major: 1, minor: 0 };
/// The flag of memory that may only be read.
const READ_ONLY: u64 = 1;
/// The device type of the host's memory.
const CPU: i32 = 1;
/// The device type of the memory of CUDA devices.
const CUDA: i32 = 2;
/// No library has tensors of more axes.
const MOST_AXES: usize = 64;
/// The name of the format in errors.
const FORMAT: &str = "DLPack";
/// The functions that copy, in errors.
const COPY: &str = "Tensor::to_array";

/// `DLPackVersion`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// A tensor of another major version can only be deleted.
    pub major: u32,
    /// A higher minor version has more types and devices.
    pub minor: u32,
}

/// `DLDevice`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorDevice {
    /// 1 for the CPU, 2 for CUDA.
    pub device_type: i32,
    /// The ordinal of the device.
    pub device_id: i32,
}

/// `DLDataType`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataType {
    /// 0 for signed integers, 1 for unsigned integers, 2 for floats, 6 for `bool`.
    pub code: u8,
    /// The number of bits.
    pub bits: u8,
    /// The number of numbers in an element; 1 for all but packed vectors.
    pub lanes: u16,
}

/// `DLTensor`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawTensor {
    /// The start of the memory.
    pub data: *mut c_void,
    /// The device that has the memory.
    pub device: TensorDevice,
    /// The number of axes.
    pub ndim: i32,
    /// The type of the scalars.
    pub dtype: DataType,
    /// The extents, outermost first.
    pub shape: *mut i64,
    /// The strides in scalars; null for row-major order.
    pub strides: *mut i64,
    /// The place of the first scalar, in bytes from `data` on.
    pub byte_offset: u64,
}

/// `DLManagedTensor`, the structure before version 1.
#[repr(C)]
#[derive(Debug)]
pub struct ManagedTensor {
    /// The tensor.
    pub tensor: RawTensor,
    /// Something of the producer's.
    pub context: *mut c_void,
    /// Frees the memory and the structure.
    pub deleter: Option<unsafe extern "C" fn(*mut ManagedTensor)>,
}

/// `DLManagedTensorVersioned`.
#[repr(C)]
#[derive(Debug)]
pub struct ManagedTensorVersioned {
    /// The version of the structure.
    pub version: Version,
    /// Something of the producer's.
    pub context: *mut c_void,
    /// Frees the memory and the structure.
    pub deleter: Option<unsafe extern "C" fn(*mut ManagedTensorVersioned)>,
    /// Bit 0: the memory may only be read. Bit 1: it is a copy.
    pub flags: u64,
    /// The tensor.
    pub tensor: RawTensor,
}

/// Memory of an array that several libraries may use in turn: with its device, its scalar type, its shape and its
/// strides. The memory is released when the tensor, and the array that it becomes, is dropped.
pub struct Tensor {
    /// The first scalar.
    data: *mut c_void,
    device: TensorDevice,
    dtype: DataType,
    shape: Vec<usize>,
    strides: Vec<isize>,
    is_read_only: bool,
    owner: Box<dyn Send + Sync>,
}

// SAFETY: a tensor is the memory that its owner keeps alive, and the owner may be sent. By the contracts of `from_raw` and
// of the constructors here, that memory may be used from any thread.
unsafe impl Send for Tensor {}
// SAFETY: through `&Tensor` the memory is only read.
unsafe impl Sync for Tensor {}

/// A structure of another library. Its drop calls the deleter.
struct Foreign<M: Managed>(NonNull<M>);

// SAFETY: by the contract of `from_raw` the deleter may be called from any thread. Nothing else is used.
unsafe impl<M: Managed> Send for Foreign<M> {}
// SAFETY: as above; a shared reference does nothing.
unsafe impl<M: Managed> Sync for Foreign<M> {}

impl<M: Managed> Drop for Foreign<M> {
    fn drop(&mut self) {
        // SAFETY: by the contract of `from_raw` the pointer is that of a live structure, which nothing else deletes.
        unsafe { M::delete(self.0) }
    }
}

/// What the two structures have in common.
trait Managed: Sized + 'static {
    /// The structure of a tensor; `context` is freed by the deleter.
    fn new(tensor: RawTensor, context: *mut c_void, flags: u64) -> Self;

    /// Calls the deleter, if there is one.
    ///
    /// # Safety
    /// `managed` points to a live structure, which is not used later.
    unsafe fn delete(managed: NonNull<Self>);
}

/// What the deleter of a structure of this crate frees: the structure itself and all that it points to.
struct Exported<M> {
    managed: M,
    shape: Vec<i64>,
    strides: Vec<i64>,
    _owner: Box<dyn Send + Sync>,
}

/// Frees a structure of this crate.
///
/// # Safety
/// `managed` is null or a pointer of [`export`], which is not used later.
unsafe extern "C" fn delete_versioned(managed: *mut ManagedTensorVersioned) {
    if !managed.is_null() {
        // SAFETY: `export` has set the context to the box that it leaked.
        drop(unsafe { Box::from_raw((*managed).context.cast::<Exported<ManagedTensorVersioned>>()) });
    }
}

/// [`delete_versioned`] for the older structure.
///
/// # Safety
/// As there.
unsafe extern "C" fn delete_unversioned(managed: *mut ManagedTensor) {
    if !managed.is_null() {
        // SAFETY: `export` has set the context to the box that it leaked.
        drop(unsafe { Box::from_raw((*managed).context.cast::<Exported<ManagedTensor>>()) });
    }
}

impl Managed for ManagedTensorVersioned {
    fn new(tensor: RawTensor, context: *mut c_void, flags: u64) -> ManagedTensorVersioned {
        ManagedTensorVersioned { version: VERSION, context, deleter: Some(delete_versioned), flags, tensor }
    }

    unsafe fn delete(managed: NonNull<ManagedTensorVersioned>) {
        // SAFETY: the caller's promise. The deleter has its place in every version of the structure.
        if let Some(deleter) = unsafe { (*managed.as_ptr()).deleter } {
            // SAFETY: the deleter takes the structure that it belongs to.
            unsafe { deleter(managed.as_ptr()) }
        }
    }
}

impl Managed for ManagedTensor {
    fn new(tensor: RawTensor, context: *mut c_void, _: u64) -> ManagedTensor {
        ManagedTensor { tensor, context, deleter: Some(delete_unversioned) }
    }

    unsafe fn delete(managed: NonNull<ManagedTensor>) {
        // SAFETY: the caller's promise.
        if let Some(deleter) = unsafe { (*managed.as_ptr()).deleter } {
            // SAFETY: the deleter takes the structure that it belongs to.
            unsafe { deleter(managed.as_ptr()) }
        }
    }
}

/// Moves a tensor into a structure on the heap, which its deleter frees.
fn export<M: Managed>(tensor: Tensor) -> *mut M {
    let Tensor { data, device, dtype, shape, strides, is_read_only, owner } = tensor;
    let ndim = i32::try_from(shape.len()).expect("a tensor has few axes");
    let raw = RawTensor {
        data,
        device,
        ndim,
        dtype,
        shape: std::ptr::null_mut(),
        strides: std::ptr::null_mut(),
        byte_offset: 0,
    };
    let exported = Box::into_raw(Box::new(Exported {
        managed: M::new(raw, std::ptr::null_mut(), 0),
        // Extents of arrays in memory are below 2⁶³; one of an array without elements may be larger.
        shape: shape.iter().map(|&extent| i64::try_from(extent).unwrap_or(i64::MAX)).collect(),
        strides: strides.iter().map(|&stride| stride as i64).collect(),
        _owner: owner,
    }));
    // SAFETY: the box has just been leaked, and nothing else has its address. The buffers of its vectors stay where they
    // are until the deleter frees them.
    unsafe {
        let raw = RawTensor { shape: (*exported).shape.as_mut_ptr(), strides: (*exported).strides.as_mut_ptr(), ..raw };
        (*exported).managed = M::new(raw, exported.cast(), if is_read_only { READ_ONLY } else { 0 });
        &raw mut (*exported).managed
    }
}

impl Tensor {
    /// Takes a structure of another library, as from a capsule with the name [`CAPSULE`].
    ///
    /// # Safety
    /// `managed` is null or points to a structure of the protocol that nothing else uses or deletes later. Until the
    /// deleter is called, from any thread:
    /// - the memory is there and complete, and its scalars are valid for reads;
    /// - nothing else writes it; without the flag *read-only*, it is valid for writes, and nothing else reads it while it
    ///   is written through an array of this tensor.
    ///
    /// # Errors
    /// [`InteropError::Malformed`] if the structure breaks the rules of the protocol or has another major version. The
    /// deleter has been called then.
    pub unsafe fn from_raw(managed: *mut ManagedTensorVersioned) -> Result<Tensor, InteropError> {
        let managed = NonNull::new(managed).ok_or_else(|| malformed("the pointer is null"))?;
        let owner = Foreign(managed);
        // SAFETY: the caller's promise. The version has its place in every version of the structure.
        let version = unsafe { (*managed.as_ptr()).version };
        if version.major != VERSION.major {
            return Err(malformed(format!("version {} is unknown", version.major)));
        }
        // SAFETY: the caller's promise; the major version is the known one.
        let (tensor, flags) = unsafe { ((*managed.as_ptr()).tensor, (*managed.as_ptr()).flags) };
        // SAFETY: the caller's promise.
        unsafe { Tensor::new(tensor, flags & READ_ONLY != 0, Box::new(owner)) }
    }

    /// [`Tensor::from_raw`] for the older structure, as from a capsule with the name [`CAPSULE_UNVERSIONED`]. It has no
    /// flags, so the memory may be written to.
    ///
    /// # Safety
    /// As for [`Tensor::from_raw`].
    ///
    /// # Errors
    /// [`InteropError::Malformed`] if the structure breaks the rules of the protocol. The deleter has been called then.
    pub unsafe fn from_raw_unversioned(managed: *mut ManagedTensor) -> Result<Tensor, InteropError> {
        let managed = NonNull::new(managed).ok_or_else(|| malformed("the pointer is null"))?;
        let owner = Foreign(managed);
        // SAFETY: the caller's promise.
        let tensor = unsafe { (*managed.as_ptr()).tensor };
        // SAFETY: the caller's promise.
        unsafe { Tensor::new(tensor, false, Box::new(owner)) }
    }

    /// Copies shape and strides out of the structure, and checks all numbers.
    ///
    /// # Safety
    /// `tensor` is that of a structure as in [`Tensor::from_raw`], which `owner` deletes.
    unsafe fn new(tensor: RawTensor, is_read_only: bool, owner: Box<dyn Send + Sync>) -> Result<Tensor, InteropError> {
        let RawTensor { data, device, ndim, dtype, shape, strides, byte_offset } = tensor;
        let axes = usize::try_from(ndim).ok().filter(|&axes| axes <= MOST_AXES);
        let axes = axes.ok_or_else(|| malformed(format!("a tensor cannot have {ndim} axes")))?;
        if shape.is_null() && axes > 0 {
            return Err(malformed("the pointer to the shape is null"));
        }
        let numbers = |from: *mut i64| match axes {
            0 => &[][..],
            // SAFETY: the pointer is not null, and the protocol demands one number for each axis. They are copied before
            // the structure can be deleted.
            axes => unsafe { std::slice::from_raw_parts(from, axes) },
        };
        let extents: Result<Vec<usize>, _> = numbers(shape).iter().map(|&extent| usize::try_from(extent)).collect();
        let shape = extents.map_err(|_| malformed("an extent is negative"))?;
        let strides = match strides.is_null() {
            true => row_major(&shape),
            false => numbers(strides).iter().map(|&stride| stride as isize).collect(),
        };
        let offset = usize::try_from(byte_offset).map_err(|_| malformed("the byte offset is too large"))?;
        if data.is_null() && volume(&shape) != Some(0) {
            return Err(malformed("the pointer to the data is null"));
        }
        let data = data.wrapping_byte_add(offset);
        Ok(Tensor { data, device, dtype, shape, strides, is_read_only, owner })
    }

    /// Gives the tensor to another library, as for a capsule with the name [`CAPSULE`]. Whoever has the pointer must call
    /// the deleter of the structure, or pass it to [`Tensor::from_raw`].
    pub fn into_raw(self) -> *mut ManagedTensorVersioned {
        export(self)
    }

    /// [`Tensor::into_raw`] with the older structure, for a capsule with the name [`CAPSULE_UNVERSIONED`].
    ///
    /// # Errors
    /// [`InteropError::ReadOnly`] if the memory may only be read, which the older structure cannot say.
    pub fn into_raw_unversioned(self) -> Result<*mut ManagedTensor, InteropError> {
        match self.is_read_only {
            true => Err(InteropError::ReadOnly { copy: "DeviceArray::copy_to_dlpack" }),
            false => Ok(export(self)),
        }
    }

    /// The extents of the tensor of scalars, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The strides, counted in scalars.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// The device that has the memory.
    pub fn device(&self) -> TensorDevice {
        self.device
    }

    /// The type of the scalars.
    pub fn dtype(&self) -> DataType {
        self.dtype
    }

    /// Whether the memory may only be read.
    pub fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// The elements of a tensor on the CPU, without a copy: an argument of a kernel's `cpu`. `N` is the number of axes
    /// without those of the elements.
    ///
    /// # Errors
    /// [`InteropError::Device`] if the memory is not the host's; [`InteropError::Type`], [`InteropError::Shape`] or
    /// [`InteropError::TooLarge`] if it does not fit such an array; [`InteropError::Layout`] if it lies otherwise;
    /// [`InteropError::OnDevice`] if a byte of a `bool` is neither 0 nor 1.
    pub fn as_slice<T: UniformElement, const N: usize>(&self) -> Result<&[T], InteropError> {
        self.expect_device(CPU, 0, "the CPU")?;
        let (pointer, len) = self.elements_here::<T, N>()?;
        // SAFETY: the memory is complete and valid for reads as long as the tensor owns it, and nothing writes it. Its
        // layout, type, alignment and bytes have been checked.
        Ok(unsafe { std::slice::from_raw_parts(pointer.as_ptr(), len) })
    }

    /// The memory of the tensor as an array, without a copy. On an error the tensor is released.
    ///
    /// # Errors
    /// [`InteropError::ReadOnly`] if the memory may only be read; otherwise those of [`Tensor::as_slice`].
    pub fn into_array<T: UniformElement, const N: usize>(self) -> Result<Array<T, N>, InteropError> {
        if self.is_read_only {
            return Err(InteropError::ReadOnly { copy: COPY });
        }
        self.expect_device(CPU, 0, "the CPU")?;
        let shape = array_shape::<T, N>(&self.shape)?;
        Ok(Array::from_storage(shape, self.into_storage::<T, N>()?)?)
    }

    /// A copy of a tensor on the CPU, of any layout.
    ///
    /// # Errors
    /// [`InteropError::Device`] if the memory is not the host's; [`InteropError::Type`], [`InteropError::Shape`] or
    /// [`InteropError::TooLarge`] if it does not fit such an array; [`InteropError::OnDevice`] if a byte of a `bool` is
    /// neither 0 nor 1.
    pub fn to_array<T: UniformElement, const N: usize>(&self) -> Result<Array<T, N>, InteropError> {
        self.expect_device(CPU, 0, "the CPU")?;
        self.expect_type::<T>()?;
        let shape = array_shape::<T, N>(&self.shape)?;
        let data = self.data.cast::<Stored<T>>();
        gather(shape, &self.strides, |offset| {
            // SAFETY: the offset is that of an index inside the shape, so the scalar is in the memory that the tensor
            // owns. The read demands no alignment, and any bytes are a stored scalar.
            unsafe { data.wrapping_offset(offset).read_unaligned() }
        })
    }

    /// The memory as storage of an array on the CPU.
    fn into_storage<T: UniformElement, const N: usize>(self) -> Result<Storage<T>, InteropError> {
        let (pointer, len) = self.elements_here::<T, N>()?;
        // SAFETY: the owner keeps the memory as `from_raw` and the constructors here promise. Its layout, type, alignment
        // and bytes have been checked.
        Ok(unsafe { Storage::foreign(pointer, len, self.owner, !self.is_read_only) })
    }

    /// [`Tensor::elements`] of a tensor on the CPU, with a check of the bytes.
    fn elements_here<T: UniformElement, const N: usize>(&self) -> Result<(NonNull<T>, usize), InteropError> {
        let (pointer, len) = self.elements::<T, N>()?;
        // SAFETY: the memory is complete and valid for reads as long as the tensor owns it, and nothing writes it. Layout
        // and alignment have been checked. Any bytes are stored elements.
        let stored = unsafe { std::slice::from_raw_parts(pointer.cast::<T::Stored>().as_ptr(), len) };
        match T::are_elements(stored) {
            true => Ok((pointer, len)),
            false => Err(DeviceError::NotBool.into()),
        }
    }

    /// The address and the number of the elements, if they lie as those of an array do.
    fn elements<T: UniformElement, const N: usize>(&self) -> Result<(NonNull<T>, usize), InteropError> {
        self.expect_type::<T>()?;
        let shape = array_shape::<T, N>(&self.shape)?;
        let len = volume(&shape).unwrap_or(0);
        if len == 0 {
            return Ok((NonNull::dangling(), 0));
        }
        match NonNull::new(self.data.cast::<T>()) {
            Some(data) if data.is_aligned() && lies_as_array::<T>(&shape, &self.strides) => Ok((data, len)),
            _ => Err(InteropError::Layout { copy: COPY }),
        }
    }

    fn expect_type<T: UniformElement>(&self) -> Result<(), InteropError> {
        let expected = T::ir_type().scalar();
        match self.dtype == data_type(expected) {
            true => Ok(()),
            false => {
                Err(InteropError::Type { expected: numpy_name(expected).to_owned(), found: self.dtype.to_string() })
            }
        }
    }

    fn expect_device(&self, device_type: i32, ordinal: i32, name: &str) -> Result<(), InteropError> {
        // The ordinal of the host means nothing.
        let is_there = device_type == CPU || self.device.device_id == ordinal;
        match self.device.device_type == device_type && is_there {
            true => Ok(()),
            false => Err(InteropError::Device { expected: name.to_owned(), found: self.device.to_string() }),
        }
    }
}

impl<T: UniformElement, const N: usize> Array<T, N> {
    /// The array as a tensor, without a copy. The tensor may be written to.
    pub fn into_dlpack(self) -> Tensor {
        let shape = self.shape();
        let storage = self.into_storage();
        // Foreign memory goes on as it came in. An array that users have is writable.
        let data = storage.as_ptr().cast_mut().cast();
        Tensor::of::<T, N>(data, TensorDevice { device_type: CPU, device_id: 0 }, shape, false, Box::new(storage))
    }
}

impl<T: UniformElement, const N: usize> DeviceArray<T, N> {
    /// The elements as a read-only tensor, without a copy. Later changes of the array do not show in the tensor: the array
    /// copies its elements before the next change while the tensor is alive. Waits for all earlier launches.
    ///
    /// # Errors
    /// [`InteropError::OnDevice`] if an earlier kernel fails. The CPU returns no error.
    pub fn to_dlpack(&self) -> Result<Tensor, InteropError> {
        self.to_tensor(true)
    }

    /// A copy of the elements on the same device, as a tensor that may be written to. Waits for all earlier launches.
    ///
    /// # Errors
    /// [`InteropError::OnDevice`] if an earlier kernel fails or the device is out of memory. The CPU returns no error.
    pub fn copy_to_dlpack(&self) -> Result<Tensor, InteropError> {
        self.to_tensor(false)
    }

    fn to_tensor(&self, is_read_only: bool) -> Result<Tensor, InteropError> {
        let shape = self.shape();
        match (self.elements(), self.device().accelerator()) {
            (Elements::Host(_), _) if !is_read_only => Ok(self.to_array()?.into_dlpack()),
            (Elements::Host(storage), _) => {
                let (data, device) =
                    (storage.as_ptr().cast_mut().cast(), TensorDevice { device_type: CPU, device_id: 0 });
                Ok(Tensor::of::<T, N>(data, device, shape, true, Box::new(storage)))
            }
            (Elements::Device(buffer), accelerator) => {
                let ordinal = accelerator.map_or(0, |accelerator| accelerator.id().ordinal);
                let device = TensorDevice { device_type: CUDA, device_id: i32::try_from(ordinal).unwrap_or(i32::MAX) };
                let buffer = if is_read_only { buffer } else { buffer.try_clone()? };
                // A download waits for the stream of the buffer, also one of no bytes.
                Arc::clone(&buffer).part(0, 0).download(&mut [])?;
                let data = std::ptr::with_exposed_provenance_mut(buffer.address() as usize);
                Ok(Tensor::of::<T, N>(data, device, shape, is_read_only, Box::new(buffer)))
            }
        }
    }
}

impl Device {
    /// The memory of a tensor as an array on this device, without a copy. Memory that may only be read is copied before
    /// the first change. `N` is the number of axes without those of the elements. On an error the tensor is released.
    ///
    /// # Errors
    /// [`InteropError::Device`] if the memory is on another device; [`InteropError::Type`], [`InteropError::Shape`] or
    /// [`InteropError::TooLarge`] if it does not fit such an array; [`InteropError::Layout`] if it lies otherwise;
    /// [`InteropError::OnDevice`] if the device fails.
    pub fn array_from_dlpack<T: UniformElement, const N: usize>(
        &self,
        tensor: Tensor,
    ) -> Result<DeviceArray<T, N>, InteropError> {
        let shape = array_shape::<T, N>(&tensor.shape)?;
        let name = self.to_string();
        let elements = match self.accelerator() {
            None => {
                tensor.expect_device(CPU, 0, &name)?;
                Elements::Host(Arc::new(tensor.into_storage::<T, N>()?))
            }
            Some(accelerator) => {
                tensor.expect_device(CUDA, i32::try_from(accelerator.id().ordinal).unwrap_or(i32::MAX), &name)?;
                let (pointer, len) = tensor.elements::<T, N>()?;
                let (address, len) = (pointer.as_ptr().expose_provenance() as u64, len * size_of::<T>());
                // SAFETY: the owner keeps the memory as `from_raw` and the constructors here promise.
                Elements::Device(unsafe { accelerator.foreign(address, len, tensor.owner, tensor.is_read_only) }?)
            }
        };
        Ok(DeviceArray::with(self, shape, elements))
    }
}

impl Tensor {
    /// The tensor of an array.
    fn of<T: UniformElement, const N: usize>(
        data: *mut c_void,
        device: TensorDevice,
        shape: [usize; N],
        is_read_only: bool,
        owner: Box<dyn Send + Sync>,
    ) -> Tensor {
        Tensor {
            data,
            device,
            dtype: data_type(T::ir_type().scalar()),
            shape: scalar_shape::<T>(&shape),
            strides: scalar_strides::<T>(&shape),
            is_read_only,
            owner,
        }
    }
}

/// The type of scalars.
fn data_type(scalar: Scalar) -> DataType {
    let (code, bits) = match scalar {
        Scalar::I8 => (0, 8),
        Scalar::I16 => (0, 16),
        Scalar::I32 => (0, 32),
        Scalar::I64 => (0, 64),
        Scalar::U8 => (1, 8),
        Scalar::U16 => (1, 16),
        Scalar::U32 => (1, 32),
        Scalar::U64 => (1, 64),
        Scalar::F16 => (2, 16),
        Scalar::BF16 => (4, 16),
        Scalar::F32 => (2, 32),
        Scalar::F64 => (2, 64),
        Scalar::Bool => (6, 8),
        Scalar::Index => (1, usize::BITS as u8),
    };
    DataType { code, bits, lanes: 1 }
}

/// The name of the type, as in `float32`.
impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.code {
            0 => "int",
            1 => "uint",
            2 => "float",
            4 => "bfloat",
            5 => "complex",
            6 => return f.write_str("bool"),
            code => return write!(f, "type {code} of {} bits", self.bits),
        };
        write!(f, "{name}{}", self.bits)?;
        match self.lanes {
            1 => Ok(()),
            lanes => write!(f, "x{lanes}"),
        }
    }
}

/// The device in a sentence, as in "on the CPU".
impl fmt::Display for TensorDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.device_type {
            CPU => f.write_str("the CPU"),
            CUDA => write!(f, "CUDA device {}", self.device_id),
            other => write!(f, "device {} of DLPack's type {other}", self.device_id),
        }
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tensor")
            .field("device", &format_args!("{}", self.device))
            .field("dtype", &format_args!("{}", self.dtype))
            .field("shape", &self.shape)
            .field("strides", &self.strides)
            .field("is_read_only", &self.is_read_only)
            .finish_non_exhaustive()
    }
}

fn malformed(problem: impl Into<String>) -> InteropError {
    InteropError::Malformed { format: FORMAT, problem: problem.into() }
}

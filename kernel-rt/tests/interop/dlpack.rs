//! DLPack without another library: structures that this file makes, and those of arrays.
//!
//! `python.rs` exchanges memory with NumPy, `tests/device/dlpack.rs` with a CUDA device.

use crate::samples::{sample, with_all};
use kernel_rt::interop::InteropError;
use kernel_rt::interop::dlpack::{
    DataType, ManagedTensor, ManagedTensorVersioned, RawTensor, Tensor, TensorDevice, Version,
};
use kernel_rt::prelude::*;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Doubles every element.
#[kernel]
fn double(x: &mut [f32]) {
    let i = tid();
    x[i] *= 2.0;
}

const CPU: TensorDevice = TensorDevice { device_type: 1, device_id: 0 };
const F32: DataType = DataType { code: 2, bits: 32, lanes: 1 };

/// A structure of another library: numbers, a shape and strides, and how often it has been deleted.
struct Producer {
    numbers: Vec<f32>,
    shape: Vec<i64>,
    strides: Vec<i64>,
    deleted: Arc<AtomicUsize>,
}

impl Producer {
    fn new(numbers: &[f32], shape: &[i64], strides: &[i64]) -> (Producer, Arc<AtomicUsize>) {
        let deleted = Arc::new(AtomicUsize::new(0));
        let producer = Producer {
            numbers: numbers.to_vec(),
            shape: shape.to_vec(),
            strides: strides.to_vec(),
            deleted: Arc::clone(&deleted),
        };
        (producer, deleted)
    }

    /// The tensor of a producer, which its context keeps alive. No strides are a null pointer.
    fn tensor(&mut self) -> RawTensor {
        RawTensor {
            data: self.numbers.as_mut_ptr().cast(),
            device: CPU,
            ndim: i32::try_from(self.shape.len()).unwrap(),
            dtype: F32,
            shape: self.shape.as_mut_ptr(),
            strides: if self.strides.is_empty() { std::ptr::null_mut() } else { self.strides.as_mut_ptr() },
            byte_offset: 0,
        }
    }

    /// A structure with what `change` makes of the usual one.
    fn export(mut self, change: impl FnOnce(&mut ManagedTensorVersioned)) -> *mut ManagedTensorVersioned {
        let tensor = self.tensor();
        let context: *mut c_void = Box::into_raw(Box::new(self)).cast();
        let (version, deleter) = (Version { major: 1, minor: 3 }, Some(delete as unsafe extern "C" fn(_)));
        let mut managed = ManagedTensorVersioned { version, context, deleter, flags: 0, tensor };
        change(&mut managed);
        Box::into_raw(Box::new(managed))
    }

    fn export_unversioned(mut self) -> *mut ManagedTensor {
        let tensor = self.tensor();
        let context: *mut c_void = Box::into_raw(Box::new(self)).cast();
        Box::into_raw(Box::new(ManagedTensor { tensor, context, deleter: Some(delete_unversioned) }))
    }
}

unsafe extern "C" fn delete(managed: *mut ManagedTensorVersioned) {
    // SAFETY: the structure and its context are boxes that `export` has leaked.
    let producer = unsafe { Box::from_raw(Box::from_raw(managed).context.cast::<Producer>()) };
    producer.deleted.fetch_add(1, Ordering::Relaxed);
}

unsafe extern "C" fn delete_unversioned(managed: *mut ManagedTensor) {
    // SAFETY: as above.
    let producer = unsafe { Box::from_raw(Box::from_raw(managed).context.cast::<Producer>()) };
    producer.deleted.fetch_add(1, Ordering::Relaxed);
}

/// Takes a structure that [`Producer`] made.
fn take(managed: *mut ManagedTensorVersioned) -> Result<Tensor, InteropError> {
    // SAFETY: the structures of this file follow the protocol, but for what a test changes so that it is refused; nothing
    // else uses them.
    unsafe { Tensor::from_raw(managed) }
}

fn goes_out_and_in<T: UniformElement>() {
    let a = sample::<T>();
    let address = a.as_slice().as_ptr();
    let tensor = take(a.into_dlpack().into_raw()).unwrap();
    assert!(!tensor.is_read_only());
    assert_eq!(tensor.as_slice::<T, 2>().unwrap(), sample::<T>().as_slice());
    assert_eq!(tensor.to_array::<T, 2>().unwrap(), sample());
    // The older structure.
    let managed = tensor.into_raw_unversioned().unwrap();
    // SAFETY: the structure is that of `into_raw_unversioned`, and nothing else uses it.
    let tensor = unsafe { Tensor::from_raw_unversioned(managed) }.unwrap();
    let back = tensor.into_array::<T, 2>().unwrap();
    assert_eq!((&back, back.as_slice().as_ptr()), (&sample(), address), "nothing is copied");
    assert_eq!(back.into_vec(), sample::<T>().into_vec());
    // An array of a device.
    let a = Device::cpu().array_from_nd(sample::<T>()).unwrap();
    let tensor = take(a.to_dlpack().unwrap().into_raw()).unwrap();
    assert!(tensor.is_read_only());
    let address = tensor.as_slice::<T, 2>().unwrap().as_ptr();
    let back = Device::cpu().array_from_dlpack::<T, 2>(tensor).unwrap();
    let again = back.to_dlpack().unwrap();
    assert_eq!(again.as_slice::<T, 2>().unwrap().as_ptr(), address, "nothing is copied");
    assert_eq!(back.to_array().unwrap(), sample());
}

#[test]
fn every_element_type_goes_out_and_in_without_a_copy() {
    with_all!(goes_out_and_in());
}

#[test]
fn a_byte_that_is_no_bool_is_an_error() {
    let bools = |bytes: u32| {
        let managed = Array::from(vec![bytes]).into_dlpack().into_raw();
        let (mut shape, mut strides) = ([4], [1]);
        // SAFETY: the structure is that of `into_raw`. It is read before shape and strides of this function go.
        unsafe {
            (*managed).tensor.dtype = DataType { code: 6, bits: 8, lanes: 1 };
            (*managed).tensor.shape = shape.as_mut_ptr();
            (*managed).tensor.strides = strides.as_mut_ptr();
        }
        take(managed).unwrap()
    };
    let tensor = bools(0x01000101);
    assert_eq!(tensor.as_slice::<bool, 1>().unwrap(), [true, true, false, true]);
    assert_eq!(tensor.into_array::<bool, 1>().unwrap().as_slice(), [true, true, false, true]);
    let wrong = "an array of `bool` has an element whose byte is neither 0 nor 1";
    assert_eq!(bools(0x01ff0101).as_slice::<bool, 1>().unwrap_err().to_string(), wrong);
    assert_eq!(bools(0x01020101).to_array::<bool, 1>().unwrap_err().to_string(), wrong);
    assert_eq!(bools(0x02000101).into_array::<bool, 1>().unwrap_err().to_string(), wrong);
    let error = Device::cpu().array_from_dlpack::<bool, 1>(bools(0x02000101)).unwrap_err();
    assert_eq!(error.to_string(), wrong);
}

#[test]
fn a_tensor_says_what_it_is() {
    let tensor = sample::<DMat3>().into_dlpack();
    assert_eq!((tensor.shape(), tensor.strides()), (&[2, 3, 3, 3][..], &[27, 9, 1, 3][..]));
    assert_eq!((tensor.device(), tensor.dtype()), (CPU, DataType { code: 2, bits: 64, lanes: 1 }));
    let shown = "Tensor { device: the CPU, dtype: float64, shape: [2, 3, 3, 3], strides: [27, 9, 1, 3], \
                 is_read_only: false, .. }";
    assert_eq!(format!("{tensor:?}"), shown);
}

#[test]
fn a_tensor_of_a_device_array_is_a_snapshot() {
    let x = Device::cpu().array_from(vec![1.0f32, 2.0, 3.0, 4.0]).unwrap();
    let (all, part) = (x.to_dlpack().unwrap(), x.rows(1..3).unwrap().reshape([1, 2]).unwrap().to_dlpack().unwrap());
    assert_eq!(part.as_slice::<f32, 2>().unwrap().as_ptr(), &raw const all.as_slice::<f32, 1>().unwrap()[1]);
    double::launch(&Device::cpu(), 4, (&x,)).unwrap();
    assert_eq!(all.as_slice::<f32, 1>().unwrap(), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(part.as_slice::<f32, 2>().unwrap(), [2.0, 3.0]);
    assert_eq!(x.to_vec().unwrap(), [2.0, 4.0, 6.0, 8.0]);
    let error = all.into_raw_unversioned().unwrap_err();
    assert!(matches!(error, InteropError::ReadOnly { .. }), "{error}");
    let copy = x.copy_to_dlpack().unwrap().into_array::<f32, 1>().unwrap();
    x.fill(0.0).unwrap();
    assert_eq!(copy.as_slice(), [2.0, 4.0, 6.0, 8.0]);
}

#[test]
fn launches_write_to_memory_of_others() {
    let (producer, deleted) = Producer::new(&[1.0, 2.0, 3.0], &[3], &[1]);
    let data = producer.numbers.as_ptr();
    let x = Device::cpu().array_from_dlpack::<f32, 1>(take(producer.export(|_| {})).unwrap()).unwrap();
    double::launch(&Device::cpu(), 3, (&x,)).unwrap();
    double::launch(&Device::cpu(), 2, (&x.rows(1..3).unwrap(),)).unwrap();
    // SAFETY: the producer is alive, and nothing writes meanwhile.
    assert_eq!(unsafe { std::slice::from_raw_parts(data, 3) }, [2.0, 8.0, 12.0]);
    let view = x.rows(0..1).unwrap();
    drop(x);
    assert_eq!((deleted.load(Ordering::Relaxed), view.to_vec().unwrap()), (0, vec![2.0]));
    drop(view);
    assert_eq!(deleted.load(Ordering::Relaxed), 1);
}

#[test]
fn read_only_memory_is_copied_before_a_change() {
    let (producer, deleted) = Producer::new(&[1.0, 2.0], &[2], &[1]);
    let managed = producer.export(|managed| managed.flags = 1);
    let tensor = take(managed).unwrap();
    let data = tensor.as_slice::<f32, 1>().unwrap().as_ptr();
    let x = Device::cpu().array_from_dlpack::<f32, 1>(tensor).unwrap();
    let before = x.to_dlpack().unwrap();
    assert_eq!(before.as_slice::<f32, 1>().unwrap().as_ptr(), data);
    double::launch(&Device::cpu(), 2, (&x,)).unwrap();
    assert_eq!(before.as_slice::<f32, 1>().unwrap(), [1.0, 2.0]);
    assert_eq!((x.to_vec().unwrap(), deleted.load(Ordering::Relaxed)), (vec![2.0, 4.0], 0));
    drop(before);
    assert_eq!(deleted.load(Ordering::Relaxed), 1, "the array has memory of its own now");
    let (producer, deleted) = Producer::new(&[1.0, 2.0], &[2], &[1]);
    let error = take(producer.export(|managed| managed.flags = 1)).unwrap().into_array::<f32, 1>().unwrap_err();
    assert!(matches!(error, InteropError::ReadOnly { .. }), "{error}");
    assert_eq!(deleted.load(Ordering::Relaxed), 1);
}

#[test]
fn the_older_structure_is_deleted_once() {
    let (producer, deleted) = Producer::new(&[1.0, 2.0], &[2, 1], &[]);
    // SAFETY: as for `take`.
    let tensor = unsafe { Tensor::from_raw_unversioned(producer.export_unversioned()) }.unwrap();
    // It goes on as the newer one, and over a thread.
    let managed = take(tensor.into_raw()).unwrap();
    let array = managed.into_array::<f32, 2>().unwrap();
    let mut array = std::thread::spawn(move || array).join().unwrap();
    array[[1, 0]] = 5.0;
    assert_eq!((array.clone().into_vec(), deleted.load(Ordering::Relaxed)), (vec![1.0, 5.0], 0));
    let again = array.into_dlpack();
    assert_eq!(again.as_slice::<f32, 2>().unwrap(), [1.0, 5.0]);
    drop(again);
    assert_eq!(deleted.load(Ordering::Relaxed), 1);
}

/// Every small shape with strides of every order of the axes: the copy is right, and what lies as an array is taken
/// as it is.
#[test]
fn any_layout_is_copied() {
    let numbers: Vec<f32> = (0..64).map(|k| k as f32).collect();
    for case in 0..27 * 6 {
        let shape = [case % 3 + 1, case / 3 % 3 + 1, case / 9 % 3 + 1];
        let order = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]][case / 27];
        let (mut strides, mut next) = ([0; 3], 1);
        for axis in order.into_iter().rev() {
            strides[axis] = next;
            next *= shape[axis];
        }
        let [shape_there, strides_there] = [shape, strides].map(|numbers| numbers.map(|number| number as i64));
        let (producer, deleted) = Producer::new(&numbers, &shape_there, &strides_there);
        // The first number is skipped.
        let tensor = take(producer.export(|managed| managed.tensor.byte_offset = 4)).unwrap();
        let copy = tensor.to_array::<f32, 3>().unwrap();
        for i in 0..shape[0] {
            for j in 0..shape[1] {
                for k in 0..shape[2] {
                    let expected = 1 + i * strides[0] + j * strides[1] + k * strides[2];
                    assert_eq!(copy[[i, j, k]], expected as f32, "{shape:?} {strides:?}");
                }
            }
        }
        match tensor.as_slice::<f32, 3>() {
            Ok(slice) => assert_eq!(slice, copy.as_slice()),
            Err(error) => {
                assert!(matches!(error, InteropError::Layout { .. }), "{error}");
                let in_row = copy.as_slice().windows(2).all(|pair| pair[0] + 1.0 == pair[1]);
                assert!(!in_row, "{shape:?} {strides:?}");
            }
        }
        drop(tensor);
        assert_eq!(deleted.load(Ordering::Relaxed), 1);
    }
}

#[test]
fn broken_structures_are_errors_and_are_deleted() {
    type Change = fn(&mut ManagedTensorVersioned);
    let changes: [(Change, &str); 7] = [
        (|managed| managed.version.major = 2, "DLPack: version 2 is unknown"),
        (|managed| managed.tensor.ndim = -1, "DLPack: a tensor cannot have -1 axes"),
        (|managed| managed.tensor.ndim = i32::MAX, "DLPack: a tensor cannot have 2147483647 axes"),
        (|managed| managed.tensor.shape = std::ptr::null_mut(), "DLPack: the pointer to the shape is null"),
        (|managed| managed.tensor.data = std::ptr::null_mut(), "DLPack: the pointer to the data is null"),
        // SAFETY: the shape has an extent.
        (|managed| unsafe { *managed.tensor.shape = -3 }, "DLPack: an extent is negative"),
        (|managed| managed.tensor.byte_offset = 2, ""),
    ];
    for (change, problem) in changes {
        let (producer, deleted) = Producer::new(&[1.0, 2.0], &[2], &[1]);
        let tensor = take(producer.export(change));
        let error = match tensor {
            // Scalars that are not aligned can be copied.
            Ok(tensor) if problem.is_empty() => {
                let error = tensor.as_slice::<f32, 1>().unwrap_err();
                assert!(matches!(error, InteropError::Layout { .. }));
                drop(tensor);
                String::new()
            }
            tensor => tensor.unwrap_err().to_string(),
        };
        assert_eq!((error, deleted.load(Ordering::Relaxed)), (problem.to_owned(), 1));
    }
    assert_eq!(take(std::ptr::null_mut()).unwrap_err().to_string(), "DLPack: the pointer is null");
}

#[test]
fn what_does_not_fit_is_an_error() {
    let refused = |change: fn(&mut ManagedTensorVersioned), problem: &str| {
        let (producer, deleted) = Producer::new(&[1.0; 6], &[2, 3], &[3, 1]);
        let tensor = take(producer.export(change)).unwrap();
        for error in
            [tensor.as_slice::<f32, 2>().map(|_| ()).unwrap_err(), tensor.to_array::<f32, 2>().map(|_| ()).unwrap_err()]
        {
            assert_eq!(error.to_string(), problem);
        }
        let error = Device::cpu().array_from_dlpack::<f32, 2>(tensor).map(|_| ()).unwrap_err();
        assert_eq!((error.to_string(), deleted.load(Ordering::Relaxed)), (problem.to_owned(), 1));
    };
    refused(
        |managed| managed.tensor.device.device_type = 2,
        "the data are on CUDA device 0, and the array is to be on the CPU",
    );
    refused(
        |managed| managed.tensor.device.device_type = 8,
        "the data are on device 0 of DLPack's type 8, and the array is to be on the CPU",
    );
    refused(|managed| managed.tensor.dtype.bits = 16, "the array takes `float32`, and the data are `float16`");
    refused(|managed| managed.tensor.dtype.code = 4, "the array takes `float32`, and the data are `bfloat32`");
    refused(|managed| managed.tensor.dtype.lanes = 4, "the array takes `float32`, and the data are `float32x4`");
    refused(|managed| managed.tensor.ndim = 1, "the array has 2 axes, and the data have the shape [2]");
    refused(
        // SAFETY: the shape has two extents.
        |managed| unsafe { *managed.tensor.shape = 1 << 61 },
        "data of shape [2305843009213693952, 3] have more bytes than `usize` can count",
    );
    let tensor = sample::<f32>().into_dlpack();
    assert!(matches!(tensor.as_slice::<Vec3, 2>(), Err(InteropError::Shape { .. })));
    assert_eq!(tensor.as_slice::<Vec3, 1>().unwrap().len(), 2);
}

#[test]
fn arrays_without_elements_go_out_and_in() {
    let x = Device::cpu().zeros_nd::<Mat4, 2>([0, 7]).unwrap();
    let tensor = take(x.to_dlpack().unwrap().into_raw()).unwrap();
    assert_eq!(tensor.shape(), [0, 7, 4, 4]);
    assert_eq!(Device::cpu().array_from_dlpack::<Mat4, 2>(tensor).unwrap().shape(), [0, 7]);
    let (producer, deleted) = Producer::new(&[], &[0], &[1]);
    let tensor = take(producer.export(|managed| managed.tensor.data = std::ptr::null_mut())).unwrap();
    assert!(tensor.into_array::<f32, 1>().unwrap().is_empty());
    assert_eq!(deleted.load(Ordering::Relaxed), 1);
}

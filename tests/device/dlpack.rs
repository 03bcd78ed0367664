//! Memory of a CUDA device through DLPack.

use super::cuda;
use kernel_rt::DeviceError;
use kernel_rt::interop::InteropError;
use kernel_rt::interop::dlpack::{Tensor, TensorDevice};
use kernel_rt::prelude::*;

/// Doubles every element.
#[kernel]
fn double(x: &mut [f32]) {
    let i = tid();
    x[i] *= 2.0;
}

/// Hands a tensor over, as another library would.
fn handed_over(tensor: Tensor) -> Tensor {
    // SAFETY: the structure is that of `into_raw`, and nothing else uses it.
    unsafe { Tensor::from_raw(tensor.into_raw()) }.unwrap()
}

#[test]
fn memory_goes_out_and_in_without_a_copy() {
    let Some(device) = cuda() else { return };
    let x = device.array_from(vec![1.0f32, 2.0, 3.0, 4.0]).unwrap();
    double::launch(&device, 4, (&x,)).unwrap();
    let tensor = handed_over(x.rows(1..4).unwrap().to_dlpack().unwrap());
    assert_eq!(tensor.device(), TensorDevice { device_type: 2, device_id: 0 });
    assert!(tensor.is_read_only());
    let y = device.array_from_dlpack::<f32, 1>(tensor).unwrap();
    // Both arrays copy the shared elements before they change them.
    double::launch(&device, 3, (&y,)).unwrap();
    double::launch(&device, 1, (&x.rows(3..4).unwrap(),)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [8.0, 12.0, 16.0]);
    assert_eq!(x.to_vec().unwrap(), [2.0, 4.0, 6.0, 16.0]);
}

#[test]
fn launches_write_to_memory_of_others() {
    let Some(device) = cuda() else { return };
    let x = device.array_from_nd(Array2::from_vec([1, 2], vec![Mat2::IDENTITY; 2]).unwrap()).unwrap();
    let y = device.array_from_dlpack::<Mat2, 2>(handed_over(x.copy_to_dlpack().unwrap())).unwrap();
    let numbers = y.to_dlpack().unwrap();
    assert_eq!((numbers.shape(), numbers.strides()), (&[1, 2, 2, 2][..], &[8, 4, 1, 2][..]));
    drop(numbers);
    // The memory of the copy stays with `other`, whatever becomes of `x` and `y`.
    let other = y.rows(0..1).unwrap();
    x.fill(Mat2::ZERO).unwrap();
    drop((x, y));
    other.copy_from(&other).unwrap();
    assert_eq!(other.to_vec().unwrap(), [Mat2::IDENTITY; 2]);
}

/// Memory of other libraries may have any bytes.
#[test]
fn a_byte_that_is_no_bool_is_an_error() {
    let Some(device) = cuda() else { return };
    let flags = device.array_from(&[true, false, true, true]).unwrap();
    let tensor = handed_over(flags.copy_to_dlpack().unwrap());
    let copy = device.array_from_dlpack::<bool, 1>(tensor).unwrap();
    assert_eq!(copy.to_vec().unwrap(), [true, false, true, true]);

    let other = device.array_from(&[0x0100_0201_u32]).unwrap();
    let managed = other.copy_to_dlpack().unwrap().into_raw();
    let (mut shape, mut strides) = ([4], [1]);
    // SAFETY: the structure is that of `into_raw`. Its four bytes are a tensor of four `bool`s, as shape and strides of
    // this function say, and the structure is read before they go.
    let tensor = unsafe {
        (*managed).tensor.dtype = flags.to_dlpack().unwrap().dtype();
        (*managed).tensor.shape = shape.as_mut_ptr();
        (*managed).tensor.strides = strides.as_mut_ptr();
        Tensor::from_raw(managed)
    };
    let flags = device.array_from_dlpack::<bool, 1>(tensor.unwrap()).unwrap();
    assert_eq!(flags.to_vec().unwrap_err(), DeviceError::NotBool);
    assert_eq!(flags.to_array().unwrap_err(), DeviceError::NotBool);
    assert_eq!(flags.rows(2..4).unwrap().to_vec().unwrap(), [false, true]);
}

#[test]
fn streams_wait_before_memory_is_released() {
    let Some(device) = cuda() else { return };
    let side = device.stream().unwrap();
    for round in 0..20 {
        let x = device.array_from(vec![round as f32; 1000]).unwrap();
        let y = side.array_from_dlpack::<f32, 1>(handed_over(x.copy_to_dlpack().unwrap())).unwrap();
        drop(x);
        double::launch(&side, 1000, (&y,)).unwrap();
        let z = device.zeros::<f32>(1000).unwrap();
        z.copy_from(&y).unwrap();
        drop(y);
        assert_eq!(z.to_vec().unwrap(), [2.0 * round as f32; 1000]);
    }
}

#[test]
fn the_device_must_be_that_of_the_tensor() {
    let Some(device) = cuda() else { return };
    let there = device.zeros::<f32>(2).unwrap().to_dlpack().unwrap();
    assert!(matches!(there.as_slice::<f32, 1>(), Err(InteropError::Device { .. })));
    assert!(matches!(there.to_array::<f32, 1>(), Err(InteropError::Device { .. })));
    let error = Device::cpu().array_from_dlpack::<f32, 1>(there).unwrap_err();
    assert_eq!(error.to_string(), "the data are on CUDA device 0, and the array is to be on the CPU");
    let here = Array::from(vec![1.0f32]).into_dlpack();
    let error = device.array_from_dlpack::<f32, 1>(here).unwrap_err();
    assert_eq!(error.to_string(), "the data are on the CPU, and the array is to be on CUDA device 0");
    let empty = device.zeros_nd::<Vec3, 2>([0, 3]).unwrap();
    let back = device.array_from_dlpack::<Vec3, 2>(handed_over(empty.to_dlpack().unwrap())).unwrap();
    assert_eq!((back.shape(), back.to_vec().unwrap()), ([0, 3], vec![]));
}

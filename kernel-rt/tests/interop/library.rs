//! A shared library for Python: `python.rs` compiles it, and `peer.py` calls it. An element type is the number of its
//! place in `samples::with_all`.

#[path = "samples.rs"]
mod samples;

use kernel_rt::interop::dlpack::{ManagedTensor, ManagedTensorVersioned, Tensor};
use kernel_rt::prelude::*;
use samples::{SHAPE, sample, with_all};

/// Doubles every element.
#[kernel]
fn double(x: &mut [f32]) {
    let i = tid();
    x[i] *= 2.0;
}

fn exporter<T: UniformElement>(found: &mut Vec<fn(bool) -> Tensor>) {
    found.push(|is_read_only| match is_read_only {
        true => Device::cpu().array_from_nd(sample::<T>()).unwrap().to_dlpack().unwrap(),
        false => sample::<T>().into_dlpack(),
    });
}

/// A tensor of the sample of an element type.
#[unsafe(no_mangle)]
pub extern "C" fn export(ty: usize, is_read_only: bool) -> *mut ManagedTensorVersioned {
    let mut exporters = Vec::new();
    with_all!(exporter(&mut exporters));
    exporters[ty](is_read_only).into_raw()
}

/// The same in the older structure.
#[unsafe(no_mangle)]
pub extern "C" fn export_unversioned(ty: usize) -> *mut ManagedTensor {
    let mut exporters = Vec::new();
    with_all!(exporter(&mut exporters));
    exporters[ty](false).into_raw_unversioned().unwrap()
}

/// What became of a tensor.
const WRONG: i32 = 0;
const WITHOUT_A_COPY: i32 = 1;
const COPIED: i32 = 2;

fn checker<T: UniformElement>(found: &mut Vec<fn(Tensor) -> i32>) {
    found.push(|tensor| match tensor.to_array::<T, 2>() {
        Ok(array) if array == sample::<T>() => {
            let is_there = tensor.as_slice::<T, 2>().is_ok_and(|slice| slice == array.as_slice());
            if is_there { WITHOUT_A_COPY } else { COPIED }
        }
        _ => WRONG,
    });
}

/// Whether a tensor has the sample of an element type, and whether it lies as an array does.
///
/// # Safety
/// As for [`Tensor::from_raw`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn check(ty: usize, managed: *mut ManagedTensorVersioned) -> i32 {
    let mut checkers = Vec::new();
    with_all!(checker(&mut checkers));
    // SAFETY: the caller's promise.
    unsafe { Tensor::from_raw(managed) }.map_or(WRONG, checkers[ty])
}

/// [`check`] for the older structure.
///
/// # Safety
/// As for [`Tensor::from_raw_unversioned`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn check_unversioned(ty: usize, managed: *mut ManagedTensor) -> i32 {
    let mut checkers = Vec::new();
    with_all!(checker(&mut checkers));
    // SAFETY: the caller's promise.
    unsafe { Tensor::from_raw_unversioned(managed) }.map_or(WRONG, checkers[ty])
}

/// Takes a tensor of one axis of `f32` as an array of the CPU, and doubles it in a launch. Python owns the handle.
///
/// # Safety
/// As for [`Tensor::from_raw`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hold_doubled(managed: *mut ManagedTensorVersioned) -> *mut DeviceArray<f32> {
    // SAFETY: the caller's promise.
    let tensor = unsafe { Tensor::from_raw(managed) }.unwrap();
    let device = Device::cpu();
    let array = device.array_from_dlpack::<f32, 1>(tensor).unwrap();
    double::launch(&device, array.len(), (&array,)).unwrap();
    Box::into_raw(Box::new(array))
}

/// A read-only tensor of such an array.
///
/// # Safety
/// `array` is a handle that is not released yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn held(array: *const DeviceArray<f32>) -> *mut ManagedTensorVersioned {
    // SAFETY: the caller's promise.
    unsafe { &*array }.to_dlpack().unwrap().into_raw()
}

/// Drops the handle of an array.
///
/// # Safety
/// `array` is a handle that is not released yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(array: *mut DeviceArray<f32>) {
    // SAFETY: the caller's promise.
    drop(unsafe { Box::from_raw(array) });
}

/// The shape of the samples, for the check of `peer.py` that both sides mean the same.
#[unsafe(no_mangle)]
pub extern "C" fn rows() -> usize {
    SHAPE[0]
}

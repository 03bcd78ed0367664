//! A launch on a device: what is checked before it runs, and its hold on the arrays while it does.

use crate::device::{ArrayId, HostWrite};
use crate::{Array, Device, DeviceArray, Element, LaunchError};
use std::sync::{Arc, MutexGuard};

/// An array argument of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    param: &'static str,
    array: ArrayId,
    writes: bool,
}

impl Access {
    /// The kernel only reads `array`, through the parameter `param`.
    pub fn reads<T: Element, const N: usize>(param: &'static str, array: &DeviceArray<T, N>) -> Access {
        Access { param, array: array.id(), writes: false }
    }

    /// The kernel may write to `array`, through the parameter `param`.
    pub fn writes<T: Element, const N: usize>(param: &'static str, array: &DeviceArray<T, N>) -> Access {
        Access { param, array: array.id(), writes: true }
    }
}

/// The launch that has its turn on a device, as long as this lives.
#[derive(Debug)]
pub struct DeviceLaunch {
    _queue: MutexGuard<'static, ()>,
}

impl DeviceLaunch {
    /// Checks a launch, and waits for its turn.
    ///
    /// # Errors
    /// An array is passed twice, and the kernel writes to it.
    pub fn begin(kernel: &'static str, device: &Device, accesses: &[Access]) -> Result<DeviceLaunch, LaunchError> {
        for (place, first) in accesses.iter().enumerate() {
            for second in &accesses[place + 1..] {
                if first.array == second.array && (first.writes || second.writes) {
                    let (writes, other) = if first.writes { (first, second) } else { (second, first) };
                    return Err(LaunchError::Aliased { kernel, writes: writes.param, other: other.param });
                }
            }
        }
        Ok(DeviceLaunch { _queue: device.queue() })
    }

    /// The elements of an array that the kernel only reads.
    pub fn read<T: Element, const N: usize>(&self, array: &DeviceArray<T, N>) -> Arc<Array<T, N>> {
        array.read()
    }

    /// The elements of an array that the kernel may write to. At most one launch at a time holds several of these,
    /// because it has its turn; so no two can wait for each other.
    pub fn write<'a, T: Element, const N: usize>(&self, array: &'a DeviceArray<T, N>) -> HostWrite<'a, T, N> {
        array.write()
    }
}

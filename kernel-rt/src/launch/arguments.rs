//! The description of a launch by emitted code, and the checks before it runs.

use super::tiles::cover;
use crate::array::{AnyValue, Array, Element};
use crate::device::Device;
use crate::device_array::{AnyArray, DeviceArray, Handle, HostWrite, Writer};
use crate::error::LaunchError;
use crate::registry::KernelInfo;
use kernel_ir::ir::Type;

/// A launch, as emitted code describes it.
pub struct Launch<'a> {
    /// The kernel.
    pub kernel: &'static KernelInfo,
    /// The launch dimensions, outermost first.
    pub dim: &'a [usize],
    /// The arguments, one for each parameter.
    pub args: &'a [Passed<'a>],
}

/// An argument of a launch.
pub enum Passed<'a> {
    /// A by-value argument.
    Value {
        /// The name of the parameter.
        param: &'static str,
        /// The value.
        value: &'a dyn AnyValue,
    },
    /// An array.
    Array(Access<'a>),
}

/// An array argument of a launch.
pub struct Access<'a> {
    /// The name of the parameter.
    pub param: &'static str,
    /// The array.
    pub array: &'a dyn AnyArray,
    /// Whether the kernel may write to it.
    pub writes: bool,
    /// Whether the adjoint of the kernel reads the elements.
    pub needed: bool,
}

impl<'a> Launch<'a> {
    /// Checks the array arguments, and returns their handles in order.
    ///
    /// # Errors
    /// [`LaunchError::OtherDevice`] if an array is not on `device`; [`LaunchError::Aliased`] if two arguments are one
    /// array and the kernel writes to it; [`LaunchError::TileExtent`] if the tiles that the kernel loads do not cover one.
    pub(crate) fn check(&self, device: &Device) -> Result<Vec<Handle>, LaunchError> {
        let handles: Vec<Handle> = self.accesses().map(|access| access.array.handle()).collect();
        let all = || self.accesses().zip(&handles);
        for (place, (first, array)) in all().enumerate() {
            if array.device() != device {
                return Err(LaunchError::OtherDevice {
                    kernel: self.kernel.name,
                    param: first.param,
                    expected: device.to_string(),
                    found: array.device().to_string(),
                });
            }
            for (second, other) in all().skip(place + 1) {
                if array.id() == other.id() && (first.writes || second.writes) {
                    let (writes, other) = if first.writes { (first, second) } else { (second, first) };
                    let kernel = self.kernel.name;
                    return Err(LaunchError::Aliased { kernel, writes: writes.param, other: other.param });
                }
            }
        }
        self.check_tiles()?;
        Ok(handles)
    }

    /// Checks the extents of the arrays that the kernel loads tiles from.
    fn check_tiles(&self) -> Result<(), LaunchError> {
        self.kernel.tiles.iter().try_for_each(|needed| {
            let Passed::Array(access) = &self.args[needed.array.0 as usize] else { return Ok(()) };
            let extent = access.array.handle().shape()[usize::from(needed.axis)];
            cover(self.kernel.name, access.param, needed.axis, extent, needed.fit)
        })
    }

    /// The array arguments.
    pub(crate) fn accesses(&self) -> impl Iterator<Item = &'a Access<'a>> {
        self.args.iter().filter_map(|passed| match passed {
            Passed::Array(access) => Some(access),
            Passed::Value { .. } => None,
        })
    }

    /// The by-value parameters with a gradient, and their types.
    pub(crate) fn float_values(&self) -> impl Iterator<Item = (&'static str, Type)> {
        self.args.iter().filter_map(|passed| match passed {
            Passed::Value { param, value } if value.ty().is_float() => Some((*param, value.ty())),
            _ => None,
        })
    }
}

/// The elements of an array as they are now.
pub fn read<T: Element, const N: usize>(array: &DeviceArray<T, N>) -> Array<T, N> {
    array.read()
}

/// The elements of an array that a launch of `kernel` may write to. At most one launch at a time holds several of
/// these, because it has its turn on the device; so no two can wait for each other.
pub fn write<'a, T: Element, const N: usize>(
    kernel: &'static str,
    array: &'a DeviceArray<T, N>,
) -> HostWrite<'a, T, N> {
    array.write(Writer::Launch(kernel))
}

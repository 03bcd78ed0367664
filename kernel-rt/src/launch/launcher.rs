//! What a kernel is launched on, and what is checked before it runs.

use crate::device::{AnyArray, Handle, HostWrite, Writer};
use crate::tape::record::Pullback;
use crate::{AnyValue, Array, Device, DeviceArray, Element, KernelInfo, LaunchError};
use kernel_ir::ir::Type;
use std::sync::Arc;

/// What a kernel is launched on: a [`Device`], or a [`Tape`](crate::Tape), which also remembers the launch.
#[diagnostic::on_unimplemented(
    message = "kernels are not launched on `{Self}`",
    label = "not a device and not a tape",
    note = "pass a `&Device`, or a `&Tape` where gradients are wanted"
)]
pub trait Launcher: sealed::Sealed {
    /// What a launch gives: nothing on a device, the name of the launch on a tape.
    type Launched;

    /// Runs the launch. On the CPU that is `forward`; a tape there calls `before` before it and `pullback` after it, and
    /// keeps what that gives.
    #[doc(hidden)]
    fn launch<Before>(
        &self,
        launch: Launch<'_>,
        before: impl FnOnce() -> Before,
        forward: impl FnOnce() -> Result<(), LaunchError>,
        pullback: impl FnOnce(Before) -> Pullback,
    ) -> Result<Self::Launched, LaunchError>;
}

pub(crate) mod sealed {
    pub trait Sealed {}

    impl Sealed for crate::Device {}
    impl Sealed for crate::Graph {}
    impl Sealed for crate::Tape {}
    impl<L: Sealed + ?Sized> Sealed for &L {}
}

/// A launch, as the kernel describes it.
pub struct Launch<'a> {
    /// The kernel.
    pub kernel: &'static KernelInfo,
    /// The extents, outermost first.
    pub dim: &'a [usize],
    /// The arguments, one for each parameter.
    pub args: &'a [Passed<'a>],
}

/// An argument of a launch.
pub enum Passed<'a> {
    /// A by-value argument.
    Value {
        /// The parameter that takes it.
        param: &'static str,
        /// The value.
        value: &'a dyn AnyValue,
    },
    /// An array.
    Array(Access<'a>),
}

/// An array argument of a launch.
pub struct Access<'a> {
    /// The parameter that takes it.
    pub param: &'static str,
    /// The array.
    pub array: &'a dyn AnyArray,
    /// Whether the kernel may write to it.
    pub writes: bool,
    /// Whether the adjoint of the kernel reads the elements.
    pub needed: bool,
}

impl<'a> Launch<'a> {
    /// Handles of the array arguments, in their order.
    ///
    /// # Errors
    /// An array is not on `device`, or is passed twice and the kernel writes to it.
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
        Ok(handles)
    }

    /// The array arguments.
    pub(crate) fn accesses(&self) -> impl Iterator<Item = &'a Access<'a>> {
        self.args.iter().filter_map(|passed| match passed {
            Passed::Array(access) => Some(access),
            Passed::Value { .. } => None,
        })
    }

    /// The by-value parameters that have a gradient, with their types.
    pub(crate) fn float_values(&self) -> impl Iterator<Item = (&'static str, Type)> {
        self.args.iter().filter_map(|passed| match passed {
            Passed::Value { param, value } if value.ty().is_float() => Some((*param, value.ty())),
            _ => None,
        })
    }
}

impl Launcher for Device {
    type Launched = ();

    fn launch<Before>(
        &self,
        launch: Launch<'_>,
        _: impl FnOnce() -> Before,
        forward: impl FnOnce() -> Result<(), LaunchError>,
        _: impl FnOnce(Before) -> Pullback,
    ) -> Result<(), LaunchError> {
        let handles = launch.check(self)?;
        let _turn = self.queue();
        match self.cuda_device() {
            None => forward(),
            Some(cuda) => cuda.launch(&launch, &handles, self.checks()),
        }
    }
}

impl<L: Launcher + ?Sized> Launcher for &L {
    type Launched = L::Launched;

    fn launch<Before>(
        &self,
        launch: Launch<'_>,
        before: impl FnOnce() -> Before,
        forward: impl FnOnce() -> Result<(), LaunchError>,
        pullback: impl FnOnce(Before) -> Pullback,
    ) -> Result<L::Launched, LaunchError> {
        L::launch(self, launch, before, forward, pullback)
    }
}

/// The elements of an array as they are now.
pub fn read<T: Element, const N: usize>(array: &DeviceArray<T, N>) -> Arc<Array<T, N>> {
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

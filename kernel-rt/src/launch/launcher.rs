//! The targets of a launch.

use super::arguments::Launch;
use super::call::Call;
use super::promises::Promises;
use crate::array::Element;
use crate::device::Device;
use crate::device_array::DeviceArray;
use crate::error::LaunchError;
use crate::gradient::Pullback;

/// The target of a launch: a [`Device`], a [`Graph`](crate::Graph), which records the launch for a replay, or a
/// [`Tape`](crate::Tape), which runs it and records it for gradients.
#[diagnostic::on_unimplemented(
    message = "a kernel cannot be launched on `{Self}`",
    label = "neither a device nor a tape",
    note = "pass a `&Device`, or a `&Tape` to record the launch for gradients"
)]
pub trait Launcher: sealed::Sealed {
    /// The result of a launch: `()` on a device or graph, a [`LaunchId`](crate::LaunchId) on a tape.
    type Launched;

    /// The device of the launch.
    #[doc(hidden)]
    fn device(&self) -> &Device;

    /// Runs or records the launch. On the CPU, a device calls `forward`. A graph keeps the result of `replay` instead.
    /// A tape calls `before`, `forward` and `pullback` in this order, and keeps the pullback.
    #[doc(hidden)]
    fn launch<Before>(
        &self,
        launch: Launch<'_>,
        before: impl FnOnce() -> Before,
        forward: impl FnOnce() -> Result<(), LaunchError>,
        replay: impl FnOnce() -> Replay,
        pullback: impl FnOnce(Before) -> Pullback,
    ) -> Result<Self::Launched, LaunchError>;
}

/// The array in the place of an absent one: it has no elements, and is on the device of the launch.
///
/// # Errors
/// [`LaunchError::Device`] if the device fails.
pub fn absent<T: Element, const N: usize>(
    kernel: &'static str,
    on: &impl Launcher,
) -> Result<DeviceArray<T, N>, LaunchError> {
    on.device().zeros_nd([0; N]).map_err(|error| LaunchError::Device { kernel, error })
}

/// A recorded launch on the CPU. Each run uses the current contents of its arrays.
pub struct Replay(Box<dyn Fn() -> Result<(), LaunchError> + Send>);

impl Replay {
    /// A launch that `forward` runs. `forward` owns handles of its arrays.
    pub fn new(forward: impl Fn() -> Result<(), LaunchError> + Send + 'static) -> Replay {
        Replay(Box::new(forward))
    }

    pub(crate) fn run(&self) -> Result<(), LaunchError> {
        (self.0)()
    }
}

pub(crate) mod sealed {
    pub trait Sealed {}

    impl<L: Sealed + ?Sized> Sealed for &L {}
}

impl sealed::Sealed for Device {}

impl Launcher for Device {
    type Launched = ();

    fn device(&self) -> &Device {
        self
    }

    fn launch<Before>(
        &self,
        launch: Launch<'_>,
        _: impl FnOnce() -> Before,
        forward: impl FnOnce() -> Result<(), LaunchError>,
        _: impl FnOnce() -> Replay,
        _: impl FnOnce(Before) -> Pullback,
    ) -> Result<(), LaunchError> {
        let handles = launch.check(self)?;
        let _turn = self.queue();
        Promises::of(&launch, &handles).check()?;
        match self.accelerator() {
            None => forward(),
            Some(accelerator) => Call::new(&launch, &handles)?.run(&**accelerator, self.checks()),
        }
    }
}

impl<L: Launcher + ?Sized> Launcher for &L {
    type Launched = L::Launched;

    fn device(&self) -> &Device {
        L::device(self)
    }

    fn launch<Before>(
        &self,
        launch: Launch<'_>,
        before: impl FnOnce() -> Before,
        forward: impl FnOnce() -> Result<(), LaunchError>,
        replay: impl FnOnce() -> Replay,
        pullback: impl FnOnce(Before) -> Pullback,
    ) -> Result<L::Launched, LaunchError> {
        L::launch(self, launch, before, forward, replay, pullback)
    }
}

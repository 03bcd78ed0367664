//! What a kernel is launched on.

use super::arguments::Launch;
use super::call::Call;
use crate::device::Device;
use crate::error::LaunchError;
use crate::gradient::Pullback;

/// What a kernel is launched on: a [`Device`], or a [`Tape`](crate::Tape), which also remembers the launch.
#[diagnostic::on_unimplemented(
    message = "kernels are not launched on `{Self}`",
    label = "not a device and not a tape",
    note = "pass a `&Device`, or a `&Tape` where gradients are wanted"
)]
pub trait Launcher: sealed::Sealed {
    /// What a launch gives: nothing on a device, the name of the launch on a tape.
    type Launched;

    /// Runs the launch. On the CPU that is `forward`; a graph there keeps what `replay` gives instead, and a tape calls
    /// `before` before it and `pullback` after it, and keeps what that gives.
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

/// A launch on the CPU that can run any number of times, with the arrays as they are then.
pub struct Replay(Box<dyn Fn() -> Result<(), LaunchError> + Send>);

impl Replay {
    /// A launch with handles of its arrays.
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
        match self.accelerator() {
            None => forward(),
            Some(accelerator) => Call::new(&launch, &handles)?.run(&**accelerator, self.checks()),
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
        replay: impl FnOnce() -> Replay,
        pullback: impl FnOnce(Before) -> Pullback,
    ) -> Result<L::Launched, LaunchError> {
        L::launch(self, launch, before, forward, replay, pullback)
    }
}

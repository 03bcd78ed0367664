//! Launches that are recorded once and replayed often.

use super::{Device, DeviceError};
use crate::LaunchError;
use crate::cuda::Recorded;
use crate::launch::launcher::{Launch, Launcher};
use crate::tape::record::Pullback;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A sequence of launches that a CUDA device replays as one: what a launch costs the host is paid once.
///
/// Pass it to `launch` in place of the device; nothing runs until [`Graph::replay`]. The arguments are those of the recorded
/// launches: the arrays with what they hold at the time of the replay, and the by-value arguments as they were passed.
///
/// ```no_run
/// # use kernel_rt::prelude::*;
/// # #[kernel]
/// # fn step(x: &[f32], y: &mut [f32]) {
/// #     let i = tid();
/// #     y[i] = x[i] + 1.0;
/// # }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let device = Device::cuda(0)?;
/// let (x, y) = (device.zeros::<f32>(1024)?, device.zeros::<f32>(1024)?);
/// let graph = Graph::new(&device)?;
/// step::launch(&graph, 1024, (&x, &y))?;
/// step::launch(&graph, 1024, (&y, &x))?;
/// for _ in 0..100 {
///     graph.replay()?;
/// }
/// # Ok(())
/// # }
/// ```
pub struct Graph {
    device: Device,
    recorded: Mutex<Recorded>,
}

impl Graph {
    /// An empty sequence for `device`.
    ///
    /// # Errors
    /// It is the CPU, where a launch costs so little that nothing would be won.
    pub fn new(device: &Device) -> Result<Graph, DeviceError> {
        let recorded = device.cuda_device().map(Recorded::new).ok_or(DeviceError::OnlyCuda { what: "graphs" })?;
        Ok(Graph { device: device.clone(), recorded: Mutex::new(recorded) })
    }

    /// The number of recorded launches.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether no launch was recorded.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Runs the launches, in their order. Arrays that they write count as changed by them.
    ///
    /// # Errors
    /// The device fails.
    pub fn replay(&self) -> Result<(), DeviceError> {
        let _turn = self.device.queue();
        self.lock().replay()
    }

    fn lock(&self) -> MutexGuard<'_, Recorded> {
        // What a panic leaves half done is only made anew.
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Launcher for Graph {
    type Launched = ();

    fn launch<Before>(
        &self,
        launch: Launch<'_>,
        _: impl FnOnce() -> Before,
        _: impl FnOnce() -> Result<(), LaunchError>,
        _: impl FnOnce(Before) -> Pullback,
    ) -> Result<(), LaunchError> {
        let handles = launch.check(&self.device)?;
        self.lock().push(&launch, &handles)
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph").field("device", &self.device).field("launches", &self.len()).finish_non_exhaustive()
    }
}

//! Launches that are recorded once and replayed often.

use crate::backend::{self, Accelerator};
use crate::device::Device;
use crate::error::{DeviceError, LaunchError};
use crate::gradient::Pullback;
use crate::launch::arguments::Launch;
use crate::launch::call::Call;
use crate::launch::launcher::{Launcher, sealed};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A sequence of launches that an accelerator replays as one: what a launch costs the host is paid once.
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
    accelerator: Arc<dyn Accelerator>,
    recorded: Mutex<Recorded>,
}

#[derive(Default)]
struct Recorded {
    calls: Vec<Call>,
    /// The device's graph of all calls, made at the first replay after the last of them.
    graph: Option<Box<dyn backend::Graph>>,
}

impl Graph {
    /// An empty sequence for `device`.
    ///
    /// # Errors
    /// `OnlyAccelerator` on the CPU, where a launch costs so little that a graph would gain nothing.
    pub fn new(device: &Device) -> Result<Graph, DeviceError> {
        let accelerator = device.accelerator().ok_or(DeviceError::OnlyAccelerator { what: "graphs" })?;
        Ok(Graph { device: device.clone(), accelerator: Arc::clone(accelerator), recorded: Mutex::default() })
    }

    /// The number of recorded launches.
    pub fn len(&self) -> usize {
        self.lock().calls.len()
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
        let mut recorded = self.lock();
        let Recorded { calls, graph } = &mut *recorded;
        // All at first: an array that two launches write stays where it is for both.
        for call in &*calls {
            call.write()?;
        }
        let buffers: Vec<_> = calls.iter().map(Call::buffers).collect();
        let args: Vec<_> = calls.iter().zip(&buffers).map(|(call, buffers)| call.args(buffers)).collect();
        let launches: Vec<_> = calls.iter().zip(&args).map(|(call, args)| call.launch(args)).collect();
        graph.get_or_insert_with(|| self.accelerator.graph()).replay(&launches)
    }

    fn lock(&self) -> MutexGuard<'_, Recorded> {
        // What a panic leaves half done is only made anew.
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl sealed::Sealed for Graph {}

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
        let call = Call::new(&launch, &handles)?;
        call.launch(&call.args(&call.buffers())).check()?;
        let mut recorded = self.lock();
        recorded.calls.push(call);
        recorded.graph = None;
        Ok(())
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph").field("device", &self.device).field("launches", &self.len()).finish_non_exhaustive()
    }
}

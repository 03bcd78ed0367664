//! Graphs: launches that are recorded once and replayed many times.

use crate::backend::{self, Accelerator};
use crate::device::Device;
use crate::error::{DeviceError, LaunchError};
use crate::gradient::Pullback;
use crate::launch::arguments::Launch;
use crate::launch::call::Call;
use crate::launch::launcher::{Launcher, Replay, sealed};
use crate::launch::promises::Promises;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A recorded sequence of launches. On an accelerator, a replay is one call, so the host overhead of the launches is
/// paid once. On the CPU, a replay costs as much as its launches.
///
/// Pass it to `launch` in the place of the device. Nothing runs until [`Graph::replay`]. A replay uses the arrays of
/// the recorded launches with their contents at that time, and the by-value arguments as they were recorded.
///
/// ```
/// # use kernel_rt::prelude::*;
/// # #[kernel]
/// # fn step(x: &[f32], y: &mut [f32]) {
/// #     let i = tid();
/// #     y[i] = x[i] + 1.0;
/// # }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let device = Device::cpu(); // or `Device::cuda(0)?`
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

enum Recorded {
    Cpu(Vec<(Promises, Replay)>),
    Accelerated {
        accelerator: Arc<dyn Accelerator>,
        promises: Vec<Promises>,
        calls: Vec<Call>,
        /// The device's graph of all calls. The first replay after a new call creates it.
        graph: Option<Box<dyn backend::Graph>>,
    },
}

impl Graph {
    /// An empty graph for `device`.
    ///
    /// # Errors
    /// Reserved for backends that allocate here. No present backend returns one.
    pub fn new(device: &Device) -> Result<Graph, DeviceError> {
        let recorded = match device.accelerator() {
            None => Recorded::Cpu(Vec::new()),
            Some(accelerator) => {
                let accelerator = Arc::clone(accelerator);
                Recorded::Accelerated { accelerator, promises: Vec::new(), calls: Vec::new(), graph: None }
            }
        };
        Ok(Graph { device: device.clone(), recorded: Mutex::new(recorded) })
    }

    /// The number of recorded launches.
    pub fn len(&self) -> usize {
        match &*self.lock() {
            Recorded::Cpu(launches) => launches.len(),
            Recorded::Accelerated { calls, .. } => calls.len(),
        }
    }

    /// Whether the graph has no launches.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Runs the launches in order. The arrays that they write get a new version.
    ///
    /// # Errors
    /// [`LaunchError::Promise`] if an array is not as its domain says. [`LaunchError::Replay`] if the device fails. On the CPU, [`LaunchError::Failed`] if a thread fails; the launches
    /// after it have not run.
    pub fn replay(&self) -> Result<(), LaunchError> {
        let _turn = self.device.queue();
        match &mut *self.lock() {
            Recorded::Cpu(launches) => launches.iter().try_for_each(|(promises, launch)| {
                promises.check()?;
                launch.run()
            }),
            Recorded::Accelerated { accelerator, promises, calls, graph } => {
                promises.iter().try_for_each(Promises::check)?;
                let graph = graph.get_or_insert_with(|| accelerator.graph());
                replay(&mut **graph, calls).map_err(|error| LaunchError::Replay { error })
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Recorded> {
        // A panic can leave only the cached device graph incomplete, and that is rebuilt.
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn replay(graph: &mut dyn backend::Graph, calls: &[Call]) -> Result<(), DeviceError> {
    // All arrays are made unique first, so that an array that two launches write has one address for both.
    for call in calls {
        call.write()?;
    }
    let buffers: Vec<_> = calls.iter().map(Call::buffers).collect();
    let args: Vec<_> = calls.iter().zip(&buffers).map(|(call, buffers)| call.args(buffers)).collect();
    let launches: Vec<_> = calls.iter().zip(&args).map(|(call, args)| call.launch(args)).collect();
    graph.replay(&launches)
}

impl sealed::Sealed for Graph {}

impl Launcher for Graph {
    type Launched = ();

    fn device(&self) -> &Device {
        &self.device
    }

    fn launch<Before>(
        &self,
        launch: Launch<'_>,
        _: impl FnOnce() -> Before,
        _: impl FnOnce() -> Result<(), LaunchError>,
        replay: impl FnOnce() -> Replay,
        _: impl FnOnce(Before) -> Pullback,
    ) -> Result<(), LaunchError> {
        let handles = launch.check(&self.device)?;
        let promised = Promises::of(&launch, &handles);
        match &mut *self.lock() {
            Recorded::Cpu(launches) => launches.push((promised, replay())),
            Recorded::Accelerated { promises, calls, graph, .. } => {
                let call = Call::new(&launch, &handles)?;
                // The graph runs as a whole, so nothing can be checked between its launches.
                if let Some(param) = promised.about(calls.iter().flat_map(Call::written)) {
                    return Err(promised.unknown(param));
                }
                promises.push(promised);
                // An error in the sizes is reported at the recording call, not at the replay.
                call.launch(&call.args(&call.buffers())).check()?;
                calls.push(call);
                *graph = None;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph").field("device", &self.device).field("launches", &self.len()).finish_non_exhaustive()
    }
}

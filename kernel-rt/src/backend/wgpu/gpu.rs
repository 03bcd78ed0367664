//! Adapters and devices.

use super::error::{BACKEND, failed};
use super::pipeline::Pipelines;
use crate::error::DeviceError;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// A device. It has one queue, so all streams are one.
pub(super) struct Gpu {
    pub(super) ordinal: usize,
    pub(super) name: String,
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) pipelines: Pipelines,
    /// The lock that a launch holds while it is prepared.
    pub(super) turn: Mutex<()>,
    /// The first error that no call has returned.
    error: Arc<Mutex<Option<String>>>,
}

/// The backends whose adapters count.
const BACKENDS: wgpu::Backends = wgpu::Backends::PRIMARY;

/// What kernels use if the adapter has it.
const FEATURES: wgpu::Features = wgpu::Features::SHADER_F64
    .union(wgpu::Features::SHADER_INT64)
    .union(wgpu::Features::SHADER_INT64_ATOMIC_ALL_OPS)
    .union(wgpu::Features::SHADER_INT64_ATOMIC_MIN_MAX)
    .union(TIMESTAMPS);

/// What timers of the device's own clock need.
pub(super) const TIMESTAMPS: wgpu::Features =
    wgpu::Features::TIMESTAMP_QUERY.union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);

impl Gpu {
    /// The device with this ordinal; `None` for the one of the best adapter. Later calls return the same device.
    pub(super) fn open(ordinal: Option<usize>) -> Result<Arc<Gpu>, DeviceError> {
        static OPEN: Mutex<Vec<Arc<Gpu>>> = Mutex::new(Vec::new());
        // Drivers are looked for once, because that takes milliseconds.
        static ADAPTERS: LazyLock<Vec<wgpu::Adapter>> = LazyLock::new(adapters);
        // Poisoning is harmless: a device is pushed as a whole.
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        let adapters = &*ADAPTERS;
        let count = adapters.len();
        let ordinal = ordinal.or_else(|| best(adapters)).unwrap_or_default();
        if count == 0 {
            let help = "install a Vulkan driver (on Debian, `mesa-vulkan-drivers` has one that needs no GPU), or use \
                        `Device::cpu()`";
            return Err(DeviceError::MissingLibrary { backend: BACKEND, ordinal, library: "an adapter", help });
        }
        if let Some(gpu) = open.iter().find(|gpu| gpu.ordinal == ordinal) {
            return Ok(Arc::clone(gpu));
        }
        let Some(adapter) = adapters.get(ordinal) else {
            return Err(DeviceError::NoSuchDevice { backend: BACKEND, ordinal, count });
        };
        let gpu = Arc::new(Gpu::new(ordinal, adapter)?);
        open.push(Arc::clone(&gpu));
        Ok(gpu)
    }

    fn new(ordinal: usize, adapter: &wgpu::Adapter) -> Result<Gpu, DeviceError> {
        let info = adapter.get_info();
        // SPIR-V of our own is exact; other drivers take WGSL.
        let exact = match info.backend {
            wgpu::Backend::Vulkan => wgpu::Features::PASSTHROUGH_SHADERS,
            _ => wgpu::Features::empty(),
        };
        let features = adapter.features() & (FEATURES | exact);
        let experimental = match features.contains(wgpu::Features::PASSTHROUGH_SHADERS) {
            // SAFETY: the feature is that of shaders that `wgpu` does not validate. `Pipelines` validates them.
            true => unsafe { wgpu::ExperimentalFeatures::enabled() },
            false => wgpu::ExperimentalFeatures::disabled(),
        };
        let descriptor = wgpu::DeviceDescriptor {
            label: None,
            required_features: features,
            required_limits: adapter.limits(),
            experimental_features: experimental,
            ..Default::default()
        };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).map_err(failed("request_device"))?;
        let error = Arc::<Mutex<Option<String>>>::default();
        let first = Arc::clone(&error);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error.to_string());
        }));
        let first = Arc::clone(&error);
        device.set_device_lost_callback(move |reason, message| {
            // A program that ends destroys its devices.
            if reason != wgpu::DeviceLostReason::Destroyed {
                let error = format!("the device is lost: {message}");
                first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        });
        let software = if info.device_type == wgpu::DeviceType::Cpu { ", in software" } else { "" };
        Ok(Gpu {
            ordinal,
            name: format!("{} ({:?}{})", info.name, info.backend, software),
            device,
            queue,
            pipelines: Pipelines::default(),
            turn: Mutex::default(),
            error,
        })
    }

    /// The error of earlier calls.
    ///
    /// # Errors
    /// The first error that no call has returned.
    pub(super) fn check(&self, call: &'static str) -> Result<(), DeviceError> {
        let error = self.error.lock().unwrap_or_else(PoisonError::into_inner).take();
        error.map_or(Ok(()), |error| Err(failed(call)(error)))
    }

    /// Waits for all earlier work.
    pub(super) fn wait(&self) -> Result<(), DeviceError> {
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(failed("poll"))?;
        self.check("poll")
    }

    /// Whether the device has a feature.
    pub(super) fn has(&self, feature: wgpu::Features) -> bool {
        self.device.features().contains(feature)
    }
}

/// The adapters that run compute shaders.
fn adapters() -> Vec<wgpu::Adapter> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapters = pollster::block_on(instance.enumerate_adapters(BACKENDS));
    adapters.into_iter().filter(has_compute).collect()
}

fn has_compute(adapter: &wgpu::Adapter) -> bool {
    adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS)
}

/// The number of the adapter that is likely the fastest.
fn best(adapters: &[wgpu::Adapter]) -> Option<usize> {
    let rank = |adapter: &wgpu::Adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    };
    (0..adapters.len()).min_by_key(|number| rank(&adapters[*number]))
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gpu").field("ordinal", &self.ordinal).field("name", &self.name).finish_non_exhaustive()
    }
}

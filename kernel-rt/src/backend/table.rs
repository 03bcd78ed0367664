//! The table of accelerator backends.

use super::accelerator::Accelerator;
#[cfg(feature = "cuda")]
use super::cuda;
#[cfg(feature = "wgpu")]
use super::wgpu;
use crate::error::DeviceError;
use std::sync::Arc;

/// An accelerator backend.
struct Row {
    /// The name for display.
    name: &'static str,
    /// The feature of this crate that enables it.
    feature: &'static str,
    /// Opens the device with an ordinal; `None` in a build without the feature.
    open: Option<Open>,
}

type Open = fn(usize) -> Result<Arc<dyn Accelerator>, DeviceError>;

/// `Some($open)` if the feature is enabled.
macro_rules! built {
    ($feature:literal, $open:path) => {{
        #[cfg(feature = $feature)]
        let open: Option<Open> = Some($open);
        #[cfg(not(feature = $feature))]
        let open: Option<Open> = None;
        open
    }};
}

static BACKENDS: [Row; 2] = [
    Row { name: "CUDA", feature: "cuda", open: built!("cuda", cuda::open) },
    Row { name: "wgpu", feature: "wgpu", open: built!("wgpu", wgpu::open) },
];

/// The first stream of a device. Later calls return the same stream.
///
/// # Errors
/// [`DeviceError::NotBuilt`] in a build without the backend; otherwise the errors of the backend.
pub(crate) fn open(backend: &str, ordinal: usize) -> Result<Arc<dyn Accelerator>, DeviceError> {
    let row = BACKENDS.iter().find(|row| row.name == backend).expect("every backend has a row");
    let missing = || DeviceError::NotBuilt { backend: row.name, feature: row.feature, ordinal };
    row.open.ok_or_else(missing)?(ordinal)
}

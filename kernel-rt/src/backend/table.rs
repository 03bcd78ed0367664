//! The table of accelerator backends.

use super::accelerator::Accelerator;
#[cfg(feature = "cuda")]
use super::cuda;
use crate::error::DeviceError;
use std::sync::Arc;

/// A backend.
struct Row {
    /// What people call it.
    name: &'static str,
    /// The feature of this crate that has it.
    feature: &'static str,
    /// Opens the device of a number; `None` in a build without the feature.
    open: Option<Open>,
}

type Open = fn(usize) -> Result<Arc<dyn Accelerator>, DeviceError>;

/// `Some` where the feature is on.
macro_rules! built {
    ($feature:literal, $open:path) => {{
        #[cfg(feature = $feature)]
        let open: Option<Open> = Some($open);
        #[cfg(not(feature = $feature))]
        let open: Option<Open> = None;
        open
    }};
}

static BACKENDS: [Row; 1] = [Row { name: "CUDA", feature: "cuda", open: built!("cuda", cuda::open) }];

/// The first stream of a device, opened at the first call.
///
/// # Errors
/// `NotBuilt` in a build without the backend; otherwise those of the backend.
pub(crate) fn open(backend: &str, ordinal: usize) -> Result<Arc<dyn Accelerator>, DeviceError> {
    let row = BACKENDS.iter().find(|row| row.name == backend).expect("every backend has a row");
    let missing = || DeviceError::NotBuilt { backend: row.name, feature: row.feature, ordinal };
    row.open.ok_or_else(missing)?(ordinal)
}

//! Driver errors.

use crate::error::DeviceError;
use cudarc::driver::DriverError;

/// The name of this backend in errors.
pub(super) const BACKEND: &str = "CUDA";

/// Converts the error of the driver function `call`.
pub(super) fn failed(call: &'static str) -> impl Fn(DriverError) -> DeviceError {
    move |error| {
        let name = error.error_name().map_or("an unknown error".into(), |name| name.to_string_lossy());
        let text = error.error_string().map_or("".into(), |text| text.to_string_lossy());
        DeviceError::Driver { backend: BACKEND, call, message: format!("{name} ({text})") }
    }
}

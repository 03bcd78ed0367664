//! Errors of the device.

use crate::error::DeviceError;
use std::fmt;

/// The name of this backend in errors.
pub(super) const BACKEND: &str = "wgpu";

/// The error of the call `call`.
pub(super) fn failed<E: fmt::Display>(call: &'static str) -> impl Fn(E) -> DeviceError {
    move |error| DeviceError::Driver { backend: BACKEND, call, message: error.to_string() }
}

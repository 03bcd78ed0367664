//! What stands for CUDA in a build without it: no device, so nothing that a device holds. The rest of the crate is
//! written once, against these types or those of `cuda/`; code behind a value of them is never reached.

use crate::device::{Checks, Handle};
use crate::launch::launcher::Launch;
use crate::tape::record::Pullback;
use crate::{DeviceError, KernelInfo, LaunchError, Pass};
use kernel_ir::data::Arg;
use kernel_ir::ir::Scalar;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A CUDA device: there is none.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Cuda {}

/// Memory of a CUDA device: there is none.
#[derive(Debug)]
pub(crate) enum Buffer {}

/// Launches to be replayed: there are none.
pub(crate) enum Recorded {}

/// A point in the time of a CUDA device: there is none.
pub(crate) enum Timer {}

impl Cuda {
    pub(crate) fn open(ordinal: usize) -> Result<Arc<Cuda>, DeviceError> {
        Err(DeviceError::NoCuda { ordinal })
    }

    pub(crate) fn stream(&self) -> Result<Cuda, DeviceError> {
        match *self {}
    }

    pub(crate) fn ordinal(&self) -> usize {
        match *self {}
    }

    pub(crate) fn name(&self) -> String {
        match *self {}
    }

    pub(crate) fn turn(&self) -> &Mutex<()> {
        match *self {}
    }

    pub(crate) fn synchronize(&self) -> Result<(), DeviceError> {
        match *self {}
    }

    pub(crate) fn launch(&self, _: &Launch<'_>, _: &[Handle], _: Checks) -> Result<(), LaunchError> {
        match *self {}
    }

    pub(crate) fn record(&self, _: &Launch<'_>, _: &[Handle], _: Checks) -> Result<Pullback, LaunchError> {
        match *self {}
    }

    pub(crate) fn run_on_data(
        &self,
        _: &'static KernelInfo,
        _: Pass,
        _: &[usize],
        _: &mut [Arg],
        _: Checks,
    ) -> Result<(), LaunchError> {
        match *self {}
    }

    pub(crate) fn add(&self, _: Scalar, _: &Buffer, _: &Buffer) -> Result<(), DeviceError> {
        match *self {}
    }
}

impl Buffer {
    pub(crate) fn of(cuda: &Arc<Cuda>, _: &[u8]) -> Result<Buffer, DeviceError> {
        match **cuda {}
    }

    pub(crate) fn zeros(cuda: &Arc<Cuda>, _: usize) -> Result<Buffer, DeviceError> {
        match **cuda {}
    }

    pub(crate) fn try_clone(&self) -> Result<Buffer, DeviceError> {
        match *self {}
    }

    pub(crate) fn copy_from(&self, _: &Buffer) -> Result<(), DeviceError> {
        match *self {}
    }

    pub(crate) fn part(whole: &Arc<Buffer>, _: usize, _: usize) -> Arc<Buffer> {
        match **whole {}
    }

    pub(crate) fn upload(&self, _: &[u8]) -> Result<(), DeviceError> {
        match *self {}
    }

    pub(crate) fn download(&self, _: &mut [u8]) -> Result<(), DeviceError> {
        match *self {}
    }

    pub(crate) fn len(&self) -> usize {
        match *self {}
    }
}

impl Recorded {
    pub(crate) fn new(cuda: &Arc<Cuda>) -> Recorded {
        match **cuda {}
    }

    pub(crate) fn len(&self) -> usize {
        match *self {}
    }

    pub(crate) fn push(&mut self, _: &Launch<'_>, _: &[Handle]) -> Result<(), LaunchError> {
        match *self {}
    }

    pub(crate) fn replay(&mut self) -> Result<(), DeviceError> {
        match *self {}
    }
}

impl Timer {
    pub(crate) fn start(cuda: &Arc<Cuda>) -> Result<Timer, DeviceError> {
        match **cuda {}
    }

    pub(crate) fn elapsed(&self) -> Result<Duration, DeviceError> {
        match *self {}
    }
}

//! The faults that bounds-checked launches on accelerators record.

use super::program::Program;
use crate::error::LaunchError;
use kernel_ir::back::Fault;

/// The result of a launch of `axes` axes.
///
/// # Errors
/// The recorded fault.
pub(crate) fn look(program: &Program, fault: Fault, axes: usize) -> Result<(), LaunchError> {
    let thread = fault.thread[..axes].iter().map(|&index| index as usize).collect();
    let array = program.kernel.params.get(fault.param as usize).map(|param| param.name.clone());
    let Fault { index, axis, extent, .. } = fault;
    let message = match fault.kind {
        0 => return Ok(()),
        1 if fault.param == Fault::LOCAL => {
            format!("index out of bounds: a local array has {extent} elements, the index is {index}")
        }
        1 if fault.param == Fault::PART => {
            format!("index out of bounds: the index is {index}, but it must be below {extent}")
        }
        1 => format!("index out of bounds: the index is {index} along axis {axis}, whose extent is {extent}"),
        _ => "a NaN is stored".to_owned(),
    };
    Err(LaunchError::Failed { kernel: program.name, thread, array, message, location: None })
}

//! What a tape does to adjoints between launches, on the device.

use super::kernel::{Function, KernelArg, RunError};
use super::{Buffer, Cuda};
use crate::DeviceError;
use crate::device::Checks;
use kernel_ir::back::c::{self, Dialect};
use kernel_ir::ir::Scalar;
use kernel_ir::text;
use kernel_ir::verify::verify;
use std::sync::Arc;

/// sum += more.
const ADD: &str = "
fn add(sum: &mut [f32; dim(0)], more: &[f32; dim(0)],) {
    let i.0: usize = tid(0);
    sum[i.0] += more[i.0];
}";

/// The adjoint of what a launch has changed under `atomic_min` or `atomic_max` is zero: the value from before did not win.
const DROP_LOSERS: &str = "
fn mask_min_max(before: &[f32; dim(0)], after: &[f32; dim(0)], adjoint: &mut [f32; dim(0)],) {
    let i.0: usize = tid(0);
    if before[i.0] != after[i.0] {
        adjoint[i.0] = 0.0f32;
    }
}";

impl Cuda {
    /// Adds floats of that type, one by one.
    pub(crate) fn add(self: &Arc<Self>, scalar: Scalar, sum: &Buffer, more: &Buffer) -> Result<(), DeviceError> {
        self.elementwise(ADD, scalar, &[sum, more])
    }

    /// Sets to zero the floats of `adjoint` where `before` and `after` differ.
    pub(super) fn mask_min_max(
        self: &Arc<Self>,
        scalar: Scalar,
        before: &Buffer,
        after: &Buffer,
        adjoint: &Buffer,
    ) -> Result<(), DeviceError> {
        self.elementwise(DROP_LOSERS, scalar, &[before, after, adjoint])
    }

    /// Runs one of the kernels above on arrays of one length.
    fn elementwise(
        self: &Arc<Self>,
        body: &'static str,
        scalar: Scalar,
        arrays: &[&Buffer],
    ) -> Result<(), DeviceError> {
        let (double, size) = match scalar {
            Scalar::F64 => (true, size_of::<f64>()),
            _ => (false, size_of::<f32>()),
        };
        let key = body.as_ptr().addr() + usize::from(double);
        let function = self.kernels.get_or(key, || compiled(body, double));
        let shape = [arrays[0].len() / size];
        let args: Vec<KernelArg> = arrays.iter().map(|&buffer| KernelArg::Array { buffer, shape: &shape }).collect();
        self.run(&function, &shape, &args, Checks::Off).map_err(|error| match error {
            RunError::Device(error) => error,
            RunError::Fault { .. } | RunError::TooShort { .. } => unreachable!("all arrays are as long as the launch"),
        })
    }
}

/// One of the kernels above for `f32` or `f64`, by the compiler's own way.
fn compiled(body: &str, double: bool) -> Function {
    let body = if double { body.replace("f32", "f64") } else { body.to_owned() };
    let kernel = text::parse(&format!("#[kernel(family = \"tape\", dim = 1)]{body}"))
        .ok()
        .and_then(|kernel| verify(kernel).ok())
        .expect("the kernels above are well formed, which a test shows");
    let source = c::write(&kernel, Dialect::Cuda);
    Function::new(kernel, source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_are_well_formed() {
        for body in [ADD, DROP_LOSERS] {
            for double in [false, true] {
                compiled(body, double);
            }
        }
    }
}

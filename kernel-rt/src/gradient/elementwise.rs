//! What a tape does to adjoints between launches, on an accelerator.

use crate::backend::{Accelerator, Buffer, Checks, KernelArg, KernelLaunch, Program};
use crate::error::{DeviceError, LaunchError};
use kernel_ir::ir::Scalar;

/// sum += more.
macro_rules! add {
    ($float:literal) => {
        concat!(
            "#[kernel(family = \"tape\", dim = 1)] fn add(sum: &mut [",
            $float,
            "; dim(0)], more: &[",
            $float,
            "; dim(0)],) {
                let i.0: usize = tid(0);
                sum[i.0] += more[i.0];
            }"
        )
    };
}

/// The adjoint of what a launch has changed under `atomic_min` or `atomic_max` is zero: the value from before did not win.
macro_rules! mask_min_max {
    ($float:literal) => {
        concat!(
            "#[kernel(family = \"tape\", dim = 1)] fn mask_min_max(before: &[",
            $float,
            "; dim(0)], after: &[",
            $float,
            "; dim(0)],
                adjoint: &mut [",
            $float,
            "; dim(0)],) {
                let i.0: usize = tid(0);
                if before[i.0] != after[i.0] {
                    adjoint[i.0] = 0.0",
            $float,
            ";
                }
            }"
        )
    };
}

/// A kernel in IR, by the type of its floats.
struct ByFloat {
    name: &'static str,
    f32: &'static str,
    f64: &'static str,
}

static ADD: ByFloat = ByFloat { name: "add", f32: add!("f32"), f64: add!("f64") };
static MASK_MIN_MAX: ByFloat = ByFloat { name: "mask_min_max", f32: mask_min_max!("f32"), f64: mask_min_max!("f64") };

/// Adds floats of that type, one by one.
pub(crate) fn add(
    on: &dyn Accelerator,
    scalar: Scalar,
    sum: &dyn Buffer,
    more: &dyn Buffer,
) -> Result<(), DeviceError> {
    run(on, &ADD, scalar, &[sum, more])
}

/// Sets to zero the floats of `adjoint` where `before` and `after` differ.
pub(crate) fn mask_min_max(
    on: &dyn Accelerator,
    scalar: Scalar,
    before: &dyn Buffer,
    after: &dyn Buffer,
    adjoint: &dyn Buffer,
) -> Result<(), DeviceError> {
    run(on, &MASK_MIN_MAX, scalar, &[before, after, adjoint])
}

/// Runs one of the kernels above on arrays of one length.
fn run(on: &dyn Accelerator, kernel: &ByFloat, scalar: Scalar, arrays: &[&dyn Buffer]) -> Result<(), DeviceError> {
    let (ir, size) = match scalar {
        Scalar::F64 => (kernel.f64, size_of::<f64>()),
        _ => (kernel.f32, size_of::<f32>()),
    };
    let shape = [arrays[0].len() / size];
    let args: Vec<KernelArg> = arrays.iter().map(|&buffer| KernelArg::Array { buffer, shape: &shape }).collect();
    let program = Program::of_runtime(kernel.name, ir);
    let result = KernelLaunch { program: &program, dim: &shape, args: &args }.run(on, Checks::Off);
    result.map_err(|error| match error {
        LaunchError::Device { error, .. } => error,
        _ => unreachable!("all arrays are as long as the launch"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel_ir::text;
    use kernel_ir::verify::verify;

    #[test]
    fn the_kernels_are_well_formed() {
        for ByFloat { name, f32, f64 } in [&ADD, &MASK_MIN_MAX] {
            for ir in [f32, f64] {
                let kernel = verify(text::parse(ir).unwrap()).unwrap();
                assert_eq!(kernel.name, *name);
            }
        }
    }
}

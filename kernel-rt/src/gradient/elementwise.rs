//! The runtime's own kernels, which a tape runs between launches on an accelerator. They are written in the text form
//! of the IR, because this crate cannot use `#[kernel]` on itself.

use crate::backend::{Accelerator, Buffer, Checks, KernelArg, KernelLaunch, Program};
use crate::error::{DeviceError, LaunchError};
use kernel_ir::ir::Scalar;
use std::sync::Arc;

/// `sum += more`.
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

/// The initial counts of winners of `atomic_min` and `atomic_max`: the value from before a launch is a winner if the
/// launch left it unchanged.
macro_rules! first_winners {
    ($float:literal) => {
        concat!(
            "#[kernel(family = \"tape\", dim = 1)] fn first_winners(before: &[",
            $float,
            "; dim(0)], after: &[",
            $float,
            "; dim(0)],
                winners: &mut [u32; dim(0)],) {
                let i.0: usize = tid(0);
                winners[i.0] = (before[i.0] == after[i.0]) as u32;
            }"
        )
    };
}

/// The adjoint of the value from before: its share of the adjoint, or 0 if it did not win.
macro_rules! share_of_before {
    ($float:literal) => {
        concat!(
            "#[kernel(family = \"tape\", dim = 1)] fn share_of_before(before: &[",
            $float,
            "; dim(0)], after: &[",
            $float,
            "; dim(0)],
                winners: &[u32; dim(0)], adjoint: &mut [",
            $float,
            "; dim(0)],) {
                let i.0: usize = tid(0);
                if before[i.0] == after[i.0] {
                    adjoint[i.0] = adjoint[i.0] / winners[i.0] as ",
            $float,
            ";
                } else {
                    adjoint[i.0] = 0.0",
            $float,
            ";
                }
            }"
        )
    };
}

/// A kernel in IR for each float type.
struct ByFloat {
    name: &'static str,
    texts: &'static [(Scalar, &'static str)],
}

static ADD: ByFloat = ByFloat {
    name: "add",
    texts: &[
        (Scalar::F16, add!("f16")),
        (Scalar::BF16, add!("bf16")),
        (Scalar::F32, add!("f32")),
        (Scalar::F64, add!("f64")),
    ],
};
// Floats of 16 bits have no `atomic_min` and `atomic_max`.
static FIRST_WINNERS: ByFloat = ByFloat {
    name: "first_winners",
    texts: &[(Scalar::F32, first_winners!("f32")), (Scalar::F64, first_winners!("f64"))],
};
static SHARE_OF_BEFORE: ByFloat = ByFloat {
    name: "share_of_before",
    texts: &[(Scalar::F32, share_of_before!("f32")), (Scalar::F64, share_of_before!("f64"))],
};

/// Adds floats elementwise.
pub(crate) fn add(
    on: &dyn Accelerator,
    scalar: Scalar,
    sum: &dyn Buffer,
    more: &dyn Buffer,
) -> Result<(), DeviceError> {
    run(on, &ADD, scalar, &[sum, more])
}

/// The initial counts of winners of an array under `atomic_min` or `atomic_max`. The value from before the launch
/// counts if it is still there.
pub(crate) fn first_winners(
    on: &dyn Accelerator,
    scalar: Scalar,
    before: &dyn Buffer,
    after: &dyn Buffer,
) -> Result<Arc<dyn Buffer>, DeviceError> {
    let winners = on.zeros(before.len() / size_of_float(scalar) * size_of::<u32>())?;
    run(on, &FIRST_WINNERS, scalar, &[before, after, &*winners])?;
    Ok(winners)
}

/// Turns the adjoint of an array under `atomic_min` or `atomic_max` after a launch into the adjoint before it: the
/// share of the value from before, if it is a winner.
pub(crate) fn share_of_before(
    on: &dyn Accelerator,
    scalar: Scalar,
    before: &dyn Buffer,
    after: &dyn Buffer,
    winners: &dyn Buffer,
    adjoint: &dyn Buffer,
) -> Result<(), DeviceError> {
    run(on, &SHARE_OF_BEFORE, scalar, &[before, after, winners, adjoint])
}

fn size_of_float(scalar: Scalar) -> usize {
    scalar.bits().unwrap_or(u8::BITS) as usize / 8
}

/// Runs a kernel of this file on arrays of one length. The first array must consist of floats.
fn run(on: &dyn Accelerator, kernel: &ByFloat, scalar: Scalar, arrays: &[&dyn Buffer]) -> Result<(), DeviceError> {
    let text = kernel.texts.iter().find(|(of, _)| *of == scalar);
    let (_, ir) = text.expect("the compiler makes such launches for these types only");
    let shape = [arrays[0].len() / size_of_float(scalar)];
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
        for ByFloat { name, texts } in [&ADD, &FIRST_WINNERS, &SHARE_OF_BEFORE] {
            for (_, ir) in *texts {
                let kernel = verify(text::parse(ir).unwrap()).unwrap();
                assert_eq!(kernel.name, *name);
            }
        }
    }
}

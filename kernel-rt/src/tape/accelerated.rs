//! Recorded launches on an accelerator: what the tape keeps of one, and its adjoint.

use crate::array::Bits;
use crate::backend::{Accelerator, Buffer, Checks, KernelArg, KernelLaunch, Program};
use crate::device_array::{ArrayId, Handle};
use crate::error::{DeviceError, LaunchError};
use crate::gradient::adjoints::Adjoints;
use crate::gradient::{LaunchId, Pullback, elementwise};
use crate::launch::arguments::{Launch, Passed};
use crate::launch::call::Call;
use crate::registry::{BackwardInfo, Pass};
use kernel_ir::adjoint::Source;
use kernel_ir::ir::{ParamId, Scalar};
use std::sync::Arc;

/// Runs a launch, and gives what a backward pass does at it.
pub(super) fn record(
    on: &Arc<dyn Accelerator>,
    launch: &Launch<'_>,
    handles: &[Handle],
    checks: Checks,
) -> Result<Pullback, LaunchError> {
    let call = Call::new(launch, handles)?;
    let Some(info) = &launch.kernel.backward else {
        call.run(&**on, checks)?;
        return Ok(if call.program.kernel.no_grad { Pullback::Refused } else { Pullback::Identity });
    };
    let kept = |after: bool| {
        let keeps = move |id: ParamId| {
            let source = if after { Source::Result(id) } else { Source::Primal(id) };
            info.sources.contains(&source) || info.extrema.contains(&id)
        };
        let arrays = (0..).map(ParamId).zip(launch.args).filter(|(_, passed)| matches!(passed, Passed::Array(_)));
        let arrays = arrays.zip(handles).map(|((id, _), handle)| (id, handle));
        arrays.filter(|(id, _)| keeps(*id)).map(|(id, handle)| (id, handle.buffer())).collect()
    };
    let before: Vec<(ParamId, Arc<dyn Buffer>)> = kept(false);
    call.run(&**on, checks)?;
    let mut arrays = handles.iter();
    let params = launch.args.iter().map(|passed| Param::of(passed, &mut arrays)).collect();
    let adjoint = Adjoint {
        on: Arc::clone(on),
        checks,
        program: Program::of(launch.kernel, Pass::Backward)?,
        info,
        dim: launch.dim.to_vec(),
        params,
        before,
        after: kept(true),
    };
    Ok(Pullback::run(move |id, adjoints| adjoint.run(id, adjoints)))
}

/// The adjoint of a launch.
struct Adjoint {
    on: Arc<dyn Accelerator>,
    checks: Checks,
    program: Arc<Program>,
    info: &'static BackwardInfo,
    dim: Vec<usize>,
    /// The arguments of the launch.
    params: Vec<Param>,
    /// The arrays that the adjoint reads, as they were before the launch.
    before: Vec<(ParamId, Arc<dyn Buffer>)>,
    /// And after it.
    after: Vec<(ParamId, Arc<dyn Buffer>)>,
}

/// An argument of a recorded launch.
enum Param {
    Value { param: &'static str, scalar: Scalar, size: usize, bits: Bits },
    Array { id: ArrayId, scalar: Scalar, size: usize, shape: Vec<usize> },
}

impl Param {
    /// The next of `handles` belongs to the next array.
    fn of<'a>(passed: &Passed<'_>, handles: &mut impl Iterator<Item = &'a Handle>) -> Param {
        match passed {
            Passed::Value { param, value } => {
                let ty = value.ty();
                Param::Value { param, scalar: ty.scalar(), size: value.size(), bits: value.bits() }
            }
            Passed::Array(_) => {
                let handle = handles.next().expect("there is a handle for each array");
                let size = handle.size();
                Param::Array { id: handle.id(), scalar: handle.scalar(), size, shape: handle.shape().to_vec() }
            }
        }
    }
}

impl Adjoint {
    fn run(&self, launch: LaunchId, adjoints: &mut Adjoints) -> Result<(), LaunchError> {
        let failed = |error: DeviceError| LaunchError::Device { kernel: self.program.name, error };
        let taken = self.take(adjoints).map_err(failed)?;
        let args: Vec<KernelArg> = self.info.sources.iter().zip(&taken).map(|(s, taken)| self.arg(s, taken)).collect();
        KernelLaunch { program: &self.program, dim: &self.dim, args: &args }.run(&*self.on, self.checks)?;
        drop(args);
        self.put(launch, taken, adjoints).map_err(failed)
    }

    /// The adjoints that the launch takes, by the number of the argument.
    fn take(&self, adjoints: &mut Adjoints) -> Result<Vec<Option<Arc<dyn Buffer>>>, DeviceError> {
        let take = |source: &Source| match source {
            Source::Adjoint(of) => match &self.params[of.0 as usize] {
                Param::Array { id, size, .. } => adjoints.take_on_device(*id, &self.on, *size).map(Some),
                Param::Value { size, .. } => self.on.zeros(*size).map(Some),
            },
            _ => Ok(None),
        };
        self.info.sources.iter().map(take).collect()
    }

    /// Brings them back.
    fn put(
        &self,
        launch: LaunchId,
        taken: Vec<Option<Arc<dyn Buffer>>>,
        adjoints: &mut Adjoints,
    ) -> Result<(), DeviceError> {
        for (source, buffer) in self.info.sources.iter().zip(taken) {
            let (Source::Adjoint(of), Some(buffer)) = (source, buffer) else { continue };
            match &self.params[of.0 as usize] {
                Param::Value { param, scalar, .. } => {
                    adjoints.put_value_on_device(launch, param, &self.on, buffer, *scalar)?;
                }
                Param::Array { id, scalar, .. } => {
                    if self.info.extrema.contains(of) {
                        let (before, after) = (kept(&self.before, *of), kept(&self.after, *of));
                        elementwise::mask_min_max(&*self.on, *scalar, before, after, &*buffer)?;
                    }
                    adjoints.put_on_device(*id, &self.on, buffer, *scalar)?;
                }
            }
        }
        Ok(())
    }

    /// An argument of the adjoint; `taken` is its adjoint, if it is one.
    fn arg<'a>(&'a self, source: &Source, taken: &'a Option<Arc<dyn Buffer>>) -> KernelArg<'a> {
        let (of, buffer) = match (source, taken) {
            (Source::Adjoint(of), Some(buffer)) => (*of, Some(&**buffer)),
            (Source::Result(of), _) => (*of, Some(kept(&self.after, *of))),
            (Source::Primal(of) | Source::Adjoint(of), _) => (*of, None),
        };
        match (&self.params[of.0 as usize], buffer) {
            (Param::Value { bits, .. }, None) => KernelArg::Value(bits),
            (Param::Value { .. }, Some(buffer)) => KernelArg::Array { buffer, shape: &[1] },
            (Param::Array { shape, .. }, Some(buffer)) => KernelArg::Array { buffer, shape },
            (Param::Array { shape, .. }, None) => KernelArg::Array { buffer: kept(&self.before, of), shape },
        }
    }
}

/// What was kept of a parameter.
fn kept(kept: &[(ParamId, Arc<dyn Buffer>)], of: ParamId) -> &dyn Buffer {
    let found = kept.iter().find(|(id, _)| *id == of);
    &*found.expect("every array that the adjoint reads was kept").1
}

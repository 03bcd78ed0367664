//! Recorded launches on an accelerator: the buffers that a tape keeps, and the adjoint.

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
use kernel_ir::ir::{ParamId, Scalar, Type};
use std::sync::Arc;

/// Runs a launch, and returns its pullback.
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
        let keeps = move |id: ParamId| match after {
            true => info.sources.contains(&Source::Result(id)),
            false => [Source::Primal(id), Source::Winners(id)].iter().any(|source| info.sources.contains(source)),
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

/// The adjoint of a recorded launch.
struct Adjoint {
    on: Arc<dyn Accelerator>,
    checks: Checks,
    program: Arc<Program>,
    info: &'static BackwardInfo,
    dim: Vec<usize>,
    /// The arguments of the launch.
    params: Vec<Param>,
    /// The arrays that the adjoint reads, from before the launch.
    before: Vec<(ParamId, Arc<dyn Buffer>)>,
    /// The arrays that the adjoint reads, from after the launch.
    after: Vec<(ParamId, Arc<dyn Buffer>)>,
}

/// An argument of a recorded launch.
enum Param {
    Value { param: &'static str, ty: Type, size: usize, bits: Bits },
    Array { id: ArrayId, ty: Type, size: usize, shape: Vec<usize> },
}

impl Param {
    /// Takes the next handle for an array argument.
    fn of<'a>(passed: &Passed<'_>, handles: &mut impl Iterator<Item = &'a Handle>) -> Param {
        match passed {
            Passed::Value { param, value } => {
                let ty = value.ty();
                Param::Value { param, ty, size: value.size(), bits: value.bits() }
            }
            Passed::Array(_) => {
                let handle = handles.next().expect("there is a handle for each array");
                let size = handle.size();
                Param::Array { id: handle.id(), ty: handle.ty(), size, shape: handle.shape().to_vec() }
            }
        }
    }

    fn scalar(&self) -> Scalar {
        match self {
            Param::Value { ty, .. } | Param::Array { ty, .. } => ty.scalar(),
        }
    }
}

impl Adjoint {
    fn run(&self, launch: LaunchId, adjoints: &mut Adjoints) -> Result<(), LaunchError> {
        let failed = |error: DeviceError| LaunchError::Device { kernel: self.program.name, error };
        let taken = self.take(adjoints).map_err(failed)?;
        if self.info.sources.contains(&Source::Counting) {
            self.launch(&taken, true)?;
        }
        self.launch(&taken, false)?;
        self.put(launch, taken, adjoints).map_err(failed)
    }

    /// Runs one launch of the adjoint on the `taken` buffers: the one that counts winners if `counting`, otherwise the
    /// one that propagates.
    fn launch(&self, taken: &[Option<Arc<dyn Buffer>>], counting: bool) -> Result<(), LaunchError> {
        let counting = Bits::Plain([u8::from(counting)].into());
        let args = self.info.sources.iter().zip(taken).map(|(source, taken)| self.arg(source, taken, &counting));
        let args: Vec<KernelArg> = args.collect();
        KernelLaunch { program: &self.program, dim: &self.dim, args: &args }.run(&*self.on, self.checks)
    }

    /// The buffers of the adjoint's arguments: adjoints taken from `adjoints`, and initial counts of winners.
    fn take(&self, adjoints: &mut Adjoints) -> Result<Vec<Option<Arc<dyn Buffer>>>, DeviceError> {
        let take = |source: &Source| match source {
            Source::Adjoint(of) => match &self.params[of.0 as usize] {
                Param::Array { id, size, .. } => adjoints.take_on_device(*id, &self.on, *size).map(Some),
                Param::Value { size, .. } => self.on.zeros(*size).map(Some),
            },
            Source::Winners(of) => {
                let (before, after) = (kept(&self.before, *of), kept(&self.after, *of));
                elementwise::first_winners(&*self.on, self.params[of.0 as usize].scalar(), before, after).map(Some)
            }
            Source::Primal(_) | Source::Result(_) | Source::Counting => Ok(None),
        };
        self.info.sources.iter().map(take).collect()
    }

    /// Stores the adjoints.
    fn put(
        &self,
        launch: LaunchId,
        taken: Vec<Option<Arc<dyn Buffer>>>,
        adjoints: &mut Adjoints,
    ) -> Result<(), DeviceError> {
        let winners = self.info.sources.iter().zip(&taken).filter_map(|(source, buffer)| match source {
            Source::Winners(of) => Some((*of, Arc::clone(buffer.as_ref()?))),
            Source::Primal(_) | Source::Result(_) | Source::Counting | Source::Adjoint(_) => None,
        });
        let winners: Vec<(ParamId, Arc<dyn Buffer>)> = winners.collect();
        for (source, buffer) in self.info.sources.iter().zip(taken) {
            let (Source::Adjoint(of), Some(buffer)) = (source, buffer) else { continue };
            match &self.params[of.0 as usize] {
                Param::Value { param, ty, .. } => {
                    adjoints.put_value_on_device(launch, param, &self.on, buffer, *ty)?;
                }
                Param::Array { id, ty, .. } => {
                    if let Some((_, winners)) = winners.iter().find(|(id, _)| id == of) {
                        let (before, after) = (kept(&self.before, *of), kept(&self.after, *of));
                        elementwise::share_of_before(&*self.on, ty.scalar(), before, after, &**winners, &*buffer)?;
                    }
                    adjoints.put_on_device(*id, &self.on, buffer, *ty)?;
                }
            }
        }
        Ok(())
    }

    /// An argument of the adjoint. `taken` is its buffer, if [`take`](Adjoint::take) returned one.
    fn arg<'a>(&'a self, source: &Source, taken: &'a Option<Arc<dyn Buffer>>, counting: &'a Bits) -> KernelArg<'a> {
        let (of, buffer) = match (source, taken) {
            (Source::Counting, _) => return KernelArg::Value(counting),
            (Source::Adjoint(of) | Source::Winners(of), Some(buffer)) => (*of, Some(&**buffer)),
            (Source::Result(of), _) => (*of, Some(kept(&self.after, *of))),
            (Source::Primal(of) | Source::Adjoint(of) | Source::Winners(of), _) => (*of, None),
        };
        match (&self.params[of.0 as usize], buffer) {
            (Param::Value { bits, .. }, None) => KernelArg::Value(bits),
            (Param::Value { .. }, Some(buffer)) => KernelArg::Array { buffer, shape: &[1] },
            (Param::Array { shape, .. }, Some(buffer)) => KernelArg::Array { buffer, shape },
            (Param::Array { shape, .. }, None) => KernelArg::Array { buffer: kept(&self.before, of), shape },
        }
    }
}

/// The kept buffer of a parameter.
fn kept(kept: &[(ParamId, Arc<dyn Buffer>)], of: ParamId) -> &dyn Buffer {
    let found = kept.iter().find(|(id, _)| *id == of);
    &*found.expect("every array that the adjoint reads was kept").1
}

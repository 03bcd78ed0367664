//! Recorded launches on a device: what the tape keeps of one, and its adjoint.

use super::kernel::{Function, KernelArg, RunError};
use super::{Buffer, Cuda};
use crate::array::Bits;
use crate::device::{ArrayId, Checks, Handle};
use crate::launch::launcher::{Launch, Passed};
use crate::tape::adjoints::Adjoints;
use crate::tape::record::Pullback;
use crate::{BackwardInfo, LaunchError, LaunchId};
use kernel_ir::adjoint::Source;
use kernel_ir::ir::{ParamId, Scalar};
use std::sync::Arc;

impl Cuda {
    /// Runs a launch, and gives what a backward pass does at it.
    pub(crate) fn record(
        self: &Arc<Self>,
        launch: &Launch<'_>,
        handles: &[Handle],
        checks: Checks,
    ) -> Result<Pullback, LaunchError> {
        let Some(info) = launch.kernel.backward else {
            self.launch(launch, handles, checks)?;
            let forward = self.function(launch.kernel.ir, launch.kernel.cuda_forward);
            return Ok(if forward.kernel.no_grad { Pullback::Refused } else { Pullback::Identity });
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
        let before: Vec<(ParamId, Arc<Buffer>)> = kept(false);
        self.launch(launch, handles, checks)?;
        let mut arrays = handles.iter();
        let params = launch.args.iter().map(|passed| Param::of(passed, &mut arrays)).collect();
        let adjoint = Adjoint {
            cuda: Arc::clone(self),
            checks,
            function: self.function(info.ir, info.cuda),
            info,
            dim: launch.dim.to_vec(),
            params,
            before,
            after: kept(true),
        };
        let name = launch.kernel.name;
        Ok(Pullback::run(move |id, adjoints| adjoint.run(id, adjoints).map_err(|error| error.of(name))))
    }
}

/// The adjoint of a launch.
struct Adjoint {
    cuda: Arc<Cuda>,
    checks: Checks,
    function: Arc<Function>,
    info: BackwardInfo,
    dim: Vec<usize>,
    /// The arguments of the launch.
    params: Vec<Param>,
    /// The arrays that the adjoint reads, as they were before the launch.
    before: Vec<(ParamId, Arc<Buffer>)>,
    /// And after it.
    after: Vec<(ParamId, Arc<Buffer>)>,
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
    fn run(&self, launch: LaunchId, adjoints: &mut Adjoints) -> Result<(), RunError> {
        // The adjoints that the launch takes, by the number of the argument.
        let mut taken: Vec<Option<Arc<Buffer>>> = Vec::new();
        for source in self.info.sources {
            taken.push(match source {
                Source::Adjoint(of) => Some(match &self.params[of.0 as usize] {
                    Param::Array { id, size, .. } => adjoints.take_on_device(*id, &self.cuda, *size)?,
                    Param::Value { size, .. } => Arc::new(Buffer::zeros(&self.cuda, *size)?),
                }),
                _ => None,
            });
        }
        let args: Vec<KernelArg> = self.info.sources.iter().zip(&taken).map(|(s, taken)| self.arg(s, taken)).collect();
        self.cuda.run(&self.function, &self.dim, &args, self.checks)?;
        drop(args);
        for (source, buffer) in self.info.sources.iter().zip(taken) {
            let (Source::Adjoint(of), Some(buffer)) = (source, buffer) else { continue };
            match &self.params[of.0 as usize] {
                Param::Value { param, scalar, .. } => {
                    adjoints.put_value_on_device(launch, param, &self.cuda, buffer, *scalar)?;
                }
                Param::Array { id, scalar, .. } => {
                    if self.info.extrema.contains(of) {
                        let (before, after) = (kept(&self.before, *of), kept(&self.after, *of));
                        self.cuda.mask_min_max(*scalar, before, after, &buffer)?;
                    }
                    adjoints.put_on_device(*id, &self.cuda, buffer, *scalar)?;
                }
            }
        }
        Ok(())
    }

    /// An argument of the adjoint; `taken` is its adjoint, if it is one.
    fn arg<'a>(&'a self, source: &Source, taken: &'a Option<Arc<Buffer>>) -> KernelArg<'a> {
        let (of, buffer) = match (source, taken) {
            (Source::Adjoint(of), Some(buffer)) => (*of, Some(&**buffer)),
            (Source::Result(of), _) => (*of, Some(kept(&self.after, *of))),
            (Source::Primal(of) | Source::Adjoint(of), _) => (*of, None),
        };
        match (&self.params[of.0 as usize], buffer) {
            (Param::Value { bits, .. }, None) => KernelArg::Value(bits.clone()),
            (Param::Value { .. }, Some(buffer)) => KernelArg::Array { buffer, shape: &[1] },
            (Param::Array { shape, .. }, Some(buffer)) => KernelArg::Array { buffer, shape },
            (Param::Array { shape, .. }, None) => KernelArg::Array { buffer: kept(&self.before, of), shape },
        }
    }
}

/// What was kept of a parameter.
fn kept(kept: &[(ParamId, Arc<Buffer>)], of: ParamId) -> &Buffer {
    let found = kept.iter().find(|(id, _)| *id == of);
    &found.expect("every array that the adjoint reads was kept").1
}

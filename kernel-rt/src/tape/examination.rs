//! Examination of gradients on a [bounds-checked](crate::Device::bounds_checked) device.
//!
//! The tape keeps all arguments of a launch, from before and after it. Before a backward pass propagates through the
//! launch, the interpreter runs its adjoint with numbers that track whether they vary with an input ([`Varied`]). A
//! finding is an error: a varying zero times an infinite derivative, or an adjoint that becomes infinite or NaN. The
//! flags of an adjoint's scalars are passed on to the launch before.

use super::error::TapeError;
use crate::backend::Program;
use crate::device_array::{ArrayId, Handle};
use crate::error::LaunchError;
use crate::gradient::adjoints::Adjoints;
use crate::launch::arguments::{Launch, Passed};
use crate::launch::data::value_to_arg;
use crate::registry::{BackwardInfo, Pass};
use kernel_ir::data::{Arg, Scalars};
use kernel_ir::gradcheck::{VariedArg, examine};
use kernel_ir::interp::{Findings, Varied};
use kernel_ir::ir::ParamId;
use std::collections::HashMap;
use std::sync::Arc;

/// A recorded launch with everything that its adjoint may read.
pub(super) struct Examination {
    forward: Arc<Program>,
    adjoint: Arc<Program>,
    info: &'static BackwardInfo,
    dim: Vec<usize>,
    /// The ids of the array arguments; `None` for values.
    arrays: Vec<Option<ArrayId>>,
    before: Vec<Arg>,
    after: Vec<Arg>,
}

/// For each array, whether each scalar of its adjoint varies with an input of the tape. Missing scalars do not vary.
#[derive(Default)]
pub(super) struct VariedAdjoints(HashMap<ArrayId, Vec<bool>>);

impl Examination {
    /// The examination of a launch that has not run yet; `None` if the kernel has no adjoint.
    pub(super) fn before(launch: &Launch<'_>, handles: &[Handle]) -> Result<Option<Examination>, LaunchError> {
        let Some(info) = &launch.kernel.backward else { return Ok(None) };
        let mut left = handles.iter();
        let array = |passed: &Passed<'_>| match passed {
            Passed::Value { .. } => None,
            Passed::Array(_) => left.next().map(Handle::id),
        };
        Ok(Some(Examination {
            forward: Program::of(launch.kernel, Pass::Forward)?,
            adjoint: Program::of(launch.kernel, Pass::Backward)?,
            info,
            dim: launch.dim.to_vec(),
            arrays: launch.args.iter().map(array).collect(),
            before: copies(launch, handles)?,
            after: Vec::new(),
        }))
    }

    /// Completes the examination after the launch has run.
    pub(super) fn after(mut self, launch: &Launch<'_>, handles: &[Handle]) -> Result<Examination, LaunchError> {
        self.after = copies(launch, handles)?;
        Ok(self)
    }

    /// Propagates the flags through the launch. `adjoints` are those after the launch.
    ///
    /// # Errors
    /// The gradient is in doubt, or the interpreter cannot run the adjoint.
    pub(super) fn pull_back(&self, adjoints: &Adjoints, varied: &mut VariedAdjoints) -> Result<(), TapeError> {
        let mut seeds: Vec<Option<VariedArg>> = Vec::with_capacity(self.arrays.len());
        for (array, of) in self.arrays.iter().zip(&self.before) {
            let taken = match array {
                // As in the real pullback, the first parameter takes the adjoint of an array that is passed twice.
                Some(id) if !self.arrays[..seeds.len()].contains(array) => {
                    adjoints.to_data(*id)?.map(|data| (id, data))
                }
                _ => None,
            };
            seeds.push(taken.map(|(id, data)| {
                let adjoint = Arg { ty: of.ty, shape: of.shape.clone(), data };
                with_flags(&adjoint, varied.0.get(id).map_or(&[], Vec::as_slice))
            }));
        }
        let seed = |ParamId(number): ParamId| seeds[number as usize].clone();
        let launch = (self.before.as_slice(), self.after.as_slice());
        let (findings, gradients) =
            examine(&self.forward.kernel, &self.adjoint.kernel, self.info.sources, &self.dim, launch, seed)
                .map_err(|fault| TapeError::NotExamined { kernel: self.adjoint.name, message: fault.message })?;
        self.judge(findings)?;
        for (ParamId(number), gradient) in gradients {
            let Some(array) = self.arrays[number as usize] else { continue };
            let flags = flags_of(&gradient);
            let of_array = varied.0.entry(array).or_insert_with(|| vec![false; flags.len()]);
            // The first parameter replaces the flags that it took; others add to them.
            let replaces = self.arrays.iter().position(|other| *other == Some(array)) == Some(number as usize);
            of_array.iter_mut().zip(flags).for_each(|(flag, new)| *flag = new || *flag && !replaces);
        }
        Ok(())
    }

    fn judge(&self, findings: Findings) -> Result<(), TapeError> {
        let kernel = self.adjoint.name;
        match findings {
            Findings { computed_zero: Some(site), .. } => Err(TapeError::ComputedZero { kernel, site }),
            Findings { not_finite: Some(site), .. } => Err(TapeError::NotFinite { kernel, site }),
            Findings { computed_zero: None, not_finite: None } => Ok(()),
        }
    }
}

/// The current arguments of a launch.
fn copies(launch: &Launch<'_>, handles: &[Handle]) -> Result<Vec<Arg>, LaunchError> {
    let mut arrays = handles.iter();
    let copy = |passed: &Passed<'_>| match passed {
        Passed::Value { value, .. } => Ok(value_to_arg(*value)),
        Passed::Array(_) => arrays.next().expect("there is a handle for each array").to_arg(),
    };
    let copies: Result<_, _> = launch.args.iter().map(copy).collect();
    copies.map_err(|error| LaunchError::Device { kernel: launch.kernel.name, error })
}

/// An adjoint whose scalars vary according to `flags`. Scalars beyond the end of `flags` do not vary.
fn with_flags(adjoint: &Arg, flags: &[bool]) -> VariedArg {
    fn set<T>(scalars: &mut [Varied<T>], flags: &[bool]) {
        scalars.iter_mut().zip(flags).for_each(|(scalar, flag)| scalar.varied = *flag);
    }
    let mut adjoint = adjoint.map_floats(|x| Varied::constant(*x), |x| Varied::constant(*x));
    match &mut adjoint.data {
        Scalars::F32(scalars) => set(scalars, flags),
        Scalars::F64(scalars) => set(scalars, flags),
        _ => unreachable!("adjoints are floats"),
    }
    adjoint
}

fn flags_of(adjoint: &VariedArg) -> Vec<bool> {
    match &adjoint.data {
        Scalars::F32(scalars) => scalars.iter().map(|scalar| scalar.varied).collect(),
        Scalars::F64(scalars) => scalars.iter().map(|scalar| scalar.varied).collect(),
        _ => unreachable!("adjoints are floats"),
    }
}

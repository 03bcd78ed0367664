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
use crate::launch::data::value_to_args;
use crate::registry::{BackwardInfo, Pass};
use kernel_ir::columns;
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
    /// The array of each column with the number of the column in it; `None` for values.
    arrays: Vec<Option<Column>>,
    before: Vec<Arg>,
    after: Vec<Arg>,
}

/// A column of an array, by its number. An array whose elements are no structs has one.
type Column = (ArrayId, usize);

/// For each column, whether each scalar of its adjoint varies with an input of the tape. Missing scalars do not vary.
#[derive(Default)]
pub(super) struct VariedAdjoints(HashMap<Column, Vec<bool>>);

impl Examination {
    /// The examination of a launch that has not run yet; `None` if the kernel has no adjoint.
    pub(super) fn before(launch: &Launch<'_>, handles: &[Handle]) -> Result<Option<Examination>, LaunchError> {
        let Some(info) = &launch.kernel.backward else { return Ok(None) };
        let mut left = handles.iter();
        let columns = |passed: &Passed<'_>| match passed {
            Passed::Value { value, .. } => vec![None; value.ty().leaves().len()],
            Passed::Array(_) => {
                let handle = left.next().expect("there is a handle for each array");
                (0..handle.ty().leaves().len()).map(|column| Some((handle.id(), column))).collect()
            }
        };
        Ok(Some(Examination {
            forward: Program::of(launch.kernel, Pass::Forward)?,
            adjoint: Program::of(launch.kernel, Pass::Backward)?,
            info,
            dim: launch.dim.to_vec(),
            arrays: launch.args.iter().flat_map(columns).collect(),
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
                Some(column) if !self.arrays[..seeds.len()].contains(array) => {
                    adjoints.to_data(column.0)?.map(|mut data| (column, data.swap_remove(column.1)))
                }
                _ => None,
            };
            seeds.push(taken.map(|(column, data)| {
                let adjoint = Arg { ty: of.ty, shape: of.shape.clone(), data };
                with_flags(&adjoint, varied.0.get(column).map_or(&[], Vec::as_slice))
            }));
        }
        let seed = |ParamId(number): ParamId| seeds[number as usize].clone();
        let launch = (self.before.as_slice(), self.after.as_slice());
        let [forward, adjoint] = [&self.forward.kernel, &self.adjoint.kernel].map(columns::of_kernel);
        let sources = columns::of_sources(&self.forward.kernel, self.info.sources);
        let (findings, gradients) = examine(&forward, &adjoint, &sources, &self.dim, launch, seed)
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
        Passed::Value { value, .. } => Ok(value_to_args(*value).collect()),
        Passed::Array(_) => arrays.next().expect("there is a handle for each array").to_args(),
    };
    let copies: Result<Vec<Vec<Arg>>, _> = launch.args.iter().map(copy).collect();
    let copies = copies.map_err(|error| LaunchError::Device { kernel: launch.kernel.name, error })?;
    Ok(copies.into_iter().flatten().collect())
}

/// An adjoint whose scalars vary according to `flags`. Scalars beyond the end of `flags` do not vary.
fn with_flags(adjoint: &Arg, flags: &[bool]) -> VariedArg {
    fn set<T>(scalars: &mut [Varied<T>], flags: &[bool]) {
        scalars.iter_mut().zip(flags).for_each(|(scalar, flag)| scalar.varied = *flag);
    }
    let mut adjoint = adjoint.map_floats(|x| Varied::constant(*x), |x| Varied::constant(*x));
    match &mut adjoint.data {
        Scalars::F16(scalars) | Scalars::BF16(scalars) | Scalars::F32(scalars) => set(scalars, flags),
        Scalars::F64(scalars) => set(scalars, flags),
        // A field of a struct that is no float.
        _ => {}
    }
    adjoint
}

fn flags_of(adjoint: &VariedArg) -> Vec<bool> {
    match &adjoint.data {
        Scalars::F16(scalars) | Scalars::BF16(scalars) | Scalars::F32(scalars) => {
            scalars.iter().map(|scalar| scalar.varied).collect()
        }
        Scalars::F64(scalars) => scalars.iter().map(|scalar| scalar.varied).collect(),
        _ => Vec::new(),
    }
}

//! A launch on a tape.

use super::error::TapeError;
use super::examination::{Examination, VariedAdjoints};
use crate::device_array::{ArrayId, Handle, Stamp};
use crate::gradient::adjoints::Adjoints;
use crate::gradient::{LaunchId, Pullback};
use crate::launch::arguments::Launch;
use kernel_ir::ir::Type;
use std::collections::HashMap;

/// A launch on a tape.
pub(super) struct Record {
    pub(super) id: LaunchId,
    pub(super) kernel: &'static str,
    arrays: Vec<Use>,
    /// The by-value parameters that have a gradient.
    values: Vec<(&'static str, Type)>,
    pullback: Pullback,
    /// On a bounds-checked device.
    examination: Option<Examination>,
}

/// An array argument of a launch on a tape.
struct Use {
    param: &'static str,
    array: Handle,
    writes: bool,
    /// Whether a gradient can go wrong if the array changes unnoticed.
    needed: bool,
    before: Stamp,
    after: Stamp,
}

impl Record {
    /// The record of a launch that has just run; `before` has the stamps of the arrays from before it.
    pub(super) fn new(
        id: LaunchId,
        launch: &Launch<'_>,
        handles: Vec<Handle>,
        before: &[Stamp],
        pullback: Pullback,
        examination: Option<Examination>,
    ) -> Record {
        let arrays = launch.accesses().zip(handles).zip(before).map(|((access, array), before)| Use {
            param: access.param,
            writes: access.writes,
            needed: access.needed || array.is_float(),
            before: *before,
            after: array.stamp(),
            array,
        });
        let (arrays, values) = (arrays.collect(), launch.float_values().collect());
        Record { id, kernel: launch.kernel.name, arrays, values, pullback, examination }
    }

    pub(super) fn uses(&self, array: ArrayId) -> bool {
        self.arrays.iter().any(|used| used.array.id() == array)
    }

    /// Turns the adjoints after this launch into those before it.
    pub(super) fn pull_back(&self, adjoints: &mut Adjoints, varied: &mut VariedAdjoints) -> Result<(), TapeError> {
        let mut written = self.arrays.iter().filter(|used| used.writes);
        match &self.pullback {
            Pullback::Identity => Ok(()),
            Pullback::Refused => {
                for used in written {
                    if !adjoints.is_zero(used.array.id())? {
                        return Err(TapeError::NoGrad { kernel: self.kernel, param: used.param });
                    }
                }
                Ok(())
            }
            // Nothing that comes later depends on what the launch wrote.
            Pullback::Run(_) if !written.any(|used| adjoints.has(used.array.id())) => Ok(()),
            Pullback::Run(adjoint) => {
                if let Some(examination) = &self.examination {
                    examination.pull_back(adjoints, varied)?;
                }
                Ok(adjoint(self.id, adjoints)?)
            }
        }
    }

    /// The by-value parameter of that name and type.
    pub(super) fn value_param(&self, name: &str, ty: Type) -> Result<&'static str, TapeError> {
        let kernel = self.kernel;
        let missing = || TapeError::NoSuchValue { kernel, param: name.to_owned() };
        let &(param, expected) = self.values.iter().find(|(param, _)| *param == name).ok_or_else(missing)?;
        match self.pullback {
            _ if expected != ty => Err(TapeError::ValueType { kernel, param, expected, found: ty }),
            Pullback::Refused => Err(TapeError::NoGrad { kernel, param }),
            _ => Ok(param),
        }
    }
}

/// Checks that only launches on the tape have changed its arrays.
pub(super) fn check_unchanged(records: &[Record]) -> Result<(), TapeError> {
    let all = || records.iter().flat_map(|record| record.arrays.iter().map(move |used| (record.kernel, used)));
    let mut last: HashMap<ArrayId, (&'static str, &Use)> = HashMap::new();
    for (kernel, used) in all() {
        if let Some((earlier, before)) = last.insert(used.array.id(), (kernel, used)) {
            before.check(earlier, used.before)?;
        }
    }
    for (kernel, used) in all() {
        let (_, latest) = last[&used.array.id()];
        if std::ptr::eq(used, latest) {
            used.check(kernel, used.array.stamp())?;
        }
    }
    Ok(())
}

impl Use {
    /// Checks that the array is still as the launch of `kernel` left it, now that it has the stamp `now`.
    fn check(&self, kernel: &'static str, now: Stamp) -> Result<(), TapeError> {
        match now.writer {
            Some(writer) if self.needed && now.version != self.after.version => {
                Err(TapeError::Changed { kernel, param: self.param, writer })
            }
            _ => Ok(()),
        }
    }
}

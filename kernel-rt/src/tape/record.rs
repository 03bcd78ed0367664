//! A recorded launch, and the check that arrays have not changed since.

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
    /// The by-value parameters with a gradient.
    values: Vec<(&'static str, Type)>,
    pullback: Pullback,
    /// `Some` on a bounds-checked device.
    examination: Option<Examination>,
}

/// An array argument of a recorded launch.
struct Use {
    param: &'static str,
    array: Handle,
    writes: bool,
    /// Whether an unnoticed change of the array could make a gradient wrong.
    needed: bool,
    before: Stamp,
    after: Stamp,
}

impl Record {
    /// The record of a launch that has just run. `before` holds the stamps of the arrays before it.
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

    /// Turns the adjoints after this launch into the adjoints before it.
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
            // No later launch depends on what this one wrote, so its output adjoints are all zero.
            Pullback::Run(_) if !written.any(|used| adjoints.has(used.array.id())) => Ok(()),
            Pullback::Run(adjoint) => {
                if let Some(examination) = &self.examination {
                    examination.pull_back(adjoints, varied)?;
                }
                Ok(adjoint(self.id, adjoints)?)
            }
        }
    }

    /// The name of the by-value parameter with this name and type.
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

/// Checks that only launches on the tape have changed its arrays: each use must find the stamp that the previous one
/// left, and the last stamp must be the current one.
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
    /// Checks that the array is unchanged since the launch of `kernel`. `now` is its present stamp.
    fn check(&self, kernel: &'static str, now: Stamp) -> Result<(), TapeError> {
        match now.writer {
            Some(writer) if self.needed && now.version != self.after.version => {
                Err(TapeError::Changed { kernel, param: self.param, writer })
            }
            _ => Ok(()),
        }
    }
}

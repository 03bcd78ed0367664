//! The parameters that stand for a rewritten array at another moment.

use crate::analysis::Moment;
use crate::ir::{Kernel, ParamId, ParamKind};
use std::collections::{BTreeMap, BTreeSet};

/// The parameters that stand for an array at another moment than before the launch.
#[derive(Debug, Default)]
pub(crate) struct Aliases {
    /// The array, and the moment, of each alias.
    pub(crate) of: BTreeMap<ParamId, (ParamId, Moment)>,
    /// The rewritten arrays of which no two threads load the same element.
    pub(crate) loads_apart: BTreeSet<ParamId>,
}

impl Aliases {
    /// The array for which a parameter stands: itself, if it is no alias.
    pub(crate) fn array(&self, param: ParamId) -> ParamId {
        self.of.get(&param).map_or(param, |(array, _)| *array)
    }

    /// The array whose elements after the launch the parameter stands for.
    pub(crate) fn after(&self, param: ParamId) -> Option<ParamId> {
        self.of.get(&param).filter(|(_, moment)| *moment == Moment::After).map(|(array, _)| *array)
    }

    /// The parameter that stands for the elements of `array` after the launch.
    pub(crate) fn of_result(&self, array: ParamId) -> Option<ParamId> {
        self.of.keys().copied().find(|alias| self.after(*alias) == Some(array))
    }

    /// The parameter for `array` at this moment.
    pub(crate) fn named(&mut self, kernel: &mut Kernel, array: ParamId, moment: Moment) -> ParamId {
        if moment == Moment::Before {
            return array;
        }
        // Values from between are not had, whatever comes before and behind them.
        let is_same = |known: Moment| std::mem::discriminant(&known) == std::mem::discriminant(&moment);
        let known = self.of.iter().find(|(_, (of, known))| *of == array && is_same(*known));
        if let Some((alias, _)) = known {
            return *alias;
        }
        let mut param = kernel.param(array).clone();
        if let ParamKind::Array { mutable, .. } = &mut param.kind {
            *mutable = false;
        }
        let suffix = if moment == Moment::After { "_after" } else { "_between" };
        param.name = [param.name.trim_start_matches("r#"), suffix].concat();
        while kernel.params.iter().any(|other| other.name == param.name) {
            param.name.push('_');
        }
        let alias = ParamId(kernel.params.len() as u32);
        kernel.params.push(param);
        self.of.insert(alias, (array, moment));
        alias
    }
}

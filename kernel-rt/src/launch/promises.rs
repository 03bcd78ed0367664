//! Promises: what the domains of arrays say about their elements, where the adjoint of a kernel rests on it.
//!
//! An adjoint of `y[p[i]] = x[i]` is right only if no two elements of `p` are equal, as `#[domain(permutation)]` says. A
//! launch checks this, in one pass over the array. An array on a device remembers what has been checked until its
//! elements change, so many launches with the same indices check them once.

use super::arguments::{Launch, Passed};
use crate::device_array::Handle;
use crate::error::LaunchError;
use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::{Relation, Structure};
use std::collections::HashMap;

/// The promises of a launch, with the arrays.
pub(crate) struct Promises {
    kernel: &'static str,
    all: Vec<(&'static str, Handle, Structure)>,
}

impl Promises {
    /// The promises about the arguments of a launch, whose arrays have these `handles`.
    pub(crate) fn of(launch: &Launch<'_>, handles: &[Handle]) -> Promises {
        let arrays = (0..).zip(launch.args).filter_map(|(place, passed)| match passed {
            Passed::Array(access) => Some((place, access.param)),
            Passed::Value { .. } => None,
        });
        let promised = arrays.zip(handles).flat_map(|((place, param), handle)| {
            let of = launch.kernel.promises.iter().filter(move |promise| promise.array.0 == place);
            of.map(move |promise| (param, handle.clone(), promise.structure))
        });
        Promises { kernel: launch.kernel.name, all: promised.collect() }
    }

    /// Checks the current elements of the arrays.
    ///
    /// # Errors
    /// [`LaunchError::Promise`] if they break a promise; [`LaunchError::Device`] if a device cannot give them back.
    pub(crate) fn check(&self) -> Result<(), LaunchError> {
        let kernel = self.kernel;
        for (param, handle, structure) in &self.all {
            handle.check_once(*structure, |args| {
                let args = args.map_err(|error| LaunchError::Device { kernel, error })?;
                args.iter().try_for_each(|arg| hold(kernel, param, integers(arg), *structure))
            })?;
        }
        Ok(())
    }

    /// The parameter of a promise about an array of `written`.
    pub(crate) fn about<'a>(&self, mut written: impl Iterator<Item = &'a Handle>) -> Option<&'static str> {
        written.find_map(|other| self.all.iter().find(|(_, handle, _)| handle.id() == other.id()).map(|found| found.0))
    }

    /// The error for an array that an earlier launch of a graph writes.
    pub(crate) fn unknown(&self, param: &'static str) -> LaunchError {
        let structure = self.all.iter().find(|(of, ..)| *of == param).map_or("", |(_, _, structure)| structure.name());
        let found =
            "an earlier launch of the graph writes it, so that it cannot be checked; launch the kernel on the device"
                .into();
        LaunchError::Promise { kernel: self.kernel, param, structure, found }
    }
}

/// Checks an argument of the CPU version of a kernel.
///
/// # Errors
/// [`LaunchError::Promise`].
pub fn keep<T: Copy + Into<i128>>(
    kernel: &'static str,
    param: &'static str,
    elements: Option<&[T]>,
    structure: Structure,
) -> Result<(), LaunchError> {
    hold(kernel, param, elements.unwrap_or_default().iter().map(|element| (*element).into()), structure)
}

fn hold(
    kernel: &'static str,
    param: &'static str,
    elements: impl Iterator<Item = i128>,
    structure: Structure,
) -> Result<(), LaunchError> {
    let found = match structure.relation() {
        Some(Relation::Differ) => first_equal(elements)
            .map(|(one, other, value)| format!("{param}[{one}] and {param}[{other}] are both {value}")),
        Some(Relation::Ascend) => first_descent(elements)
            .map(|(at, value, next)| format!("{param}[{at}] is {value}, and {param}[{}] is {next}", at + 1)),
        None => None,
    };
    match found {
        None => Ok(()),
        Some(found) => Err(LaunchError::Promise { kernel, param, structure: structure.name(), found }),
    }
}

/// The places of the first element that occurs twice, and the element.
fn first_equal(elements: impl Iterator<Item = i128>) -> Option<(usize, usize, i128)> {
    let mut places = HashMap::new();
    elements.enumerate().find_map(|(place, value)| Some((places.insert(value, place)?, place, value)))
}

/// The place of the first element that is larger than the next one, and both elements.
fn first_descent(elements: impl Iterator<Item = i128>) -> Option<(usize, i128, i128)> {
    let mut last = None;
    elements.enumerate().find_map(|(place, value)| {
        let before = last.replace(value)?;
        (before > value).then_some((place - 1, before, value))
    })
}

/// The elements of an array of integers.
fn integers(arg: &Arg) -> Box<dyn Iterator<Item = i128> + '_> {
    fn each<T: Copy + Into<i128>>(data: &[T]) -> Box<dyn Iterator<Item = i128> + '_> {
        Box::new(data.iter().map(|value| (*value).into()))
    }
    match &arg.data {
        Data::I8(data) => each(data),
        Data::U8(data) => each(data),
        Data::I16(data) => each(data),
        Data::U16(data) => each(data),
        Data::I32(data) => each(data),
        Data::U32(data) => each(data),
        Data::I64(data) => each(data),
        Data::U64(data) => each(data),
        // No array of floats, of `bool` or of `usize` has a domain that relates its elements to indices.
        Data::Index(_) | Data::Bool(_) | Data::F16(_) | Data::BF16(_) | Data::F32(_) | Data::F64(_) => {
            Box::new(std::iter::empty())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_breaks_a_promise_is_named() {
        let check =
            |elements: &[u32], structure| keep("k", "p", Some(elements), structure).map_err(|why| why.to_string());
        assert_eq!(check(&[4, 2, 0], Structure::Permutation), Ok(()));
        assert_eq!(check(&[0, 3, 3, 9], Structure::Offsets), Ok(()));
        let words = "kernel `k`: the domain of `p` says `distinct`, but p[1] and p[3] are both 2";
        assert_eq!(check(&[4, 2, 0, 2], Structure::Distinct), Err(words.to_owned()));
        let words = "kernel `k`: the domain of `p` says `offsets`, but p[1] is 5, and p[2] is 4";
        assert_eq!(check(&[0, 5, 4], Structure::Offsets), Err(words.to_owned()));
    }
}

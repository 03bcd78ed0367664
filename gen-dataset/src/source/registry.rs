//! The kernels that records are made of: those of the registry, in its order.

use crate::error::Error;
use crate::model::of_all_passes;
use crate::synth::{FAMILIES, Family};
use kernel_rt::KernelInfo;
use std::collections::BTreeSet;

/// Names that families had in earlier versions.
const OLD_NAMES: [(&str, &str); 3] =
    [("conditional", "control_flow"), ("nested", "nested_loop"), ("multi_cond", "multi_conditional")];

/// A kernel of which a record may be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// Its place in the whole source, whatever part of it is asked for.
    pub(crate) index: usize,
    /// The kernel.
    pub(crate) info: &'static KernelInfo,
}

/// The families that `wanted` names, in order, and their kernels, in the order of the registry.
///
/// # Errors
/// A family that no kernel belongs to.
pub(crate) fn select(
    kernels: &[&'static KernelInfo],
    wanted: &[String],
) -> Result<(Vec<String>, Vec<Candidate>), Error> {
    let known: BTreeSet<&str> = kernels.iter().map(|info| info.family).collect();
    let mut families = BTreeSet::new();
    for name in wanted.iter().map(|name| name.trim()) {
        let name = OLD_NAMES.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| *new);
        match known.get(name) {
            Some(family) => families.extend([*family]),
            None if name == "all" => families.extend(&known),
            None => {
                let known: Vec<&str> = known.into_iter().collect();
                return Err(Error::Config(format!("there is no family `{name}`; known: {}, all", known.join(", "))));
            }
        }
    }
    let families: Vec<String> = families.into_iter().map(str::to_owned).collect();
    let candidates = of_families(kernels, &families);
    Ok((families, candidates))
}

/// The kernels of these families, in the order of the registry.
pub(crate) fn of_families(kernels: &[&'static KernelInfo], families: &[String]) -> Vec<Candidate> {
    (0..)
        .zip(kernels)
        .filter(|(_, info)| families.iter().any(|family| family == info.family))
        .map(|(index, info)| Candidate { index, info })
        .collect()
}

/// The families that `wanted` names, in order, of those that kernels can be synthesised for.
///
/// # Errors
/// A family that none can be synthesised for.
pub(crate) fn synthesised(wanted: &[String]) -> Result<Vec<&'static Family>, Error> {
    let mut families = BTreeSet::new();
    for name in wanted.iter().map(|name| name.trim()) {
        let name = OLD_NAMES.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| *new);
        match FAMILIES.iter().position(|family| family.name == name) {
            Some(place) => families.extend([place]),
            None if name == "all" => families.extend(0..FAMILIES.len()),
            None => {
                let known: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
                return Err(Error::Config(format!(
                    "no kernels of a family `{name}` can be synthesised; known: {}, all",
                    known.join(", ")
                )));
            }
        }
    }
    Ok(families.into_iter().map(|place| &FAMILIES[place]).collect())
}

/// The hash of every text of `candidates`.
pub(crate) fn digest(candidates: &[Candidate]) -> String {
    let mut hasher = blake3::Hasher::new();
    for Candidate { info, .. } in candidates {
        let head = [info.family, info.name, info.ir, info.rust_source];
        for text in head.into_iter().chain(of_all_passes(info)) {
            hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        }
    }
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;
    use crate::model::read_kernel;

    fn selected(wanted: &[&str]) -> Result<Vec<usize>, Error> {
        let kernels = [
            fixtures::info("atomic", "a"),
            fixtures::info("control_flow", "b"),
            fixtures::info("loop", "c"),
            fixtures::info("nested_loop", "d"),
        ];
        let wanted: Vec<String> = wanted.iter().map(|&name| name.to_owned()).collect();
        let (_, candidates) = select(&kernels, &wanted)?;
        Ok(candidates.iter().map(|candidate| candidate.index).collect())
    }

    #[test]
    fn families_are_taken_in_the_order_of_the_registry() {
        assert_eq!(selected(&["all"]).unwrap(), [0, 1, 2, 3]);
        assert_eq!(selected(&["loop", "atomic"]).unwrap(), [0, 2]);
    }

    #[test]
    fn old_names_mean_the_new_ones() {
        assert_eq!(selected(&["nested", "conditional"]).unwrap(), [1, 3]);
    }

    #[test]
    fn an_unknown_family_is_answered_with_the_known_ones() {
        let text = selected(&["loops"]).unwrap_err().to_string();
        assert_eq!(text, "there is no family `loops`; known: atomic, control_flow, loop, nested_loop, all");
    }

    #[test]
    fn kernels_are_read_or_the_reason_is_given() {
        assert_eq!(read_kernel(fixtures::info("math", "wave").ir).unwrap(), fixtures::wave());
        assert!(read_kernel("nothing").is_err());
    }
}

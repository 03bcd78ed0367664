//! Selects registered kernels by family and module, in the order of the registry.

use crate::error::Error;
use crate::model::of_all_passes;
use crate::synth::{FAMILIES, Family};
use kernel_rt::KernelInfo;
use std::collections::BTreeSet;

/// Family names of earlier versions.
const OLD_NAMES: [(&str, &str); 3] =
    [("conditional", "control_flow"), ("nested", "nested_loop"), ("multi_cond", "multi_conditional")];

/// A kernel that may become a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// The index in the whole registry, whatever the selection.
    pub(crate) index: usize,
    /// The kernel.
    pub(crate) info: &'static KernelInfo,
}

/// The families of `wanted`, in order, and their kernels in `modules`, in the order of the registry.
///
/// # Errors
/// A module or family without kernels.
pub(crate) fn select(
    kernels: &[&'static KernelInfo],
    wanted: &[String],
    modules: &[String],
) -> Result<(Vec<String>, Vec<Candidate>), Error> {
    if let Some(module) = modules.iter().find(|module| !kernels.iter().any(|info| is_in(info, module))) {
        let known: BTreeSet<&str> = kernels.iter().map(|info| info.module).collect();
        let known: Vec<&str> = known.into_iter().collect();
        return Err(Error::Config(format!(
            "no kernel is in the crate or module `{module}`; known: {}; {LINK}",
            known.join(", ")
        )));
    }
    let known: BTreeSet<&str> = kernels.iter().filter(|info| is_of(info, modules)).map(|info| info.family).collect();
    let mut families = BTreeSet::new();
    for name in wanted.iter().map(|name| name.trim()) {
        let name = OLD_NAMES.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| *new);
        match known.get(name) {
            Some(family) => families.extend([*family]),
            None if name == "all" => families.extend(&known),
            None => {
                let known: Vec<&str> = known.into_iter().collect();
                return Err(Error::Config(format!(
                    "there is no family `{name}`; known: {}, all; {LINK}",
                    known.join(", ")
                )));
            }
        }
    }
    let families: Vec<String> = families.into_iter().map(str::to_owned).collect();
    let candidates = candidates(kernels, &families, modules);
    Ok((families, candidates))
}

/// The advice for missing kernels: the linker drops a crate that the program does not name.
const LINK: &str = "the kernels of a crate are registered only if the program contains `use that_crate as _;`";

/// Whether the kernel is in this crate or module, or in a submodule.
fn is_in(info: &KernelInfo, module: &str) -> bool {
    info.module.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Whether the kernel is in one of `modules`, or `modules` is empty.
fn is_of(info: &KernelInfo, modules: &[String]) -> bool {
    modules.is_empty() || modules.iter().any(|module| is_in(info, module))
}

/// The kernels of these families and modules, in the order of the registry.
pub(crate) fn candidates(kernels: &[&'static KernelInfo], families: &[String], modules: &[String]) -> Vec<Candidate> {
    (0..)
        .zip(kernels)
        .filter(|(_, info)| is_of(info, modules) && families.iter().any(|family| family == info.family))
        .map(|(index, info)| Candidate { index, info })
        .collect()
}

/// The families of `wanted` for which synthesis exists, in order.
///
/// # Errors
/// A family without synthesis.
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
        let (_, candidates) = select(&kernels, &wanted, &[])?;
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
        assert_eq!(
            text,
            format!("there is no family `loops`; known: atomic, control_flow, loop, nested_loop, all; {LINK}")
        );
    }

    #[test]
    fn modules_are_taken_with_what_is_in_them() {
        kernels::link();
        let kernels = kernel_rt::registered_kernels();
        let all = |module: &str| select(&kernels, &["all".to_owned()], &[module.to_owned()]);
        let (families, vectors) = all("kernels::vector").unwrap();
        assert_eq!(families, ["vector"]);
        assert!(!vectors.is_empty() && vectors.iter().all(|candidate| candidate.info.module == "kernels::vector"));
        assert!(all("kernels").unwrap().1.len() > vectors.len());
        let text = all("kernels::vec").unwrap_err().to_string();
        assert!(text.starts_with("no kernel is in the crate or module `kernels::vec`; known: kernels::"), "{text}");
        // Only modules outside the selection have this family.
        let text = select(&kernels, &["atomic".to_owned()], &["kernels::vector".to_owned()]).unwrap_err().to_string();
        assert!(text.starts_with("there is no family `atomic`; known: vector, all;"), "{text}");
    }

    #[test]
    fn kernels_are_read_or_the_reason_is_given() {
        assert_eq!(read_kernel(fixtures::info("math", "wave").ir).unwrap(), fixtures::wave());
        assert!(read_kernel("nothing").is_err());
    }
}

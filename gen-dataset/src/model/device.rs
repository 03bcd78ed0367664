//! The set of targets that a dataset has texts for.

use super::targets::targets;
use kernel_ir::target::Target;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The name of all default targets together.
const ALL: &str = "all";

/// A set of targets, as in `--device cpu,cuda`: a bit for each, in the order of [`targets`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Device(u32);

impl Device {
    /// All default targets.
    pub(crate) fn all() -> Device {
        Device::of(|target| target.is_default)
    }

    /// The targets that fit.
    fn of(fits: impl Fn(&Target) -> bool) -> Device {
        let bit = |(place, target): (usize, &&Target)| u32::from(fits(target)) << place;
        Device(targets().iter().enumerate().map(bit).sum())
    }

    /// The values of `--device`, each with the languages that it selects.
    pub(crate) fn names() -> Vec<(&'static str, String)> {
        let one = targets().iter().map(|target| (target.device, target.language.to_owned()));
        one.chain([(ALL, Device::all().languages())]).collect()
    }

    /// The set with these names, separated by commas.
    ///
    /// # Errors
    /// A sentence with the names that there are.
    pub(crate) fn of_names(names: &str) -> Result<Device, String> {
        let mut set = Device(0);
        for name in names.split(',').map(str::trim) {
            let named = if name == ALL { Device::all() } else { Device::of(|target| target.device == name) };
            if named == Device(0) {
                let known: Vec<&str> = Device::names().into_iter().map(|(name, _)| name).collect();
                return Err(format!("`{name}` is no device; there are {}", known.join(", ")));
            }
            set.0 |= named.0;
        }
        Ok(set)
    }

    /// Whether the dataset has texts for `target`.
    pub(crate) fn has(self, target: &Target) -> bool {
        self.has_id(target.id)
    }

    /// Whether the dataset has texts for the target with this id.
    pub(crate) fn has_id(self, id: &str) -> bool {
        self.targets().any(|target| target.id == id)
    }

    /// The languages of the targets, for messages.
    pub(crate) fn languages(self) -> String {
        let mut languages: Vec<&str> = self.targets().map(|target| target.language).collect();
        languages.reverse();
        match languages.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            _ => languages.concat(),
        }
    }

    fn targets(self) -> impl Iterator<Item = &'static Target> {
        targets().iter().enumerate().filter(move |(place, _)| self.0 & 1 << place != 0).map(|(_, target)| *target)
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The names, as in arguments and records: `all` stands for all default targets.
impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = Device::all();
        let has_all = self.0 & all.0 == all.0;
        let rest = self.targets().filter(|target| !(has_all && target.is_default)).map(|target| target.device);
        let names: Vec<&str> = has_all.then_some(ALL).into_iter().chain(rest).collect();
        f.write_str(&names.join(","))
    }
}

impl Serialize for Device {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Device {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Device, D::Error> {
        let names = String::deserialize(deserializer)?;
        // Records of a schema before 7, which had two targets.
        if names == "both" {
            return Ok(Device::all());
        }
        Device::of_names(&names).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_sets_and_back() {
        let named = |names: &str| Device::of_names(names).map(|device| device.to_string());
        for (given, told) in [
            ("all", "all"),
            ("cuda", "cuda"),
            ("cuda,cpu", "cpu,cuda"),
            ("wgsl, cpu,cuda", "all"),
            ("hip,all", "all,hip"),
        ] {
            assert_eq!(named(given).as_deref(), Ok(told), "{given}");
        }
        assert!(!Device::all().has_id("hip"));
        assert_eq!(named("cpu,gpu"), Err("`gpu` is no device; there are cpu, cuda, wgsl, hip, all".to_owned()));
        assert_eq!(Device::of_names("all,hip").unwrap().languages(), "HIP, WGSL, CUDA C++ and host C++");
    }
}

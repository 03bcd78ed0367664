//! The set of targets that a dataset has texts for.

use super::targets::targets;
use kernel_ir::target::Target;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The name of all targets together.
const ALL: &str = "all";

/// One target, or all targets.
#[derive(Clone, Copy)]
pub(crate) struct Device(Option<&'static Target>);

impl Device {
    /// All targets.
    pub(crate) const ALL: Device = Device(None);

    /// The values of `--device`, each with the languages that it selects.
    pub(crate) fn names() -> Vec<(&'static str, String)> {
        let one = targets().iter().map(|target| (target.device, target.language.to_owned()));
        one.chain([(ALL, Device::ALL.languages())]).collect()
    }

    /// The device of that [name](Device::name).
    pub(crate) fn of_name(name: &str) -> Option<Device> {
        if name == ALL {
            return Some(Device::ALL);
        }
        targets().iter().find(|target| target.device == name).map(|target| Device(Some(target)))
    }

    /// The name, as in arguments and records.
    pub(crate) fn name(self) -> &'static str {
        self.0.map_or(ALL, |target| target.device)
    }

    /// Whether the dataset has texts for `target`.
    pub(crate) fn has(self, target: &Target) -> bool {
        self.0.is_none_or(|only| only.id == target.id)
    }

    /// Whether the dataset has texts for the target with this id.
    pub(crate) fn has_id(self, id: &str) -> bool {
        self.0.is_none_or(|only| only.id == id)
    }

    /// The languages of the targets, for messages.
    pub(crate) fn languages(self) -> String {
        let languages = targets().iter().rev().filter(|target| self.has(target)).map(|target| target.language);
        let languages: Vec<&str> = languages.collect();
        match languages.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            _ => languages.concat(),
        }
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Device {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Device {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Device, D::Error> {
        let name = String::deserialize(deserializer)?;
        // Records of a schema before 7, which had two targets.
        if name == "both" {
            return Ok(Device::ALL);
        }
        Device::of_name(&name).ok_or_else(|| {
            let names: Vec<&str> = Device::names().into_iter().map(|(name, _)| name).collect();
            D::Error::custom(format!("unknown device `{name}`, expected one of {}", names.join(", ")))
        })
    }
}

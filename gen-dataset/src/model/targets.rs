//! The texts of a kernel in the languages of the targets, and the targets that a dataset is for.
//!
//! The targets are those of [`kernel_ir::target`], and rows that another crate submits as [`ExtraTarget`].

use kernel_ir::adjoint::Backward;
use kernel_ir::target::{self, TARGETS, Target};
use kernel_ir::verify::VerifiedKernel;
use kernel_rt::KernelInfo;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::sync::LazyLock;

/// A target that is no row of [`TARGETS`]: `inventory::submit! { ExtraTarget(Target { … }) }` adds it to the tool.
#[derive(Debug)]
pub struct ExtraTarget(pub Target);

inventory::collect!(ExtraTarget);

static ALL: LazyLock<Vec<&'static Target>> = LazyLock::new(|| {
    let mut extra: Vec<&Target> = inventory::iter::<ExtraTarget>.into_iter().map(|extra| &extra.0).collect();
    // The order in which crates are linked means nothing.
    extra.sort_by_key(|target| target.id);
    TARGETS.iter().chain(extra).collect()
});

/// The names of the columns of each target, forward and backward.
static COLUMNS: LazyLock<Vec<[String; 2]>> = LazyLock::new(|| {
    let names = |target: &&Target| ["forward", "backward"].map(|pass| format!("{}_{pass}", target.device));
    targets().iter().map(names).collect()
});

/// Every target, in the order of a record's columns.
pub(crate) fn targets() -> &'static [&'static Target] {
    &ALL
}

/// Every target with the names of its columns, forward and backward.
pub(crate) fn columns() -> impl Iterator<Item = (&'static Target, [&'static str; 2])> {
    targets().iter().zip(COLUMNS.iter()).map(|(target, names)| (*target, names.each_ref().map(String::as_str)))
}

/// The targets that a dataset has texts for: one, or all.
#[derive(Clone, Copy)]
pub(crate) struct Device(Option<&'static Target>);

impl Device {
    /// All targets.
    pub(crate) const ALL: Device = Device(None);

    /// The names that may be given, each with what it stands for.
    pub(crate) fn names() -> Vec<(&'static str, String)> {
        let one = targets().iter().map(|target| (target.device, target.language.to_owned()));
        one.chain([(Device::all_name(), Device::ALL.languages())]).collect()
    }

    fn all_name() -> &'static str {
        if targets().len() == 2 { "both" } else { "all" }
    }

    /// The choice of that [name](Device::name).
    pub(crate) fn of_name(name: &str) -> Option<Device> {
        if name == Device::all_name() {
            return Some(Device::ALL);
        }
        targets().iter().find(|target| target.device == name).map(|target| Device(Some(target)))
    }

    /// The name, as typed and in records.
    pub(crate) fn name(self) -> &'static str {
        self.0.map_or(Device::all_name(), |target| target.device)
    }

    /// Whether a dataset for it has texts for `target`.
    pub(crate) fn has(self, target: &Target) -> bool {
        self.0.is_none_or(|only| only.id == target.id)
    }

    /// Whether a dataset for it has texts for the target of that id.
    pub(crate) fn has_id(self, id: &str) -> bool {
        self.0.is_none_or(|only| only.id == id)
    }

    /// The languages of its targets, for sentences.
    pub(crate) fn languages(self) -> String {
        let languages = targets().iter().rev().filter(|target| self.has(target)).map(|target| target.language);
        languages.collect::<Vec<_>>().join(" and ")
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
        Device::of_name(&name).ok_or_else(|| {
            let names: Vec<&str> = Device::names().into_iter().map(|(name, _)| name).collect();
            D::Error::custom(format!("unknown device `{name}`, expected one of {}", names.join(", ")))
        })
    }
}

/// The texts of a kernel and its adjoint for one target.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TargetText {
    /// The kernel; `None` if the dataset is for other targets, or the target lacks what the kernel needs.
    pub(crate) forward: Option<String>,
    /// The adjoint; `None` if there is none, too.
    pub(crate) backward: Option<String>,
}

/// The texts of a kernel for every target, in the order of [`targets`]. A record holds them as fields of its own.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TargetTexts(Vec<TargetText>);

impl Default for TargetTexts {
    fn default() -> TargetTexts {
        TargetTexts(vec![TargetText::default(); targets().len()])
    }
}

impl TargetTexts {
    /// The texts of `kernel` and its adjoint for the targets of `device`.
    pub(crate) fn write(kernel: &VerifiedKernel, adjoint: Option<&Backward>, device: Device) -> TargetTexts {
        TargetTexts::of(device, |wanted| {
            let forward = target::write(wanted, kernel);
            let backward = adjoint.map(|adjoint| target::write(wanted, &adjoint.kernel));
            let backward = backward.unwrap_or_else(|| vec![None; wanted.len()]);
            forward.into_iter().zip(backward).collect()
        })
    }

    /// The texts that the macro made of a registered kernel; those of other targets are written.
    pub(crate) fn registered(
        info: &KernelInfo,
        kernel: &VerifiedKernel,
        adjoint: Option<&Backward>,
        device: Device,
    ) -> TargetTexts {
        TargetTexts::of(device, |wanted| {
            let text = |target: &&Target| match registered(info, target.id) {
                Some((forward, backward)) => (Some(forward.to_owned()), backward.map(str::to_owned)),
                None => {
                    let one = |kernel| target::write(&[target], kernel).pop().flatten();
                    (one(kernel), adjoint.and_then(|adjoint| one(&adjoint.kernel)))
                }
            };
            wanted.iter().map(text).collect()
        })
    }

    fn of(
        device: Device,
        write: impl FnOnce(&[&Target]) -> Vec<(Option<String>, Option<String>)>,
    ) -> TargetTexts {
        let wanted: Vec<&Target> = targets().iter().copied().filter(|target| device.has(target)).collect();
        let mut written = write(&wanted).into_iter();
        let mut text = |target: &&Target| {
            let written = if device.has(target) { written.next() } else { None };
            written.map(|(forward, backward)| TargetText { forward, backward }).unwrap_or_default()
        };
        TargetTexts(targets().iter().map(&mut text).collect())
    }

    /// Every target with its texts.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static Target, &TargetText)> {
        targets().iter().copied().zip(&self.0)
    }

    /// The texts for the target of that id; of an unknown one there are none.
    pub(crate) fn get(&self, id: &str) -> &TargetText {
        static NOTHING: TargetText = TargetText { forward: None, backward: None };
        self.iter().find(|(target, _)| target.id == id).map_or(&NOTHING, |(_, text)| text)
    }

    /// The kernel's text for the target of that id.
    pub(crate) fn forward(&self, id: &str) -> Option<&str> {
        self.get(id).forward.as_deref()
    }

    /// The adjoint's text for the target of that id.
    pub(crate) fn backward(&self, id: &str) -> Option<&str> {
        self.get(id).backward.as_deref()
    }

    /// The columns and their texts.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&'static str, Option<&str>)> {
        columns().zip(&self.0).flat_map(|((_, [forward, backward]), text)| {
            [(forward, text.forward.as_deref()), (backward, text.backward.as_deref())]
        })
    }

    /// Puts `text` into the column `name`; whether there is such a column.
    pub(crate) fn set(&mut self, name: &str, text: Option<String>) -> bool {
        for ((_, [forward, backward]), texts) in columns().zip(&mut self.0) {
            match name {
                _ if name == forward => texts.forward = text,
                _ if name == backward => texts.backward = text,
                _ => continue,
            }
            return true;
        }
        false
    }
}

/// What the registry has for the target of that id: the kernel's text and the adjoint's.
pub(crate) fn registered(info: &KernelInfo, id: &str) -> Option<(&'static str, Option<&'static str>)> {
    match id {
        "cpp" => Some((info.cpp_forward, info.backward.map(|backward| backward.cpp))),
        "cuda" => Some((info.cuda_forward, info.backward.map(|backward| backward.cuda))),
        _ => None,
    }
}

impl Serialize for TargetTexts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.fields().try_for_each(|(name, text)| map.serialize_entry(name, &text))?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for TargetTexts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TargetTexts, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = TargetTexts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the texts of the targets")
            }

            // They stand among the fields of a record, and what is left of those has no meaning.
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<TargetTexts, A::Error> {
                let mut texts = TargetTexts::default();
                while let Some(name) = map.next_key::<String>()? {
                    if !texts.set(&name, map.next_value()?) {
                        return Err(A::Error::custom(format!("unknown field `{name}`")));
                    }
                }
                Ok(texts)
            }
        }

        deserializer.deserialize_map(Fields)
    }
}

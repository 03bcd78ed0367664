//! The texts of a kernel in the languages of the targets.

use super::device::Device;
use super::targets::{columns, targets};
use kernel_ir::adjoint::Backward;
use kernel_ir::target::{self, Target};
use kernel_ir::verify::VerifiedKernel;
use kernel_rt::{KernelInfo, Pass};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The texts of a kernel and its adjoint for one target.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TargetText {
    /// The kernel. `None` if the dataset is for other targets, or the target cannot express the kernel.
    pub(crate) forward: Option<String>,
    /// The adjoint. Also `None` if the kernel has no adjoint.
    pub(crate) backward: Option<String>,
}

/// The texts of a kernel for every target, in the order of [`targets`]. In a record they are fields of the record
/// itself.
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

    /// The texts that the macro made of a registered kernel. Texts for other targets are written now.
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

    fn of(device: Device, write: impl FnOnce(&[&Target]) -> Vec<(Option<String>, Option<String>)>) -> TargetTexts {
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

    /// The texts for the target with this id. Empty for an unknown id.
    pub(crate) fn get(&self, id: &str) -> &TargetText {
        static NOTHING: TargetText = TargetText { forward: None, backward: None };
        self.iter().find(|(target, _)| target.id == id).map_or(&NOTHING, |(_, text)| text)
    }

    /// The kernel's text for the target with this id.
    pub(crate) fn forward(&self, id: &str) -> Option<&str> {
        self.get(id).forward.as_deref()
    }

    /// The adjoint's text for the target with this id.
    pub(crate) fn backward(&self, id: &str) -> Option<&str> {
        self.get(id).backward.as_deref()
    }

    /// The columns with their texts.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&'static str, Option<&str>)> {
        columns().zip(&self.0).flat_map(|((_, [forward, backward]), text)| {
            [(forward, text.forward.as_deref()), (backward, text.backward.as_deref())]
        })
    }

    /// Sets the text of column `name`. Returns whether there is such a column.
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

/// The texts in the registry for every target, in the order of the table: the kernel's or the adjoint's.
pub(crate) fn all_registered(info: &KernelInfo, pass: Pass) -> impl Iterator<Item = (&'static str, &'static str)> {
    targets().iter().filter_map(move |target| {
        let (forward, backward) = registered(info, target.id)?;
        let text = match pass {
            Pass::Forward => Some(forward),
            Pass::Backward => backward,
        };
        Some((target.id, text?))
    })
}

/// All texts of `info` except the Rust text. Texts of the adjoint are empty if there is no adjoint.
pub(crate) fn of_all_passes(info: &KernelInfo) -> impl Iterator<Item = &'static str> {
    let of_targets = |pass| all_registered(info, pass).map(|(_, text)| text);
    let adjoint = info.backward.map_or("", |backward| backward.ir);
    let backward: Vec<&str> = match info.backward {
        Some(_) => of_targets(Pass::Backward).collect(),
        None => of_targets(Pass::Forward).map(|_| "").collect(),
    };
    of_targets(Pass::Forward).chain([info.python, adjoint]).chain(backward)
}

/// The texts in the registry for the target with this id: the kernel's and the adjoint's.
pub(crate) fn registered(info: &KernelInfo, id: &str) -> Option<(&'static str, Option<&'static str>)> {
    Some((info.text(id)?, info.backward.and_then(|backward| backward.text(id))))
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

            // Being flattened, this type sees every field of the record that is not declared there. A field without a
            // target is an error.
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

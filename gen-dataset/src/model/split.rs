//! The splits of a dataset, and the settings that divide it.

use super::record::REGISTRY;
use crate::error::Error;
use serde::{Deserialize, Serialize};

/// A split of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Split {
    /// To learn from.
    Train,
    /// To watch while learning.
    Validation,
    /// To judge what was learned.
    Test,
}

impl Split {
    /// Every split.
    pub(crate) const ALL: [Split; 3] = [Split::Train, Split::Validation, Split::Test];

    /// Its name in records and files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Split::Train => "train",
            Split::Validation => "validation",
            Split::Test => "test",
        }
    }

    /// The split with this name.
    pub(crate) fn of_name(name: &str) -> Option<Split> {
        Split::ALL.into_iter().find(|split| split.name() == name)
    }
}

/// The division of records into splits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SplitSettings {
    /// The percentages of skeletons in train, validation and test.
    pub(crate) parts: [u8; 3],
    /// What is entirely in test: families, and `registry` for the hand-written kernels.
    pub(crate) held_out: Vec<String>,
}

impl SplitSettings {
    /// Settings from arguments. `families` are those of the dataset.
    ///
    /// # Errors
    /// A held-out family that the dataset does not have.
    pub(crate) fn new(parts: [u8; 3], hold_out: &[String], families: &[String]) -> Result<SplitSettings, Error> {
        let mut held_out: Vec<String> = hold_out.iter().map(|name| name.trim().to_owned()).collect();
        held_out.sort();
        held_out.dedup();
        match held_out.iter().find(|name| *name != REGISTRY && !families.contains(name)) {
            None => Ok(SplitSettings { parts, held_out }),
            Some(name) => Err(Error::Config(format!(
                "cannot hold out `{name}`: the dataset has the families {}, and `{REGISTRY}`",
                families.join(", ")
            ))),
        }
    }

    /// The split of a skeleton that is not held out.
    pub(crate) fn of_skeleton(&self, skeleton_id: &str) -> Split {
        let mut hasher = blake3::Hasher::new();
        let mut bits = [0; 8];
        hasher.update(b"weft split\0").update(skeleton_id.as_bytes()).finalize_xof().fill(&mut bits);
        let place = (u64::from_le_bytes(bits) % 100) as u8;
        let [train, validation, _] = self.parts;
        match place {
            _ if place < train => Split::Train,
            _ if place < train + validation => Split::Validation,
            _ => Split::Test,
        }
    }

    /// Whether all kernels of this family or origin are in test.
    pub(crate) fn holds_out(&self, family: &str, origin: &str) -> bool {
        self.held_out.iter().any(|name| name == family || name == origin)
    }
}

//! Everything that the bytes of a dataset depend on.

use super::config::Config;
use super::device::Device;
use super::judge::JudgeKind;
use super::options::{Format, Source};
use super::split::SplitSettings;
use serde::{Deserialize, Serialize};

/// The architectures that are compiled for, without `sm_`.
pub(crate) const ARCHITECTURES: [u32; 4] = [75, 80, 90, 100];

/// Everything that the bytes of a dataset depend on. `run.json` keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// Where the kernels come from.
    pub(crate) source: Source,
    /// The families, in order.
    pub(crate) families: Vec<String>,
    /// The crates or modules whose kernels are taken; all of them if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) modules: Vec<String>,
    /// How many kernels are taken.
    pub(crate) count: usize,
    /// Which target texts a record has.
    pub(crate) device: Device,
    /// What the inputs of the examples are drawn from.
    pub(crate) seed: u64,
    /// How the records are stored.
    pub(crate) format: Format,
    /// The tables.
    #[serde(default = "Config::only_default", skip_serializing_if = "Config::is_only_default")]
    pub(crate) configs: Vec<Config>,
    /// How records are divided; `None` if all are for training.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) splits: Option<SplitSettings>,
    /// The hash of the texts of benchmarks that records were kept apart from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) benchmarks: Option<String>,
    /// The compiler of the PTX; `None` if records have no PTX.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ptx: Option<PtxSettings>,
    /// The judges that every record had to pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) judges: Vec<JudgeSettings>,
    /// Whether records have a standalone CUDA program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) cuda_source: bool,
    /// The examples of a record.
    #[serde(default, skip_serializing_if = "ExampleSettings::is_default")]
    pub(crate) examples: ExampleSettings,
    /// What the card says of whose dataset it is.
    #[serde(default, skip_serializing_if = "CardSettings::is_default")]
    pub(crate) card: CardSettings,
    /// The hash of every text of the kernels that are taken, so that a changed kernel is noticed.
    pub(crate) kernels: String,
}

/// The examples of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExampleSettings {
    /// How many there are, at least one.
    pub(crate) count: u64,
    /// Launch sizes, of which each kernel takes those with as many axes as it has; it has sizes of its own if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) sizes: Vec<Vec<usize>>,
}

impl ExampleSettings {
    fn is_default(&self) -> bool {
        *self == ExampleSettings::default()
    }
}

impl Default for ExampleSettings {
    fn default() -> ExampleSettings {
        ExampleSettings { count: 1, sizes: Vec::new() }
    }
}

/// What the card says of whose dataset it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CardSettings {
    /// The name of the dataset.
    pub(crate) title: String,
    /// The licence, as the Hugging Face hub calls it.
    pub(crate) license: String,
    /// Who made it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) authors: Vec<String>,
    /// Tags besides those that every dataset has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tags: Vec<String>,
}

impl CardSettings {
    pub(crate) const TITLE: &str = "Weft kernel pairs";
    pub(crate) const LICENSE: &str = "mit";

    fn is_default(&self) -> bool {
        *self == CardSettings::default()
    }
}

impl Default for CardSettings {
    fn default() -> CardSettings {
        CardSettings {
            title: CardSettings::TITLE.to_owned(),
            license: CardSettings::LICENSE.to_owned(),
            authors: Vec::new(),
            tags: Vec::new(),
        }
    }
}

/// What PTX depends on, besides the CUDA text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PtxSettings {
    /// The architecture, without `sm_`.
    pub(crate) architecture: u32,
    /// The version of NVRTC.
    pub(crate) nvrtc: String,
}

/// A judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JudgeSettings {
    /// Which one.
    pub(crate) judge: JudgeKind,
    /// The versions of its programs.
    pub(crate) version: String,
}

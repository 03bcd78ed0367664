//! The settings of a dataset. Its bytes depend on nothing else, besides the versions of the program and the schema.

use super::config::Config;
use super::device::Device;
use super::judge::JudgeKind;
use super::options::{Format, Source};
use super::split::SplitSettings;
use serde::{Deserialize, Serialize};

/// The compute capabilities that CUDA texts are compiled for, without `sm_`.
pub(crate) const ARCHITECTURES: [u32; 4] = [75, 80, 90, 100];

/// The settings of a dataset, as stored in `run.json`. Optional fields are omitted at their defaults, so that a new
/// field does not change the `run.json` of datasets without it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// The source of the kernels.
    pub(crate) source: Source,
    /// The families, in order.
    pub(crate) families: Vec<String>,
    /// The crates or modules whose kernels are taken. All of them if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) modules: Vec<String>,
    /// The number of kernels.
    pub(crate) count: usize,
    /// The targets whose texts a record has.
    pub(crate) device: Device,
    /// The seed for the inputs of the examples, and for synthesis.
    pub(crate) seed: u64,
    /// The format of the records.
    pub(crate) format: Format,
    /// The tables to write.
    #[serde(default = "Config::only_default", skip_serializing_if = "Config::is_only_default")]
    pub(crate) configs: Vec<Config>,
    /// The splits. `None` if all records are for training.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) splits: Option<SplitSettings>,
    /// The hash of the benchmarks that records must not share text with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) benchmarks: Option<String>,
    /// The PTX compiler. `None` if records have no PTX.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ptx: Option<PtxSettings>,
    /// The judges that every record must pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) judges: Vec<JudgeSettings>,
    /// Whether records have a standalone CUDA program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) cuda_source: bool,
    /// Whether rows of `rl` have a program that tests the answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) rl_programs: bool,
    /// The examples of a record.
    #[serde(default, skip_serializing_if = "ExampleSettings::is_default")]
    pub(crate) examples: ExampleSettings,
    /// The owner's part of the card.
    #[serde(default, skip_serializing_if = "CardSettings::is_default")]
    pub(crate) card: CardSettings,
    /// The hash of every text of the kernels, so that a changed kernel is noticed on `--resume`.
    pub(crate) kernels: String,
}

/// The examples of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExampleSettings {
    /// The number of examples, at least 1.
    pub(crate) count: u64,
    /// Launch sizes. A kernel takes those with its number of axes, or default sizes if there are none.
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

/// The owner's part of the card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CardSettings {
    /// The title of the dataset.
    pub(crate) title: String,
    /// The licence, as a Hugging Face identifier.
    pub(crate) license: String,
    /// The authors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) authors: Vec<String>,
    /// Tags besides those of every dataset.
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

/// The inputs of PTX besides the CUDA text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PtxSettings {
    /// The architecture, without `sm_`.
    pub(crate) architecture: u32,
    /// The version of NVRTC.
    pub(crate) nvrtc: String,
}

/// A judge with its version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JudgeSettings {
    /// The judge.
    pub(crate) judge: JudgeKind,
    /// The versions of its programs.
    pub(crate) version: String,
}

//! Choices of a run that are values of options: source, format, treatment of existing files.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// Where kernels come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Source {
    /// The kernels written by hand.
    Registry,
    /// Random kernels, as many as `--count` says.
    Synth,
    /// Both, the kernels written by hand first.
    All,
}

/// How records are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// A JSON object on each line.
    Jsonl,
    /// The same, compressed with zstd.
    #[value(name = "jsonl.zst")]
    #[serde(rename = "jsonl.zst")]
    JsonlZst,
    /// Columns, compressed with zstd.
    Parquet,
    /// A folder for each record.
    Files,
}

impl Format {
    /// The file extension. `None` for a folder for each record.
    pub(crate) fn extension(self) -> Option<&'static str> {
        match self {
            Format::Jsonl => Some("jsonl"),
            Format::JsonlZst => Some("jsonl.zst"),
            Format::Parquet => Some("parquet"),
            Format::Files => None,
        }
    }
}

/// The language of exported shaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lowercase")]
pub(crate) enum ShaderFormat {
    /// The texts as they are.
    Wgsl,
    /// For Vulkan, in its binary form.
    Spirv,
    /// The Metal Shading Language.
    Msl,
    /// For Direct3D 12.
    Hlsl,
}

impl ShaderFormat {
    /// The extension of a file.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            ShaderFormat::Wgsl => "wgsl",
            ShaderFormat::Spirv => "spv",
            ShaderFormat::Msl => "metal",
            ShaderFormat::Hlsl => "hlsl",
        }
    }
}

/// What to do with an output folder that has contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    /// Refuse.
    Refuse,
    /// Replace it.
    Overwrite,
    /// Go on with it.
    Resume,
}

/// The name of a choice on the command line.
pub(crate) fn typed(choice: &impl ValueEnum) -> String {
    choice.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

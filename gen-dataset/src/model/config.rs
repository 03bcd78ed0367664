//! The configs of a dataset: the same content in different tables. [`columns`](super::columns) has their columns.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// A table of the dataset. The Hugging Face hub calls it a config.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Config {
    /// The records.
    Default,
    /// Prompt and completion, for supervised fine-tuning.
    Sft,
    /// The same as a conversation.
    Chat,
    /// Prompt and held-out test, for reinforcement learning.
    Rl,
    /// Prompt with a right and a wrong answer, for training on preferences.
    Contrast,
}

impl Config {
    /// Every config.
    pub(crate) const ALL: [Config; 5] = [Config::Default, Config::Sft, Config::Chat, Config::Rl, Config::Contrast];

    /// The name of the config and of its folder.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Config::Default => "default",
            Config::Sft => "sft",
            Config::Chat => "chat",
            Config::Rl => "rl",
            Config::Contrast => "contrast",
        }
    }

    /// The configs of a dataset by default.
    pub(crate) fn only_default() -> Vec<Config> {
        vec![Config::Default]
    }

    /// Whether `configs` are [`only_default`](Self::only_default).
    pub(crate) fn is_only_default(configs: &[Config]) -> bool {
        configs == [Config::Default]
    }
}

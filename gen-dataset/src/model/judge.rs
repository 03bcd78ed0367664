//! The judges, and the values of `--judges`.

use super::options::typed;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use serde::{Deserialize, Serialize};

/// The judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JudgeKind {
    /// NVRTC compiles the CUDA text to PTX.
    Nvrtc,
    /// C++ compilers make host programs of the C++ and the CUDA text, which run on the recorded inputs.
    Cxx,
    /// Warp imports the Python text and runs it on the recorded inputs.
    Warp,
    /// A Vulkan driver, or that of another GPU interface, runs the WGSL text on the recorded inputs.
    Vulkan,
    /// clang compiles the HIP text for AMD GPUs.
    Hip,
}

impl JudgeKind {
    /// Every judge.
    pub const ALL: [JudgeKind; 5] =
        [JudgeKind::Nvrtc, JudgeKind::Cxx, JudgeKind::Warp, JudgeKind::Vulkan, JudgeKind::Hip];

    /// Whether this build has the judge.
    pub fn is_built(self) -> bool {
        self != JudgeKind::Vulkan || cfg!(feature = "wgpu")
    }

    /// The name, as in arguments.
    pub fn name(self) -> String {
        typed(&self)
    }
}

/// A value of `--judges`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JudgeChoice {
    /// One judge.
    One(JudgeKind),
    /// Every judge of this build.
    All,
    /// No judge.
    None,
}

impl JudgeChoice {
    /// Whether the choice includes `kind`.
    pub(crate) fn names(self, kind: JudgeKind) -> bool {
        (self == JudgeChoice::All && kind.is_built()) || self == JudgeChoice::One(kind)
    }
}

impl ValueEnum for JudgeChoice {
    fn value_variants<'a>() -> &'a [JudgeChoice] {
        const CHOICES: [JudgeChoice; JudgeKind::ALL.len() + 2] = {
            let mut choices = [JudgeChoice::All; JudgeKind::ALL.len() + 2];
            choices[1] = JudgeChoice::None;
            let mut place = 0;
            while place < JudgeKind::ALL.len() {
                choices[place + 2] = JudgeChoice::One(JudgeKind::ALL[place]);
                place += 1;
            }
            choices
        };
        &CHOICES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            JudgeChoice::One(kind) => kind.to_possible_value(),
            JudgeChoice::All => Some(PossibleValue::new("all")),
            JudgeChoice::None => Some(PossibleValue::new("none")),
        }
    }
}

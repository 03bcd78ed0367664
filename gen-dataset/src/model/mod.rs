//! Plain data that every module above may use: the record with its parts, the settings of a run, and launches. No
//! module here does IO.

mod agreement;
mod arguments;
pub(crate) mod columns;
mod compare;
mod config;
mod decode;
mod device;
mod example;
mod facts;
mod gradients;
mod json_text;
mod judge;
mod kernel;
mod launch;
mod options;
mod outcome;
mod reason;
mod record;
mod settings;
mod split;
mod target_texts;
pub(crate) mod targets;

pub(crate) use agreement::Agreement;
pub(crate) use arguments::Arguments;
pub(crate) use compare::{agreement, all_finite, same};
pub(crate) use config::Config;
pub(crate) use decode::{DecodedAdjoint, DecodedExample, DecodedRecord, decode, decode_examples, differentiate};
pub(crate) use device::Device;
pub(crate) use example::{Example, inexact};
pub(crate) use facts::{Facts, SURROGATE_GRAD};
pub(crate) use gradients::{Gradients, Tolerances, gradients_of};
pub(crate) use judge::JudgeChoice;
pub use judge::JudgeKind;
pub(crate) use kernel::{read_kernel, run_interpreter};
pub use launch::{AdjointLaunches, Launch};
pub(crate) use launch::{LAUNCHES, largest_allowed_ulp, not_finite};
pub(crate) use options::{Existing, Format, ShaderFormat, Source, typed};
pub use outcome::Outcome;
pub(crate) use reason::{Failure, Reason};
pub(crate) use record::{
    AdjointCheck, AdjointErrors, CoverageCheck, GENERATOR_VERSION, Metadata, OLDEST_SCHEMA, REGISTRY, Record, Reject,
    SCHEMA_VERSION, SYNTH, TolerancePolicy, Verification,
};
pub(crate) use settings::{ARCHITECTURES, CardSettings, ExampleSettings, JudgeSettings, PtxSettings, Settings};
pub(crate) use split::{Split, SplitSettings};
pub(crate) use target_texts::{TargetText, TargetTexts, all_registered, of_all_passes, registered};

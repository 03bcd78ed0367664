//! Judges: independent programs that check whether a kernel's texts are what they claim to be. None needs a GPU.
//!
//! A judge takes a batch of [`Case`]s and returns an [`Outcome`] for each. `docs/judges.md` says what each one proves.
//! `scripts/install-judges.sh` installs the judges; [`open`] starts an installed one.

mod bisect;
pub(crate) mod case;
pub mod cxx;
pub mod hip;
pub(crate) mod installed;
pub(crate) mod judge;
pub mod nvrtc;
pub(crate) mod ptx;
pub(crate) mod validators;
#[cfg(feature = "wgpu")]
pub mod vulkan;
pub mod warp;

pub use crate::model::{AdjointLaunches, JudgeKind, Launch, Outcome};
pub use case::{Case, Difference};
pub use installed::open;
pub use judge::{Judge, folder};

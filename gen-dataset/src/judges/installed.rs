//! Opens installed judges.

use super::cxx::Cxx;
use super::hip::Hip;
use super::judge::Judge;
use super::nvrtc::Nvrtc;
#[cfg(feature = "wgpu")]
use super::vulkan::Vulkan;
use super::warp::Warp;
use crate::model::JudgeKind;

/// Opens a judge.
///
/// # Errors
/// A sentence about what is missing, if the judge is not installed.
pub fn open(kind: JudgeKind) -> Result<Box<dyn Judge>, String> {
    match kind {
        JudgeKind::Nvrtc => Nvrtc::open().map(|judge| Box::new(judge) as Box<dyn Judge>),
        JudgeKind::Cxx => Cxx::open().map(|judge| Box::new(judge) as Box<dyn Judge>),
        JudgeKind::Hip => Hip::open().map(|judge| Box::new(judge) as Box<dyn Judge>),
        JudgeKind::Warp => Warp::open().map(|judge| Box::new(judge) as Box<dyn Judge>),
        #[cfg(feature = "wgpu")]
        JudgeKind::Vulkan => Vulkan::open().map(|judge| Box::new(judge) as Box<dyn Judge>),
        #[cfg(not(feature = "wgpu"))]
        JudgeKind::Vulkan => Err("this build runs no WGSL; build with `--features wgpu`".to_owned()),
    }
}

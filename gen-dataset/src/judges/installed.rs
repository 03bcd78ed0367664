//! Starts the judges that are installed.

use super::cxx::Cxx;
use super::judge::Judge;
use super::nvrtc::Nvrtc;
use super::warp::Warp;
use crate::model::JudgeKind;

/// Starts a judge.
///
/// # Errors
/// It is not installed; the sentence says what is missing.
pub fn open(kind: JudgeKind) -> Result<Box<dyn Judge>, String> {
    match kind {
        JudgeKind::Nvrtc => Nvrtc::open().map(|judge| Box::new(judge) as Box<dyn Judge>),
        JudgeKind::Cxx => Cxx::open().map(|judge| Box::new(judge) as Box<dyn Judge>),
        JudgeKind::Warp => Warp::open().map(|judge| Box::new(judge) as Box<dyn Judge>),
    }
}

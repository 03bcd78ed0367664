//! PTX for records: NVRTC and the architecture that it compiles for.

use super::nvrtc::Nvrtc;
use crate::model::PtxSettings;

/// What makes PTX.
#[derive(Debug)]
pub(crate) struct PtxCompiler {
    nvrtc: Nvrtc,
    architecture: u32,
}

impl PtxCompiler {
    /// Compiles for `architecture`, a number without `sm_`.
    pub(crate) fn new(nvrtc: Nvrtc, architecture: u32) -> PtxCompiler {
        PtxCompiler { nvrtc, architecture }
    }

    /// The PTX of a CUDA text.
    ///
    /// # Errors
    /// The log of the compiler.
    pub(crate) fn of(&self, cuda: &str, name: &str) -> Result<String, String> {
        self.nvrtc.ptx(cuda, &format!("{name}.cu"), self.architecture)
    }

    /// What the PTX depends on.
    pub(crate) fn settings(&self) -> PtxSettings {
        PtxSettings { architecture: self.architecture, nvrtc: self.nvrtc.release().to_owned() }
    }
}

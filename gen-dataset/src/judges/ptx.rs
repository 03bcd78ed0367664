//! The PTX compiler for records: NVRTC with one architecture.

use super::nvrtc::Nvrtc;
use crate::model::PtxSettings;

/// Compiles CUDA to PTX for one architecture.
#[derive(Debug)]
pub(crate) struct PtxCompiler {
    nvrtc: Nvrtc,
    architecture: u32,
}

impl PtxCompiler {
    /// A compiler for `sm_<architecture>`.
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

    /// The settings that the PTX depends on.
    pub(crate) fn settings(&self) -> PtxSettings {
        PtxSettings { architecture: self.architecture, nvrtc: self.nvrtc.release().to_owned() }
    }
}

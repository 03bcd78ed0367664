//! Kernels for accelerators: the IR, and the text of a registered kernel in the language of the backend.

use crate::error::LaunchError;
use crate::registry::{KernelInfo, Pass};
use kernel_ir::analysis::{ExtentPrecondition, extent_preconditions};
use kernel_ir::text;
use kernel_ir::verify::{VerifiedKernel, verify};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A kernel with the data that every launch needs. Its address identifies it. It lives as long as the process, or
/// accelerators [forget](super::Accelerator::forget) it.
pub(crate) struct Program {
    /// The name for errors.
    pub(crate) name: &'static str,
    pub(crate) kernel: VerifiedKernel,
    #[cfg_attr(
        not(any(feature = "cuda", feature = "wgpu")),
        expect(dead_code, reason = "accelerators read it, and this build has none")
    )]
    pub(crate) source: ProgramSource,
    /// The minimal extents that every launch requires of its arrays.
    pub(super) preconditions: Vec<ExtentPrecondition>,
}

/// The origin of a program's text.
#[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "the CUDA backend reads it, and this build has none"))]
pub(crate) enum ProgramSource {
    /// The text of a registered kernel.
    Registered(&'static KernelInfo, Pass),
    /// The backend writes the text, because the runtime itself defines the kernel.
    Runtime,
    /// This text in the language of the backend.
    Text(String),
}

impl Program {
    /// The program of a pass of a registered kernel.
    ///
    /// # Errors
    /// [`LaunchError::NoAdjoint`] if the kernel has no adjoint.
    pub(crate) fn of(info: &'static KernelInfo, pass: Pass) -> Result<Arc<Program>, LaunchError> {
        let ir = match pass {
            Pass::Forward => info.ir,
            Pass::Backward => info.adjoint()?.ir,
        };
        Ok(Program::cached(info.name, ir, ProgramSource::Registered(info, pass)))
    }

    /// The program of a kernel that the runtime itself defines.
    pub(crate) fn of_runtime(name: &'static str, ir: &'static str) -> Arc<Program> {
        Program::cached(name, ir, ProgramSource::Runtime)
    }

    /// The program of a text that says what `kernel` does.
    pub(crate) fn of_text(name: &'static str, kernel: VerifiedKernel, text: String) -> Program {
        Program { name, preconditions: extent_preconditions(&kernel), kernel, source: ProgramSource::Text(text) }
    }

    fn cached(name: &'static str, ir: &'static str, source: ProgramSource) -> Arc<Program> {
        /// By the address of the IR text, which is `'static` and unique to a kernel.
        static PROGRAMS: Mutex<Option<HashMap<usize, Arc<Program>>>> = Mutex::new(None);

        let mut programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
        let program = programs.get_or_insert_default().entry(ir.as_ptr().addr()).or_insert_with(|| {
            let kernel =
                text::parse(ir).expect("the compiler has printed the IR of kernels, and tests read the runtime's");
            let kernel = verify(kernel).expect("the compiler has verified kernels, and tests verify the runtime's");
            Arc::new(Program { name, preconditions: extent_preconditions(&kernel), kernel, source })
        });
        Arc::clone(program)
    }
}

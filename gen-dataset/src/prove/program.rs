//! The standalone CUDA program of a launch.

use crate::files::file_name;
use crate::model::Launch;
use kernel_ir::back::c;
use kernel_ir::data::Arg;
use kernel_ir::verify::VerifiedKernel;

/// A CUDA program that makes `launch` of `kernel`, whose CUDA text is `cuda`, and says whether the results are those of the
/// launch, as closely as `tolerances` say.
pub(crate) fn program(kernel: &VerifiedKernel, cuda: &str, launch: &Launch, tolerances: &[Arg]) -> String {
    let Launch { dim, before, after } = launch;
    c::write_program(
        kernel,
        cuda,
        &[c::RecordedLaunch { dim, before, after, allowed: tolerances }],
        &file_name(&kernel.name),
    )
}

//! The standalone CUDA program of launches.

use crate::files::file_name;
use crate::model::Launch;
use kernel_ir::back::c;
use kernel_ir::data::Arg;
use kernel_ir::verify::VerifiedKernel;

/// A CUDA program that makes launches of `kernel`, whose CUDA text is `cuda`, and says whether the results are those of the
/// launches, as closely as their tolerances say.
pub(crate) fn program(kernel: &VerifiedKernel, cuda: &str, launches: &[(&Launch, &[Arg])]) -> String {
    let recorded = launches.iter().map(|(Launch { dim, before, after }, allowed)| c::RecordedLaunch {
        dim,
        before,
        after,
        allowed,
    });
    c::write_program(kernel, cuda, &recorded.collect::<Vec<_>>(), &file_name(&kernel.name))
}

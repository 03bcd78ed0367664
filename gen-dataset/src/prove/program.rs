//! Standalone CUDA programs of recorded launches.

use crate::files::file_name;
use crate::model::Launch;
use kernel_ir::back::c;
use kernel_ir::data::Arg;
use kernel_ir::verify::VerifiedKernel;

/// A CUDA program that makes `launches` of `kernel` and compares the results with the recorded ones, within their
/// tolerances. `cuda` is the kernel's CUDA text.
pub(crate) fn program(kernel: &VerifiedKernel, cuda: &str, launches: &[(&Launch, &[Arg])]) -> String {
    let recorded = launches.iter().map(|(Launch { dim, before, after }, allowed)| c::RecordedLaunch {
        dim,
        before,
        after,
        allowed,
    });
    c::write_program(kernel, cuda, &recorded.collect::<Vec<_>>(), &file_name(&kernel.name))
}

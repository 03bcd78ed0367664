//! The arguments of the emitted functions, as words that a record lists.
//!
//! A word is the name of a parameter, which stands for its value or a pointer to its elements before the launch,
//! `NAME.shape[K]`, an extent of an array, or `dim[K]`, a part of the launch size. An adjoint also takes `NAME.after`, the
//! elements after the launch; `NAME.adjoint`, on entry the adjoint of the elements after the launch, and on exit that of
//! the elements before it; and, if it is launched twice, `counting` and `NAME.winners`.

use kernel_ir::adjoint::{Backward, Source};
use kernel_ir::ir::{AbiArg, Kernel, ParamId};
use kernel_ir::verify::VerifiedKernel;

/// The arguments of the functions that run `kernel`.
pub(crate) fn forward_arguments(kernel: &VerifiedKernel) -> Vec<String> {
    words(kernel, |id| kernel.param(id).name.clone())
}

/// The arguments of the functions that run the adjoint of `kernel`.
pub(crate) fn backward_arguments(kernel: &Kernel, backward: &Backward) -> Vec<String> {
    words(&backward.kernel, |id| {
        let name = |id: ParamId| &kernel.param(id).name;
        match backward.sources[id.0 as usize] {
            Source::Primal(id) => name(id).clone(),
            Source::Result(id) => format!("{}.after", name(id)),
            Source::Counting => "counting".to_owned(),
            Source::Winners(id) => format!("{}.winners", name(id)),
            Source::Adjoint(id) => format!("{}.adjoint", name(id)),
        }
    })
}

fn words(kernel: &VerifiedKernel, name: impl Fn(ParamId) -> String) -> Vec<String> {
    let word = |arg: AbiArg| match arg {
        AbiArg::Value(id) | AbiArg::Pointer(id) => name(id),
        AbiArg::Extent(id, axis) => format!("{}.shape[{axis}]", name(id)),
        AbiArg::Dim(axis) => format!("dim[{axis}]"),
    };
    kernel.abi().into_iter().map(word).collect()
}

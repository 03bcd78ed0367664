//! The arguments of the emitted functions, as words that a record lists.
//!
//! A word is the name of a parameter, which stands for its value or a pointer to its elements before the launch,
//! `NAME.shape[K]`, an extent of an array, or `dim[K]`, a part of the launch size. An adjoint also takes `NAME.after`, the
//! elements after the launch; `NAME.adjoint`, on entry the adjoint of the elements after the launch, and on exit that of
//! the elements before it; and, if it is launched twice, `counting` and `NAME.winners`.

use kernel_ir::adjoint::{Backward, Source};
use kernel_ir::ir::{AbiArg, Kernel, ParamId};
use kernel_ir::verify::VerifiedKernel;
use serde::{Deserialize, Serialize};

/// The arguments of the emitted functions, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The arguments of the kernel's functions.
    forward: Vec<String>,
    /// The arguments of the adjoint's functions. Null if there is no adjoint.
    backward: Option<Vec<String>>,
}

impl Arguments {
    /// The arguments of the functions that run `kernel` and its adjoint.
    pub(crate) fn of(kernel: &VerifiedKernel, backward: Option<&Backward>) -> Arguments {
        let forward = words(kernel, |id| kernel.param(id).name.clone());
        Arguments { forward, backward: backward.map(|backward| of_adjoint(kernel, backward)) }
    }
}

fn of_adjoint(kernel: &Kernel, backward: &Backward) -> Vec<String> {
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

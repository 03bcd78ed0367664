//! Decodes a record: its kernel, launch and gradients as values.

use super::example::Example;
use super::kernel::read_kernel;
use super::launch::{AdjointLaunches, Launch};
use super::record::Record;
use crate::panics;
use kernel_ir::adjoint::{self, Backward};
use kernel_ir::data::Arg;
use kernel_ir::diag::Diagnostic;
use kernel_ir::ir::ParamId;
use kernel_ir::verify::VerifiedKernel;

/// The content of a record as values.
pub(crate) struct DecodedRecord {
    pub(crate) kernel: VerifiedKernel,
    /// The launch of the example.
    pub(crate) launch: Launch,
    pub(crate) backward: Option<DecodedAdjoint>,
}

/// The adjoint of a record as values.
pub(crate) struct DecodedAdjoint {
    pub(crate) adjoint: Backward,
    /// The launches that compute the gradients of the example.
    pub(crate) launches: AdjointLaunches,
    /// The gradients of the example.
    pub(crate) gradients: Vec<(ParamId, Arg)>,
}

/// Decodes `record`. Its claims about itself are not checked.
///
/// # Errors
/// A sentence that names the field that cannot be decoded.
pub(crate) fn decode(record: &Record) -> Result<DecodedRecord, String> {
    let kernel = read_kernel(&record.ir)?;
    let backward = differentiate(&kernel)?;
    decode_example(&record.example, kernel, backward)
}

/// The adjoint of `kernel`, if it has one.
///
/// # Errors
/// A sentence that says why the kernel cannot be differentiated.
pub(crate) fn differentiate(kernel: &VerifiedKernel) -> Result<Option<Backward>, String> {
    let words = |mistakes: Vec<Diagnostic>| mistakes.into_iter().map(|mistake| mistake.message).collect::<Vec<_>>();
    adjoint::differentiate(kernel).map_err(|mistakes| words(mistakes).join("; "))
}

/// Decodes `example` as a launch of `kernel` and its adjoint.
pub(crate) fn decode_example(
    example: &Example,
    kernel: VerifiedKernel,
    backward: Option<Backward>,
) -> Result<DecodedRecord, String> {
    let before = example.inputs(&kernel)?;
    let after = example.outputs(&kernel, &before)?;
    let launch = Launch { dim: example.dim.clone(), before, after };
    let Some(backward) = backward else {
        let is_empty = example.adj_outputs.is_empty() && example.gradients.is_empty();
        return match is_empty {
            true => Ok(DecodedRecord { kernel, launch, backward: None }),
            false => Err("the example has gradients, and the kernel has no adjoint".to_owned()),
        };
    };
    let adjoints = example.adj_outputs(&kernel, &launch.before)?;
    let gradients = example.gradients(&kernel, &launch.before)?;
    let adjoint_of = |id| adjoints.iter().find(|(of, _)| *of == id).map(|(_, arg)| arg.clone());
    let launches = panics::caught(|| launch.backward(&kernel, &backward, adjoint_of)).flatten()?;
    Ok(DecodedRecord { kernel, launch, backward: Some(DecodedAdjoint { adjoint: backward, launches, gradients }) })
}

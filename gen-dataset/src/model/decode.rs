//! Decodes a record: its kernel, launch and gradients as values.

use super::example::Example;
use super::kernel::read_kernel;
use super::launch::{AdjointLaunches, Launch};
use super::record::Record;
use crate::panics;
use kernel_ir::adjoint::{self, Backward};
use kernel_ir::columns;
use kernel_ir::data::Arg;
use kernel_ir::diag::Diagnostic;
use kernel_ir::ir::ParamId;
use kernel_ir::verify::VerifiedKernel;
use std::borrow::Cow;

/// The content of a record as values.
pub(crate) struct DecodedRecord {
    /// The kernel with the parameters that its texts have.
    pub(crate) kernel: VerifiedKernel,
    /// The kernel with the [columns] that its launches have.
    pub(crate) data: VerifiedKernel,
    /// The launch of the example.
    pub(crate) launch: Launch,
    pub(crate) backward: Option<DecodedAdjoint>,
    /// Further examples.
    pub(crate) more: Vec<DecodedExample>,
}

/// An example of a record as values.
pub(crate) struct DecodedExample {
    pub(crate) launch: Launch,
    /// The launches of the adjoint, and the gradients that they compute. `None` if the kernel has no adjoint.
    pub(crate) gradients: Option<(AdjointLaunches, Vec<(ParamId, Arg)>)>,
}

/// The adjoint of a record as values.
pub(crate) struct DecodedAdjoint {
    pub(crate) adjoint: Backward,
    /// The adjoint with the columns that its launches have.
    pub(crate) data: Backward,
    /// The launches that compute the gradients of the example.
    pub(crate) launches: AdjointLaunches,
}

/// Decodes `record`. Its claims about itself are not checked.
///
/// # Errors
/// A sentence that names the field that cannot be decoded.
pub(crate) fn decode(record: &Record) -> Result<DecodedRecord, String> {
    let kernel = read_kernel(&record.ir)?;
    let adjoint = differentiate(&kernel)?;
    let data = columns::of_kernel(&kernel).into_owned();
    let of_adjoint = adjoint.as_ref().map(|adjoint| columns::of_backward(&kernel, adjoint));
    let mut examples = decode_examples(record, &data, of_adjoint.as_deref())?.into_iter();
    let DecodedExample { launch, gradients } = examples.next().ok_or("there is no example")?;
    let of_adjoint = of_adjoint.map(Cow::into_owned);
    let backward = adjoint.zip(of_adjoint).zip(gradients);
    let backward = backward.map(|((adjoint, data), (launches, _))| DecodedAdjoint { adjoint, data, launches });
    Ok(DecodedRecord { kernel, data, launch, backward, more: examples.collect() })
}

/// The adjoint of `kernel`, if it has one.
///
/// # Errors
/// A sentence that says why the kernel cannot be differentiated.
pub(crate) fn differentiate(kernel: &VerifiedKernel) -> Result<Option<Backward>, String> {
    let words = |mistakes: Vec<Diagnostic>| mistakes.into_iter().map(|mistake| mistake.message).collect::<Vec<_>>();
    adjoint::differentiate(kernel).map_err(|mistakes| words(mistakes).join("; "))
}

/// Decodes the examples of `record` as launches of `kernel` and its `adjoint`, both with columns.
///
/// # Errors
/// A sentence that names the part of an example that does not fit.
pub(crate) fn decode_examples(
    record: &Record,
    kernel: &VerifiedKernel,
    adjoint: Option<&Backward>,
) -> Result<Vec<DecodedExample>, String> {
    record.examples().map(|example| decode_example(example, kernel, adjoint)).collect()
}

/// Decodes `example` as a launch of `kernel` and its `adjoint`.
fn decode_example(
    example: &Example,
    kernel: &VerifiedKernel,
    adjoint: Option<&Backward>,
) -> Result<DecodedExample, String> {
    let before = example.inputs(kernel)?;
    let after = example.outputs(kernel, &before)?;
    let launch = Launch { dim: example.dim.clone(), before, after };
    let Some(adjoint) = adjoint else {
        let is_empty = example.adj_outputs.is_empty() && example.gradients.is_empty();
        return match is_empty {
            true => Ok(DecodedExample { launch, gradients: None }),
            false => Err("the example has gradients, and the kernel has no adjoint".to_owned()),
        };
    };
    let adjoints = example.adj_outputs(kernel, &launch.before)?;
    let gradients = example.gradients(kernel, &launch.before)?;
    let adjoint_of = |id| adjoints.iter().find(|(of, _)| *of == id).map(|(_, arg)| arg.clone());
    let launches = panics::caught(|| launch.backward(kernel, adjoint, adjoint_of)).flatten()?;
    Ok(DecodedExample { launch, gradients: Some((launches, gradients)) })
}

//! Kernels as data sees them: without structs among the parameters.
//!
//! A parameter that is a struct, or an array of structs, has a *column* for each value in the struct. The column of the
//! field `v` of `bodies` is called `bodies.v`. Arguments of the interpreter, samples and records are those of the columns,
//! so an argument consists of scalars of one type. The texts, and the memory of a launch, have structs;
//! [`Type::offsets`](crate::ir::Type::offsets) says where the values of a struct lie.

use crate::adjoint::{Backward, Source};
use crate::analysis::Execution;
use crate::ir::{Param, ParamId};
use crate::rewrite::columns;
use crate::verify::{VerifiedKernel, verify};
use std::borrow::Cow;

/// The kernel with columns in the place of structs; the kernel itself if no parameter has any. It runs as the kernel
/// does, so it adds floats in the same order.
pub fn of_kernel(kernel: &VerifiedKernel) -> Cow<'_, VerifiedKernel> {
    split(kernel).map_or(Cow::Borrowed(kernel), Cow::Owned)
}

/// The adjoint of `kernel` with columns in the place of structs. The sources of its parameters are in terms of the columns
/// of `kernel`.
pub fn of_backward<'a>(kernel: &VerifiedKernel, backward: &'a Backward) -> Cow<'a, Backward> {
    let Some(adjoint) = split(&backward.kernel) else { return Cow::Borrowed(backward) };
    let columns = columns_of(kernel);
    let mut sources = Vec::new();
    for source in &backward.sources {
        let each = |make: fn(ParamId) -> Source, id: ParamId| columns[id.0 as usize].iter().map(move |id| make(*id));
        match *source {
            Source::Primal(id) => sources.extend(each(Source::Primal, id)),
            Source::Result(id) => sources.extend(each(Source::Result, id)),
            Source::Winners(id) => sources.extend(each(Source::Winners, id)),
            Source::Adjoint(id) => sources.extend(each(Source::Adjoint, id)),
            Source::Counting => sources.push(Source::Counting),
        }
    }
    Cow::Owned(Backward { kernel: adjoint, sources })
}

/// The columns of each parameter.
fn columns_of(kernel: &VerifiedKernel) -> Vec<Vec<ParamId>> {
    let mut next = 0;
    let columns = |param: &Param| {
        let first = next;
        next += param.elem().leaves().len() as u32;
        (first..next).map(ParamId).collect()
    };
    kernel.params.iter().map(columns).collect()
}

fn split(kernel: &VerifiedKernel) -> Option<VerifiedKernel> {
    if !columns::has_columns(kernel) {
        return None;
    }
    let split = columns::split(kernel);
    let verified = verify(split.kernel).expect("columns keep the rules that the kernel keeps");
    verified.set_execution(Execution::of(kernel).in_columns(&split.of));
    Some(verified)
}

//! Kernels as data sees them: without structs among the parameters.
//!
//! A parameter that is a struct, or an array of structs, has a *column* for each value in the struct. The column of the
//! field `v` of `bodies` is called `bodies.v`. Arguments of the interpreter, samples and records are those of the columns,
//! so an argument consists of scalars of one type. The texts, and the memory of a launch, have structs;
//! [`Type::layout`] says where the values of a struct lie.

use crate::adjoint::{Backward, Source};
use crate::analysis::{Execution, Promise};
use crate::data::Data;
use crate::ir::{Layout, ParamId, StructId, Type};
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
    let adjoint = split(&backward.kernel);
    if adjoint.is_none() && !columns::has_columns(kernel) {
        return Cow::Borrowed(backward);
    }
    // The adjoint may need no struct of the kernel. Its sources are in terms of the columns of the kernel all the same.
    let (adjoint, sources) =
        (adjoint.unwrap_or_else(|| backward.kernel.clone()), of_sources(kernel, &backward.sources));
    // An array of integers has one column.
    let columns = kernel.columns();
    let column = |id: ParamId| ParamId(columns[id.0 as usize].start as u32);
    let promises =
        backward.promises.iter().map(|promise| Promise { array: column(promise.array), ..*promise }).collect();
    Cow::Owned(Backward { kernel: adjoint, sources, promises })
}

/// The sources of the columns of an adjoint of `kernel` with these `sources`, in terms of the columns of `kernel`.
pub fn of_sources(kernel: &VerifiedKernel, before: &[Source]) -> Vec<Source> {
    let columns = kernel.columns();
    let mut sources = Vec::new();
    for source in before {
        let each = |make: fn(ParamId) -> Source, id: ParamId| {
            columns[id.0 as usize].clone().map(move |id| make(ParamId(id as u32)))
        };
        match *source {
            Source::Primal(id) => sources.extend(each(Source::Primal, id)),
            Source::Result(id) => sources.extend(each(Source::Result, id)),
            Source::Winners(id) => sources.extend(each(Source::Winners, id)),
            Source::Adjoint(id) => sources.extend(each(Source::Adjoint, id)),
            Source::Counting => sources.push(Source::Counting),
        }
    }
    sources
}

/// The memory of values of type `ty`, where `columns` has those of each of its [`leaves`](Type::leaves). The bytes
/// between values are 0.
///
/// # Panics
/// If `ty` has a `usize`, or the columns are not those of whole values of this type.
pub fn pack(ty: Type, columns: &[&Data]) -> Vec<u8> {
    let Layout { size, values, .. } = ty.layout().expect("a struct in memory has no `usize`");
    let count = columns.first().map_or(0, |column| column.len() / values[0].1.components());
    let mut memory = vec![0; count * size];
    for ((offset, leaf), column) in values.into_iter().zip(columns) {
        let bytes = column.to_bytes().expect("a struct in memory has no `usize`");
        let width = leaf.layout().map_or(0, |leaf| leaf.size);
        for (element, value) in memory.chunks_exact_mut(size).zip(bytes.chunks_exact(width)) {
            element[offset..offset + width].copy_from_slice(value);
        }
    }
    memory
}

/// The columns of the values of type `ty` in `memory`, as [`pack`] writes them; `None` if a byte of a `bool` is neither
/// 0 nor 1.
///
/// # Panics
/// If `ty` has a `usize`.
pub fn unpack(ty: Type, memory: &[u8]) -> Option<Vec<Data>> {
    let Layout { size, values, .. } = ty.layout().expect("a struct in memory has no `usize`");
    let column = |(offset, leaf): (usize, Type)| {
        let width = leaf.layout().map_or(0, |leaf| leaf.size);
        let bytes: Vec<u8> =
            memory.chunks_exact(size).flat_map(|element| &element[offset..offset + width]).copied().collect();
        Data::from_bytes(leaf.scalar(), &bytes)
    };
    values.into_iter().map(column).collect()
}

/// The first number in the columns of values of type `ty` that is that of no variant of its enum, with the enum. `columns`
/// has those of each of its [`leaves`](Type::leaves).
pub fn number_of_no_variant(ty: Type, columns: &[&Data]) -> Option<(StructId, i64)> {
    if let Some(of) = ty.as_enum() {
        let numbers = columns.first()?.integers()?;
        let found = numbers.into_iter().find(|number| of.variant((*number).into()).is_none());
        return found.map(|number| (of, number));
    }
    let mut rest = columns;
    ty.fields().iter().find_map(|field| {
        let (own, others) = rest.split_at_checked(field.ty.leaves().len())?;
        rest = others;
        number_of_no_variant(field.ty, own)
    })
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

//! What a launch of the adjoint takes and gives, in terms of the launch of the kernel.

use super::backward::Source;
use crate::data::{Argument, Scalars};
use crate::ir::{Kernel, ParamId};

/// The arguments of the adjoint of `kernel` for a launch that turned `before` into `after`. `adjoints` has the adjoint of
/// each parameter after that launch, by number; what is missing is zero.
pub fn arguments<S, D>(
    kernel: &Kernel,
    sources: &[Source],
    before: &[Argument<S, D>],
    after: &[Argument<S, D>],
    mut adjoints: impl FnMut(ParamId) -> Option<Argument<S, D>>,
) -> Vec<Argument<S, D>>
where
    S: Clone + Default,
    D: Clone + Default,
{
    let argument = |source: &Source| match *source {
        Source::Primal(id) => before[id.0 as usize].clone(),
        Source::Result(id) => after[id.0 as usize].clone(),
        Source::Adjoint(id) => adjoints(id).unwrap_or_else(|| {
            let of = &before[id.0 as usize];
            let is_value = kernel.param(id).rank() == 0;
            Argument::zeros(of.ty, if is_value { &[1] } else { &of.shape })
        }),
    };
    sources.iter().map(argument).collect()
}

/// The gradients that `arguments` hold after the launch of the adjoint, with the parameter of each.
pub fn gradients<S, D>(
    sources: &[Source],
    extrema: &[ParamId],
    before: &[Argument<S, D>],
    after: &[Argument<S, D>],
    arguments: Vec<Argument<S, D>>,
) -> Vec<(ParamId, Argument<S, D>)>
where
    S: Clone + Default + PartialEq,
    D: Clone + Default + PartialEq,
{
    let gradient = |(source, mut argument): (&Source, Argument<S, D>)| {
        let Source::Adjoint(id) = *source else { return None };
        if extrema.contains(&id) {
            mask_min_max(&before[id.0 as usize], &after[id.0 as usize], &mut argument);
        }
        Some((id, argument))
    };
    sources.iter().zip(arguments).filter_map(gradient).collect()
}

/// Sets the adjoint of an array under `atomic_min` or `atomic_max` to zero where the launch has changed the array: the
/// value from before did not win there.
fn mask_min_max<S, D>(before: &Argument<S, D>, after: &Argument<S, D>, adjoint: &mut Argument<S, D>)
where
    S: Clone + Default + PartialEq,
    D: Clone + Default + PartialEq,
{
    fn clear<T: Default + PartialEq>(before: &[T], after: &[T], adjoint: &mut [T]) {
        for ((before, after), adjoint) in before.iter().zip(after).zip(adjoint) {
            if before != after {
                *adjoint = T::default();
            }
        }
    }
    match (&before.data, &after.data, &mut adjoint.data) {
        (Scalars::F32(before), Scalars::F32(after), Scalars::F32(adjoint)) => clear(before, after, adjoint),
        (Scalars::F64(before), Scalars::F64(after), Scalars::F64(adjoint)) => clear(before, after, adjoint),
        // No other type has an adjoint.
        _ => {}
    }
}

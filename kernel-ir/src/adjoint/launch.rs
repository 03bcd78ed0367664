//! The arguments and the gradients of an adjoint's launches, in terms of the launch of the original kernel.

use super::backward::Source;
use crate::data::{Argument, Scalars, Share};
use crate::ir::{Kernel, ParamId, Scalar, Type};

/// The arguments of the adjoint's first launch, where `before` and `after` are the arguments of the original launch
/// before and after it. `adjoints` gives the adjoint of a parameter after the original launch; a missing adjoint is
/// zero. [`launch`] runs the adjoint on these arguments.
pub fn arguments<S, D>(
    kernel: &Kernel,
    sources: &[Source],
    before: &[Argument<S, D>],
    after: &[Argument<S, D>],
    mut adjoints: impl FnMut(ParamId) -> Option<Argument<S, D>>,
) -> Vec<Argument<S, D>>
where
    S: Clone + Default + PartialEq,
    D: Clone + Default + PartialEq,
{
    let argument = |source: &Source| match *source {
        Source::Primal(id) => before[id.0 as usize].clone(),
        Source::Result(id) => after[id.0 as usize].clone(),
        Source::Counting => is_counting(true),
        Source::Winners(id) => first_winners(&before[id.0 as usize], &after[id.0 as usize]),
        Source::Adjoint(id) => adjoints(id).unwrap_or_else(|| {
            let of = &before[id.0 as usize];
            let is_value = kernel.param(id).rank() == 0;
            Argument::zeros(of.ty, if is_value { &[1] } else { &of.shape })
        }),
    };
    sources.iter().map(argument).collect()
}

/// Runs all launches of an adjoint on `args`, which [`arguments`] made. `run` runs one launch. An adjoint that counts
/// winners is run twice, in the phases of [`Source::Counting`]; any other adjoint is run once.
///
/// # Errors
/// The errors of `run`.
pub fn launch<S, D, E>(
    sources: &[Source],
    args: &mut [Argument<S, D>],
    mut run: impl FnMut(&mut [Argument<S, D>]) -> Result<(), E>,
) -> Result<(), E> {
    if let Some(phase) = sources.iter().position(|source| *source == Source::Counting) {
        run(args)?;
        args[phase] = is_counting(false);
    }
    run(args)
}

/// The gradients in `arguments` after the launches of the adjoint, each with its parameter of the original kernel.
pub fn gradients<S: Share, D: Share>(
    sources: &[Source],
    before: &[Argument<S, D>],
    after: &[Argument<S, D>],
    mut arguments: Vec<Argument<S, D>>,
) -> Vec<(ParamId, Argument<S, D>)> {
    let place = |of: Source| sources.iter().position(|source| *source == of);
    for (counts, source) in sources.iter().enumerate() {
        if let Source::Winners(id) = *source
            && let Some(adjoint) = place(Source::Adjoint(id))
            && let Ok([winners, adjoint]) = arguments.get_disjoint_mut([counts, adjoint])
        {
            share_of_before(&before[id.0 as usize], &after[id.0 as usize], winners, adjoint);
        }
    }
    let gradient = |(source, argument): (&Source, Argument<S, D>)| match *source {
        // A field of a struct that is no float has no gradient.
        Source::Adjoint(id) => argument.ty.is_float().then_some((id, argument)),
        Source::Primal(_) | Source::Result(_) | Source::Counting | Source::Winners(_) => None,
    };
    sources.iter().zip(arguments).filter_map(gradient).collect()
}

/// The argument for [`Source::Counting`].
fn is_counting<S, D>(counting: bool) -> Argument<S, D> {
    Argument { ty: Type::BOOL, shape: Vec::new(), data: Scalars::Bool(vec![counting]) }
}

/// The initial winner counts. The old value counts as a winner where the launch has left it unchanged.
fn first_winners<S: PartialEq, D: PartialEq>(before: &Argument<S, D>, after: &Argument<S, D>) -> Argument<S, D> {
    fn winners<T: PartialEq>(before: &[T], after: &[T]) -> Vec<u32> {
        before.iter().zip(after).map(|(before, after)| u32::from(before == after)).collect()
    }
    let winners = match (&before.data, &after.data) {
        (Scalars::F32(before), Scalars::F32(after)) => winners(before, after),
        (Scalars::F64(before), Scalars::F64(after)) => winners(before, after),
        // Only `f32` and `f64` have adjoints.
        _ => Vec::new(),
    };
    let ty = Type { scalar: Scalar::U32, ..before.ty };
    Argument { ty, shape: before.shape.clone(), data: Scalars::U32(winners) }
}

/// Turns the adjoint of an array under `atomic_min` or `atomic_max` after the launch into the adjoint before it. The
/// old value gets its share if it is a winner, and 0 otherwise.
fn share_of_before<S: Share, D: Share>(
    before: &Argument<S, D>,
    after: &Argument<S, D>,
    winners: &Argument<S, D>,
    adjoint: &mut Argument<S, D>,
) {
    fn share<T: Share>(before: &[T], after: &[T], winners: &[u32], adjoint: &mut [T]) {
        for (((before, after), winners), adjoint) in before.iter().zip(after).zip(winners).zip(adjoint) {
            *adjoint = if before == after { adjoint.share(*winners) } else { T::default() };
        }
    }
    let Scalars::U32(winners) = &winners.data else { return };
    match (&before.data, &after.data, &mut adjoint.data) {
        (Scalars::F32(before), Scalars::F32(after), Scalars::F32(adjoint)) => share(before, after, winners, adjoint),
        (Scalars::F64(before), Scalars::F64(after), Scalars::F64(adjoint)) => share(before, after, winners, adjoint),
        // Only `f32` and `f64` have adjoints.
        _ => {}
    }
}

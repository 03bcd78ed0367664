//! Acceptance tests of a generated kernel by execution.
//!
//! The kernel terminates without an error at several launch sizes. Its outputs are finite and not constant. They depend
//! on every input, and not on the order of the threads. Some launches reach every statement, also of the adjoint.

use crate::model::{Launch, Reason, all_finite, not_finite};
use kernel_ir::adjoint::Backward;
use kernel_ir::data::{Arg, Data};
use kernel_ir::gradcheck;
use kernel_ir::interp::{Coverage, check_races, row_major, run_covered, run_in_order, run_with};
use kernel_ir::ir::{Domain, Kernel, ParamKind};
use kernel_ir::sample::{self, Style};
use kernel_ir::verify::VerifiedKernel;
use std::ops::Range;

/// The reason for a rejection, with a sentence.
pub(super) type Failure = (Reason, String);

/// The limit on the loop trips of a launch.
const TRIPS: u64 = 60_000;
/// That of a launch over blocks, where each thread of a phase is a trip.
const TRIPS_OF_BLOCKS: u64 = 600_000;
/// The relative difference that is allowed between floats that are added up in another order.
const ORDER: f64 = 1e-3;
/// The number of draws of an input before it counts as dead.
const DRAWS: u64 = 5;

/// The number of launches that must reach every statement.
const REACHES: u64 = 15;

/// The number of launches.
const LAUNCHES: usize = 3;

/// The launch sizes: one thread, an odd number, one more than a warp; uneven boxes for more axes. A block has many threads,
/// so few blocks are enough.
fn launches(kernel: &Kernel) -> &'static [&'static [usize]; LAUNCHES] {
    match kernel.dim {
        1 if kernel.block.is_some() => &[&[1], &[2], &[5]],
        1 => &[&[1], &[7], &[33]],
        2 => &[&[1, 1], &[3, 4], &[5, 7]],
        3 => &[&[1, 1, 1], &[2, 3, 2], &[3, 2, 5]],
        _ => &[&[1, 1, 1, 1], &[2, 1, 3, 2], &[2, 3, 2, 3]],
    }
}

/// Tests `kernel` on inputs drawn by `seed`. `groups` are the parameters that belong together, as the fields of a struct do.
/// Returns the groups that change no output; if there are any, no further test is made.
///
/// # Errors
/// The first test that fails.
pub(super) fn prove(kernel: &VerifiedKernel, groups: &[Range<usize>], seed: u64) -> Result<Vec<usize>, Failure> {
    let [smallest, small, large] = launches(kernel);
    launch(kernel, kernel, smallest, seed)?;
    // Few threads show most failures, and cost little.
    let present = with_all_arrays(kernel);
    let launched = launch(kernel, &present, small, seed ^ 1)?;
    let dead = dead_inputs(kernel, groups, &present, small, seed, launched)?;
    if !dead.is_empty() {
        return Ok(dead);
    }
    if present != **kernel {
        // One of two launches with consecutive seeds lacks an array that may be absent.
        launch(kernel, kernel, small, seed & !1)?;
        launch(kernel, kernel, small, seed | 1)?;
    }
    let (before, after) = launch(kernel, &present, large, seed ^ 2)?;
    outputs_say_something(kernel, &before, &after)?;
    order_is_free(kernel, large, &before, &after)?;
    Ok(Vec::new())
}

/// The kernel in a form from which samples draw every array, also those that a launch may leave out.
fn with_all_arrays(kernel: &Kernel) -> Kernel {
    let mut present = kernel.clone();
    for param in &mut present.params {
        if let ParamKind::Array { optional, .. } = &mut param.kind {
            *optional = false;
        }
    }
    present
}

/// Makes a launch that must terminate with finite outputs, with arguments for the parameters of `drawn`. Returns the
/// arguments before and after it.
fn launch(kernel: &VerifiedKernel, drawn: &Kernel, dim: &[usize], seed: u64) -> Result<(Vec<Arg>, Vec<Arg>), Failure> {
    let before = sample::args(drawn, dim, seed).map_err(|why| (Reason::NoInputs, why))?;
    let mut after = before.clone();
    run(kernel, dim, &mut after)?;
    match not_finite(kernel, dim, &before, &after) {
        None => Ok((before, after)),
        Some(why) => Err((Reason::NotFinite, why)),
    }
}

fn run(kernel: &VerifiedKernel, dim: &[usize], args: &mut [Arg]) -> Result<(), Failure> {
    run_with::<f32, f64>(kernel, dim, args, trips(kernel))
        .map_err(|fault| (Reason::Fault, format!("launch {dim:?}, thread {:?}: {}", fault.thread, fault.message)))
}

fn trips(kernel: &Kernel) -> u64 {
    if kernel.block.is_some() { TRIPS_OF_BLOCKS } else { TRIPS }
}

/// Tests that every output changes and is not constant.
fn outputs_say_something(kernel: &VerifiedKernel, before: &[Arg], after: &[Arg]) -> Result<(), Failure> {
    for ((param, before), after) in kernel.params.iter().zip(before).zip(after) {
        if param.is_mutable() && before == after {
            return Err((Reason::NothingWritten, format!("no thread changes `{}`", param.name)));
        }
        if param.is_mutable() && after.len() > 4 && is_constant(after) {
            return Err((Reason::ConstantOutput, format!("`{}` is the same everywhere", param.name)));
        }
    }
    Ok(())
}

fn is_constant(arg: &Arg) -> bool {
    let parts = arg.ty.components();
    fn all_like_first<T: PartialEq>(data: &[T], parts: usize) -> bool {
        data.chunks_exact(parts).all(|element| element == &data[..parts])
    }
    match &arg.data {
        Data::Bool(data) => all_like_first(data, parts),
        Data::I8(data) => all_like_first(data, parts),
        Data::U8(data) => all_like_first(data, parts),
        Data::I16(data) => all_like_first(data, parts),
        Data::U16(data) => all_like_first(data, parts),
        Data::I32(data) => all_like_first(data, parts),
        Data::U32(data) => all_like_first(data, parts),
        Data::I64(data) => all_like_first(data, parts),
        Data::U64(data) => all_like_first(data, parts),
        Data::Index(data) => all_like_first(data, parts),
        Data::F16(data) | Data::BF16(data) | Data::F32(data) => all_like_first(data, parts),
        Data::F64(data) => all_like_first(data, parts),
    }
}

/// Tests that no two threads, of a block or of two, access an element that one of them writes.
///
/// # Errors
/// The first race.
pub(super) fn no_races(kernel: &VerifiedKernel, seed: u64) -> Result<(), Failure> {
    let [_, small, _] = launches(kernel);
    let mut args = sample::args(kernel, small, seed).map_err(|why| (Reason::NoInputs, why))?;
    check_races(kernel, small, &mut args).map_err(|fault| (Reason::OrderDependent, fault.message))
}

/// Tests that the order of threads does not matter where they meet in atomics.
fn order_is_free(kernel: &VerifiedKernel, dim: &[usize], before: &[Arg], after: &[Arg]) -> Result<(), Failure> {
    let mut meets = false;
    kernel.walk_stmts(&mut |stmt| meets |= stmt.atomic().is_some());
    if !meets {
        return Ok(());
    }
    let mut backwards = before.to_vec();
    run_in_order::<f32, f64>(kernel, dim, &mut backwards, trips(kernel), row_major(dim).rev())
        .map_err(|fault| (Reason::Fault, fault.message))?;
    for ((param, a), b) in kernel.params.iter().zip(after).zip(&backwards) {
        if !is_close(&a.data, &b.data) {
            return Err((Reason::OrderDependent, format!("`{}` depends on the order of the threads", param.name)));
        }
    }
    Ok(())
}

fn is_close(a: &Data, b: &Data) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= ORDER * a.abs().max(b.abs()).max(1.0);
    match (a, b) {
        (Data::F32(a), Data::F32(b)) => a.iter().zip(b).all(|(a, b)| near(f64::from(*a), f64::from(*b))),
        (Data::F64(a), Data::F64(b)) => a.iter().zip(b).all(|(a, b)| near(*a, *b)),
        (a, b) => a == b,
    }
}

/// The inputs that change no output when they are drawn again: none of `launched`, and none of other launches of the same size.
/// Of a struct, one field is enough, because kernels rarely need them all.
fn dead_inputs(
    kernel: &VerifiedKernel,
    groups: &[Range<usize>],
    present: &Kernel,
    dim: &[usize],
    seed: u64,
    mut launched: (Vec<Arg>, Vec<Arg>),
) -> Result<Vec<usize>, Failure> {
    let mut alive = vec![false; kernel.params.len()];
    for (place, param) in kernel.params.iter().enumerate() {
        // An output that starts as zeros is no input. An extent shows in the shapes.
        alive[place] = (param.is_mutable() && param.domain.is_none()) || is_size(kernel, place);
    }
    for number in 0..DRAWS {
        if dead_groups(groups, &alive).next().is_none() {
            break;
        }
        if number > 0 {
            launched = launch(kernel, present, dim, seed ^ (number + 1))?;
        }
        let (first, expected) = &launched;
        let pinned = with_sizes(present, first);
        let other = sample::args(&pinned, dim, !seed ^ (number + 1)).map_err(|why| (Reason::NoInputs, why))?;
        for place in 0..alive.len() {
            if alive[place] {
                continue;
            }
            let mut found = first.clone();
            replace(&mut found[place], &other[place]);
            if found[place] == first[place] {
                continue;
            }
            run(kernel, dim, &mut found)?;
            let mut pairs = kernel.params.iter().zip(&found).zip(expected);
            alive[place] = pairs.any(|((param, found), expected)| param.is_mutable() && found != expected);
        }
    }
    Ok(dead_groups(groups, &alive).collect())
}

/// The groups without a live parameter.
fn dead_groups<'a>(groups: &'a [Range<usize>], alive: &'a [bool]) -> impl Iterator<Item = usize> + 'a {
    let is_dead = |place: &usize| !alive[groups[*place].clone()].contains(&true);
    (0..groups.len()).filter(move |place| is_dead(place))
}

/// The kernel with its extents fixed to those of `args`, so that other values are drawn for arrays of the same extents.
fn with_sizes(kernel: &Kernel, args: &[Arg]) -> Kernel {
    let mut pinned = kernel.clone();
    for place in (0..args.len()).filter(|place| is_size(kernel, *place)) {
        if let Some(size) = size_of(&args[place].data) {
            pinned.params[place].domain = Some(Domain::ints(size, size + 1));
        }
    }
    pinned
}

/// The value of an extent parameter.
fn size_of(data: &Data) -> Option<i64> {
    match data {
        Data::I8(data) => data.first().map(|size| i64::from(*size)),
        Data::U8(data) => data.first().map(|size| i64::from(*size)),
        Data::I16(data) => data.first().map(|size| i64::from(*size)),
        Data::U16(data) => data.first().map(|size| i64::from(*size)),
        Data::I32(data) => data.first().map(|size| i64::from(*size)),
        Data::U32(data) => data.first().map(|size| i64::from(*size)),
        Data::I64(data) => data.first().copied(),
        Data::U64(data) => data.first().and_then(|size| i64::try_from(*size).ok()),
        Data::Index(data) => data.first().and_then(|size| i64::try_from(*size).ok()),
        Data::Bool(_) | Data::F16(_) | Data::BF16(_) | Data::F32(_) | Data::F64(_) => None,
    }
}

/// Replaces the values of `arg` by those of `other`, which are repeated if there are fewer. The extents stay.
fn replace(arg: &mut Arg, other: &Arg) {
    fn cycle<T: Copy>(values: &mut [T], others: &[T]) {
        for (value, other) in values.iter_mut().zip(others.iter().cycle()) {
            *value = *other;
        }
    }
    match (&mut arg.data, &other.data) {
        (Data::Bool(a), Data::Bool(b)) => cycle(a, b),
        (Data::I8(a), Data::I8(b)) => cycle(a, b),
        (Data::U8(a), Data::U8(b)) => cycle(a, b),
        (Data::I16(a), Data::I16(b)) => cycle(a, b),
        (Data::U16(a), Data::U16(b)) => cycle(a, b),
        (Data::I32(a), Data::I32(b)) => cycle(a, b),
        (Data::U32(a), Data::U32(b)) => cycle(a, b),
        (Data::I64(a), Data::I64(b)) => cycle(a, b),
        (Data::U64(a), Data::U64(b)) => cycle(a, b),
        (Data::Index(a), Data::Index(b)) => cycle(a, b),
        (Data::F16(a), Data::F16(b)) | (Data::BF16(a), Data::BF16(b)) | (Data::F32(a), Data::F32(b)) => cycle(a, b),
        (Data::F64(a), Data::F64(b)) => cycle(a, b),
        _ => {}
    }
}

/// Tests that a few launches reach every statement of the kernel and of its adjoint. A record needs that of its own
/// launches, and draws many if it is not so.
///
/// # Errors
/// A statement that no launch reaches.
pub(super) fn everything_is_reached(
    kernel: &VerifiedKernel,
    backward: Option<&Backward>,
    seed: u64,
) -> Result<(), Failure> {
    let [.., dim] = *launches(kernel);
    let mut forward = Coverage::none(kernel);
    let mut adjoint = backward.map(|backward| (backward, Coverage::none(&backward.kernel)));
    for draw in 0..REACHES {
        let style = Style::ALL[draw as usize % Style::ALL.len()];
        // Consecutive seeds leave other arrays out.
        let seed = seed.wrapping_add(draw);
        let Ok(before) = sample::args_in_style(kernel, dim, seed, style) else { continue };
        let mut after = before.clone();
        let Ok(reached) = run_covered(kernel, dim, &mut after) else { continue };
        if !all_finite(&after) {
            continue;
        }
        forward.add(kernel, &reached);
        if let Some((backward, coverage)) = &mut adjoint {
            let launch = Launch { dim: dim.to_vec(), before, after };
            let weights = |id| gradcheck::weights(kernel, &launch.before, seed, id);
            let Ok(launches) = launch.backward(kernel, backward, weights) else { continue };
            for launch in launches.iter() {
                if let Ok(reached) = run_covered(&backward.kernel, dim, &mut launch.before.clone()) {
                    coverage.add(&backward.kernel, &reached);
                }
            }
        }
        let is_whole = |coverage: &Coverage, kernel: &VerifiedKernel| coverage.missing(kernel).next().is_none();
        if is_whole(&forward, kernel) && adjoint.iter().all(|(backward, of)| is_whole(of, &backward.kernel)) {
            return Ok(());
        }
    }
    let missing = forward.missing(kernel).map(|region| format!("no thread reaches {}", region.words)).next();
    let of_adjoint = || {
        let (backward, coverage) = adjoint.as_ref()?;
        coverage
            .missing(&backward.kernel)
            .map(|region| format!("no thread of the adjoint reaches {}", region.words))
            .next()
    };
    Err((Reason::NotCovered, missing.or_else(of_adjoint).unwrap_or_default()))
}

/// Whether shapes or domains of other parameters depend on the parameter at `place`.
fn is_size(kernel: &Kernel, place: usize) -> bool {
    kernel
        .params
        .iter()
        .flat_map(|param| param.sizes())
        .any(|size| size.params().iter().any(|id| id.0 as usize == place))
}

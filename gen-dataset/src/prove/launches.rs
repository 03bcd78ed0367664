//! The launches of a record: their sizes, and the seeds of their inputs.
//!
//! A seed is `example << 40 | round << 32 | draw`. A round draws inputs until a launch changes something; the next
//! round starts if that launch is ill-conditioned. `check` repeats the search, so the limits are part of the format of
//! a record.

use crate::model::{ExampleSettings, Failure, LAUNCHES, Launch, Reason, run_interpreter};
use kernel_ir::data::Arg;
use kernel_ir::ir::Kernel;
use kernel_ir::sample;
use kernel_ir::verify::VerifiedKernel;

/// The number of draws within a round until a launch changes something.
const DRAWS: u64 = 16;

/// The number of rounds until a launch is well-conditioned.
pub(crate) const ROUNDS: u64 = 8;

/// The default size of the first example's launch. It is small, so that records stay small. Its extents differ, so that
/// a kernel that swaps two axes gives wrong results. A block has many threads.
fn launch_size(kernel: &Kernel) -> &'static [usize] {
    match kernel.dim {
        1 if kernel.block.is_some() => &[4],
        1 => &[16],
        2 => &[4, 5],
        3 => &[2, 3, 4],
        _ => &[2, 3, 2, 2],
    }
}

/// The bits that are set in the seeds of example `number`, and that distinguish them from the seeds of other examples.
pub(crate) fn example_bits(number: u64) -> u64 {
    number << 40
}

/// The launch sizes of the examples of a kernel: those of `settings` with its number of axes, or defaults, repeated as often
/// as needed.
pub(crate) fn example_sizes(kernel: &Kernel, settings: &ExampleSettings) -> Vec<Vec<usize>> {
    let fits = |size: &&[usize]| size.len() == usize::from(kernel.dim);
    let given: Vec<&[usize]> = settings.sizes.iter().map(Vec::as_slice).filter(fits).collect();
    let own = || std::iter::once(launch_size(kernel)).chain(shapes(kernel).iter().copied()).collect();
    let sizes: Vec<&[usize]> = if given.is_empty() { own() } else { given };
    let count = usize::try_from(settings.count).unwrap_or(usize::MAX);
    sizes.into_iter().cycle().take(count).map(<[usize]>::to_vec).collect()
}

/// The sizes of the trials: one thread; one less than a warp, a warp, one more; one that is odd along every axis. Of blocks,
/// which have edges of their own, there are fewer.
pub(crate) fn shapes(kernel: &Kernel) -> &'static [&'static [usize]; LAUNCHES] {
    match kernel.dim {
        1 if kernel.block.is_some() => &[&[1], &[2], &[3], &[9], &[5]],
        1 => &[&[1], &[31], &[32], &[33], &[7]],
        2 => &[&[1, 1], &[1, 31], &[4, 8], &[3, 11], &[5, 7]],
        3 => &[&[1, 1, 1], &[1, 1, 31], &[2, 4, 4], &[3, 1, 11], &[3, 2, 5]],
        _ => &[&[1, 1, 1, 1], &[1, 1, 1, 31], &[2, 2, 2, 4], &[1, 3, 1, 11], &[2, 3, 2, 3]],
    }
}

/// The arguments before and after a launch that changes something: the first such launch of those that `seed` draws. A
/// size drawn as 0 gives a launch without effect, which is no example.
pub(crate) fn launch(kernel: &VerifiedKernel, dim: &[usize], seed: impl Fn(u64) -> u64) -> Result<Launch, Failure> {
    for draw in 0..DRAWS {
        let before = sample::args(kernel, dim, seed(draw)).map_err(|why| (Reason::NoInputs, why))?;
        let mut after = before.clone();
        run_interpreter(kernel, dim, &mut after).map_err(|fault| (Reason::Fault, fault))?;
        if after != before {
            return Ok(Launch { dim: dim.to_vec(), before, after });
        }
    }
    Err((Reason::NothingWritten, format!("{DRAWS} launches changed no output")))
}

/// The seed by which the adjoints of the outputs were drawn. `None` if [`well_conditioned_launch`] cannot draw the
/// inputs `before` from these seeds.
///
/// [`well_conditioned_launch`]: super::make::well_conditioned_launch
pub(crate) fn drawn_by(
    kernel: &VerifiedKernel,
    dim: &[usize],
    before: &[Arg],
    seed: impl Fn(u64) -> u64,
) -> Option<u64> {
    let is_drawn = |draw| sample::args(kernel, dim, seed(draw)).is_ok_and(|drawn| drawn == before);
    let round = (0..ROUNDS).find(|round| (0..DRAWS).any(|draw| is_drawn(round << 32 | draw)))?;
    Some(seed(round << 32))
}

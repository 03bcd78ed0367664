//! The launches of a record: their sizes, and how their inputs are drawn.

use crate::model::{ExampleSettings, Failure, LAUNCHES, Launch, Reason, run_interpreter};
use kernel_ir::data::Arg;
use kernel_ir::sample;
use kernel_ir::verify::VerifiedKernel;

/// How many times inputs are drawn until a launch changes something.
const DRAWS: u64 = 16;

/// How many times inputs are drawn for a launch that is well-conditioned.
pub(crate) const ROUNDS: u64 = 8;

/// The size of the example's launch: small, with different extents, so that a record stays small and a kernel that
/// mixes up its axes gives itself away.
fn launch_size(axes: u8) -> &'static [usize] {
    match axes {
        1 => &[16],
        2 => &[4, 5],
        3 => &[2, 3, 4],
        _ => &[2, 3, 2, 2],
    }
}

/// What the seeds of the example of this number have: those of others are not among them.
pub(crate) fn example_bits(number: u64) -> u64 {
    number << 40
}

/// The launch sizes of the examples of a kernel with so many axes.
pub(crate) fn example_sizes(axes: u8, settings: &ExampleSettings) -> Vec<Vec<usize>> {
    let given: Vec<&[usize]> =
        settings.sizes.iter().map(Vec::as_slice).filter(|size| size.len() == usize::from(axes)).collect();
    let own = || std::iter::once(launch_size(axes)).chain(shapes(axes).iter().copied()).collect();
    let sizes: Vec<&[usize]> = if given.is_empty() { own() } else { given };
    let count = usize::try_from(settings.count).unwrap_or(usize::MAX);
    sizes.into_iter().cycle().take(count).map(<[usize]>::to_vec).collect()
}

/// Launch sizes: one thread; one less than a warp, a warp, one more; one that is uneven along every axis.
pub(crate) fn shapes(axes: u8) -> &'static [&'static [usize]; LAUNCHES] {
    match axes {
        1 => &[&[1], &[31], &[32], &[33], &[7]],
        2 => &[&[1, 1], &[1, 31], &[4, 8], &[3, 11], &[5, 7]],
        3 => &[&[1, 1, 1], &[1, 1, 31], &[2, 4, 4], &[3, 1, 11], &[3, 2, 5]],
        _ => &[&[1, 1, 1, 1], &[1, 1, 1, 31], &[2, 2, 2, 4], &[1, 3, 1, 11], &[2, 3, 2, 3]],
    }
}

/// The arguments before and after a launch that changes something: the first of the draws whose seeds `seed` gives. A
/// size that is drawn as 0 gives launches that do nothing, which teach nothing.
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

/// The seed that the adjoints of the outputs are drawn by, if `before` are inputs that `well_conditioned_launch` draws of these seeds.
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

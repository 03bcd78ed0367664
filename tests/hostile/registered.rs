//! The adjoints of all registered kernels on hostile numbers: the CPU version bit for bit, and launches for the judge
//! that compiles the C++ and CUDA texts for the host. The adjoints of outputs that are not finite are zero.

use super::numbers::hostile_sparingly;
use crate::judges::{backward_by, case_of, sampled};
use gen_dataset::judges::{Case, Launch};
use kernel_ir::data::{Arg, Data};
use kernel_ir::interp::Std;
use kernel_ir::ir::{Kernel, ParamId};
use kernel_ir::{adjoint, gradcheck, interp, sample};
use kernel_rt::{BackwardInfo, KernelInfo, registered_kernels};
use tests::{adjoint_as_data, compare, is_finite, report};

const SEEDS: std::ops::Range<u64> = 0..2;

/// The most trips of a launch. Where a hostile number keeps a loop from its end, the launch ends early; the limit of the
/// interpreter would take minutes.
const TRIPS: u64 = 1 << 20;

/// A launch of a long kernel with many hostile numbers mostly has an infinite gradient. It is drawn again with fewer of them.
const SPARING: [usize; 4] = [1, 4, 16, 64];

/// The outcomes of launches.
#[derive(Default)]
pub(crate) struct Counts {
    held: usize,
    /// The number of launches that end early, because an index or a trip count comes from a hostile number.
    ended: usize,
    /// The number of launches whose gradient is not finite.
    infinite: usize,
}

impl Counts {
    /// Asserts that at most the share `most` of the launches end early or have a gradient that is not finite.
    pub(crate) fn conclude(&self, what: &str, most: f64) {
        let Counts { held, ended, infinite } = self;
        report(&format!("{what}: {held} launches hold, {ended} end early, {infinite} have infinite gradients"));
        let lost = (ended + infinite) as f64;
        assert!(lost <= most * (*held as f64 + lost), "too little is compared");
    }
}

/// A launch of a kernel on hostile numbers; `None` if it does not terminate. The interpreter uses std's math functions if
/// `over_std`.
fn launch(case: &Case, seed: u64, sparing: usize, over_std: bool) -> Option<Launch> {
    let dim = vec![if case.kernel.dim == 1 { 9 } else { 3 }; case.kernel.dim.into()];
    let args = sample::args(&case.kernel, &dim, seed).unwrap_or_else(|why| panic!("{}: {why}", case.name));
    let before = hostile_sparingly(&args, seed, sparing);
    let mut after = before.clone();
    if over_std {
        let mut args: Vec<_> = after.iter().map(|arg| arg.map_floats(|x| Std(*x), |x| Std(*x))).collect();
        interp::run_with(&case.kernel, &dim, &mut args, TRIPS).ok()?;
        after = args.iter().map(|arg| arg.map_floats(|x| x.0, |x| x.0)).collect();
    } else {
        interp::run_with(&case.kernel, &dim, &mut after, TRIPS).ok()?;
    }
    Some(Launch { dim, before, after })
}

/// The adjoints of the outputs: random weights where the output is finite, else zero.
fn weights(case: &Case, launch: &Launch, id: ParamId) -> Option<Arg> {
    fn only_finite<T: Copy + Default>(weights: &mut [T], results: &[T], is_finite: fn(T) -> bool) {
        weights.iter_mut().zip(results).filter(|(_, result)| !is_finite(**result)).for_each(|(weight, _)| {
            *weight = T::default();
        });
    }
    let mut weights = gradcheck::weights(&case.kernel, &launch.before, 0, id)?;
    match (&mut weights.data, &launch.after[id.0 as usize].data) {
        (Data::F16(weights), Data::F16(results))
        | (Data::BF16(weights), Data::BF16(results))
        | (Data::F32(weights), Data::F32(results)) => only_finite(weights, results, f32::is_finite),
        (Data::F64(weights), Data::F64(results)) => only_finite(weights, results, f64::is_finite),
        _ => {}
    }
    Some(weights)
}

fn with_adjoints() -> impl Iterator<Item = (&'static KernelInfo, BackwardInfo)> {
    sampled(registered_kernels()).into_iter().filter_map(|info| Some((info, info.backward?)))
}

fn is_result_finite(kernel: &Kernel, launch: &Launch) -> bool {
    kernel.params.iter().zip(&launch.after).all(|(param, arg)| !param.is_mutable() || is_finite(&arg.data))
}

#[test]
fn the_cpu_has_the_bits_of_the_interpreter() {
    let (mut counts, mut failures) = (Counts::default(), Vec::new());
    for (info, backward) in with_adjoints() {
        let case = case_of(info);
        let adjoint = adjoint_as_data(info);
        for seed in SEEDS {
            let Some(launch) = launch(&case, seed, 1, true) else {
                counts.ended += 1;
                continue;
            };
            let Launch { dim, before, after } = &launch;
            let mut args =
                adjoint::arguments(&case.kernel, &adjoint.sources, before, after, |id| weights(&case, &launch, id));
            let outcome = adjoint::launch(&adjoint.sources, &mut args, |args| {
                let mut by_cpu = args.to_vec();
                (backward.cpu)(dim, &mut by_cpu).map_err(|error| error.to_string())?;
                interp::run_over_std(&adjoint.kernel, dim, args).map_err(|fault| format!("{fault:?}"))?;
                compare(&adjoint.kernel, &by_cpu, args)
            });
            counts.held += usize::from(outcome.is_ok());
            failures.extend(outcome.err().map(|why| format!("{} {:?}: {why}", case.name, before)));
        }
    }
    assert!(failures.is_empty(), "{} launches differ:\n{}", failures.len(), failures.join("\n"));
    counts.conclude("adjoints on the CPU at hostile numbers", 0.05);
}

/// Launches with finite gradients of the adjoint of a registered kernel, for the judge that compiles its texts.
pub(crate) fn adjoint_launches(info: &KernelInfo, backward: &BackwardInfo, counts: &mut Counts) -> Vec<Launch> {
    let (case, mut launches) = (case_of(info), Vec::new());
    for seed in SEEDS {
        let mut ends = false;
        let finite = SPARING.into_iter().find_map(|sparing| {
            let launch = launch(&case, seed, sparing, false)?;
            ends = true;
            finite_adjoint(&case, backward, launch)
        });
        match finite {
            Some(launch) => launches.push(launch),
            None if ends => counts.infinite += 1,
            None => counts.ended += 1,
        }
    }
    counts.held += launches.len();
    launches
}

/// The launch of the adjoint that follows from `launch`; `None` if the gradient is not finite.
fn finite_adjoint(case: &Case, backward: &BackwardInfo, launch: Launch) -> Option<Launch> {
    let case = Case { launches: vec![launch], ..case.clone() };
    let Case { kernel, mut launches, .. } = backward_by(&case, backward, |launch, id| weights(&case, launch, id));
    // The judge repeats each launch with poison in the arrays that are written.
    launches.pop().filter(|launch| {
        is_result_finite(&kernel, launch)
            && launch.poisoned(&kernel).is_none_or(|again| is_result_finite(&kernel, &again))
    })
}

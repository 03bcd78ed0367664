//! The interpreter over the IR, compared with the CPU program that rustc compiled from the author's body.

use kernel_ir::analysis::LANES;
use kernel_ir::data::Arg;
use kernel_ir::verify::VerifiedKernel;
use kernel_ir::{adjoint, gradcheck, interp, sample};
use kernel_rt::{CpuVersion, KernelInfo};
use tests::{adjoint_as_data, as_data, compare, is_finite, report, selected};

const SEEDS: std::ops::Range<u64> = 0..3;

#[test]
fn interpreter_and_cpu_agree_on_every_kernel() {
    let mut tally = Tally::default();
    for info in selected(1) {
        let kernel = as_data(info);
        for (dim, args, place) in launches(info, &kernel) {
            tally.compare(&kernel, info.cpu, &dim, &args, &place);
        }
    }
    tally.conclude("parity");
}

#[test]
fn interpreter_and_cpu_agree_on_every_adjoint() {
    let mut tally = Tally::default();
    for info in selected(1) {
        let Some(backward) = &info.backward else { continue };
        let (kernel, adjoint) = (as_data(info), adjoint_as_data(info));
        let sources = &adjoint.sources;
        for (dim, before, place) in launches(info, &kernel) {
            let mut after = before.clone();
            interp::run_over_std(&kernel, &dim, &mut after).unwrap_or_else(|fault| panic!("{place}: {fault:?}"));
            let weights = |id| gradcheck::weights(&kernel, &before, 0, id);
            let mut args = adjoint::arguments(&kernel, sources, &before, &after, weights);
            adjoint::launch(sources, &mut args, |args| {
                tally.compare(&adjoint.kernel, backward.cpu, &dim, args, &place);
                interp::run_over_std(&adjoint.kernel, &dim, args)
            })
            .unwrap_or_else(|fault| panic!("{place}: {fault:?}"));
        }
    }
    tally.conclude("parity of adjoints");
}

/// Every launch worth testing of a kernel, with a name.
fn launches(info: &KernelInfo, kernel: &VerifiedKernel) -> Vec<(Vec<usize>, Vec<Arg>, String)> {
    let mut dims = sample::dims(kernel);
    // A launch with whole groups of threads in lockstep, and some threads more.
    let is_in_step = |how: &str| how.contains("in step");
    if is_in_step(info.execution) || info.backward.is_some_and(|backward| is_in_step(backward.execution)) {
        let mut dim = vec![2; usize::from(kernel.dim) - 1];
        dim.push(2 * LANES + 3);
        dims.push(dim);
    }
    let all = dims.into_iter().flat_map(|dim| SEEDS.map(move |seed| (dim.clone(), seed)));
    all.map(|(dim, seed)| {
        let args = sample::args(kernel, &dim, seed).unwrap_or_else(|why| panic!("{}: {why}", info.name));
        let place = format!("{}::{} {dim:?} seed {seed}", info.family, info.name);
        (dim, args, place)
    })
    .collect()
}

/// The results of comparisons.
#[derive(Default)]
struct Tally {
    launches: usize,
    failures: Vec<String>,
}

impl Tally {
    fn compare(&mut self, kernel: &VerifiedKernel, cpu: CpuVersion, dim: &[usize], args: &[Arg], place: &str) {
        let (mut by_cpu, mut by_interp) = (args.to_vec(), args.to_vec());
        self.launches += 1;
        let found = cpu(dim, &mut by_cpu).map_err(|error| error.to_string()).and_then(|()| {
            interp::run_over_std(kernel, dim, &mut by_interp).map_err(|fault| format!("{fault:?}"))?;
            compare(kernel, &by_cpu, &by_interp)
        });
        self.failures.extend(found.err().map(|why| format!("{place}: {why}")));
    }

    fn conclude(&self, what: &str) {
        let Tally { launches, failures } = self;
        assert!(failures.is_empty(), "{} of {launches} launches differ:\n{}", failures.len(), failures.join("\n"));
        report(&format!("{what}: {launches} launches agree to the bit"));
        assert!(*launches > 0, "no kernel is registered");
    }
}

#[test]
fn results_are_finite_over_the_domains() {
    for info in selected(1) {
        let kernel = as_data(info);
        for dim in sample::dims(&kernel) {
            let mut args = sample::args(&kernel, &dim, 7).unwrap_or_else(|why| panic!("{}: {why}", info.name));
            if let Err(fault) = interp::run(&kernel, &dim, &mut args) {
                panic!("{}: {fault:?}", info.name);
            }
            for (param, arg) in kernel.params.iter().zip(&args).filter(|(param, _)| param.is_mutable()) {
                assert!(is_finite(&arg.data), "{} {dim:?}: `{}` is not finite", info.name, param.name);
            }
        }
    }
}

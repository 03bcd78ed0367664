//! The interpreter over the IR against the CPU program, which rustc made of the author's own body.

use kernel_ir::{interp, sample};
use kernel_rt::registered_kernels;
use tests::{Agreement, checked, compare, is_finite, report};

const SEEDS: std::ops::Range<u64> = 0..3;

#[test]
fn interpreter_and_cpu_agree_on_every_kernel() {
    let mut launches = 0;
    let mut inexact = 0;
    let mut failures = Vec::new();
    for info in registered_kernels() {
        let kernel = checked(info);
        let agreement = Agreement::of(&kernel);
        for dim in sample::dims(&kernel) {
            for seed in SEEDS {
                let args = sample::args(&kernel, &dim, seed).unwrap_or_else(|why| panic!("{}: {why}", info.name));
                let (mut by_cpu, mut by_interp) = (args.clone(), args);
                let place = format!("{}::{} {dim:?} seed {seed}", info.family, info.name);
                if let Err(error) = (info.cpu)(&dim, &mut by_cpu) {
                    failures.push(format!("{place}: {error}"));
                    continue;
                }
                if let Err(fault) = interp::run(&kernel, &dim, &mut by_interp) {
                    failures.push(format!("{place}: {fault:?}"));
                    continue;
                }
                match compare(&kernel, &by_cpu, &by_interp, agreement) {
                    Ok(worst) => inexact += usize::from(worst > 0),
                    Err(difference) => failures.push(format!("{place}: {difference}")),
                }
                launches += 1;
            }
        }
    }
    assert!(failures.is_empty(), "{} of {launches} launches differ:\n{}", failures.len(), failures.join("\n"));
    report(&format!("parity: {launches} launches agree, {inexact} of them not to the bit"));
    assert!(launches > 0, "no kernel is registered");
}

#[test]
fn results_are_finite_over_the_domains() {
    for info in registered_kernels() {
        let kernel = checked(info);
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

//! The adjoint of every registered kernel against dual numbers.

use crate::random::check::{self, Backward, Failure, Launch, adjoint_holds};
use kernel_ir::adjoint::{self, Source};
use kernel_ir::check::CheckedKernel;
use kernel_ir::{sample, text};
use kernel_rt::registered_kernels;
use tests::{checked, report};

pub(crate) fn backward(kernel: &CheckedKernel) -> Backward {
    match adjoint::backward(kernel) {
        Ok(backward) => {
            let sources = backward.sources.iter().map(|source| match *source {
                Source::Primal(id) | Source::Result(id) => check::Source::Primal(id),
                Source::Adjoint(id) => check::Source::Adjoint(id),
            });
            Ok((backward.kernel, sources.collect()))
        }
        Err(mistakes) => Err(mistakes.iter().map(|mistake| mistake.message.clone()).collect::<Vec<_>>().join("; ")),
    }
}

#[test]
fn adjoints_are_transposed_derivatives() {
    let (mut held, mut refused, mut failures) = (0, Vec::new(), Vec::new());
    for info in registered_kernels() {
        let kernel = checked(info);
        let name = format!("{}::{}", info.family, info.name);
        for dim in sample::dims(&kernel) {
            for seed in 0..3 {
                let args = sample::args(&kernel, &dim, seed).unwrap_or_else(|why| panic!("{}: {why}", info.name));
                let launch = Launch { dim: &dim, args: &args, trips: 1 << 27, seed };
                match adjoint_holds(&kernel, backward, launch) {
                    Ok(_) => held += 1,
                    Err(Failure::Refused(why)) => refused.push(format!("{name}: {why}")),
                    Err(failure) => {
                        if !failures.iter().any(|f: &String| f.starts_with(&name)) {
                            let text = backward(&kernel).map(|(k, _)| text::print(&k)).unwrap_or_default();
                            failures.push(format!("{name} {dim:?} {seed}: {failure:?}\n{}\n{text}", text::print(&kernel)));
                        }
                    }
                }
            }
        }
    }
    refused.sort();
    refused.dedup();
    report(&format!("adjoint: {held} launches hold; {} kernels refused", refused.len()));
    report(&refused.join("\n"));
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
}

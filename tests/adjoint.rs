//! The adjoint of every registered kernel against dual numbers.

use crate::random::check::{Adjoint, Failure, Launch, adjoint_holds};
use kernel_ir::check::CheckedKernel;
use kernel_ir::{adjoint, sample, text};
use kernel_rt::registered_kernels;
use tests::{checked, report};

/// Sizes of launches, one an axis: below, at and above a warp.
const SIZES: [usize; 3] = [1, 3, 33];
const SEEDS: std::ops::Range<u64> = 0..2;

/// How many trips of loops a launch may make.
const TRIPS: u64 = 1 << 24;

pub(crate) fn backward(kernel: &CheckedKernel) -> Adjoint {
    adjoint::backward(kernel)
        .map_err(|mistakes| mistakes.iter().map(|mistake| mistake.message.clone()).collect::<Vec<_>>().join("; "))
}

#[test]
fn adjoints_are_transposed_derivatives() {
    let (mut launches, mut kernels, mut undefined) = (0, 0, 0);
    let (mut refused, mut failures) = (Vec::new(), Vec::new());
    for info in registered_kernels() {
        let kernel = checked(info);
        let name = format!("{}::{}", info.family, info.name);
        let adjoint = match backward(&kernel) {
            Ok(adjoint) => adjoint,
            Err(why) => {
                refused.push(format!("{name}: {why}"));
                continue;
            }
        };
        kernels += 1;
        let cases = SIZES.into_iter().flat_map(|size| SEEDS.map(move |seed| (size, seed)));
        for (size, seed) in cases {
            let dim = vec![if kernel.dim == 1 { size } else { size.min(4) }; kernel.dim.into()];
            let args = sample::args(&kernel, &dim, seed).unwrap_or_else(|why| panic!("{name}: {why}"));
            let launch = Launch { dim: &dim, args: &args, trips: TRIPS, seed };
            match adjoint_holds(&kernel, |_| Ok(adjoint.clone()), launch) {
                Ok(_) => launches += 1,
                // There is no derivative to compare with.
                Err(Failure::NotFinite(why)) if why.starts_with('`') => undefined += 1,
                Err(failure) => {
                    let texts = format!("{}\n{}", text::print(&kernel), text::print(&adjoint.kernel));
                    failures.push(format!("{name} {dim:?} seed {seed}: {failure:?}\n{texts}"));
                    break;
                }
            }
        }
    }
    report(&format!(
        "adjoint: {launches} launches of {kernels} kernels hold, {undefined} more have no finite derivative; {} kernels \
         are refused",
        refused.len()
    ));
    for why in &refused {
        report(&format!("refused: {why}"));
    }
    assert!(failures.is_empty(), "{} kernels fail:\n{}", failures.len(), failures.join("\n"));
    // A refusal names a place and a way out; anything else is a mistake of the pass.
    assert!(refused.iter().all(|why| why.contains("no exact gradient")), "{}", refused.join("\n"));
}

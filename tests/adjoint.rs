//! The adjoint of every registered kernel, compared with dual numbers and central differences, and its CPU version with
//! both.

use kernel_ir::adjoint::{self, Backward};
use kernel_ir::gradcheck::{Failure, Launch, differences, dot_product, dot_product_rounded};
use kernel_ir::verify::VerifiedKernel;
use kernel_ir::{interp, sample, text};
use kernel_rt::prelude::*;
use kernel_rt::{BackwardInfo, registered_kernels};
use tests::{adjoint_as_data, as_data, checked, report};

/// The extents of launches along each axis: below, at and above a warp.
const SIZES: [usize; 3] = [1, 3, 33];
const SEEDS: std::ops::Range<u64> = 0..7;

/// The limit on the loop trips of a launch.
const TRIPS: u64 = 1 << 24;

/// The share of the launches that may lie at a jump or a kink.
const KINKS: f64 = 0.005;

/// The adjoint of a kernel, or the reasons why it is refused.
pub(crate) fn backward(kernel: &VerifiedKernel) -> Result<Backward, String> {
    adjoint::backward(kernel)
        .map_err(|mistakes| mistakes.iter().map(|mistake| mistake.message.clone()).collect::<Vec<_>>().join("; "))
}

/// The results of a sweep over the registry.
#[derive(Default)]
struct Sweep {
    launches: usize,
    kernels: usize,
    /// The number of launches without a finite derivative.
    undefined: usize,
    failures: Vec<String>,
}

/// Runs `judge` on every launch of every kernel with an adjoint.
fn sweep(judge: impl Fn(&VerifiedKernel, &Backward, &BackwardInfo, Launch) -> Result<(), Failure>) -> Sweep {
    let mut found = Sweep::default();
    for info in registered_kernels() {
        let Some(registered) = &info.backward else { continue };
        let (kernel, adjoint) = (as_data(info), adjoint_as_data(info));
        let name = format!("{}::{}", info.family, info.name);
        found.kernels += 1;
        for (size, seed) in SIZES.into_iter().flat_map(|size| SEEDS.map(move |seed| (size, seed))) {
            let dim = vec![if kernel.dim == 1 { size } else { size.min(4) }; kernel.dim.into()];
            let args = sample::args(&kernel, &dim, seed).unwrap_or_else(|why| panic!("{name}: {why}"));
            let launch = Launch { dim: &dim, args: &args, trips: TRIPS, seed };
            match judge(&kernel, &adjoint, registered, launch) {
                Ok(()) => found.launches += 1,
                Err(Failure::Undefined(_)) => found.undefined += 1,
                Err(failure) => {
                    let texts = format!("{}\n{}", text::print(&kernel), text::print(&adjoint.kernel));
                    found.failures.push(format!("{name} {dim:?} seed {seed}: {failure:?}\n{texts}"));
                    break;
                }
            }
        }
    }
    found
}

impl Sweep {
    fn conclude(&self, what: &str) {
        let Sweep { launches, kernels, undefined, failures } = self;
        report(&format!("{what}: {launches} launches of {kernels} kernels hold, {undefined} more have no derivative"));
        assert!(failures.is_empty(), "{} kernels fail:\n{}", failures.len(), failures.join("\n"));
    }
}

#[test]
fn adjoints_are_transposed_derivatives() {
    sweep(|kernel, adjoint, _, launch| dot_product(kernel, adjoint, launch).map(drop)).conclude("adjoints in f64");
}

#[test]
fn interpreted_adjoints_are_transposed_derivatives_but_for_rounding() {
    sweep(|kernel, adjoint, _, launch| {
        let run = |args: &mut [_]| interp::run(&adjoint.kernel, launch.dim, args).map_err(|fault| fault.message);
        dot_product_rounded(kernel, adjoint, launch, run).map(drop)
    })
    .conclude("interpreted adjoints");
}

#[test]
fn cpu_adjoints_are_transposed_derivatives_but_for_rounding() {
    sweep(|kernel, adjoint, registered, launch| {
        let run = |args: &mut [_]| (registered.cpu)(launch.dim, args).map_err(|error| error.to_string());
        dot_product_rounded(kernel, adjoint, launch, run).map(drop)
    })
    .conclude("CPU adjoints");
}

#[test]
fn derivatives_are_those_of_central_differences() {
    let found = sweep(|kernel, _, _, launch| match differences(kernel, launch)? {
        // A surrogate gradient is meant to differ from the differences.
        _ if kernel.has_surrogate() => Ok(()),
        found if found.agree => Ok(()),
        found if !found.converge => Err(Failure::Undefined("a jump or a kink lies here".to_owned())),
        found => Err(Failure::Mismatch(format!("not {:e}", found.tangent))),
    });
    found.conclude("dual numbers");
    assert!(found.undefined as f64 <= KINKS * found.launches as f64, "differences say too little");
}

#[test]
fn the_registered_adjoint_is_that_of_the_registered_kernel() {
    for info in registered_kernels() {
        let kernel = checked(info);
        let adjoint = adjoint::differentiate(&kernel).unwrap_or_else(|why| panic!("{}: {why:?}", info.name));
        match (&info.backward, adjoint) {
            (None, None) => {}
            (Some(registered), Some(adjoint)) => {
                assert_eq!(registered.ir, text::print(adjoint.kernel.with_tiles()));
                assert_eq!(registered.sources, adjoint.sources);
            }
            (registered, _) => panic!("{}: an adjoint is registered: {}", info.name, registered.is_some()),
        }
    }
}

/// Every thread reads one element of its own, and one that others may read too.
#[kernel(family = "user")]
pub fn gather(#[domain(0..8)] picks: &[u32], own: &[f32], #[shape(8)] x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = own[i].sin() * x[picks[i] as usize];
}

#[test]
fn loads_at_an_index_of_ones_own_give_plain_adds() {
    let texts = [gather::CUDA_BACKWARD, gather::CPP_BACKWARD];
    for text in texts {
        assert!(text.contains("adj_own[i] += "), "{text}");
        assert!(!text.contains("adj_x[(index_t)picks[i]] += "), "{text}");
    }
    assert_eq!(gather::CUDA_BACKWARD.matches("atomicAdd(").count(), 1);
    assert!(gather::CUDA_BACKWARD.contains("atomicAdd(&adj_x[(index_t)picks[i]], "), "{}", gather::CUDA_BACKWARD);
}

/// y = a·x + b·sin(x), for the gradients of two by-value parameters.
#[kernel(family = "arithmetic")]
fn two_coefficients(a: f32, b: Vec2, x: &[f32], y: &mut [f32]) {
    let i = tid();
    if x[i] < 0.0 {
        return;
    }
    y[i] = a * x[i] + b.x * x[i].sin() + b.y;
}

#[test]
fn threads_add_up_gradients_of_values_before_they_add_atomically() {
    let text = two_coefficients::CUDA_BACKWARD;
    for line in [
        "adj_a_sum += ",
        "adj_b_sum",
        "block_atomic_add(&adj_a[0], adj_a_sum, threadIdx.x, blockDim.x);",
        "block_atomic_add(&adj_b[0], adj_b_sum, threadIdx.x, blockDim.x);",
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert_eq!(text.matches("atomicAdd(").count(), 1, "one, in the function that blocks call: {text}");
    // The reduction over threads must come after the loop over the launch, because every thread of the block must take
    // part.
    let end = text.rfind("    }\n").unwrap_or_else(|| panic!("{text}"));
    assert!(text.find("block_atomic_add(&adj_a[0]").is_some_and(|at| at > end), "{text}");
    assert!(!two_coefficients::CPP_BACKWARD.contains("adj_a_sum"), "{}", two_coefficients::CPP_BACKWARD);
}

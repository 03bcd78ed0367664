//! Random kernels on hostile numbers: near overflow, infinite, NaN, zero, equal, denormal.
//!
//! The loss depends on the outputs that are finite and have a finite derivative. Whatever else the launch meets, the gradient of
//! these is the derivative, in the types that the kernel declares, or a finding says where it may not be.

use super::{Case, TRIPS, seeds, sweep};
use crate::adjoint::backward;
use crate::rng::Rng;
use kernel_ir::data::{Arg, Data};
use kernel_ir::gradcheck::{Failure, Launch, dot_product_where_finite};
use kernel_ir::interp;
use std::cell::RefCell;
use std::collections::BTreeMap;
use tests::report;

/// One scalar in so many is replaced, at most and at least.
const RATES: [usize; 3] = [4, 12, 40];

/// The part of the launches that may end early, or in which no output has a finite derivative.
const UNDEFINED: f64 = 0.05;

/// The part in which adjoints may overflow, or computed zeros may be met.
const REPORTED: f64 = 0.02;

/// The case with some of its floats replaced by hostile ones.
fn hostile(case: &Case) -> Vec<Arg> {
    let mut rng = Rng::new(case.seed ^ 0x5eed);
    let rate = rng.pick(&RATES);
    let mut args = case.args.clone();
    for arg in &mut args {
        match &mut arg.data {
            Data::F32(data) => {
                let sizes = [1e20, f32::MAX, f32::MIN_POSITIVE / 64.0, 0.0, f32::INFINITY, f32::NAN];
                replace(data, &mut rng, rate, &sizes);
            }
            Data::F64(data) => {
                let sizes = [1e160, f64::MAX, f64::MIN_POSITIVE / 64.0, 0.0, f64::INFINITY, f64::NAN];
                replace(data, &mut rng, rate, &sizes);
            }
            _ => {}
        }
    }
    args
}

/// Replaces one number in `rate` by one of `sizes`, positive or negative, or by another one of `data`.
fn replace<T: Copy + std::ops::Neg<Output = T>>(data: &mut [T], rng: &mut Rng, rate: usize, sizes: &[T]) {
    for place in 0..data.len() {
        if rng.below(rate) == 0 {
            let choices = [rng.pick(sizes), data[rng.below(data.len())]];
            let size = rng.pick(&choices);
            data[place] = if rng.percent(50) { size } else { -size };
        }
    }
}

#[test]
fn gradients_at_hostile_numbers_are_derivatives_or_reported() {
    let counts: RefCell<BTreeMap<&str, usize>> = RefCell::default();
    sweep(|case| {
        let count = |what| *counts.borrow_mut().entry(what).or_default() += 1;
        let Ok(adjoint) = backward(&case.kernel) else { return Ok(()) };
        let launch = Launch { dim: &case.dim, args: &hostile(case), trips: TRIPS, seed: case.seed };
        let run = |args: &mut [Arg]| interp::run(&adjoint.kernel, &case.dim, args).map_err(|fault| fault.message);
        match dot_product_where_finite(&case.kernel, &adjoint, launch, run) {
            Ok(_) => count("right"),
            Err(Failure::Undefined(_)) => count("undefined"),
            // An index or a bound of `clamp` that is made of NaN.
            Err(Failure::Fault(_)) => count("faults"),
            // It says where.
            Err(Failure::NotFinite(_)) => count("not finite"),
            Err(Failure::ComputedZero(_)) => count("computed zeros"),
            Err(Failure::IllConditioned(_)) => count("ill-conditioned"),
            Err(failure @ Failure::Mismatch(_)) => return Err(failure),
        }
        Ok(())
    });
    let (all, counts) = (seeds().count() as f64, counts.into_inner());
    report(&format!("{all} random kernels on hostile numbers: {counts:?}"));
    let of = |kinds: &[&str]| kinds.iter().filter_map(|kind| counts.get(kind)).sum::<usize>() as f64;
    assert!(of(&["undefined", "faults"]) <= 1.0 + UNDEFINED * all, "too little is judged");
    assert!(of(&["not finite", "computed zeros", "ill-conditioned"]) <= 1.0 + REPORTED * all, "too much is reported");
}

//! Random kernels on hostile numbers.
//!
//! The loss depends on the outputs that are finite and have a finite derivative. Whatever else the launch computes, the
//! gradient of this loss must be the derivative in the declared types, or a finding must name the place in doubt.

use super::{Case, TRIPS, seeds, sweep};
use crate::adjoint::backward;
use crate::hostile::numbers::hostile;
use kernel_ir::adjoint::{self, Backward};
use kernel_ir::data::Arg;
use kernel_ir::gradcheck::{self, Failure, Launch, dot_product_where_finite};
use kernel_ir::interp;
use std::cell::RefCell;
use std::collections::BTreeMap;
use tests::{compare, report};

/// The share of the launches that may end early, or in which no output has a finite derivative.
const UNDEFINED: f64 = 0.05;

/// The share of the launches in which adjoints may overflow, or computed zeros may occur.
const REPORTED: f64 = 0.02;

#[test]
fn gradients_at_hostile_numbers_are_derivatives_or_reported() {
    let counts: RefCell<BTreeMap<&str, usize>> = RefCell::default();
    sweep(|case| {
        let count = |what| *counts.borrow_mut().entry(what).or_default() += 1;
        let Ok(adjoint) = backward(&case.kernel) else { return Ok(()) };
        let launch = Launch { dim: &case.dim, args: &hostile(&case.args, case.seed), trips: TRIPS, seed: case.seed };
        let run = |args: &mut [Arg]| interp::run(&adjoint.kernel, &case.dim, args).map_err(|fault| fault.message);
        match dot_product_where_finite(&case.kernel, &adjoint, launch, run) {
            Ok(_) => count("right"),
            Err(Failure::Undefined(_)) => count("undefined"),
            // An index or a bound of `clamp` that is computed from NaN.
            Err(Failure::Fault(_)) => count("faults"),
            // The finding names the place.
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

#[test]
fn products_without_a_guard_need_none() {
    let mut compared = 0;
    for seed in seeds() {
        let case = Case::new(seed);
        let Ok(adjoint) = backward(&case.kernel) else { continue };
        let guarded = adjoint::backward_with_all_guards(&case.kernel).expect("the guards refuse nothing");
        let before = hostile(&case.args, seed);
        let mut after = before.clone();
        if interp::run(&case.kernel, &case.dim, &mut after).is_err() {
            continue;
        }
        // Some output adjoints are zero.
        let seed_of = |id| Some(hostile(&[gradcheck::weights(&case.kernel, &before, seed, id)?], !seed).remove(0));
        let gradient = |backward: &Backward| {
            let mut args = adjoint::arguments(&case.kernel, &backward.sources, &before, &after, seed_of);
            adjoint::launch(&backward.sources, &mut args, |args| interp::run(&backward.kernel, &case.dim, args))
                .ok()?;
            Some(args)
        };
        let (Some(found), Some(expected)) = (gradient(&adjoint), gradient(&guarded)) else { continue };
        compared += 1;
        let outcome = compare(&adjoint.kernel, &without_signs(expected), &without_signs(found));
        assert_eq!(outcome, Ok(()), "seed {seed}\n{}", super::shown(&case.kernel));
    }
    report(&format!("{compared} random adjoints are the same with all guards"));
    assert!(2 * compared + 2 >= seeds().count(), "too little is compared");
}

/// The arguments with -0.0 replaced by 0.0. A guard gives 0.0 where the product is -0.0.
fn without_signs(args: Vec<Arg>) -> Vec<Arg> {
    args.iter().map(|arg| arg.map_floats(|x| x + 0.0, |x| x + 0.0)).collect()
}

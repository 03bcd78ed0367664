//! How the winners of `atomic_min` and `atomic_max` share a gradient.

#![expect(clippy::wildcard_enum_match_arm, reason = "the kernels here have no other types")]

use super::{Backward, backward, gradients, launch};
use crate::data::{Arg, Data};
use crate::gradcheck::{self, Failure, dot_product, dot_product_rounded};
use crate::ir::Scalar;
use crate::verify::{VerifiedKernel, verify};
use crate::{front, interp, text};

fn compiled(source: &str) -> VerifiedKernel {
    front::compile_file(source.parse().unwrap()).unwrap_or_else(|error| panic!("{error:?}\n{source}"))
}

fn read(printed: &str) -> VerifiedKernel {
    verify(text::parse(printed).unwrap_or_else(|error| panic!("{error}\n{printed}"))).unwrap()
}

/// The arguments of a launch: a number for a value, several for an array.
fn args_of(kernel: &VerifiedKernel, numbers: &[&[f64]]) -> Vec<Arg> {
    let arg = |(param, numbers): (&crate::ir::Param, &&[f64])| {
        let ty = param.elem();
        let shape = if param.rank() == 0 { vec![] } else { vec![numbers.len() / ty.components()] };
        let data = match ty.scalar() {
            Scalar::F32 => Data::F32(numbers.iter().map(|x| *x as f32).collect()),
            Scalar::F64 => Data::F64(numbers.to_vec()),
            Scalar::U32 => Data::U32(numbers.iter().map(|x| *x as u32).collect()),
            other => panic!("{other:?}"),
        };
        Arg { ty, shape, data }
    };
    kernel.params.iter().zip(numbers).map(arg).collect()
}

/// The gradients of the sum of all results of a launch of `threads` threads, which run in two orders: the floats of each
/// parameter that has one.
fn shares(source: &str, threads: usize, numbers: &[&[f64]]) -> Vec<Vec<f64>> {
    shares_of(&compiled(source), threads, numbers)
}

fn shares_of(kernel: &VerifiedKernel, threads: usize, numbers: &[&[f64]]) -> Vec<Vec<f64>> {
    let source = text::print(kernel);
    let backward = backward(kernel).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    let before = args_of(kernel, numbers);
    let dim = [threads];
    let [forth, back] = [false, true].map(|reversed| {
        let run = |kernel: &VerifiedKernel, args: &mut [Arg]| match reversed {
            false => interp::run(kernel, &dim, args),
            true => interp::run_in_order(kernel, &dim, args, interp::TRIPS, interp::row_major(&dim).rev()),
        };
        let mut after = before.clone();
        run(kernel, &mut after).unwrap();
        let ones = |arg: &Arg| arg.map_floats(|_| 1.0, |_| 1.0);
        let seed = |id: crate::ir::ParamId| kernel.param(id).is_mutable().then(|| ones(&before[id.0 as usize]));
        let mut args = super::arguments(kernel, &backward.sources, &before, &after, seed);
        launch(&backward.sources, &mut args, |args| run(&backward.kernel, args)).unwrap();
        gradients(&backward.sources, &before, &after, args).into_iter().map(|(_, arg)| floats(&arg)).collect::<Vec<_>>()
    });
    assert_eq!(forth, back, "the order of threads shows\n{source}");
    let judged = dot_product(kernel, &backward, gradcheck::Launch { dim: &dim, args: &before, trips: 1000, seed: 5 });
    assert!(judged.as_ref().is_ok_and(|error| *error < 1e-12), "{judged:?}\n{source}");
    forth
}

fn floats(arg: &Arg) -> Vec<f64> {
    match &arg.data {
        Data::F32(data) => data.iter().map(|x| f64::from(*x)).collect(),
        Data::F64(data) => data.clone(),
        other => panic!("{other:?}"),
    }
}

const SQUARES: &str = "#[kernel] fn k(a: f64, y: &mut [f64]) { tid(); atomic_max(&mut y[0], a * a); }";
const PICKS: &str = "#[kernel] fn k(x: &[f64], t: &[u32], y: &mut [f64]) {
    let i = tid(); atomic_max(&mut y[0], x[t[i] as usize]); }";

#[test]
fn a_value_that_every_thread_puts_in_counts_once() {
    // Shares of powers of two add up without rounding.
    for threads in [1, 2, 8, 64, 256] {
        assert_eq!(shares(SQUARES, threads, &[&[1.5], &[0.0]]), [[3.0], [0.0]], "{threads} threads");
    }
    let single = SQUARES.replace("f64", "f32");
    assert_eq!(shares(&single, 8, &[&[1.5], &[0.0]]), [[3.0], [0.0]]);
}

#[test]
fn an_index_that_occurs_twice_counts_once() {
    assert_eq!(shares(PICKS, 3, &[&[1.0, 4.0], &[1.0, 0.0, 1.0], &[0.0]]), [vec![0.0, 1.0], vec![0.0]]);
}

#[test]
fn different_inputs_share_and_so_does_the_value_from_before() {
    let least = "#[kernel] fn k(x: &[f64], y: &mut [f64]) { let i = tid(); atomic_min(&mut y[0], x[i]); }";
    assert_eq!(shares(least, 4, &[&[2.0, 3.0, 2.0, 5.0], &[9.0]]), [vec![0.5, 0.0, 0.5, 0.0], vec![0.0]]);
    assert_eq!(shares(least, 4, &[&[2.0, 3.0, 2.0, 2.0], &[2.0]]), [vec![0.25, 0.0, 0.25, 0.25], vec![0.25]]);
    assert_eq!(shares(least, 2, &[&[2.0, 3.0], &[1.0]]), [vec![0.0, 0.0], vec![1.0]]);
    // Zeros are equal, whatever their signs are.
    assert_eq!(shares(least, 2, &[&[0.0, -0.0], &[1.0]]), [vec![0.5, 0.5], vec![0.0]]);
}

#[test]
fn a_winner_without_a_derivative_takes_its_share() {
    let floor = "#[kernel] fn k(x: &[f64], y: &mut [f64]) { let i = tid();
        atomic_max(&mut y[0], x[i]); atomic_max(&mut y[0], 1.0); }";
    assert_eq!(shares(floor, 1, &[&[1.0], &[0.0]]), [[0.5], [0.0]]);
    assert_eq!(shares(floor, 2, &[&[1.0, 0.5], &[0.0]]), [vec![1.0 / 3.0, 0.0], vec![0.0]]);
    let only = "#[kernel] fn k(n: &[u32], y: &mut [f64]) { let i = tid(); atomic_max(&mut y[0], n[i] as f64); }";
    assert_eq!(shares(only, 2, &[&[1.0, 2.0], &[0.0]]), [[0.0]], "the value from before was beaten");
    assert_eq!(shares(only, 2, &[&[1.0, 2.0], &[2.0]]), [[0.5]]);
}

#[test]
fn a_thread_may_win_several_times() {
    let again = "#[kernel] fn k(n: u32, x: &[f64], y: &mut [f64]) { let i = tid();
        for j in 0..n { if j == 7 { break; } atomic_max(&mut y[0], x[i] * x[i]); } }";
    for (trips, threads) in [(1.0, 1), (5.0, 1), (50.0, 1)] {
        assert_eq!(shares(again, threads, &[&[trips], &[3.0, 2.0], &[0.0]]), [vec![6.0, 0.0], vec![0.0]], "{trips}");
    }
    assert_eq!(shares(again, 2, &[&[5.0], &[3.0, -3.0], &[0.0]]), [vec![3.0, -3.0], vec![0.0]]);
    let state = "#[kernel] fn k(x: &[f64], y: &mut [f64]) { let i = tid(); let mut v = x[i];
        while v < 20.0 { v = v * v; atomic_min(&mut y[0], v); } }";
    assert_eq!(shares(state, 2, &[&[3.0, 3.0], &[100.0]]), [vec![3.0, 3.0], vec![0.0]]);
}

#[test]
fn arrays_are_counted_apart() {
    let both = "#[kernel] fn k(x: &[f64], low: &mut [f64], high: &mut [f64], sum: &mut [f64]) { let i = tid();
        atomic_min(&mut low[i % 2], x[i]); atomic_max(&mut high[0], 2.0 * x[i]); atomic_add(&mut sum[0], 10.0 * x[i]); }";
    let numbers: [&[f64]; 4] = [&[5.0, 1.0, 5.0, 5.0], &[7.0, 1.0], &[0.0], &[0.0]];
    let third = 2.0 / 3.0;
    assert_eq!(
        shares(both, 4, &numbers),
        [vec![10.5 + third, 10.5, 10.5 + third, 10.0 + third], vec![0.0, 0.5], vec![0.0], vec![1.0]]
    );
}

#[test]
fn components_of_vectors_are_counted_apart() {
    // Authors cannot name them; IR can.
    let boxed = read(
        "#[kernel(family = \"f\", dim = 1)] fn k(x: &[vec3d; dim(0)], y: &mut [vec3d; 1],) { let i.0: usize = tid(0); \
        atomic_max(y[0usize].x, x[i.0].x); atomic_max(y[0usize].z, x[i.0].z); }",
    );
    let numbers: [&[f64]; 2] = [&[1.0, 2.0, 3.0, 1.0, 5.0, 2.0], &[0.0, 0.0, 3.0]];
    assert_eq!(shares_of(&boxed, 2, &numbers), [vec![0.5, 0.0, 0.5, 0.5, 0.0, 0.0], vec![0.0, 1.0, 0.5]]);
}

#[test]
fn a_matrix_has_no_counts() {
    let kernel = read(
        "#[kernel(family = \"f\", dim = 1)] fn k(x: &[f32; dim(0)], y: &mut [mat22; 1],) { \
        atomic_max(y[0usize].col(0usize).x, x[tid(0)]); }",
    );
    let mistakes = backward(&kernel).unwrap_err();
    assert!(mistakes[0].message.contains("`Mat2` has no integer version"), "{mistakes:?}");
}

#[test]
fn the_judge_notices_winners_that_do_not_share() {
    let kernel = compiled(PICKS);
    let right = backward(&kernel).unwrap();
    let printed = text::print(&right.kernel);
    let judge = |printed: &str, t: &[f64]| {
        let backward = Backward { kernel: read(printed), ..right.clone() };
        let args = args_of(&kernel, &[&[1.0, 4.0, 4.0], t, &[0.0]]);
        let launch = gradcheck::Launch { dim: &[3], args: &args, trips: 10, seed: 1 };
        let run = |args: &mut [Arg]| interp::run(&backward.kernel, &[3], args).map_err(|fault| fault.message);
        let found = dot_product(&kernel, &backward, launch);
        assert_eq!(found.is_ok(), dot_product_rounded(&kernel, &backward, launch, run).is_ok());
        found
    };
    let whole = printed.replace(" / y_winners[0usize] as f64", "");
    assert_ne!(whole, printed);
    for ties in [[1.0, 1.0, 0.0], [1.0, 2.0, 0.0]] {
        assert!(judge(&printed, &ties).is_ok());
        assert!(matches!(judge(&whole, &ties), Err(Failure::Mismatch(_))), "{ties:?}");
    }
    assert!(judge(&whole, &[1.0, 0.0, 0.0]).is_ok(), "one winner has nothing to share");
}

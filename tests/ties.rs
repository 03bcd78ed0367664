//! Ties of `atomic_min` and `atomic_max` on the CPU: winners share the gradient. `tape/exact.rs` tests ties on a tape,
//! on any device. The judges and the parity tests cover these kernels too.

use kernel_rt::LaunchError;
use kernel_rt::prelude::*;

/// A value that every thread puts in.
#[kernel(family = "ties")]
pub(crate) fn largest_square(
    #[domain(0.5..2.0)] a: f32,
    #[shape(1)]
    #[domain(0.0..0.1)]
    y: &mut [f32],
) {
    let _ = tid();
    atomic_max(&mut y[0], a * a);
}

/// Few values for many threads: the smallest and the largest of those that threads pick, by class.
#[kernel(family = "ties")]
pub(crate) fn picked_extremes(
    #[domain(0..3)] picks: &[u32],
    #[shape(3)]
    #[domain(-2.0..2.0)]
    x: &[f64],
    #[shape(2)]
    #[domain(1.0..3.0)]
    low: &mut [f64],
    #[shape(2)]
    #[domain(-3.0..-1.0)]
    high: &mut [f64],
) {
    let i = tid();
    let value = x[picks[i] as usize];
    atomic_min(&mut low[i % 2], value);
    atomic_max(&mut high[i % 2], value * value);
}

/// A thread that puts in one value in every trip, and clamped ones, which tie with those of others.
#[kernel(family = "ties")]
pub(crate) fn clamped_peaks(
    #[domain(0..6)] trips: i32,
    #[domain(-2.0..2.0)] x: &[f32],
    #[shape(2, 2)]
    #[domain(-1.0..0.0)]
    peaks: &mut Array2<f32>,
) {
    let i = tid();
    for trip in 0..trips {
        if trip == 4 {
            break;
        }
        atomic_max(&mut peaks[[0, i % 2]], x[i].clamp(-1.0, 1.0));
        atomic_max(&mut peaks[[1, 0]], 0.5 * x[i].abs());
    }
}

#[test]
fn a_value_that_every_thread_puts_in_counts_once() {
    // Each share is rounded, and so is their sum.
    for threads in [1, 2, 64, 1000, 1 << 20] {
        let (mut adj_a, mut adj_y) = ([0.0], [1.0]);
        largest_square::cpu_backward(threads, 1.5, &[2.25], &[0.0], &mut adj_a, &mut adj_y).unwrap();
        assert!((adj_a[0] - 3.0).abs() < 1e-4, "{threads} threads: {adj_a:?}");
        assert_eq!(adj_y, [0.0], "the value from before was beaten");
    }
    let (mut adj_a, mut adj_y) = ([0.0], [1.0]);
    largest_square::cpu_backward(3, 1.5, &[2.25], &[2.25], &mut adj_a, &mut adj_y).unwrap();
    assert_eq!((adj_a, adj_y), ([2.25], [0.25]), "three of four winners are threads");
    let (mut adj_a, mut adj_y) = ([0.0], [1.0]);
    largest_square::cpu_backward(3, 1.5, &[4.0], &[4.0], &mut adj_a, &mut adj_y).unwrap();
    assert_eq!((adj_a, adj_y), ([0.0], [1.0]), "nothing beat the value from before");
}

#[test]
fn arrays_are_counted_apart() {
    let (picks, x) = ([0, 1, 0, 2, 1, 1], [2.0, -1.0, 0.5]);
    let (mut low, mut high) = ([9.0, -1.0], [0.0; 2]);
    picked_extremes::cpu(6, &picks, &x, &mut low, &mut high).unwrap();
    assert_eq!((low, high), ([-1.0, -1.0], [4.0, 1.0]));
    let before = ([9.0, -1.0], [0.0; 2]);
    let (mut adj_x, mut adj_low, mut adj_high) = ([0.0; 3], [1.0, 30.0], [100.0, 1000.0]);
    picked_extremes::cpu_backward(
        6,
        &picks,
        &x,
        &low,
        &high,
        &before.0,
        &before.1,
        &mut adj_x,
        &mut adj_low,
        &mut adj_high,
    )
    .unwrap();
    // Threads 0, 2 and 4 are in one class, 1, 3 and 5 in the other. In the latter's minimum, the initial value is a
    // third winner.
    assert_eq!(adj_x, [4.0 * 100.0, 1.0 + 20.0 - 2.0 * 1000.0, 0.0]);
    assert_eq!((adj_low, adj_high), ([0.0, 10.0], [0.0; 2]));
}

#[test]
fn a_thread_may_win_several_times() {
    let x = [3.0, -3.0, 1.5, 0.0];
    let before = Array::from_vec([2, 2], vec![0.0, 0.0, 0.0, 7.0]).unwrap();
    let mut peaks = before.clone();
    clamped_peaks::cpu(4, 5, &x, &mut peaks).unwrap();
    assert_eq!(peaks.as_slice(), [1.0, 0.0, 1.5, 7.0]);
    let (mut adj_x, mut adj_peaks) = ([0.0; 4], Array::from_vec([2, 2], vec![8.0, 5.0, 16.0, 1.0]).unwrap());
    clamped_peaks::cpu_backward(4, 5, &x, &peaks, &before, &mut adj_x, &mut adj_peaks).unwrap();
    // `clamp` passes no gradient outside its bounds. Thread 3 wins in 4 of its trips, and the initial value is the
    // fifth winner.
    let tie = 4.0 * (5.0 / 5.0);
    assert_eq!(adj_x, [8.0 * 0.5, -8.0 * 0.5, 0.0, tie]);
    assert_eq!(adj_peaks.as_slice(), [0.0, 1.0, 0.0, 1.0]);
}

#[test]
fn arrays_of_other_shapes_are_refused() {
    let mut adj_a = [0.0];
    let of = |result: Result<(), LaunchError>| match result {
        Err(LaunchError::ArgMismatch { kernel: "largest_square_backward", argument }) => argument,
        other => panic!("{other:?}"),
    };
    assert_eq!(of(largest_square::cpu_backward(2, 1.5, &[2.25], &[], &mut adj_a, &mut [1.0])), 2);
    assert_eq!(of(largest_square::cpu_backward(2, 1.5, &[2.25], &[0.0], &mut adj_a, &mut [1.0, 1.0])), 4);
}

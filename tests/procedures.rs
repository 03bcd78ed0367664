//! Device functions that change arrays, and that read arrays which the kernel changes, through every stage.

use kernel_rt::prelude::*;

/// Adds `value` around the place `x` of a row, by its distance from the two cells beside it.
#[device]
fn deposit(grid: &mut [f32], x: f32, value: f32) {
    let left = x.floor();
    let part = x - left;
    let cell = left as usize;
    if cell + 1 >= grid.len() {
        return;
    }
    atomic_add(&mut grid[cell], value * (1.0 - part));
    atomic_add(&mut grid[cell + 1], value * part);
}

/// Particles to a grid.
#[kernel(family = "test")]
fn to_grid(
    #[domain(0.0..8.0)] place: &[f32],
    mass: &[f32],
    #[shape(8)] grid: &mut [f32],
    #[shape(8)]
    #[domain(0..1)]
    count: &mut [u32],
) {
    let i = tid();
    deposit(grid, place[i], mass[i]);
    record(count, place[i]);
}

/// Counts the particles of a cell. Returns how many there were, and whether it is the first.
#[device]
fn record(count: &mut [u32], place: f32) -> (u32, bool) {
    let cell = place as usize;
    if cell >= count.len() {
        return (0, false);
    }
    let before = atomic_add(&mut count[cell], 1);
    (before, before == 0)
}

/// Orders two elements of a row.
#[device]
fn order(rows: &mut Array2<f32>, row: usize, a: usize, b: usize) -> bool {
    let (low, high) = (rows[[row, a]], rows[[row, b]]);
    if low <= high {
        return false;
    }
    rows[[row, a]] = high;
    rows[[row, b]] = low;
    true
}

/// The sum of a row that the kernel changes.
#[device]
fn total(rows: &Array2<f32>, row: usize) -> f32 {
    let mut sum = 0.0;
    for k in 0..rows.shape()[1] {
        sum += rows[[row, k]];
    }
    sum
}

/// A sorting network of four, with the number of exchanges and the mean.
#[kernel(family = "test", no_grad)]
fn sort_rows(
    #[shape(dim0, 4)]
    #[domain(-1.0..1.0)]
    rows: &mut Array2<f32>,
    exchanges: &mut [u32],
    mean: &mut [f32],
) {
    let i = tid();
    let mut count = 0;
    for pass in 0..4usize {
        let start = pass % 2;
        for k in (start..3).step_by(2) {
            if order(rows, i, k, k + 1) {
                count += 1;
            }
        }
    }
    exchanges[i] = count;
    mean[i] = total(rows, i) / 4.0;
}

/// Scales an element in place.
#[device]
fn damp(v: &mut [Vec3], i: usize, by: f32) {
    v[i] *= by;
    v[i].y -= by * by;
}

/// A velocity that a function changes, with a gradient.
#[kernel(family = "test")]
fn damped(#[domain(0.5..1.0)] by: &[f32], #[domain(-1.0..1.0)] v: &mut [Vec3], energy: &mut [f32]) {
    let i = tid();
    damp(v, i, by[i]);
    let (x, y) = (v[i].x, v[i].y);
    energy[i] = x * x + y * y;
}

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

/// Two neighbours in the other order, of an array that this changes.
#[device]
fn turned(y: &mut [f64], i: usize) -> (f64, f64) {
    y[i] += 1.0;
    (y[i + 1], y[i])
}

/// The values in the other order.
#[device]
fn swapped(marks: &mut [u32], i: usize, a: f64, b: f64) -> (f64, f64) {
    marks[i] += 1;
    (b, a)
}

/// The next place, which `next` has then.
#[device]
fn advance(next: &mut [u32], i: usize) -> usize {
    next[i] = (next[i] + 1) % 2;
    next[i] as usize
}

/// Results of functions that change what the results consist of, and indices with effects.
#[kernel(family = "test", no_grad)]
fn simultaneous(
    #[shape(dim0, 4)]
    #[domain(-1.0..1.0)]
    pairs: &mut Array2<f64>,
    #[shape(2 * dim0 + 2)]
    #[domain(-1.0..1.0)]
    y: &mut [f64],
    marks: &mut [u32],
    #[domain(0..2)] next: &mut [u32],
) {
    let i = tid();
    (y[2 * i], y[2 * i + 1]) = turned(y, 2 * i);
    let (mut a, mut b) = (y[2 * i], 2.0);
    (a, b) = swapped(marks, i, a, b);
    let mut p = (a, b);
    p = swapped(marks, i, p.0, p.1);
    (a, pairs[[i, advance(next, i)]]) = (p.1, 10.0 * next[i] as f64);
    let mut k = 1;
    (
        b,
        pairs[[i, {
            k += 1;
            k
        }]],
    ) = (a + b, k as f64);
    // The function runs, although its value is dropped.
    let first = (b, advance(next, i)).0;
    pairs[[i, 3]] = a - b + first + swapped(marks, i, b, a).1;
}

/// A pair of numbers.
#[device]
#[derive(Clone, Copy)]
struct Pair {
    a: f32,
    b: f32,
}

#[device]
fn sum(pair: Pair) -> f32 {
    pair.a + pair.b
}

/// Several values, one of them by way of a struct, of an array that the kernel changes.
#[device]
fn ends(y: &[f32], i: usize) -> (f32, Pair) {
    let pair = Pair { a: y[i], b: 0.5 };
    for k in 0..3 {
        if y[i] * k as f32 > 0.4 {
            return (sum(pair), pair);
        }
    }
    (-sum(pair), Pair { b: pair.a, ..pair })
}

#[kernel(family = "test")]
fn through_structs(#[domain(-1.0..1.0)] x: &[f32], y: &mut [f32], z: &mut [f32]) {
    let i = tid();
    y[i] = x[i] * x[i];
    let (value, pair) = ends(y, i);
    z[i] = value * pair.b + pair.a;
}

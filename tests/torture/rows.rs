//! Torture: threads that read and write several elements of one array, in loops: rows, blocks, pairs, the work of one
//! thread. Each read has the value from before the launch or the one from after it.

#![allow(
    clippy::assign_op_pattern,
    clippy::misrefactored_assign_op,
    reason = "`y = y * x` and `y *= x` are differentiated in different ways"
)]

use super::case;
use kernel_rt::prelude::*;

/// Scales a row where it is.
#[kernel(family = "torture")]
fn scaled_row(
    #[domain(0.5..1.5)] x: &[f64],
    #[shape(dim0, 5)]
    #[domain(0.5..1.5)]
    y: &mut Array2<f64>,
) {
    let i = tid();
    for k in 0..y.shape()[1] {
        y[[i, k]] *= x[i] * y[[i, k]];
    }
}

/// A recurrence along a row: each element from the one before it.
#[kernel(family = "torture")]
fn recurrence_along_a_row(
    #[domain(0.5..1.5)] a: &[f64],
    #[shape(dim0, 6)]
    #[domain(0.5..1.5)]
    y: &mut Array2<f64>,
) {
    let i = tid();
    for k in 1..y.shape()[1] {
        y[[i, k]] = a[i] * y[[i, k - 1]].sin() * y[[i, k]];
    }
}

/// The same from the end.
#[kernel(family = "torture")]
fn recurrence_from_the_end(
    #[domain(0.5..1.5)] a: &[f64],
    #[shape(dim0, 6)]
    #[domain(0.5..1.5)]
    y: &mut Array2<f64>,
) {
    let i = tid();
    for k in (0..y.shape()[1] - 1).rev() {
        y[[i, k]] += a[i] * y[[i, k + 1]] * y[[i, k + 1]];
    }
}

/// Rows of a flat array, whose length is a parameter.
#[kernel(family = "torture")]
fn flat_rows(
    #[domain(3..4)] n: u32,
    #[domain(0.5..1.5)] x: &[f64],
    #[shape(dim0 * 3)]
    #[domain(0.5..1.5)]
    y: &mut [f64],
) {
    let i = tid();
    let n = n as usize;
    for k in 0..n {
        y[i * n + k] = x[i] * y[i * n + k].powi(2);
    }
}

/// Blocks of four, with a `while`.
#[kernel(family = "torture")]
fn blocks_of_four(
    #[domain(0.5..1.5)] x: &[f64],
    #[shape(dim0 * 4)]
    #[domain(0.5..1.5)]
    y: &mut [f64],
) {
    let i = tid();
    let mut k = 0;
    while k < 3 {
        y[4 * i + k + 1] = (y[4 * i + k] * x[i]).sin();
        k += 1;
    }
}

/// One thread runs a scan that is not linear.
#[kernel(family = "torture")]
fn scan_by_one_thread(#[domain(0.5..1.5)] x: &[f64], #[domain(0.5..1.5)] y: &mut [f64]) {
    if tid() == 0 {
        for j in 1..y.len() {
            y[j] = 0.5 * y[j - 1] * y[j] + x[j];
        }
    }
}

/// A stencil in place, by one thread.
#[kernel(family = "torture")]
fn stencil_in_place(#[domain(0.5..1.5)] a: &mut [f64]) {
    if tid() == 0 {
        for j in 1..a.len() {
            a[j] = 0.5 * a[j - 1] * a[j];
        }
    }
}

/// One thread adds up.
#[kernel(family = "torture")]
fn sum_by_one_thread(#[domain(0.5..1.5)] x: &[f64], #[shape(1)] y: &mut [f64]) {
    if tid() != 0 {
        return;
    }
    for j in 0..x.len() {
        y[0] += x[j] * x[j];
    }
}

/// Solves a tridiagonal system by elimination.
#[kernel(family = "torture")]
fn tridiagonal(
    #[domain(-0.3..0.3)] below: &[f64],
    #[domain(1.0..2.0)] diagonal: &[f64],
    #[domain(-0.3..0.3)] above: &[f64],
    #[domain(0.5..1.5)] right: &[f64],
    c: &mut [f64],
    d: &mut [f64],
    x: &mut [f64],
) {
    if tid() == 0 {
        let n = x.len();
        c[0] = above[0] / diagonal[0];
        d[0] = right[0] / diagonal[0];
        for j in 1..n {
            let pivot = diagonal[j] - below[j] * c[j - 1];
            c[j] = above[j] / pivot;
            d[j] = (right[j] - below[j] * d[j - 1]) / pivot;
        }
        x[n - 1] = d[n - 1];
        for j in (0..n - 1).rev() {
            x[j] = d[j] - c[j] * x[j + 1];
        }
    }
}

/// A factorisation without square roots where the matrix is: each element is written once.
#[kernel(family = "torture")]
fn factors_in_place(
    #[shape(5, 5)]
    #[domain(1.0..2.0)]
    a: &mut Array2<f64>,
) {
    if tid() == 0 {
        let n = a.shape()[0];
        for i in 0..n {
            for j in 0..n {
                let mut s = a[[i, j]];
                if i == j {
                    s += 9.0;
                }
                if i > j {
                    for k in 0..j {
                        s -= a[[i, k]] * a[[k, j]];
                    }
                    s /= a[[j, j]];
                } else {
                    for k in 0..i {
                        s -= a[[i, k]] * a[[k, j]];
                    }
                }
                a[[i, j]] = s;
            }
        }
    }
}

/// The pairs of a butterfly.
#[kernel(family = "torture")]
fn butterfly(
    #[domain(0..3)] stage: u32,
    #[domain(0.5..1.5)] w: &[f64],
    #[shape(dim0 * 8)]
    #[domain(0.5..1.5)]
    y: &mut [f64],
) {
    let i = tid() as u32;
    let half = 1 << stage;
    let j = ((i >> stage) * 2 * half + (i & ((1 << stage) - 1))) as usize;
    let other = j + half as usize;
    let (a, b) = (y[j], y[other] * w[tid()]);
    y[j] = a * b;
    y[other] = a - b;
}

/// The even elements from their odd neighbours, in place.
#[kernel(family = "torture")]
fn red_and_black(
    #[shape(2 * dim0 + 2)]
    #[domain(0.5..1.5)]
    y: &mut [f64],
) {
    let i = tid();
    y[2 * i + 1] = y[2 * i] * y[2 * i + 2] * y[2 * i + 1];
}

/// Swaps ends.
#[kernel(family = "torture")]
fn reversed(#[domain(0.5..1.5)] y: &mut [f64]) {
    let i = tid();
    if i < y.len() / 2 {
        let j = y.len() - 1 - i;
        let first = y[i];
        y[i] = y[j] * y[j];
        y[j] = first * y[j];
    }
}

/// Swaps both sides of the diagonal.
#[kernel(family = "torture")]
fn transposed_in_place(
    #[shape(dim0, dim0)]
    #[domain(0.5..1.5)]
    a: &mut Array2<f64>,
) {
    let i = tid();
    for j in 0..i {
        let upper = a[[i, j]];
        a[[i, j]] = a[[j, i]] * upper;
        a[[j, i]] = upper * upper;
    }
}

/// Both values of an element: the old one and the new one.
#[kernel(family = "torture")]
fn old_and_new(
    #[shape(dim0, 4)]
    #[domain(0.5..1.5)]
    y: &mut Array2<f64>,
    #[shape(dim0, 4)] z: &mut Array2<f64>,
) {
    let i = tid();
    for k in 0..4 {
        z[[i, k]] = y[[i, k]].exp();
        y[[i, k]] = y[[i, k]] * y[[i, k]];
    }
    for k in 0..4 {
        z[[i, k]] += y[[i, k]].sin();
    }
}

/// Components of vectors of a row.
#[kernel(family = "torture")]
fn vectors_of_a_row(
    #[domain(0.5..1.5)] x: &[f64],
    #[shape(dim0, 3)]
    #[domain(0.5..1.5)]
    v: &mut Array2<DVec3>,
) {
    let i = tid();
    for k in 1..3 {
        v[[i, k]].x = v[[i, k - 1]].x * x[i];
        v[[i, k]].y *= v[[i, k - 1]].dot(v[[i, k - 1]]);
    }
}

/// Elements that a parameter may make one, or two.
#[kernel(family = "torture")]
fn one_element_or_two(
    #[domain(0..3)] a: u32,
    #[domain(0..3)] b: u32,
    #[shape(dim0, 3)]
    #[domain(0.5..1.5)]
    y: &mut Array2<f64>,
) {
    let i = tid();
    y[[i, a as usize]] = y[[i, b as usize]] * y[[i, a as usize]];
}

/// Elements of a permutation, which the domain promises.
#[kernel(family = "torture")]
pub(crate) fn permuted(
    #[domain(permutation)] p: &[u32],
    #[domain(0.5..1.5)] x: &[f64],
    #[domain(0.5..1.5)] y: &mut [f64],
) {
    let i = tid();
    let j = p[i] as usize;
    y[j] = x[i] * x[i] * y[j].sin();
}

/// Rows of a matrix whose numbers are different.
#[kernel(family = "torture")]
fn chosen_rows(
    #[domain(0..2 * dim0 + 3, distinct)] rows: &[i32],
    #[domain(0.5..1.5)] x: &[f64],
    #[shape(2 * dim0 + 3, 3)]
    #[domain(0.5..1.5)]
    y: &mut Array2<f64>,
) {
    let i = tid();
    let row = rows[i] as usize;
    for k in 0..3 {
        y[[row, k]] *= x[i] * y[[row, k]];
    }
}

/// The entries of a row of a sparse matrix, between two offsets.
#[kernel(family = "torture")]
fn entries_of_a_row(
    #[shape(3 * dim0)]
    #[domain(0.5..1.5)]
    x: &[f64],
    #[shape(dim0 + 1)]
    #[domain(0..=x.len(), offsets)]
    starts: &[u32],
    #[shape(3 * dim0)]
    #[domain(0.5..1.5)]
    y: &mut [f64],
) {
    let i = tid();
    let mut total = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        total += x[k] * y[k];
    }
    for k in starts[i] as usize..starts[i + 1] as usize {
        y[k] = x[k] / (1.0 + total * total);
    }
}

#[device]
#[derive(Clone, Copy)]
struct Grain {
    at: f64,
    speed: f64,
}

/// Fields of structs along a row: one is read as it was, one as it becomes.
#[kernel(family = "torture")]
fn grains(
    #[domain(0.5..1.5)] dt: f64,
    #[shape(dim0, 4)]
    #[domain(0.5..1.5)]
    p: &mut Array2<Grain>,
) {
    let i = tid();
    for k in 1..4 {
        p[[i, k]].speed = p[[i, k - 1]].speed.cos() * dt;
        p[[i, k]].at = p[[i, k]].at * p[[i, k]].at + dt * p[[i, k]].speed;
    }
}

super::torture! {
    /// stencil in place by one thread
    stencil_in_place.over(5);
}

#[test]
fn rows_and_blocks() {
    for name in [
        "scaled_row",
        "recurrence_along_a_row",
        "recurrence_from_the_end",
        "flat_rows",
        "blocks_of_four",
        "old_and_new",
        "vectors_of_a_row",
        "one_element_or_two",
        "grains",
    ] {
        case(name, "").holds();
    }
}

#[test]
fn promised_indices() {
    for name in ["permuted", "chosen_rows", "entries_of_a_row"] {
        case(name, "").over(5).holds();
    }
}

#[test]
fn the_work_of_one_thread() {
    for name in ["scan_by_one_thread", "sum_by_one_thread", "tridiagonal", "factors_in_place"] {
        case(name, "").over(6).holds();
    }
}

#[test]
fn pairs_and_permutations() {
    for name in ["butterfly", "red_and_black", "reversed", "transposed_in_place"] {
        case(name, "").over(7).holds();
    }
}

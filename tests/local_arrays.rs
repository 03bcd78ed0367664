//! Local arrays of a thread, through every stage.

use kernel_rt::prelude::*;

/// A filter with a table of weights, over a window that moves along a row.
#[kernel(family = "test")]
fn moving_filter(#[shape(dim0, 12)] x: &Array2<f32>, #[shape(dim0, 12)] y: &mut Array2<f32>) {
    const TAPS: usize = 5;
    const WEIGHTS: [f32; TAPS] = [0.0625, 0.25, 0.375, 0.25, 0.0625];
    let i = tid();
    let mut window = [0.0f32; TAPS];
    for j in 0..12 {
        window[j % TAPS] = x[[i, j]];
        let mut sum = 0.0;
        for k in 0..TAPS {
            sum += WEIGHTS[k] * window[(j + 1 + k) % TAPS];
        }
        y[[i, j]] = sum;
    }
}

/// The smallest four numbers of a row, in order, by insertion.
#[kernel(family = "test")]
fn smallest_four(#[shape(dim0, 9)] x: &Array2<f32>, #[shape(dim0, 4)] y: &mut Array2<f32>) {
    let i = tid();
    let mut best = [f32::MAX; 4];
    let mut from = [0usize; 4];
    for j in 0..x.shape()[1] {
        let v = x[[i, j]];
        if v >= best[3] {
            continue;
        }
        let mut at = 3;
        while at > 0 && best[at - 1] > v {
            best[at] = best[at - 1];
            from[at] = from[at - 1];
            at -= 1;
        }
        best[at] = v;
        from[at] = j;
    }
    for k in 0..best.len() {
        y[[i, k]] = best[k] * (1.0 + 0.125 * from[k] as f32);
    }
}

/// A point on a Bézier curve by de Casteljau's rule, which overwrites its control points.
#[device]
fn on_curve(a: Vec3, b: Vec3, c: Vec3, d: Vec3, t: f32) -> Vec3 {
    let mut points = [a, b, c, d];
    for round in 1..points.len() {
        for k in 0..points.len() - round {
            points[k] = points[k] * (1.0 - t) + points[k + 1] * t;
        }
    }
    points[0]
}

/// Points on curves.
#[kernel(family = "test")]
fn curves(#[shape(dim0, 4)] control: &Array2<Vec3>, #[domain(0.0..1.0)] t: &[f32], out: &mut [Vec3]) {
    let i = tid();
    out[i] = on_curve(control[[i, 0]], control[[i, 1]], control[[i, 2]], control[[i, 3]], t[i]);
}

/// A solver with a history of as many steps as an argument says: the array is the state of a loop with checkpoints.
#[kernel(family = "test", slots = 3)]
fn three_term(x: &[f32], #[domain(0..9)] steps: u32, #[domain(0..6)] at: &[u32], y: &mut [f32]) {
    let i = tid();
    let mut history = [x[i], 0.5 * x[i], 1.0];
    for s in 0..steps as usize {
        let next = 0.75 * history[(s + 2) % 3] * x[i] - 0.25 * history[s % 3];
        history[s % 3] = next;
        history[at[i] as usize % 3] += 0.125 * next * next;
    }
    y[i] = history[at[i] as usize % history.len()];
}

/// A stack of cells that are yet to be visited, in a tree of 15 cells. Elements are integers, `bool`, matrices and
/// quaternions.
#[kernel(family = "test")]
fn visits(#[shape(15)] weight: &[f32], x: &[f32], out: &mut [f32], count: &mut [u32]) {
    let i = tid();
    let mut stack = [0u32; 20];
    let mut seen = [false; 3];
    let mut turns = [Quat::IDENTITY; 2];
    let mut frames = [Mat2::IDENTITY; 2];
    let mut top = 1usize;
    let mut sum = 0.0f32;
    while top > 0 {
        top -= 1;
        let cell = stack[top] as usize;
        sum += weight[cell] * x[i];
        seen[cell % 3] |= weight[cell] > 0.5;
        turns[cell % 2].w += 0.25 * weight[cell];
        frames[cell % 2].x_axis.y += x[i] * weight[cell];
        if cell < 7 && weight[cell] > -0.5 {
            stack[top] = 2 * cell as u32 + 1;
            stack[top + 1] = 2 * cell as u32 + 2;
            top += 2;
        }
    }
    if seen[0] || !seen[2] {
        sum *= turns[0].w;
    }
    out[i] = sum + frames[1].determinant() + frames[0].x_axis.y;
    count[i] = seen[1] as u32;
}

/// A delay line of 18 numbers, more than a vector has, as the state of a loop; each trip overwrites an element.
#[kernel(family = "test")]
fn delay_line(
    #[domain(0.5..1.0)] gain: f64,
    #[domain(1..18)] delay: &[u32],
    #[domain(0..40)] samples: u32,
    #[shape(40)] x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let mut line = [0.0f64; 18];
    let mut sum = 0.0;
    for j in 0..samples as usize {
        let old = line[(j + 18 - delay[i] as usize) % line.len()];
        line[j % line.len()] = x[j] + gain * old * old;
        if line[j % line.len()] > 1.5 {
            line[0] *= 0.5;
        }
        sum += old * x[j];
    }
    y[i] = sum + line[3];
}

#[test]
fn the_smallest_are_found_with_their_places() {
    let x = Array2::from_vec([1, 9], vec![7.0, 3.0, 9.0, 1.0, 8.0, 2.0, 6.0, 4.0, 5.0]).unwrap();
    let mut y = Array2::from_vec([1, 4], vec![0.0; 4]).unwrap();
    smallest_four::cpu(1, &x, &mut y).unwrap();
    let expected = [(1.0, 3.0), (2.0, 5.0), (3.0, 1.0), (4.0, 7.0)].map(|(value, place)| value * (1.0 + 0.125 * place));
    assert_eq!(y.as_slice(), expected);
}

/// Reads an element that the array may not have.
#[kernel(family = "test", no_grad)]
fn outside(#[domain(0..4)] at: &[u32], out: &mut [f32]) {
    let i = tid();
    let table = [1.0f32, 2.0, 3.0, 4.0];
    out[i] = table[at[i] as usize];
}

#[test]
fn an_index_out_of_bounds_is_an_error() {
    let mut out = [0.0; 3];
    let found = outside::cpu(3, &[0, 4, 1], &mut out).unwrap_err().to_string();
    let message = "kernel `outside`, thread [1], array `table`: index out of bounds: the len is 4 but the index is 4";
    assert!(found.starts_with(message), "{found}");
}

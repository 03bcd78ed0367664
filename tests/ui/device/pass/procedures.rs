use kernel_rt::prelude::*;

/// The sum of two neighbours of an array that the kernel changes.
#[device]
fn sum(x: &[f32], i: usize) -> f32 {
    x[i] + x[(i + 1) % x.len()]
}

#[device]
fn put(y: &mut [f32], i: usize, value: f32) {
    if i >= y.len() {
        return;
    }
    y[i] = value;
}

/// Calls other procedures, in a loop with an early end.
#[device]
fn fill(y: &mut [f32], counts: &mut [u32], from: usize, value: f32) -> usize {
    for k in from..y.len() {
        if sum(y, k) > 10.0 {
            return k;
        }
        put(&mut *y, k, value);
        atomic_add(&mut counts[0], 1);
    }
    y.len()
}

#[device]
fn diagonal(m: &mut Array2<f32>, i: usize) {
    m[[i, i]] += 1.0;
}

// Threads read elements that others write, so there is no gradient.
#[kernel(no_grad)]
fn all(y: &mut [f32], counts: &mut [u32], m: &mut Array2<f32>, ends: &mut [u32]) {
    let i = tid();
    put(y, i, sum(&*y, i) + sum(y, 0));
    let end = fill(y, counts, i + 1, 2.0);
    ends[i] = end as u32 + fill(y, counts, y.len(), 1.0) as u32;
    diagonal(m, i);
}

fn main() {
    let (mut y, mut counts, mut ends) = ([1.0, 2.0, 3.0], [0], [0]);
    let mut m = Array2::from_vec([1, 1], vec![0.5]).unwrap();
    all::cpu(1, &mut y, &mut counts, &mut m, &mut ends).unwrap();
    assert_eq!((y, counts, ends), ([6.0, 2.0, 2.0], [2], [6]));
    assert_eq!(m[[0, 0]], 1.5);
}

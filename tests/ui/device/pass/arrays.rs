use kernel_rt::prelude::*;

/// The sum of a row.
#[device]
fn row_sum(m: &Array2<f32>, row: usize) -> f32 {
    let mut sum = 0.0;
    for j in 0..m.shape()[1] {
        sum += m[[row, j]];
    }
    sum
}

/// Functions pass arrays on, and other Rust code calls them too.
#[device]
fn weighted(weights: &[f32], m: &Array2<f32>, i: usize) -> f32 {
    if i >= weights.len() {
        return 0.0;
    }
    weights[i] * row_sum(m, i)
}

#[kernel]
fn weigh(weights: &[f32], m: &Array2<f32>, out: &mut [f32]) {
    let i = tid();
    out[i] = weighted(weights, m, i) + weighted(&weights, &*m, i + 1);
}

fn main() {
    let m = Array2::from_vec([2, 2], vec![1.0, 2.0, 3.0, 4.0]).unwrap();
    let mut out = [0.0; 2];
    weigh::cpu(2, &[10.0, 1.0], &m, &mut out).unwrap();
    assert_eq!(out, [37.0, 7.0]);
    assert_eq!(row_sum(&m, 1), 7.0);
}

//- arrays by name and by reference, passed on, in any place of the parameters
#[device]
fn row_sum(m: &Array2<f32>, row: usize) -> f32 {
    let mut sum = 0.0;
    for j in 0..m.shape()[1] {
        sum += m[[row, j]];
    }
    sum
}
#[device]
fn weighted(weights: &[f32], i: usize, m: &Array2<f32>) -> f32 {
    if i >= weights.len() {
        return 0.0;
    }
    weights[i] * row_sum(&m, i)
}
#[kernel]
fn weigh(m: &Array2<f32>, weights: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = weighted(weights, i, m) + weighted(&weights, i + 1, &*m);
}

//- one function for several arrays
#[device]
fn first(x: &[i32], y: &[i32]) -> i32 {
    x[0] - y[0]
}
#[kernel]
fn k(a: &[i32], b: &[i32], out: &mut [i32]) {
    out[tid()] = first(a, b) + first(b, a) * first(a, a);
}

#[device]
fn last(x: &[f32]) -> f32 {
    x[x.len() - 1]
}

#[device]
fn corner(m: &Array2<f32>, i: usize, x: &[f32]) -> f32 {
    m[[i, i]] + last(x)
}

#[kernel(family = "f")]
pub fn k(a: &[f32], #[shape(4, 4)] m: &Array2<f32>, b: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = corner(m, i, a) + b[i];
}

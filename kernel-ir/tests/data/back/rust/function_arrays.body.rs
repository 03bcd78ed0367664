fn last(x: &[f32]) -> f32 {
    x[x.len() - 1]
}
fn corner(m: &Array2<f32>, i: usize, x: &[f32]) -> f32 {
    m[[i, i]] + last(x)
}
let i = tid();
y[i] = corner(m, i, a) + b[i];

/// G from x and theta: g = !(x[i]·theta[i] − 10) >> 2.
#[kernel(family = "arithmetic")]
pub fn compute_x(#[domain(-3.0..3.0)] x: &[f32], #[domain(-3.0..3.0)] theta: &[f32], g: &mut [i32]) {
    let i = tid();
    let lhs = x[i] * theta[i];
    let rhs = !(lhs as i32 - 10);
    g[i] = rhs >> 2;
}

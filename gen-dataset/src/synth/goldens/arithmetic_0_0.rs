/// H from x, theta and bucket: h = wrapping_add(!(x[i]·theta[i] − 10), bucket[i]).
#[kernel(family = "arithmetic")]
pub fn pack_x(
    #[domain(-3.0..3.0)] x: &[f32],
    #[domain(-3.0..3.0)] theta: &[f32],
    #[domain(0..16)] bucket: &[i32],
    h: &mut [i32],
) {
    let i = tid();
    let lhs = x[i] * theta[i];
    let rhs = !(lhs as i32 - 10);
    h[i] = rhs.wrapping_add(bucket[i]);
}

#[kernel(family = "test")]
pub fn k(x: &[f32], out: &mut [Vec3]) {
    let mut sums = [0.0f32; 32];
    let mut spins = [Quat::from_xyzw(0.0, 0.0, 0.0, 0.0); 2];
    let mut frames = [Mat3::ZERO; 4];
    let mut counts = [0usize; 4];
    let mut flags = [false; 4];
    let mut points = [Vec3::ZERO; 4];
    sums[tid()] += x[tid()];
    counts[1] = x.len();
    flags[0] = sums[2] < 0.0;
    points[0].y += sums[counts[0]];
    *frames[1].col_mut(tid()) += points[0];
    spins[0].w = 1.0;
    out[tid()] = spins[0] * points[1] + frames[1].z_axis;
}

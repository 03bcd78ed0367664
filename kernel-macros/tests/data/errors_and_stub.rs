#[kernel(family = "test")]
#[cfg(unix)]
fn bad(a: f32, x: &[Vec3], y: &mut Array2<f32>) {
    sin(a);
}

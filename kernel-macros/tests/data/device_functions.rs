#[kernel(family = "test")]
#[cfg(unix)]
fn calls(x: &mut [f32]) {
    let i = tid();
    x[i] = other::step(x[i]).max(f32::sqrt(step(1.0)));
}

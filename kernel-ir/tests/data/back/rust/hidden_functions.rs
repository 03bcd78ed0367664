#[kernel(family = "test")]
pub fn k(tid: &[f64], y: &mut [f64]) {
    let atomic_add = kernel_rt::tid();
    kernel_rt::atomic_add(&mut y[atomic_add], tid[atomic_add]);
    atomic_max(&mut y[0], 1.0);
}

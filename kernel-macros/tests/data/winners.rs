#[kernel(family = "ties")]
fn extremes(a: f32, x: &[f32], low: &mut [f32], #[shape(2, dim0)] high: &mut Array2<f32>) {
    let i = tid();
    atomic_min(&mut low[0], a * x[i]);
    atomic_max(&mut high[[0, i]], x[i]);
}

#[kernel(family = "matrix")]
/// b += scale·a.
pub fn add_scaled(#[domain(-1.0..1.0)] mut scale: f64, a: &Array2<f64>, b: &mut Array2<f64>) {
    let (i, j) = kernel_rt::tid2();
    scale += 1.0;
    b[[i, j]] += scale * a[[i, j]];
}

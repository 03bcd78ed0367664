#[kernel(family = "test")]
pub fn k(x: &mut [f32]) {
    let (_, _) = tid2();
    x[0] = 1.0;
}

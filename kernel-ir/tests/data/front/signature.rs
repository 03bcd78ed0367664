//- every kind of parameter
/// One line.
///
///   Indented.
fn k(a: f32, b: usize, mut c: i64, d: bool, v: glam::Vec3, q: DQuat, x: &[f64], y: &mut [UVec2], m: &Array2<Mat4>) {
    let (_, _) = tid2();
    c += 1;
}

//- shapes and domains
fn k(
    #[domain(1..=8)] n: i32,
    #[domain(-2.0 * std::f32::consts::PI..1.5e1)] a: f32,
    #[domain(0.0..1.0)] #[shape(n * 2 + 1)] x: &[f32],
    #[shape(dim0, x.len() / 2)] m: &Array2<f32>,
    #[domain(0..x.len())] index: &[u32],
    #[shape(m.shape()[1], n - 1, (4))] t: &mut Array3<f64>,
    #[domain(-3..3)] s: i64,
    #[domain(-1.0..1.0)] v: Vec3,
    #[domain(-5..5)] w: IVec2,
) {
    let _i = tid();
}

//- arrays of bool
fn k(a: &[bool], #[domain(false..=true)] b: &mut [bool], #[shape(dim0, 3)] c: &mut Array2<bool>) {
    let _i = tid();
}

//- a kernel without parameters or statements
pub fn k() {}

#[kernel(family = "test")]
pub fn k(#[shape(dim0, 2)] m: &mut Array2<Vec3>, n: &mut [Mat3], c: &mut [f32]) {
    let value = tid();
    m[[m.shape()[0] - 1, value]] += m[[value, 0]] * 2.0;
    m[[value, 1]] *= 2.0;
    let value_1: Vec3 = n[1].col(value);
    *n[0].col_mut(value) += value_1;
    let value_2: f32 = c[1];
    atomic_add(&mut c[0], value_2);
}

//- elements and lengths
fn k(x: &[f32], m: &Array2<f32>, t: &mut Array3<i32>, out: &mut [f32]) {
    let (i, j, _) = tid3();
    out[i] = x[i] + m[[i, j]] + x.len() as f32 + m.shape()[1] as f32;
    t[[i, j, 0]] += 1;
    t[[0, 1, 2]] = 5;
}

//- elements of type bool
fn k(x: &[f32], mask: &mut [bool], #[shape(dim0, 2)] m: &Array2<bool>, out: &mut [u32]) {
    let i = tid();
    mask[i] = x[i] > 0.0;
    mask[i] &= !m[[i, 0]];
    mask[i] |= m[[i, 1]] && x[i] < 1.0;
    mask[i] ^= true;
    if mask[i] {
        out[i] = mask[i] as u32 + (mask[i] == m[[i, 0]]) as u32;
    }
}

//- components as places
fn k(v: &mut [Vec3], m: &mut [Mat3], k: usize) {
    v[0].x = 1.0;
    v[k][k] += 2.0;
    m[0].x_axis.y = 3.0;
    m[0].col_mut(1)[0] = 4.0;
    m[1].col_mut(k).z -= 5.0;
    *m[2].col_mut(2) = Vec3::ONE;
    *m[2].col_mut(k) += Vec3::X;
    let mut w = v[0];
    w.y = 2.0;
    w[2] = 1.0;
    let mut a = m[0];
    a.col_mut(0).x = 1.0;
    (a.y_axis).x = 2.0;
}

//- components as values
fn k(v: Vec4, m: Mat3, q: Quat, k: usize) {
    let a = v.x + v[k] + v[3];
    let b = m.col(k)[1] + m.y_axis.z;
    let c = q.w;
    let d = m.row(1);
    let e = (v * 2.0).y;
}

//- launch indices
fn k(out: &mut Array4<f32>) {
    let (i, j, k, l) = tid4();
    let (a, _, c, _) = tid4();
    out[[i, j, k, l]] = (a + c) as f32;
}

//- a mutable launch index
fn k(out: &mut Array2<f32>) {
    let (mut i, j): (usize, usize) = tid2();
    i += 1;
    out[[i, j]] = 0.0;
}

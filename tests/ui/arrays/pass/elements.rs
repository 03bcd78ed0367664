use kernel_rt::prelude::*;

#[kernel]
fn elements(
    k: i32,
    mut a: f32,
    x: &[f32],
    v: &[Vec3],
    #[shape(dim0, 2)] m: &Array2<f32>,
    out: &mut [f32],
    turned: &mut [Mat3],
) {
    let i = tid();
    a += 1.0;
    let mut sum = x[k as usize % x.len()] + v[i][2] + m[[i, 0]];
    for j in 0..m.shape()[1] {
        sum += m[[i, j]];
    }
    out[i] = a * sum;
    turned[i].col_mut(0).x = 1.0;
    *turned[i].col_mut(1) = v[i];
}

fn main() {}

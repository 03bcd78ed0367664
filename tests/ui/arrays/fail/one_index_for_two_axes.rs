use kernel_rt::prelude::*;

#[kernel]
fn broken(m: &Array2<f32>, out: &mut Array2<f32>) {
    let (i, j) = tid2();
    out[[i, j]] = m[i][j];
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn broken(x: Array2<f32>, out: &mut Array2<f32>) {
    let (i, j) = tid2();
    out[[i, j]] = x[[i, j]];
}

fn main() {}

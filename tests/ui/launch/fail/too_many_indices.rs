use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut Array2<f32>) {
    let (i, j, k) = tid2();
    out[[i, j]] = k as f32;
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut Array2<f32>) {
    let index = tid2();
    out[[0, 0]] = 1.0;
}

fn main() {}

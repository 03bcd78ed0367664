use kernel_rt::prelude::*;

#[device]
fn put(y: &mut [f32], value: f32) {
    y[0] = value;
}

#[kernel]
fn broken(m: &mut Array2<f32>) {
    let i = tid();
    put(m.row_mut(i), m[[i, 1]]);
}

fn main() {}

use kernel_rt::prelude::*;

#[device]
fn put(y: &mut [f32], i: usize) {
    y[i] = 1.0;
    return y[i];
}

fn main() {}

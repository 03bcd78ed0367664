use kernel_rt::prelude::*;

#[device]
fn sum(x: &[f32; 3]) -> f32 {
    x[0] + x[1] + x[2]
}

#[kernel]
fn broken(out: &mut [f32]) {
    let x = [1.0, 2.0];
    out[tid()] = sum(&x);
}

fn main() {}

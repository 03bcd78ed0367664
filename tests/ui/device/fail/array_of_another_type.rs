use kernel_rt::prelude::*;

#[device]
fn corner(m: &Array2<f32>) -> f32 {
    m[[0, 0]]
}

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    out[tid()] = corner(x);
}

fn main() {}

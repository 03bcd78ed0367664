use kernel_rt::prelude::*;

#[device]
fn clear(y: &mut [f32]) {
    y[0] = 0.0;
}

#[kernel]
fn broken(y: &mut [f32]) {
    let i = tid();
    clear(&y[i..i + 1]);
}

fn main() {}

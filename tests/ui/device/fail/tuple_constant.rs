use kernel_rt::prelude::*;

#[device]
const RANGE: (f32, f32) = (0.0, 1.0);

#[kernel]
fn broken(y: &mut [f32]) {
    let i = tid();
    y[i] = RANGE.0;
}

fn main() {}

use kernel_rt::prelude::*;

#[device]
const LIMIT: f32 = 1.0;

#[kernel]
fn broken(y: &mut [f32]) {
    let i = tid();
    LIMIT += 1.0;
    y[i] = LIMIT;
}

fn main() {}

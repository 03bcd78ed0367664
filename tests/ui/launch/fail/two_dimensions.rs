use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [f32]) {
    let i = tid();
    let (a, b) = tid2();
    out[i] = (a + b) as f32;
}

fn main() {}

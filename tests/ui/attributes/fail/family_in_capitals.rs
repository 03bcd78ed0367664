use kernel_rt::prelude::*;

#[kernel(family = "Math")]
fn broken(out: &mut [f32]) {
    out[tid()] = 1.0;
}

fn main() {}

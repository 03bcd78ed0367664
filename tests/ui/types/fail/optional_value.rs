use kernel_rt::prelude::*;

#[kernel]
fn broken(scale: Option<f32>, out: &mut [f32]) {
    out[tid()] = 1.0;
}

fn main() {}

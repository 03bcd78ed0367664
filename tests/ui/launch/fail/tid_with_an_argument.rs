use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [f32]) {
    out[tid(0)] = 1.0;
}

fn main() {}

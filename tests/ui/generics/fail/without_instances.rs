use kernel_rt::prelude::*;

#[kernel]
fn broken<const N: usize>(out: &mut [f32]) {
    out[tid()] = 1.0;
}

fn main() {}

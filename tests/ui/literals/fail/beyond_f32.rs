use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [f32]) {
    out[tid()] = 1e39;
}

fn main() {}

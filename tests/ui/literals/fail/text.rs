use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [f32]) {
    let name = "kernel";
    out[tid()] = 1.0;
}

fn main() {}

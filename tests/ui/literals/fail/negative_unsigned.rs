use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [u32]) {
    out[tid()] = -1;
}

fn main() {}

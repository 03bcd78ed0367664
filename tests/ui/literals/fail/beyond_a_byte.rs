use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [u8]) {
    out[tid()] = 256;
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn broken(#[domain(-1..1)] n: u32, out: &mut [u32]) {
    out[tid()] = n;
}

fn main() {}

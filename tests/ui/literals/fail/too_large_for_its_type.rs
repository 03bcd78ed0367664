use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [i32]) {
    out[tid()] = 3_000_000_000;
}

fn main() {}

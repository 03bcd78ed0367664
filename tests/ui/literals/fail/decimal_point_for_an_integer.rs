use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [i32]) {
    out[tid()] = 1.0;
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [i32]) {
    out[tid()] = 1u128 as i32;
}

fn main() {}

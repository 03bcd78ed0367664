use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [i32]) {
    const TWICE: i32 = 2 * ONCE;
    const ONCE: i32 = 1;
    out[tid()] = TWICE;
}

fn main() {}

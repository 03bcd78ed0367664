use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [i32]) {
    let mut n = 0;
    atomic_add(&mut n, 1);
    out[tid()] = n;
}

fn main() {}

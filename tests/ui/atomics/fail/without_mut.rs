use kernel_rt::prelude::*;

#[kernel]
fn broken(counts: &mut [i32]) {
    atomic_add(&counts[0], 1);
}

fn main() {}

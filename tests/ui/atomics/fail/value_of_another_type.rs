use kernel_rt::prelude::*;

#[kernel]
fn broken(counts: &mut [i32]) {
    atomic_add(&mut counts[0], 1.0);
}

fn main() {}

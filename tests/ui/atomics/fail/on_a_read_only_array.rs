use kernel_rt::prelude::*;

#[kernel]
fn broken(counts: &[i32]) {
    atomic_add(&mut counts[0], 1);
}

fn main() {}

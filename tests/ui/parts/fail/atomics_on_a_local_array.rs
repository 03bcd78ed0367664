use kernel_rt::prelude::*;

#[device]
fn count(y: &mut [u32], k: usize) {
    atomic_add(&mut y[k], 1);
}

#[kernel]
fn broken(out: &mut [u32]) {
    let mut counts = [0u32; 4];
    count(&mut counts, 2);
    out[tid()] = counts[2];
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn mark(x: &[f32], seen: &mut [f32]) {
    let i = tid();
    atomic_or(&mut seen[0], x[i]);
}

fn main() {}

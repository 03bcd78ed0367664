use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], x: &mut [f32]) {
    let _ = tid();
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn broken(states: &mut [u32], out: &mut [f32]) {
    let i = tid();
    out[i] = randf(&mut states[i]);
}

fn main() {}

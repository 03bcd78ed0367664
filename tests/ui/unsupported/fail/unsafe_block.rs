use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    unsafe {
        out[i] = x[i];
    }
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let a;
    if x[i] > 0.0 {
        a = 1.0;
    }
    out[i] = a;
}

fn main() {}

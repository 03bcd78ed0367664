use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [f32]) {
    let i = tid();
    for t in 0.0..1.0 {
        out[i] += t;
    }
}

fn main() {}

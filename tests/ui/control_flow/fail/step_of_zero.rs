use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [i32]) {
    let i = tid();
    for j in (0..9).step_by(0) {
        out[i] += j;
    }
}

fn main() {}

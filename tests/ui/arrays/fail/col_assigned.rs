use kernel_rt::prelude::*;

#[kernel]
fn broken(m: &mut [Mat3]) {
    let i = tid();
    m[i].col(0).x = 1.0;
}

fn main() {}

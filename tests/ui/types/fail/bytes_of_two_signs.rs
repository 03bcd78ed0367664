use kernel_rt::prelude::*;

#[kernel]
fn broken(a: &[u8], b: &[i8], out: &mut [u8]) {
    let i = tid();
    out[i] = a[i] + b[i];
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn broken(n: i32, x: &[f32], out: &mut [f32]) {
    let i = tid();
    let a = x[i] * 2;
    let b = missing;
    x[i] = a;
    let c: u128 = 3;
    out[i] = x[n].sine();
}

fn main() {}

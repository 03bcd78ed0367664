use kernel_rt::prelude::*;

#[kernel]
fn literals(big: &mut [i64], out: &mut [f64]) {
    let i = tid();
    big[i] = 3_000_000_000 + 0xff + 0b11 + i32::MIN as i64 - -1;
    out[i] = 1e39 + 2.5e-3 + -1.0_f64.abs() + f64::EPSILON + u32::MAX as f64;
}

fn main() {}

use kernel_rt::prelude::*;

#[allow(non_upper_case_globals)]
const limit: i32 = 7;

#[kernel]
fn broken(n: i32, out: &mut [f32]) {
    let i = tid();
    out[i] = match n {
        limit => 1.0,
        _ => 2.0,
    };
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn broken(n: i32, out: &mut [f32]) {
    let i = tid();
    match n {
        LIMIT => out[i] = 1.0,
        _ => out[i] = 2.0,
    }
}

const LIMIT: i32 = 7;

fn main() {}

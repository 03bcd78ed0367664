use kernel_rt::prelude::*;

#[kernel]
fn broken(n: i32, out: &mut [f32]) {
    let i = tid();
    out[i] = match n {
        0 => 1.0,
        1..=7 => 2.0,
    };
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn broken(n: i32, out: &mut [f32]) {
    let i = tid();
    if n {
        out[i] = 1.0;
    }
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn broken(n: i32, out: &mut [f32]) {
    let i = tid();
    match n {
        (1, 2) => out[i] = 1.0,
        _ => out[i] = 2.0,
    }
}

fn main() {}

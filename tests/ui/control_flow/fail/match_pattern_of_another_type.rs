use kernel_rt::prelude::*;

#[kernel]
fn broken(n: u32, out: &mut [f32]) {
    let i = tid();
    match n {
        -1 => out[i] = 1.0,
        true => out[i] = 2.0,
        _ => out[i] = 3.0,
    }
}

fn main() {}

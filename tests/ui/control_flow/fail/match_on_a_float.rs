use kernel_rt::prelude::*;

#[kernel]
fn broken(x: f32, out: &mut [f32]) {
    let i = tid();
    match x {
        0.0 => out[i] = 1.0,
        _ => out[i] = 2.0,
    }
}

fn main() {}

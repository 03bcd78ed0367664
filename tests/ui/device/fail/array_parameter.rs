use kernel_rt::prelude::*;

#[device]
fn sum(x: &mut [f32]) -> f32 {
    x[0] + x[1]
}

fn main() {}

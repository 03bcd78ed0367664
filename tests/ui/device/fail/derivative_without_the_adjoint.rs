use kernel_rt::prelude::*;

#[device(grad(x = slope))]
fn square(x: f32) -> f32 {
    x * x
}

#[device]
fn slope(x: f32) -> f32 {
    2.0 * x
}

fn main() {}

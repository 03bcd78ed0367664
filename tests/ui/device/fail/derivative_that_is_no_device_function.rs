use kernel_rt::prelude::*;

#[device(grad(x = slope))]
fn square(x: f32) -> f32 {
    x * x
}

fn slope(x: f32, adj: f32) -> f32 {
    2.0 * x * adj
}

fn main() {}

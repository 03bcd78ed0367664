use kernel_rt::prelude::*;

#[device(grad(n = slope))]
fn scaled(x: f32, n: i32) -> f32 {
    x * n as f32
}

#[device]
fn slope(x: f32, n: i32, adj: f32) -> f32 {
    x * adj * n as f32
}

fn main() {}

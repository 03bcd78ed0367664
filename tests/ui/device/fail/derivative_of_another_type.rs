use kernel_rt::prelude::*;

#[device(grad(x = slope))]
fn lifted(x: f32, k: i32) -> Vec2 {
    Vec2::new(x, k as f32)
}

#[device]
fn slope(x: f32, k: i32, adj: f32) -> f32 {
    adj + x * k as f32
}

fn main() {}

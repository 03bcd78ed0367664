use kernel_rt::prelude::*;

#[device(grad(scale = scaled_dscale))]
fn scaled(x: &[f32], scale: f32) -> f32 {
    x[0] * scale
}

#[device]
fn scaled_dscale(scale: f32, adj: f32) -> f32 {
    adj * scale
}

fn main() {}

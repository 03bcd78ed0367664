use kernel_rt::prelude::*;

#[device]
fn clamp(x: f32) -> f32 {
    x.max(0.0).min(1.0)
}

fn main() {}

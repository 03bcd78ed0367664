use kernel_rt::prelude::*;

#[device]
fn norm(pair: (f32, f32)) -> f32 {
    pair.0.hypot(pair.1)
}

fn main() {}

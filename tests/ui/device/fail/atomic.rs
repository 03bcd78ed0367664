use kernel_rt::prelude::*;

#[device]
fn count(x: f32) -> f32 {
    atomic_add(&mut x, 1.0)
}

fn main() {}

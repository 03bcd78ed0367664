use kernel_rt::prelude::*;

#[device(grad())]
fn square(x: f32) -> f32 {
    x * x
}

#[device(surrogate)]
fn cube(x: f32) -> f32 {
    x * x * x
}

fn main() {}

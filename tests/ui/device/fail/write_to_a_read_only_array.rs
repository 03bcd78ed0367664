use kernel_rt::prelude::*;

#[device]
fn put(y: &[f32], i: usize, value: f32) -> f32 {
    y[i] = value;
    value
}

fn main() {}

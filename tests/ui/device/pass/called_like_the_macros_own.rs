//! Device functions may be called what the macro could call its own.

use kernel_rt::prelude::*;

#[device]
fn device_function(x: f32) -> f32 {
    x + 1.0
}

#[device]
fn resume(x: f32) -> f32 {
    x * 2.0
}

#[kernel]
fn both(y: &mut [f32]) {
    let i = tid();
    y[i] = resume(device_function(y[i]));
}

fn main() {
    let mut y = [1.0];
    both::cpu(1, &mut y).unwrap();
    assert_eq!(y, [4.0]);
}

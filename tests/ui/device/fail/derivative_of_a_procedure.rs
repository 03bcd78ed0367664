use kernel_rt::prelude::*;

#[device(grad(value = put_da))]
fn put(y: &mut [f32], i: usize, value: f32) {
    y[i] = value;
}

#[device]
fn put_da(i: usize, value: f32, adj: f32) -> f32 {
    adj
}

fn main() {}

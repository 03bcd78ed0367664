use kernel_rt::prelude::*;

#[device]
fn put(y: &mut f32, value: f32) {
    *y = value;
}

#[kernel]
fn broken(out: &mut [f32]) {
    let y = 0.0;
    put(&mut y, 1.0);
    out[tid()] = y;
}

fn main() {}

use kernel_rt::prelude::*;

#[device]
fn put(y: &mut f32, value: f32) {
    y = value;
}

fn main() {}

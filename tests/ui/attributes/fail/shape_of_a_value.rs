use kernel_rt::prelude::*;

#[kernel]
fn broken(#[shape(4)] a: f32, out: &mut [f32]) {
    out[tid()] = a;
}

fn main() {}

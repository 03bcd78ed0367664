use kernel_rt::prelude::*;

#[kernel]
fn broken(a: f32, out: &mut [f32]) {
    a += 1.0;
    out[tid()] = a;
}

fn main() {}

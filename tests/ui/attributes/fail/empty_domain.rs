use kernel_rt::prelude::*;

#[kernel]
fn broken(#[domain(1.0..-1.0)] a: f32, out: &mut [f32]) {
    out[tid()] = a;
}

fn main() {}

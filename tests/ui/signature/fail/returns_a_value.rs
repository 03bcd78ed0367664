use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32]) -> f32 {
    x[tid()]
}

fn main() {}

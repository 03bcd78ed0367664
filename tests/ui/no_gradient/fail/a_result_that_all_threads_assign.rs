use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], #[shape(1)] y: &mut [f32]) {
    y[0] = x[tid()] * x[tid()];
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn broken(#[domain(0.5..2.0, positive_definite)] #[shape(4, 5)] x: &Array2<f32>, out: &mut [f32]) {
    out[tid()] = x[[0, 0]];
}

fn main() {}

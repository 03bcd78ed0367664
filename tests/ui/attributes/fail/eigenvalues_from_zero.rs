use kernel_rt::prelude::*;

#[kernel]
fn broken(#[domain(0.0..2.0, positive_definite)] x: Mat2, out: &mut [f32]) {
    out[tid()] = x.determinant();
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &Vec<f32>, out: &mut Vec<f32>) {
    let i = tid();
    out[i] = x[i] + x.len() as f32;
}

fn main() {}

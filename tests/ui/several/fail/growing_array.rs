use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let mut v: Vec<f32> = Vec::new();
    v.push(x[i]);
    let w = vec![0.0; 3];
    out[i] = v[0] + w[1];
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let mut line = [0.0f32; 100];
    for j in 0..x.len() {
        line[j % 100] += x[j];
    }
    out[i] = line[i % 100];
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let mut table = [[0.0f32; 3]; 3];
    table[0][1] = x[i];
    out[i] = table[1][0];
}

fn main() {}

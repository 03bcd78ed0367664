use kernel_rt::prelude::*;

#[kernel]
fn broken(m: &Array2<f32>, out: &mut [f32]) {
    let i = tid();
    out[i] = m.row(i)[0];
}

fn main() {}

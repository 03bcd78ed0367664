use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &Array2<f32>, out: &mut [f32]) {
    let i = tid();
    out[i] = x[i, 0];
}

fn main() {
    broken::cpu(1, &Array2::zeros([1, 1]), &mut [0.0]).unwrap();
}

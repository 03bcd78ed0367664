use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid()
    out[i] = x[i];
}

fn main() {
    broken::cpu(1, &[1.0], &mut [0.0]).unwrap();
}

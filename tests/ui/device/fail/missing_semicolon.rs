use kernel_rt::prelude::*;

#[device]
fn cube(x: f32) -> f32 {
    let square = x * x
    square * x
}

#[kernel]
fn cubes(x: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = cube(x[i]);
}

fn main() {
    cubes::cpu(1, &[1.0], &mut [0.0]).unwrap();
}

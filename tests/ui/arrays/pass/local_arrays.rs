use kernel_rt::prelude::*;

#[device]
const TAPS: usize = 3;

#[device]
fn middle(a: f32, b: f32, c: f32) -> f32 {
    let mut sorted = [a, b, c];
    for pass in 0..3usize {
        let k = (pass + 1) % 2;
        if sorted[k] > sorted[k + 1] {
            let larger = sorted[k];
            sorted[k] = sorted[k + 1];
            sorted[k + 1] = larger;
        }
    }
    sorted[1]
}

#[kernel]
fn fine(x: &[f32], out: &mut [f32]) {
    const WEIGHTS: [f32; TAPS] = [0.25, 0.5, 0.25];
    let i = tid();
    let mut window = [x[i]; TAPS];
    window[i % TAPS] *= 2.0;
    out[i] = middle(window[0], window[1], window[2]) * WEIGHTS[i % WEIGHTS.len()];
}

#[kernel(no_grad)]
fn long(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let mut line = [Vec3::ZERO; 1024];
    line[i % line.len()].x = x[i];
    out[i] = line[0].x;
}

fn main() {}

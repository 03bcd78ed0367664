use kernel_rt::prelude::*;

struct Pair {
    a: f32,
}

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let pair = Pair { a: x[i] };
    out[i] = 1.0;
}

fn main() {}

use kernel_rt::prelude::*;

struct Params {
    dt: f32,
    steps: u32,
}

#[kernel]
fn broken(p: Params, x: &mut [f32]) {
    let i = tid();
    for _ in 0..p.steps {
        x[i] += p.dt.sqrt() * x[i];
    }
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    fn twice(a: f32) -> f32 {
        2.0 * a
    }
    out[tid()] = 1.0;
}

fn main() {}

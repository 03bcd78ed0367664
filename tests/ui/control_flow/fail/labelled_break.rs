use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [f32]) {
    'outer: for _ in 0..3 {
        out[tid()] += 1.0;
    }
}

fn main() {}

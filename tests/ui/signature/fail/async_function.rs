use kernel_rt::prelude::*;

#[kernel]
async fn broken(out: &mut [f32]) {
    out[tid()] = 1.0;
}

fn main() {}

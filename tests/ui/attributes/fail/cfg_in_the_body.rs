use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [f32]) {
    let i = tid();
    #[cfg(debug_assertions)]
    let i = i + 1;
    out[i] = 1.0;
}

fn main() {}

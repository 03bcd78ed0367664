use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], mask: Option<&[u32]>, out: &mut [f32]) {
    let i = tid();
    if mask[i] == 0 {
        out[i] = x[i];
    }
}

fn main() {}

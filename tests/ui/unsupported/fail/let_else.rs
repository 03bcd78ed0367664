use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let Some(a) = Some(x[i]) else {
        return;
    };
    out[i] = a;
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn broken(out: &mut [f32]) {
    let i = tid();
    out[i] = loop {
        break 1.0;
    };
}

fn main() {}

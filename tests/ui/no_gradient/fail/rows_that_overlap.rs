use kernel_rt::prelude::*;

#[kernel]
fn broken(#[shape(dim0 * 4)] y: &mut [f64]) {
    let i = tid();
    for k in 0..5 {
        y[i * 4 + k] = y[i * 4 + k] * y[i * 4 + k];
    }
}

fn main() {}

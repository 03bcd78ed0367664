use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f64], count: &mut [u32], kept: &mut [f64]) {
    let i = tid();
    if x[i] > 0.0 {
        let place = atomic_add(&mut count[0], 1);
        kept[place as usize] = x[i] * x[i];
    }
}

fn main() {}

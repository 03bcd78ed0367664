use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], #[shape(1)] any: &mut [bool]) {
    let i = tid();
    atomic_max(&mut any[0], x[i] > 0.0);
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel(no_grad)]
fn broken(a: &mut [f32], j: usize) {
    atomic_add(&mut a[0], a[j]);
}

fn main() {}

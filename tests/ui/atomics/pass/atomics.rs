use kernel_rt::prelude::*;

#[kernel]
fn atomics(
    x: &[f32],
    #[shape(16)] counts: &mut [i32],
    #[shape(3)] sums: &mut [f32],
    last: &mut [i32],
) {
    let i = tid();
    let bin = (x[i].abs() as usize) % 16;
    last[i] = atomic_add(&mut counts[bin], 1);
    atomic_add(&mut sums[0], x[i]);
    atomic_max(&mut sums[1], x[i]);
    atomic_min(&mut sums[2], x[i]);
}

fn main() {}

use kernel_rt::prelude::*;

#[kernel]
fn atomics(
    x: &[f32],
    #[shape(16)] counts: &mut [i32],
    #[shape(1)] sum: &mut [f32],
    #[shape(1)] largest: &mut [f32],
    #[shape(1)] smallest: &mut [f32],
    last: &mut [i32],
) {
    let i = tid();
    let bin = (x[i].abs() as usize) % 16;
    last[i] = atomic_add(&mut counts[bin], 1);
    atomic_add(&mut sum[0], x[i]);
    atomic_max(&mut largest[0], x[i]);
    atomic_min(&mut smallest[0], x[i]);
}

fn main() {}

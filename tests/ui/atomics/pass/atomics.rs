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

/// Vectors, matrices, quaternions, their parts, and bits.
#[kernel]
fn wholes_and_parts(
    x: &[f32],
    at: &[u32],
    #[shape(4)] forces: &mut [Vec3],
    #[shape(4)] cells: &mut [IVec3],
    #[shape(1)] turn: &mut [Quat],
    #[shape(1)] inertia: &mut [DMat3],
    #[shape(1)] seen: &mut [u32],
    #[shape(1)] common: &mut [i64],
    #[shape(1)] parity: &mut [u64],
    before: &mut [IVec3],
) {
    let i = tid();
    let k = at[i] as usize % 4;
    atomic_add(&mut forces[k], Vec3::splat(x[i]));
    before[i] = atomic_sub(&mut cells[k], IVec3::ONE);
    atomic_add(&mut cells[k].y, 1);
    atomic_add(&mut cells[k][k % 3], 1);
    atomic_add(&mut turn[0], Quat::IDENTITY * x[i]);
    atomic_add(&mut inertia[0], DMat3::IDENTITY);
    atomic_sub(&mut inertia[0].x_axis.y, x[i] as f64);
    atomic_or(&mut seen[0], 1 << k);
    atomic_and(&mut common[0], at[i] as i64);
    atomic_xor(&mut parity[0], at[i] as u64);
}

fn main() {}

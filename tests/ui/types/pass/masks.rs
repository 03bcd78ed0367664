use kernel_rt::prelude::*;

/// A mask chooses, or becomes a number.
#[kernel]
fn masked(mask: &[bool], x: &mut [f32]) {
    let i = tid();
    x[i] = if mask[i] { x[i] } else { 0.0 };
    x[i] = mask[i] as i32 as f32 * x[i];
}

/// Masks that are drawn, and masks that are written.
#[kernel]
fn masks(x: &[f32], old: &Array2<bool>, #[domain(false..=true)] kept: &mut [bool], new: &mut Array2<bool>) {
    let (i, j) = tid2();
    new[[i, j]] = old[[i, j]] != (x[i] > 0.0);
    kept[i] &= !old[[i, 0]];
}

/// A flag that any thread may set.
#[kernel]
fn any(x: &[f32], #[shape(1)] any: &mut [u32]) {
    let i = tid();
    atomic_max(&mut any[0], (x[i] > 0.0) as u32);
}

fn main() {}

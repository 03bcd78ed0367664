//! A launch may leave out an optional array. The kernel tests it before it uses it.

use kernel_rt::prelude::*;

#[kernel]
fn copied(x: &[f32], mask: Option<&[u32]>, mut out: Option<&mut [f32]>, flags: std::option::Option<&mut Array2<bool>>) {
    let i = tid();
    if let Some(mask) = mask
        && mask[i] != 0
    {
        return;
    }
    for k in 0..2 {
        if let Some(out) = &mut out {
            out[i] += x[i] + k as f32;
        }
    }
    let Some(flags) = flags else { return };
    flags[[i, 0]] = mask.is_some();
    flags[[i, 1]] = out.is_none();
}

fn main() {
    let mut out = [0.0; 2];
    copied::cpu(2, &[1.0, 2.0], None, Some(&mut out), None).unwrap();
    assert_eq!(out, [3.0, 5.0]);
    let mut flags = Array2::zeros([2, 2]);
    copied::cpu(2, &[1.0, 2.0], Some(&[0, 1]), None, Some(&mut flags)).unwrap();
    assert_eq!(flags.as_slice(), [true, true, false, false]);
}

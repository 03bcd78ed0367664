#[kernel(family = "f")]
pub fn k(
    fixed: bool,
    x: &[f32],
    #[domain(false..=true)] mask: &mut [bool],
    #[shape(dim0, 2)] grid: &mut Array2<bool>,
    out: &mut [u32],
) {
    let i = tid();
    mask[i] = x[i] > 0.0 || fixed;
    mask[i] &= !grid[[i, 0]];
    mask[i] ^= true;
    grid[[i, 1]] = mask[i] == grid[[i, 0]];
    let kept = grid[[i, 1]];
    grid[[i, 0]] = false;
    if mask[i] && kept {
        out[i] = mask[i] as u32 + 1;
    }
}

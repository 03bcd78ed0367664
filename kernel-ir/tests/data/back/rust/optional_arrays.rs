#[kernel(family = "f")]
pub fn k(
    x: &[f32],
    mask: Option<&[u32]>,
    #[shape(dim0, 2)] grid: Option<&Array2<f32>>,
    y: &mut [f32],
    mut out: Option<&mut [f32]>,
    #[shape(1)] mut loss: Option<&mut [f32]>,
) {
    let i = tid();
    if let Some(mask) = mask && mask[i] != 0 {
        return;
    }
    let w = if let Some(grid) = grid { grid[[i, 1]] } else { 1.0 };
    let all = mask.is_some() && grid.is_some();
    if all == out.is_some() {
        y[i] = w;
    }
    let Some(out) = &mut out else {
        y[i] = x[i];
        return;
    };
    out[i] = w * x[i] + out.len() as f32;
    if let Some(loss) = &mut loss {
        atomic_add(&mut loss[0], x[i]);
    }
}

#[kernel(family = "test")]
fn halved(#[domain(-1.0..1.0)] x: Option<&[f32]>, #[shape(dim0, 2)] mut out: Option<&mut Array2<f32>>) {
    let i = tid();
    for k in 0..2 {
        if let Some(half) = &mut out
            && let Some(x) = x
        {
            half[[i, k]] = 0.5 * x[i];
        }
    }
}

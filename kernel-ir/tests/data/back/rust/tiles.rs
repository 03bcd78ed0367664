//- tiles in Rust
#[kernel(family = "tile")]
pub fn tiles(
    s: f32,
    #[shape(8 * dim0, 24)] x: &Array2<f32>,
    #[shape(24)] v: &[f32],
    #[shape(24, 8)] w: &Array2<f32>,
    #[shape(8 * dim0, 24)] y: &mut Array2<f32>,
    #[shape(24)] sums: &mut [f32],
    all: &mut [f32],
    #[shape(8 * dim0, 8)] z: &mut Array2<f32>,
) {
    let block = block::<32>();
    let t = x.load_tile::<8, 24>([block.index, 0]);
    let row = v.load_row_or::<24>(0, 1.0);
    let lower = t.map_with_location(|i, j, t| if j <= i { t.max(s) } else { -1.0 });
    y.store_tile([block.index, 0], (lower - row) / s);
    sums.atomic_add_row(0, t.column_sums());
    all[block.index] = t.max() - (-t).sum();
    let mut p = Tile::<f32, 8, 8>::splat(s);
    p += t.matmul(w.load_tile::<24, 8>([0, 0]));
    p *= 2.0;
    z.store_tile([block.index, 0], p);
}

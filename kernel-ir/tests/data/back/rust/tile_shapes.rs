#[kernel(family = "tile")]
pub fn k(
    #[shape(dim0 * 3, 8)] x: &Array2<f32>,
    #[shape(dim0, 12)] y: &mut Array2<f32>,
    #[shape(dim0 * 12)] n: &[i32],
    #[shape(dim0 * 12)] offsets: &mut [i32],
    #[shape(dim0 * 3)] best: &mut [u32],
    first: &mut [u32],
) {
    let block = block::<8>();
    let rows = x.load_tile::<3, 8>([block.index, 0]);
    let wide = rows.reshape_tile::<2, 12>();
    y.store_tile([block.index, 0], wide.map(|wide| wide.exp()));
    best.store_col(block.index, rows.row_argmax());
    let counts = n.load_col::<12>(block.index);
    offsets.store_col(block.index, counts.exclusive_sum() + (counts * 2).inclusive_sum());
    first[block.index] = rows.reshape_row::<24>().argmin();
}

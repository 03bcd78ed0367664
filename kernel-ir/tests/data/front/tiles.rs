//- shapes from the text, from the variable, and by the rules of operators
fn k(#[shape(dim0, 16)] x: &Array2<f32>, w: &[f32], #[shape(dim0, 16)] y: &mut Array2<f32>) {
    let b = block::<32>();
    const ROWS: usize = 4;
    let a: Tile<f32, ROWS, 8> = x.load_tile([b.index, 2]);
    let c = x.load_tile_at_or::<ROWS, 8>([3, b.index + 1], 0.5);
    let scale = w.load_row::<8>(b.index);
    let sums = (a * c - scale).row_sums();
    y.store_tile([b.index, 0], 2.0 * a / sums + scale);
}

//- a sum that a loop carries, products, and a transpose
fn k(#[shape(dim0, 16)] x: &Array2<f64>, #[shape(dim0, 16)] y: &mut Array2<f64>) {
    let b = block::<8>();
    let mut total = Tile::<f64, 2, 2>::zeros();
    for step in 0..3 {
        let part = x.load_tile::<2, 4>([b.index, step]);
        total += part.matmul(part.transpose());
    }
    y.store_tile_at([b.index * 2, 0], total);
}

//- closures over elements, with names of places and of tiles outside
fn k(x: &[i32], limit: i32, y: &mut [f32]) {
    let b = block::<8>();
    let n = x.load_row::<16>(b.index);
    let small = n.map_with_location(|j, v| if (j as i32) < limit { v.min(limit) } else { 0 });
    let halves = n.zip_map(small, |v, w| (v - w) as f32 * 0.5);
    y.store_row(b.index, halves.map(|v| v.max(0.0)));
}

//- one value of all elements, and additions of all blocks
fn k(x: &[f32], y: &mut [f32], total: &mut [f32]) {
    let b = block::<8>();
    let c = x.load_col::<12>(b.index);
    let most = c.max();
    total.atomic_add_col(0, c - most);
    y[b.index] = (c - most).map(|v| v.exp()).sum().ln() + most;
}

//- other shapes, and numbers of elements
fn k(#[shape(dim0, 16)] x: &Array2<f32>, #[shape(dim0, 16)] y: &mut Array2<f32>, best: &mut [u32]) {
    let b = block::<8>();
    let t = x.load_tile::<4, 8>([b.index, 0]);
    y.store_tile([b.index, 0], t.reshape_tile::<2, 16>());
    let line = t.reshape_row::<32>();
    best.store_col(b.index, t.row_argmax() + line.reshape_col::<32>().argmin());
}

//- sums up to each element
fn k(x: &[f32], #[domain(0..9)] n: &[u32], y: &mut [f32], offsets: &mut [u32]) {
    let b = block::<8>();
    y.store_row(b.index, x.load_row::<12>(b.index).inclusive_sum());
    offsets.store_col(b.index, n.load_col::<4>(b.index).exclusive_sum());
}

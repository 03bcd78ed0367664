//- no block
fn k(#[shape(dim0, 16)] x: &Array2<f32>, y: &mut [f32]) {
    let t = x.load_tile::<4, 4>([0, 0]);
    y[0] = 1.0;
}

//- in a phase
fn k(#[shape(dim0, 16)] x: &Array2<f32>, y: &mut [f32]) {
    let b = block::<32>();
    b.phase(|i| y[i] = x.load_tile::<4, 4>([0, 0]).sum());
}

//- shapes that are not known, or are none
fn k(n: usize, #[shape(dim0, 16)] x: &Array2<f32>, #[shape(dim0, 16)] y: &mut Array2<f32>) {
    let b = block::<32>();
    let t = x.load_tile([b.index, 0]);
    let s = x.load_tile::<n, 4>([b.index, 0]);
    let r = x.load_tile::<4, 0>([b.index, 0]);
    let c: Col<f32> = x.load_col([b.index, 0]);
    let q = Tile::zeros();
    let big = Tile::<f32, 4096, 4096>::splat(1.0);
    y.store_tile([b.index, 0], Tile::<f32, 1, 4>::splat(1.0));
}

//- shapes that do not fit
fn k(#[shape(dim0, 16)] x: &Array2<f32>, #[shape(dim0, 16)] y: &mut Array2<f32>) {
    let b = block::<32>();
    let t = x.load_tile::<4, 8>([b.index, 0]);
    let s = x.load_tile::<8, 4>([b.index, 0]);
    let wrong: Tile<f32, 4, 4> = t;
    let sum = t + s;
    let product = t.matmul(t);
    let one = t.matmul(2.0);
    let both = t.zip_map(s, |v, w| v * w);
    let row = y.store_row([b.index, 0], t);
}

//- elements of two types
fn k(#[shape(dim0, 16)] x: &Array2<f32>, #[shape(dim0, 16)] n: &Array2<i32>, #[shape(dim0, 16)] y: &mut Array2<f32>) {
    let b = block::<32>();
    let t = x.load_tile::<4, 8>([b.index, 0]);
    let s = n.load_tile::<4, 8>([b.index, 0]);
    y.store_tile([b.index, 0], t * s);
    y.store_tile([b.index, 0], s);
}

//- arrays that have no such tile
fn k(x: &[f32], #[shape(dim0, 16)] v: &Array2<Vec3>, #[shape(dim0, 2, 2)] z: &Array3<f32>, #[shape(dim0, 16)] y: &mut Array2<f32>) {
    let b = block::<32>();
    let a = x.load_tile::<4, 8>([b.index, 0]);
    let c = z.load_row::<8>([b.index, 0]);
    let d = v.load_row::<8>([b.index, 0]);
    y.store_row(b.index, Row::<f32, 8>::zeros());
    y.store_tile([b.index], Tile::<f32, 4, 8>::zeros());
    y.store_tile([b.index, 0]);
    y.store_tile_or([b.index, 0], Tile::<f32, 4, 8>::zeros(), 1.0);
}

//- methods
fn k(#[shape(dim0, 16)] x: &Array2<f32>, #[shape(dim0, 16)] y: &mut Array2<f32>) {
    let b = block::<32>();
    let t = x.load_tile::<4, 8>([b.index, 0]);
    let a = t.exp();
    let c = t.softmax();
    let d = t.sum(1);
    let inner = t.map(|v| { let w = v * v; w + w });
    let r = x.load_row::<8>([b.index, 0]).row_sums();
    let m = t.map(2.0);
    let w = t.map(|v, w| v);
    let l = t.map_with_location(|v| v);
    let inside = t.map(|v| v + t);
    let made = Tile::<f32, 4, 8>::ones();
}

//- a tile where one value belongs
fn k(#[shape(dim0, 16)] x: &Array2<f32>, y: &mut [f32]) {
    let b = block::<32>();
    let t = x.load_tile::<4, 8>([b.index, 0]);
    let u: Row<f32, 4>;
    let v = t[0];
}

//- a tile as an element
fn k(#[shape(dim0, 16)] x: &Array2<f32>, y: &mut [f32]) {
    let b = block::<32>();
    let t = x.load_tile::<4, 8>([b.index, 0]);
    y[b.index] = t + 1.0;
}

//- a tile as the change of one value
fn k(#[shape(dim0, 16)] x: &Array2<f32>, y: &mut [f32]) {
    let b = block::<32>();
    let t = x.load_tile::<4, 8>([b.index, 0]);
    let mut sum = 0.0;
    sum += t;
    y[b.index] = sum;
}

//- a tile as the new value of a variable of one value
fn k(#[shape(dim0, 16)] x: &Array2<f32>, y: &mut [f32]) {
    let b = block::<32>();
    let mut sum = 0.0;
    sum = x.load_tile::<4, 8>([b.index, 0]);
    y[b.index] = sum;
}

//- a condition of every element
fn k(#[shape(dim0, 16)] x: &Array2<f32>, y: &mut [f32]) {
    let b = block::<32>();
    let t = x.load_tile::<4, 8>([b.index, 0]);
    if t > 0.0 {
        y[b.index] = 1.0;
    }
}

//- shapes and forms that do not fit a method
fn k(#[shape(dim0, 16)] x: &Array2<f32>, y: &mut [f32]) {
    let b = block::<32>();
    let t = x.load_tile::<4, 8>([b.index, 0]);
    let a = t.reshape_row::<30>();
    let c = t.reshape_tile();
    let d = t.reshape_tile::<0, 8>();
    let best = t.argmax();
    let sums = t.inclusive_sum();
    let first = x.load_row::<8>([b.index, 0]).row_argmin();
}

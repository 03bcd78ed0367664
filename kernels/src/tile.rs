//! Kernels over tiles: values of a static shape that a whole block computes with.

use kernel_rt::prelude::*;

/// C = A·B in tiles of 8 × 8, a block for a tile of C. Sizes need not be multiples of 8.
#[kernel(family = "tile")]
pub fn tiled_matmul(
    #[shape(8, 20)] a: &Array2<f32>,
    #[shape(20, dim0 * 8)] b: &Array2<f32>,
    #[shape(8, dim0 * 8)] c: &mut Array2<f32>,
) {
    let block = block::<64>();
    let across = (c.shape()[1] + 7) / 8;
    let (i, j) = (block.index / across, block.index % across);
    let mut sums = Tile::<f32, 8, 8>::zeros();
    let mut k = 0;
    while k * 8 < a.shape()[1] {
        let left = a.load_tile_or::<8, 8>([i, k], 0.0);
        let right = b.load_tile_or::<8, 8>([k, j], 0.0);
        sums += left.matmul(right);
        k += 1;
    }
    c.store_tile([i, j], sums);
}

/// The product of each matrix of a batch, stored one below the other, with a matrix of weights.
#[kernel(family = "tile")]
pub fn batched_projection(
    #[shape(dim0 * 16, 12)] x: &Array2<f64>,
    #[shape(12, 10)] weights: &Array2<f64>,
    #[shape(dim0 * 16, 10)] y: &mut Array2<f64>,
) {
    let block = block::<32>();
    let batch = x.load_tile::<16, 12>([block.index, 0]);
    y.store_tile([block.index, 0], batch.matmul(weights.load_tile::<12, 10>([0, 0])));
}

/// Softmax of rows of 96 numbers: exp(x − max) / ∑ exp(x − max).
#[kernel(family = "tile")]
pub fn tile_softmax(
    #[shape(dim0, 96)]
    #[domain(-3.0..3.0)]
    x: &Array2<f32>,
    #[shape(dim0, 96)] y: &mut Array2<f32>,
) {
    let block = block::<32>();
    let row = x.load_row::<96>([block.index, 0]);
    let top = row.max();
    let weights = row.map(|v| (v - top).exp());
    y.store_row([block.index, 0], weights / weights.sum());
}

/// The logarithm of the sum of exponentials of each row, for 8 rows in a block.
#[kernel(family = "tile")]
pub fn log_sum_exp_rows(
    #[shape(dim0 * 8, 24)]
    #[domain(-3.0..3.0)]
    x: &Array2<f32>,
    #[shape(dim0 * 8)] y: &mut [f32],
) {
    let block = block::<32>();
    let rows = x.load_tile::<8, 24>([block.index, 0]);
    let top = rows.row_maxima();
    let sums = (rows - top).map(|v| v.exp()).row_sums();
    y.store_col(block.index, top + sums.map(|v| v.ln()));
}

/// Layer normalisation of 8 rows in a block: (x − mean) / √(variance + ε) · gain + bias.
#[kernel(family = "tile")]
pub fn tile_layer_norm(
    #[domain(0.00001..0.001)] epsilon: f32,
    #[shape(32)] gain: &[f32],
    #[shape(32)] bias: &[f32],
    #[shape(dim0 * 8, 32)] x: &Array2<f32>,
    #[shape(dim0 * 8, 32)] y: &mut Array2<f32>,
) {
    let block = block::<64>();
    let rows = x.load_tile::<8, 32>([block.index, 0]);
    let apart = rows - rows.row_sums() / 32.0;
    let variance = (apart * apart).row_sums() / 32.0;
    let scale = variance.map(|v| 1.0 / (v + epsilon).sqrt());
    y.store_tile([block.index, 0], apart * scale * gain.load_row::<32>(0) + bias.load_row::<32>(0));
}

/// Root mean square normalisation of each row: x / √(mean of x² + ε) · gain.
#[kernel(family = "tile")]
pub fn rms_norm(
    #[domain(0.00001..0.001)] epsilon: f32,
    #[shape(48)] gain: &[f32],
    #[shape(dim0, 48)] x: &Array2<f32>,
    #[shape(dim0, 48)] y: &mut Array2<f32>,
) {
    let block = block::<16>();
    let row = x.load_row::<48>([block.index, 0]);
    let scale = 1.0 / ((row * row).sum() / 48.0 + epsilon).sqrt();
    y.store_row([block.index, 0], row * gain.load_row::<48>(0) * scale);
}

/// Attention of 8 queries in a block over 24 keys, after Dao et al. (FlashAttention, 2022): keys come in tiles, and the softmax is
/// corrected as larger scores appear.
#[kernel(family = "tile")]
pub fn flash_attention(
    #[domain(0.1..0.5)] scale: f32,
    #[shape(dim0 * 8, 16)] queries: &Array2<f32>,
    #[shape(24, 16)] keys: &Array2<f32>,
    #[shape(24, 16)] values: &Array2<f32>,
    #[shape(dim0 * 8, 16)] out: &mut Array2<f32>,
) {
    let block = block::<32>();
    let mine = queries.load_tile::<8, 16>([block.index, 0]);
    let mut top = Col::<f32, 8>::splat(f32::NEG_INFINITY);
    let mut norm = Col::<f32, 8>::zeros();
    let mut sums = Tile::<f32, 8, 16>::zeros();
    for k in 0..3 {
        let scores = mine.matmul(keys.load_tile::<8, 16>([k, 0]).transpose()) * scale;
        let most = top.zip_map(scores.row_maxima(), |old, new| old.max(new));
        let weights = (scores - most).map(|v| v.exp());
        let shrink = (top - most).map(|v| v.exp());
        norm = norm * shrink + weights.row_sums();
        sums = sums * shrink + weights.matmul(values.load_tile::<8, 16>([k, 0]));
        top = most;
    }
    out.store_tile([block.index, 0], sums / norm);
}

/// Attention weights of a sequence of 16 for each head, where a query sees the keys up to its own place.
#[kernel(family = "tile")]
pub fn causal_attention_weights(
    #[shape(dim0 * 16, 8)] queries: &Array2<f32>,
    #[shape(dim0 * 16, 8)] keys: &Array2<f32>,
    #[shape(dim0 * 16, 16)] weights: &mut Array2<f32>,
) {
    let block = block::<64>();
    let mine = queries.load_tile::<16, 8>([block.index, 0]);
    let scores = mine.matmul(keys.load_tile::<16, 8>([block.index, 0]).transpose());
    let seen = scores.map_with_location(|i, j, v| if j <= i { v } else { -1e4 });
    let raised = (seen - seen.row_maxima()).map(|v| v.exp());
    weights.store_tile([block.index, 0], raised / raised.row_sums());
}

/// A layer of a network with the activation GELU (its approximation by tanh), for 8 samples in a block.
#[kernel(family = "tile")]
pub fn linear_gelu(
    #[shape(dim0 * 8, 16)] x: &Array2<f32>,
    #[shape(16, 12)] weights: &Array2<f32>,
    #[shape(12)] bias: &[f32],
    #[shape(dim0 * 8, 12)] y: &mut Array2<f32>,
) {
    let block = block::<32>();
    let samples = x.load_tile::<8, 16>([block.index, 0]);
    let sums = samples.matmul(weights.load_tile::<16, 12>([0, 0])) + bias.load_row::<12>(0);
    let active = sums.map(|v| 0.5 * v * (1.0 + (0.797_884_6 * (v + 0.044_715 * v * v * v)).tanh()));
    y.store_tile([block.index, 0], active);
}

/// Two layers with a rectifier between them, for 8 samples in a block.
#[kernel(family = "tile")]
pub fn two_layers(
    #[shape(dim0 * 8, 6)] x: &Array2<f32>,
    #[shape(6, 10)] first: &Array2<f32>,
    #[shape(10, 4)] second: &Array2<f32>,
    #[shape(dim0 * 8, 4)] y: &mut Array2<f32>,
) {
    let block = block::<32>();
    let hidden = x.load_tile::<8, 6>([block.index, 0]).matmul(first.load_tile::<6, 10>([0, 0]));
    let active = hidden.map(|v| if v > 0.0 { v } else { 0.01 * v });
    y.store_tile([block.index, 0], active.matmul(second.load_tile::<10, 4>([0, 0])));
}

/// The squared distances of 8 points in a block from 12 centres: |p|² + |c|² − 2 p·c.
#[kernel(family = "tile")]
pub fn squared_distances(
    #[shape(dim0 * 8, 5)] points: &Array2<f32>,
    #[shape(12, 5)] centres: &Array2<f32>,
    #[shape(dim0 * 8, 12)] distances: &mut Array2<f32>,
) {
    let block = block::<32>();
    let mine = points.load_tile::<8, 5>([block.index, 0]);
    let others = centres.load_tile::<12, 5>([0, 0]);
    let of_mine = (mine * mine).row_sums();
    let of_others = (others * others).row_sums().transpose();
    distances.store_tile([block.index, 0], mine.matmul(others.transpose()) * -2.0 + of_mine + of_others);
}

/// XᵀX, to which each block adds the products of its 8 rows.
#[kernel(family = "tile")]
pub fn gram_matrix(#[shape(dim0 * 8, 6)] x: &Array2<f32>, #[shape(6, 6)] gram: &mut Array2<f32>) {
    let block = block::<32>();
    let rows = x.load_tile::<8, 6>([block.index, 0]);
    gram.atomic_add_tile([0, 0], rows.transpose().matmul(rows));
}

/// The sums of the columns of a matrix, to which each block adds those of its 16 rows.
#[kernel(family = "tile")]
pub fn column_totals(#[shape(dim0 * 16, 20)] x: &Array2<f64>, #[shape(20)] totals: &mut [f64]) {
    let block = block::<64>();
    totals.atomic_add_row(0, x.load_tile::<16, 20>([block.index, 0]).column_sums());
}

/// The transpose of a matrix with any sizes, in tiles of 8 × 8.
#[kernel(family = "tile")]
pub fn tiled_transpose(#[shape(10, dim0 * 8)] x: &Array2<f32>, #[shape(dim0 * 8, 10)] y: &mut Array2<f32>) {
    let block = block::<64>();
    let mut i = 0;
    while i * 8 < x.shape()[0] {
        let tile = x.load_tile_or::<8, 8>([i, block.index], 0.0);
        y.store_tile([block.index, i], tile.transpose());
        i += 1;
    }
}

/// The product of a matrix with a vector, for 8 rows in a block. The vector may have any length.
#[kernel(family = "tile")]
pub fn tiled_matvec(#[shape(dim0 * 8, 21)] a: &Array2<f32>, #[shape(21)] x: &[f32], #[shape(dim0 * 8)] y: &mut [f32]) {
    let block = block::<32>();
    let mut sums = Col::<f32, 8>::zeros();
    let mut k = 0;
    while k * 8 < x.len() {
        let part = a.load_tile_or::<8, 8>([block.index, k], 0.0);
        sums += (part * x.load_row_or::<8>(k, 0.0)).row_sums();
        k += 1;
    }
    y.store_col(block.index, sums);
}

/// The cosine of the angle between two vectors of 40 numbers, a block for each pair.
#[kernel(family = "tile")]
pub fn cosine_similarity(
    #[shape(dim0, 40)] a: &Array2<f32>,
    #[shape(dim0, 40)] b: &Array2<f32>,
    similarity: &mut [f32],
) {
    let block = block::<32>();
    let u = a.load_row::<40>([block.index, 0]);
    let v = b.load_row::<40>([block.index, 0]);
    let norms = ((u * u).sum() * (v * v).sum()).sqrt();
    similarity[block.index] = (u * v).sum() / (norms + 1e-6);
}

/// The mean Huber loss of 64 errors in each block: quadratic near zero, linear beyond `delta`.
#[kernel(family = "tile")]
pub fn huber_loss(
    #[domain(0.3..1.0)] delta: f32,
    #[shape(dim0 * 64)] predicted: &[f32],
    #[shape(dim0 * 64)] target: &[f32],
    loss: &mut [f32],
) {
    let block = block::<32>();
    let error = predicted.load_row::<64>(block.index) - target.load_row::<64>(block.index);
    let each = error.map(|e| if e.abs() <= delta { 0.5 * e * e } else { delta * (e.abs() - 0.5 * delta) });
    loss[block.index] = each.sum() / 64.0;
}

/// The range of the numbers in each tile of 8 × 8 of an image, and their mean.
#[kernel(family = "tile")]
pub fn tile_statistics(#[shape(8, dim0 * 8)] image: &Array2<f32>, low: &mut [f32], high: &mut [f32], mean: &mut [f32]) {
    let block = block::<64>();
    let tile = image.load_tile::<8, 8>([0, block.index]);
    low[block.index] = tile.min();
    high[block.index] = tile.max();
    mean[block.index] = tile.sum() / 64.0;
}

/// A five-point stencil on tiles of 8 × 8, where what lies outside of the grid is zero.
#[kernel(family = "tile")]
pub fn tiled_diffusion(
    #[domain(0.02..0.2)] rate: f32,
    #[shape(dim0 * 8 + 2, 10)] before: &Array2<f32>,
    #[shape(dim0 * 8, 8)] after: &mut Array2<f32>,
) {
    let block = block::<64>();
    let i = block.index * 8;
    let here = before.load_tile_at::<8, 8>([i + 1, 1]);
    let above = before.load_tile_at::<8, 8>([i, 1]);
    let below = before.load_tile_at::<8, 8>([i + 2, 1]);
    let left = before.load_tile_at::<8, 8>([i + 1, 0]);
    let right = before.load_tile_at::<8, 8>([i + 1, 2]);
    after.store_tile([block.index, 0], here + (above + below + left + right - here * 4.0) * rate);
}

/// A convolution of a signal with 5 weights, for 32 outputs in a block.
#[kernel(family = "tile")]
pub fn tiled_convolution(
    #[shape(5)] weights: &[f32],
    #[shape(dim0 * 32 + 4)] signal: &[f32],
    #[shape(dim0 * 32)] out: &mut [f32],
) {
    let block = block::<32>();
    let mut sums = Row::<f32, 32>::zeros();
    for k in 0..5 {
        sums += signal.load_row_at::<32>(block.index * 32 + k) * weights[k];
    }
    out.store_row(block.index, sums);
}

/// One step of gradient descent for a linear model: the slope of half the squared error by the weights, from 8 samples in a
/// block.
#[kernel(family = "tile")]
pub fn least_squares_slope(
    #[shape(dim0 * 8, 7)] x: &Array2<f64>,
    #[shape(7)] weights: &[f64],
    #[shape(dim0 * 8)] target: &[f64],
    #[shape(7)] slope: &mut [f64],
) {
    let block = block::<32>();
    let samples = x.load_tile::<8, 7>([block.index, 0]);
    let predicted = samples.matmul(weights.load_col::<7>(0));
    let error = predicted - target.load_col::<8>(block.index);
    slope.atomic_add_row(0, error.transpose().matmul(samples));
}

/// Group normalisation of rows of 32 numbers in 4 groups (Wu and He, 2018): each group becomes a row of a tile.
#[kernel(family = "tile")]
pub fn group_norm(
    #[domain(0.00001..0.001)] epsilon: f32,
    #[shape(32)] gain: &[f32],
    #[shape(dim0, 32)] x: &Array2<f32>,
    #[shape(dim0, 32)] y: &mut Array2<f32>,
) {
    let block = block::<32>();
    let groups = x.load_row::<32>([block.index, 0]).reshape_tile::<4, 8>();
    let apart = groups - groups.row_sums() / 8.0;
    let variance = (apart * apart).row_sums() / 8.0;
    let scale = variance.map(|v| 1.0 / (v + epsilon).sqrt());
    y.store_row([block.index, 0], (apart * scale).reshape_row::<32>() * gain.load_row::<32>(0));
}

/// The class with the largest score for each of 8 samples in a block, and the logarithm of one over its softmax.
#[kernel(family = "tile")]
pub fn surest_class(
    #[shape(dim0 * 8, 10)]
    #[domain(-3.0..3.0)]
    scores: &Array2<f32>,
    #[shape(dim0 * 8)] class: &mut [u32],
    #[shape(dim0 * 8)] surprise: &mut [f32],
) {
    let block = block::<16>();
    let samples = scores.load_tile::<8, 10>([block.index, 0]);
    let weights = (samples - samples.row_maxima()).map(|v| v.exp());
    class.store_col(block.index, samples.row_argmax());
    surprise.store_col(block.index, weights.row_sums().map(|v| v.ln()));
}

/// The course of a price over 40 steps from its logarithmic returns: the start times the exponential of their sum up to each step.
#[kernel(family = "tile")]
pub fn price_paths(
    #[domain(0.5..2.0)] start: &[f32],
    #[shape(dim0, 40)]
    #[domain(-0.1..0.1)]
    returns: &Array2<f32>,
    #[shape(dim0, 40)] prices: &mut Array2<f32>,
    worst_fall: &mut [f32],
) {
    let block = block::<32>();
    let growth = returns.load_row::<40>([block.index, 0]).inclusive_sum();
    prices.store_row([block.index, 0], growth.map(|v| v.exp()) * start[block.index]);
    worst_fall[block.index] = 1.0 - growth.min().min(0.0).exp();
}

/// Where the items of each of 24 sizes begin when they are stored one after another, and how many elements there are.
#[kernel(family = "tile")]
pub fn segment_offsets(
    #[shape(dim0, 24)]
    #[domain(0..9)]
    sizes: &Array2<i32>,
    #[shape(dim0, 24)] offsets: &mut Array2<i32>,
    total: &mut [i32],
) {
    let block = block::<32>();
    let row = sizes.load_row::<24>([block.index, 0]);
    offsets.store_row([block.index, 0], row.exclusive_sum());
    total[block.index] = row.sum();
}

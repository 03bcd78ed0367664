//! Kernels that are launched over blocks, whose threads share arrays.

use kernel_rt::prelude::*;

/// The sum of 256 numbers for each block.
#[kernel(family = "shared", no_grad)]
pub fn block_sums(#[shape(dim0 * 256)] x: &[f32], sums: &mut [f32]) {
    let block = block::<256>();
    let values = block.phase(|t| x[block.index * block.size + t]);
    sums[block.index] = values.block_sum();
}

/// The smallest and the largest number of each row of a matrix with any number of columns.
#[kernel(family = "shared", no_grad)]
pub fn row_range(
    #[shape(dim0, 70)]
    #[domain(-4.0..4.0)]
    rows: &Array2<f32>,
    low: &mut [f32],
    high: &mut [f32],
) {
    let block = block::<64>();
    let mut least = block.per_thread(f32::INFINITY);
    let mut most = block.per_thread(f32::NEG_INFINITY);
    let mut start = 0;
    while start < rows.shape()[1] {
        block.phase(|t| {
            if start + t < rows.shape()[1] {
                let value = rows[[block.index, start + t]];
                least[t] = least[t].min(value);
                most[t] = most[t].max(value);
            }
        });
        start += block.size;
    }
    low[block.index] = least.block_min();
    high[block.index] = most.block_max();
}

/// Softmax of each row, a block for a row: exp(x − max) / ∑ exp(x − max).
#[kernel(family = "shared", no_grad)]
pub fn softmax_rows(
    #[shape(dim0, 100)]
    #[domain(-3.0..3.0)]
    x: &Array2<f32>,
    #[shape(dim0, 100)] y: &mut Array2<f32>,
) {
    let block = block::<128>();
    let columns = x.shape()[1];
    let mut largest = block.per_thread(f32::NEG_INFINITY);
    let mut start = 0;
    while start < columns {
        block.phase(|t| {
            if start + t < columns {
                largest[t] = largest[t].max(x[[block.index, start + t]]);
            }
        });
        start += block.size;
    }
    let top = largest.block_max();
    let mut sums = block.per_thread(0.0f32);
    start = 0;
    while start < columns {
        block.phase(|t| {
            if start + t < columns {
                let e = (x[[block.index, start + t]] - top).exp();
                y[[block.index, start + t]] = e;
                sums[t] += e;
            }
        });
        start += block.size;
    }
    let scale = 1.0 / sums.block_sum();
    start = 0;
    while start < columns {
        block.phase(|t| {
            if start + t < columns {
                y[[block.index, start + t]] *= scale;
            }
        });
        start += block.size;
    }
}

/// Layer normalisation of rows of 96 features: (x − mean) / √(variance + ε) · gain + bias.
#[kernel(family = "shared", no_grad)]
pub fn layer_norm(
    #[domain(0.00001..0.001)] epsilon: f32,
    #[shape(96)] gain: &[f32],
    #[shape(96)] bias: &[f32],
    #[shape(dim0, 96)] x: &Array2<f32>,
    #[shape(dim0, 96)] y: &mut Array2<f32>,
) {
    let block = block::<32>();
    let columns = x.shape()[1];
    let mut part = block.per_thread(0.0f32);
    let mut start = 0;
    while start < columns {
        block.phase(|t| {
            if start + t < columns {
                part[t] += x[[block.index, start + t]];
            }
        });
        start += block.size;
    }
    let mean = part.block_sum() / columns as f32;
    let mut spread = block.per_thread(0.0f32);
    start = 0;
    while start < columns {
        block.phase(|t| {
            if start + t < columns {
                let apart = x[[block.index, start + t]] - mean;
                spread[t] += apart * apart;
            }
        });
        start += block.size;
    }
    let scale = 1.0 / (spread.block_sum() / columns as f32 + epsilon).sqrt();
    start = 0;
    while start < columns {
        block.phase(|t| {
            let k = start + t;
            if k < columns {
                y[[block.index, k]] = (x[[block.index, k]] - mean) * scale * gain[k] + bias[k];
            }
        });
        start += block.size;
    }
}

/// Inclusive prefix sums of the 128 numbers of each block, after Hillis and Steele.
#[kernel(family = "shared", no_grad)]
pub fn block_scan(#[shape(dim0 * 128)] x: &[f32], #[shape(dim0 * 128)] sums: &mut [f32]) {
    let block = block::<128>();
    let mut line = shared::<f32, 128>();
    block.phase(|t| line[t] = x[block.index * block.size + t]);
    let mut step = 1;
    while step < block.size {
        let before = block.phase(|t| if t >= step { line[t - step] } else { 0.0 });
        block.phase(|t| line[t] += before[t]);
        step *= 2;
    }
    block.phase(|t| sums[block.index * block.size + t] = line[t]);
}

/// Sorts the 64 numbers of each block, by Batcher's bitonic network.
#[kernel(family = "shared", no_grad)]
pub fn bitonic_sort(
    #[shape(dim0 * 64)]
    #[domain(-8.0..8.0)]
    values: &mut [f32],
) {
    let block = block::<64>();
    let mut line = shared::<f32, 64>();
    block.phase(|t| line[t] = values[block.index * block.size + t]);
    let mut size = 2;
    while size <= block.size {
        let mut apart = size / 2;
        while apart > 0 {
            block.phase(|t| {
                let other = t ^ apart;
                if other > t {
                    let (a, b) = (line[t], line[other]);
                    let ascends = t & size == 0;
                    if (a > b) == ascends {
                        line[t] = b;
                        line[other] = a;
                    }
                }
            });
            apart /= 2;
        }
        size *= 2;
    }
    block.phase(|t| values[block.index * block.size + t] = line[t]);
}

/// One step of diffusion on a line; each block loads its 64 cells and one neighbour on both sides. The ends are insulated.
#[kernel(family = "shared", no_grad)]
pub fn diffuse_with_halo(
    #[domain(0.05..0.45)] rate: f32,
    #[shape(dim0 * 64)] before: &[f32],
    #[shape(dim0 * 64)] after: &mut [f32],
) {
    let block = block::<64>();
    let first = block.index * block.size;
    let mut cells = shared::<f32, 66>();
    block.phase(|t| {
        cells[t + 1] = before[first + t];
        if t == 0 {
            cells[0] = before[if first == 0 { 0 } else { first - 1 }];
        }
        if t == block.size - 1 {
            cells[block.size + 1] = before[(first + block.size).min(before.len() - 1)];
        }
    });
    block.phase(|t| {
        let here = cells[t + 1];
        after[first + t] = here + rate * (cells[t] - 2.0 * here + cells[t + 2]);
    });
}

/// C = A·B in tiles of 8 × 8, a block for a tile of C. Sizes need not be multiples of 8; each tile of A and B is read once.
#[kernel(family = "shared", no_grad)]
pub fn matmul_in_tiles(
    #[shape(8, 20)] a: &Array2<f32>,
    #[shape(20, dim0 * 8)] b: &Array2<f32>,
    #[shape(8, dim0 * 8)] c: &mut Array2<f32>,
) {
    let block = block::<64>();
    let across = (c.shape()[1] + 7) / 8;
    let (row, column) = (block.index / across * 8, block.index % across * 8);
    let inner = a.shape()[1];
    let mut left = shared::<f32, 64>();
    let mut right = shared::<f32, 64>();
    let mut sums = block.per_thread(0.0f32);
    let mut start = 0;
    while start < inner {
        block.phase(|t| {
            let (i, j) = (t / 8, t % 8);
            let inside_a = row + i < a.shape()[0] && start + j < inner;
            left[t] = if inside_a { a[[row + i, start + j]] } else { 0.0 };
            let inside_b = start + i < inner && column + j < b.shape()[1];
            right[t] = if inside_b { b[[start + i, column + j]] } else { 0.0 };
        });
        block.phase(|t| {
            let (i, j) = (t / 8, t % 8);
            for k in 0..8 {
                sums[t] += left[i * 8 + k] * right[k * 8 + j];
            }
        });
        start += 8;
    }
    block.phase(|t| {
        let (i, j) = (row + t / 8, column + t % 8);
        if i < c.shape()[0] && j < c.shape()[1] {
            c[[i, j]] = sums[t];
        }
    });
}

/// Transposes tiles of 8 × 8 through shared memory, so that reads and writes go along rows.
#[kernel(family = "shared", no_grad)]
pub fn transpose_in_tiles(#[shape(8, dim0 * 8)] x: &Array2<f32>, #[shape(dim0 * 8, 8)] y: &mut Array2<f32>) {
    let block = block::<64>();
    let across = (x.shape()[1] + 7) / 8;
    let (row, column) = (block.index / across * 8, block.index % across * 8);
    // A column more than needed keeps the threads of a column in different banks.
    let mut tile = shared::<f32, 72>();
    block.phase(|t| {
        let (i, j) = (t / 8, t % 8);
        if row + i < x.shape()[0] && column + j < x.shape()[1] {
            tile[i * 9 + j] = x[[row + i, column + j]];
        }
    });
    block.phase(|t| {
        let (i, j) = (t / 8, t % 8);
        if column + i < y.shape()[0] && row + j < y.shape()[1] {
            y[[column + i, row + j]] = tile[j * 9 + i];
        }
    });
}

/// The pull of 96 stars on each planet, a block for 32 planets; the stars come in tiles of 32 that the block shares.
#[kernel(family = "shared", no_grad)]
pub fn gravity_in_tiles(
    #[domain(0.05..0.2)] softening: f32,
    #[shape(dim0 * 32)] planets: &[Vec3],
    #[shape(96)] stars: &[Vec3],
    #[shape(96)]
    #[domain(0.1..2.0)]
    mass: &[f32],
    #[shape(dim0 * 32)] pull: &mut [Vec3],
) {
    let block = block::<32>();
    let here = block.phase(|t| planets[block.index * block.size + t]);
    let mut sums = block.per_thread(Vec3::ZERO);
    let mut places = shared::<Vec3, 32>();
    let mut masses = shared::<f32, 32>();
    let mut start = 0;
    while start < stars.len() {
        block.phase(|t| {
            places[t] = stars[start + t];
            masses[t] = mass[start + t];
        });
        block.phase(|t| {
            for k in 0..places.len() {
                let d = places[k] - here[t];
                let r2 = d.dot(d) + softening;
                sums[t] += d * (masses[k] / (r2 * r2.sqrt()));
            }
        });
        start += block.size;
    }
    block.phase(|t| pull[block.index * block.size + t] = sums[t]);
}

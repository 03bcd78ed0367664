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

/// The scalar products of pairs of rows, a warp for each pair: four pairs in a block.
#[kernel(family = "shared", no_grad)]
pub fn row_products_by_warps(
    #[shape(dim0 * 4, 50)] a: &Array2<f32>,
    #[shape(dim0 * 4, 50)] b: &Array2<f32>,
    #[shape(dim0 * 4)] products: &mut [f32],
) {
    let block = block::<128>();
    let columns = a.shape()[1];
    let mut parts = block.per_thread(0.0f32);
    let mut start = 0;
    while start < columns {
        block.phase(|t| {
            let (row, k) = (block.index * 4 + t / 32, start + t % 32);
            if k < columns {
                parts[t] += a[[row, k]] * b[[row, k]];
            }
        });
        start += 32;
    }
    let sums = parts.warp_sum();
    block.phase(|t| {
        if t % 32 == 0 {
            products[block.index * 4 + t / 32] = sums[t];
        }
    });
}

/// Softmax of rows of 32 numbers, a warp for a row, without memory between the threads.
#[kernel(family = "shared")]
pub fn softmax_by_warps(
    #[shape(dim0, 32)]
    #[domain(-3.0..3.0)]
    x: &Array2<f32>,
    #[shape(dim0, 32)] y: &mut Array2<f32>,
) {
    let block = block::<32>();
    let values = block.phase(|t| x[[block.index, t]]);
    let top = values.warp_max();
    let powers = block.phase(|t| (values[t] - top[t]).exp());
    let sums = powers.warp_sum();
    block.phase(|t| y[[block.index, t]] = powers[t] / sums[t]);
}

/// The Walsh-Hadamard transform of 32 numbers: sums and differences of lanes that differ by one bit.
#[kernel(family = "shared")]
pub fn walsh_hadamard(#[shape(dim0 * 32)] x: &[f64], #[shape(dim0 * 32)] y: &mut [f64]) {
    let block = block::<32>();
    let mut values = block.phase(|t| x[block.index * 32 + t]);
    let mut bit = 1;
    while bit < 32 {
        let other = values.shuffle_xor(bit);
        block.phase(|t| values[t] = if t & bit == 0 { values[t] + other[t] } else { other[t] - values[t] });
        bit *= 2;
    }
    block.phase(|t| y[block.index * 32 + t] = values[t]);
}

/// Inclusive prefix sums of 256 numbers in each block: a scan in each warp, then one of the sums of the warps.
#[kernel(family = "shared", no_grad)]
pub fn scan_by_warps(#[shape(dim0 * 256)] x: &[f32], #[shape(dim0 * 256)] sums: &mut [f32]) {
    let block = block::<256>();
    let values = block.phase(|t| x[block.index * block.size + t]);
    let within = values.warp_inclusive_sum();
    let mut totals = shared::<f32, 8>();
    block.phase(|t| {
        if t % 32 == 31 {
            totals[t / 32] = within[t];
        }
    });
    let of_warp = block.phase(|t| if t < 8 { totals[t] } else { 0.0 });
    let before = of_warp.lanes::<8>().warp_exclusive_sum();
    block.phase(|t| {
        if t < 8 {
            totals[t] = before[t];
        }
    });
    block.phase(|t| sums[block.index * block.size + t] = within[t] + totals[t / 32]);
}

/// Moves the positive numbers of each block of 64 to its front, in their order, and counts them.
#[kernel(family = "shared", no_grad)]
pub fn compact_positive(#[shape(dim0 * 64)] x: &[f32], #[shape(dim0 * 64)] kept: &mut [f32], counts: &mut [u32]) {
    let block = block::<64>();
    let flags = block.phase(|t| if x[block.index * 64 + t] > 0.0 { 1 } else { 0u32 });
    let places = flags.block_exclusive_sum();
    let mut front = shared::<f32, 64>();
    block.phase(|t| {
        if flags[t] == 1 {
            front[places[t] as usize] = x[block.index * 64 + t];
        }
    });
    block.phase(|t| kept[block.index * 64 + t] = front[t]);
    counts[block.index] = flags.block_sum();
}

/// The number of neighbours, among the 32 cells of a ring, that are above a threshold on each side of each cell, counted in a
/// ballot of the warp.
#[kernel(family = "shared", no_grad)]
pub fn occupied_neighbours(
    threshold: f32,
    #[domain(1..6)] reach: u32,
    #[shape(dim0 * 32)] x: &[f32],
    #[shape(dim0 * 32)] counts: &mut [u32],
) {
    let block = block::<32>();
    let is_above = block.phase(|t| x[block.index * 32 + t] > threshold);
    let votes = is_above.ballot();
    block.phase(|t| {
        let window = (1u32 << (2 * reach + 1)) - 1;
        let turned = votes[t].rotate_right(t as u32).rotate_left(reach);
        counts[block.index * 32 + t] = (turned & window).count_ones() - is_above[t] as u32;
    });
}

/// The nearest of 64 centres for each point, a block for a point and a thread for a centre; the first one of equally near ones.
#[kernel(family = "shared", no_grad)]
pub fn nearest_centre(points: &[Vec2], #[shape(64)] centres: &[Vec2], nearest: &mut [u32], distance: &mut [f32]) {
    let block = block::<64>();
    let squares = block.phase(|t| {
        let apart = centres[t] - points[block.index];
        apart.dot(apart)
    });
    let best = squares.block_argmin();
    nearest[block.index] = best as u32;
    distance[block.index] = (centres[best] - points[block.index]).length();
}

/// A histogram of the 128 numbers of each block over 8 bins from 0 to 1: the votes of each warp for each bin, then their sums.
#[kernel(family = "shared", no_grad)]
pub fn histogram_by_votes(
    #[shape(dim0 * 128)]
    #[domain(0.0..1.0)]
    x: &[f32],
    #[shape(dim0, 8)] counts: &mut Array2<u32>,
) {
    let block = block::<128>();
    let bins = block.phase(|t| (x[block.index * 128 + t] * 8.0).min(7.0) as usize);
    let mut parts = shared::<u32, 32>();
    for bin in 0..8 {
        let is_in = block.phase(|t| bins[t] == bin);
        let votes = is_in.ballot();
        block.phase(|t| {
            if t % 32 == 0 {
                parts[t / 32 * 8 + bin] = votes[t].count_ones();
            }
        });
    }
    block.phase(|t| {
        if t < 8 {
            counts[[block.index, t]] = parts[t] + parts[8 + t] + parts[16 + t] + parts[24 + t];
        }
    });
}

/// Sums of each run of equal keys among 32 sorted keys, by a segmented scan: a lane takes in the lane `step` below if it has the
/// same key. The last lane of a run has its sum.
#[kernel(family = "shared")]
pub fn sum_by_key(
    #[shape(dim0 * 32)]
    #[domain(0..5, sorted)]
    keys: &[u32],
    #[shape(dim0 * 32)] values: &[f64],
    #[shape(dim0 * 32)] sums: &mut [f64],
) {
    let block = block::<32>();
    let own = block.phase(|t| keys[block.index * 32 + t]);
    let mut total = block.phase(|t| values[block.index * 32 + t]);
    let mut step = 1;
    while step < 32 {
        let below = total.shuffle_up(step);
        let key = own.shuffle_up(step);
        block.phase(|t| {
            if t >= step && key[t] == own[t] {
                total[t] += below[t];
            }
        });
        step *= 2;
    }
    block.phase(|t| sums[block.index * 32 + t] = total[t]);
}

/// The differences of each sample of 32 from the one `delay` later in its ring, squared and summed: a value of the variogram.
#[kernel(family = "shared")]
pub fn variogram(#[domain(1..16)] delay: usize, #[shape(dim0 * 32)] x: &[f64], y: &mut [f64]) {
    let block = block::<32>();
    let values = block.phase(|t| x[block.index * 32 + t]);
    let later = values.shuffle(|t| t + delay);
    let squares = block.phase(|t| (later[t] - values[t]) * (later[t] - values[t]));
    y[block.index] = squares.block_sum() / 64.0;
}

/// A histogram of all numbers over 16 bins from 0 to 1. Each block counts its own numbers in an array that its threads share, so
/// that few threads update the counts of the launch.
#[kernel(family = "shared", no_grad)]
pub fn block_histogram(
    #[shape(dim0 * 256)]
    #[domain(0.0..1.0)]
    x: &[f32],
    #[shape(16)] counts: &mut [u32],
) {
    let block = block::<256>();
    let mut bins = shared::<u32, 16>();
    block.phase(|t| {
        let bin = (x[block.index * 256 + t] * 16.0).min(15.0) as usize;
        atomic_add(&mut bins[bin], 1);
    });
    block.phase(|t| {
        if t < 16 {
            atomic_add(&mut counts[t], bins[t]);
        }
    });
}

/// The sum of the energies x²/2 of the particles of each of 8 cells, added up in each block first.
#[kernel(family = "shared")]
pub fn energy_by_cell(
    #[shape(dim0 * 64)]
    #[domain(0..8)]
    cells: &[u32],
    #[shape(dim0 * 64)] x: &[f32],
    #[shape(8)] energy: &mut [f32],
) {
    let block = block::<64>();
    let mut parts = shared::<f32, 8>();
    block.phase(|t| {
        let i = block.index * 64 + t;
        atomic_add(&mut parts[cells[i] as usize], 0.5 * x[i] * x[i]);
    });
    block.phase(|t| {
        if t < 8 {
            atomic_add(&mut energy[t], parts[t]);
        }
    });
}

/// The smallest and the largest key of each block of 64, and the bits that occur in any of its keys, by atomics in shared memory.
#[kernel(family = "shared", no_grad)]
pub fn key_range(#[shape(dim0 * 64)] keys: &[u32], #[shape(dim0, 3)] range: &mut Array2<u32>) {
    let block = block::<64>();
    let mut found = shared::<u32, 3>();
    found[0] = u32::MAX;
    block.phase(|t| {
        let key = keys[block.index * 64 + t];
        atomic_min(&mut found[0], key);
        atomic_max(&mut found[1], key);
        atomic_or(&mut found[2], key);
    });
    block.phase(|t| {
        if t < 3 {
            range[[block.index, t]] = found[t];
        }
    });
}

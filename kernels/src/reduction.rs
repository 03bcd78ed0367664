//! Kernels that reduce many numbers to few: sums, norms, extrema, scans. Most have one thread per row.

use kernel_rt::prelude::*;

/// Sum of each row.
#[kernel(family = "reduction")]
pub fn row_sum(
    #[domain(0..24)] cols: usize,
    #[domain(-1.0..1.0)]
    #[shape(dim0, cols)]
    matrix: &Array2<f32>,
    sum: &mut [f32],
) {
    let i = tid();
    let mut total = 0.0;
    for j in 0..cols {
        total += matrix[[i, j]];
    }
    sum[i] = total;
}

/// Mean and variance (population) of each row, in two passes.
#[kernel(family = "reduction")]
pub fn row_mean_variance(
    #[domain(1..24)] cols: usize,
    #[domain(-2.0..2.0)]
    #[shape(dim0, cols)]
    samples: &Array2<f64>,
    mean: &mut [f64],
    variance: &mut [f64],
) {
    let i = tid();
    let mut sum = 0.0;
    for j in 0..cols {
        sum += samples[[i, j]];
    }
    let average = sum / cols as f64;
    let mut squares = 0.0;
    for j in 0..cols {
        let deviation = samples[[i, j]] - average;
        squares += deviation * deviation;
    }
    mean[i] = average;
    variance[i] = squares / cols as f64;
}

/// Mean and sample variance of each row in one pass, by Welford's recurrence.
#[kernel(family = "reduction")]
pub fn welford_variance(
    #[domain(2..24)] cols: usize,
    #[domain(-2.0..2.0)]
    #[shape(dim0, cols)]
    samples: &Array2<f32>,
    mean: &mut [f32],
    variance: &mut [f32],
) {
    let i = tid();
    let mut average = 0.0;
    let mut squares = 0.0;
    for j in 0..cols {
        let before = samples[[i, j]] - average;
        average += before / (j + 1) as f32;
        squares += before * (samples[[i, j]] - average);
    }
    mean[i] = average;
    variance[i] = squares / (cols - 1) as f32;
}

/// Euclidean norm of each row, scaled by its largest entry so that squares stay in range.
#[kernel(family = "reduction")]
pub fn row_norm(
    #[domain(1..16)] cols: usize,
    #[domain(-1000.0..1000.0)]
    #[shape(dim0, cols)]
    matrix: &Array2<f32>,
    norm: &mut [f32],
) {
    let i = tid();
    let mut largest = 0.0f32;
    for j in 0..cols {
        largest = largest.max(matrix[[i, j]].abs());
    }
    if largest == 0.0 {
        norm[i] = 0.0;
        return;
    }
    let mut squares = 0.0;
    for j in 0..cols {
        let scaled = matrix[[i, j]] / largest;
        squares += scaled * scaled;
    }
    norm[i] = largest * squares.sqrt();
}

/// Largest entry of each row and the first column that has it.
#[kernel(family = "reduction")]
pub fn row_argmax(
    #[domain(1..24)] cols: usize,
    #[domain(-100..100)]
    #[shape(dim0, cols)]
    scores: &Array2<i32>,
    best: &mut [i32],
    place: &mut [u32],
) {
    let i = tid();
    let mut highest = i32::MIN;
    let mut at = 0;
    for j in 0..cols {
        if scores[[i, j]] > highest {
            highest = scores[[i, j]];
            at = j as u32;
        }
    }
    best[i] = highest;
    place[i] = at;
}

/// Dot product of each pair of rows.
#[kernel(family = "reduction")]
pub fn row_dot(
    #[domain(0..24)] cols: usize,
    #[domain(-1.0..1.0)]
    #[shape(dim0, cols)]
    left: &Array2<f64>,
    #[domain(-1.0..1.0)]
    #[shape(dim0, cols)]
    right: &Array2<f64>,
    product: &mut [f64],
) {
    let i = tid();
    let mut sum = 0.0;
    for j in 0..cols {
        sum += left[[i, j]] * right[[i, j]];
    }
    product[i] = sum;
}

/// ln Σ exp(x) of each row, shifted by the largest entry so that nothing overflows.
#[kernel(family = "reduction")]
pub fn log_sum_exp(
    #[domain(1..16)] cols: usize,
    #[domain(-50.0..50.0)]
    #[shape(dim0, cols)]
    logits: &Array2<f32>,
    total: &mut [f32],
) {
    let i = tid();
    let mut peak = logits[[i, 0]];
    for j in 1..cols {
        peak = peak.max(logits[[i, j]]);
    }
    let mut sum = 0.0;
    for j in 0..cols {
        sum += (logits[[i, j]] - peak).exp();
    }
    total[i] = peak + sum.ln();
}

/// The softmax of each row, stored in `f16` and summed up in `f32`. Subtracting the largest number keeps the exponentials
/// in range.
#[kernel(family = "reduction")]
pub fn half_softmax(
    #[domain(1..24)] cols: usize,
    #[domain(-4.0..4.0)]
    #[shape(dim0, cols)]
    logits: &Array2<f16>,
    #[shape(dim0, cols)] probabilities: &mut Array2<f16>,
) {
    let i = tid();
    let mut largest = logits[[i, 0]].to_f32();
    for j in 1..cols {
        largest = largest.max(logits[[i, j]].to_f32());
    }
    let mut total = 0.0;
    for j in 0..cols {
        total += (logits[[i, j]].to_f32() - largest).exp();
    }
    for j in 0..cols {
        probabilities[[i, j]] = f16::from_f32((logits[[i, j]].to_f32() - largest).exp() / total);
    }
}

/// Sum of each row with Kahan's compensation for rounding errors.
#[kernel(family = "reduction")]
pub fn kahan_sum(
    #[domain(0..32)] cols: usize,
    #[domain(-1000.0..1000.0)]
    #[shape(dim0, cols)]
    matrix: &Array2<f32>,
    sum: &mut [f32],
) {
    let i = tid();
    let mut total = 0.0;
    let mut lost = 0.0;
    for j in 0..cols {
        let term = matrix[[i, j]] - lost;
        let next = total + term;
        lost = (next - total) - term;
        total = next;
    }
    sum[i] = total;
}

/// Integral of each row of samples, `spacing` apart, by the trapezoid rule.
#[kernel(family = "reduction")]
pub fn trapezoid_integral(
    #[domain(2..24)] samples: usize,
    #[domain(0.01..1.0)] spacing: f64,
    #[domain(-1.0..1.0)]
    #[shape(dim0, samples)]
    height: &Array2<f64>,
    integral: &mut [f64],
) {
    let i = tid();
    let mut sum = 0.5 * (height[[i, 0]] + height[[i, samples - 1]]);
    for j in 1..samples - 1 {
        sum += height[[i, j]];
    }
    integral[i] = spacing * sum;
}

/// Power sums Σx, Σx², Σx³, Σx⁴ of each row.
#[kernel(family = "reduction")]
pub fn power_sums(
    #[domain(1..16)] cols: usize,
    #[domain(-1.0..1.0)]
    #[shape(dim0, cols)]
    samples: &Array2<f64>,
    moments: &mut [DVec4],
) {
    let i = tid();
    let mut sums = DVec4::ZERO;
    for j in 0..cols {
        let x = samples[[i, j]];
        let square = x * x;
        sums += DVec4::new(x, square, square * x, square * square);
    }
    moments[i] = sums;
}

/// First stage of a sum over a long array: thread i adds every stride-th value from the i-th one on,
/// the stride being the number of threads.
#[kernel(family = "reduction")]
pub fn strided_partial_sums(
    #[domain(0..200)] length: usize,
    #[domain(-1.0..1.0)]
    #[shape(length)]
    values: &[f32],
    partial: &mut [f32],
) {
    let i = tid();
    let mut sum = 0.0;
    for k in (i..length).step_by(partial.len()) {
        sum += values[k];
    }
    partial[i] = sum;
}

/// Sum and largest value of each block of neighbouring samples, gathered with atomics.
#[kernel(family = "reduction")]
pub fn block_sum_max(
    #[domain(1..9)] block: usize,
    #[domain(0..1000)] samples: &[u32],
    #[shape((dim0 + block - 1) / block)] sum: &mut [u32],
    #[shape((dim0 + block - 1) / block)] largest: &mut [u32],
) {
    let i = tid();
    let group = i / block;
    atomic_add(&mut sum[group], samples[i]);
    atomic_max(&mut largest[group], samples[i]);
}

/// Inclusive scan: each thread turns one chunk of the array into its running sums.
#[kernel(family = "reduction")]
pub fn chunk_scan(
    #[domain(1..16)] chunk: usize,
    #[domain(-100..100)]
    #[shape(dim0 * chunk)]
    values: &[i64],
    #[shape(dim0 * chunk)] scanned: &mut [i64],
) {
    let first = tid() * chunk;
    let mut running = 0;
    for k in first..first + chunk {
        running += values[k];
        scanned[k] = running;
    }
}

/// Centroid of each cloud of points, one cloud a row.
#[kernel(family = "reduction")]
pub fn centroid(
    #[domain(1..16)] points: usize,
    #[domain(-1.0..1.0)]
    #[shape(dim0, points)]
    cloud: &Array2<Vec3>,
    center: &mut [Vec3],
) {
    let i = tid();
    let mut sum = Vec3::ZERO;
    for j in 0..points {
        sum += cloud[[i, j]];
    }
    center[i] = sum / points as f32;
}

/// Corners of the bounding box of each cloud of points, one cloud a row.
#[kernel(family = "reduction")]
pub fn cloud_bounds(
    #[domain(1..16)] points: usize,
    #[domain(-10.0..10.0)]
    #[shape(dim0, points)]
    cloud: &Array2<DVec3>,
    low: &mut [DVec3],
    high: &mut [DVec3],
) {
    let i = tid();
    let mut lower = cloud[[i, 0]];
    let mut upper = cloud[[i, 0]];
    for j in 1..points {
        lower = lower.min(cloud[[i, j]]);
        upper = upper.max(cloud[[i, j]]);
    }
    low[i] = lower;
    high[i] = upper;
}

/// Adler-32 checksum of each message of bytes, one message a row.
#[kernel(family = "reduction")]
pub fn adler32(
    #[domain(0..32)] bytes: usize,
    #[domain(0..256)]
    #[shape(dim0, bytes)]
    message: &Array2<u32>,
    checksum: &mut [u32],
) {
    let i = tid();
    let mut low = 1;
    let mut high = 0;
    for j in 0..bytes {
        low = (low + message[[i, j]]) % 65_521;
        high = (high + low) % 65_521;
    }
    checksum[i] = (high << 16) | low;
}

/// Mean of each column, so that neighbouring threads read neighbouring values.
#[kernel(family = "reduction")]
pub fn column_mean(
    #[domain(1..24)] rows: usize,
    #[domain(-1.0..1.0)]
    #[shape(rows, dim0)]
    matrix: &Array2<f32>,
    mean: &mut [f32],
) {
    let col = tid();
    let mut sum = 0.0;
    for row in 0..rows {
        sum += matrix[[row, col]];
    }
    mean[col] = sum / rows as f32;
}

/// Flags of stream compaction: which points lie inside a sphere, and how many they are.
#[kernel(family = "reduction")]
pub fn flag_inside(
    #[domain(-0.5..0.5)] center: Vec3,
    #[domain(0.5..1.5)] radius: f32,
    #[domain(-1.0..1.0)] points: &[Vec3],
    inside: &mut [bool],
    #[shape(1)] count: &mut [u32],
) {
    let i = tid();
    let is_inside = points[i].distance_squared(center) < radius * radius;
    inside[i] = is_inside;
    atomic_add(&mut count[0], is_inside as u32);
}

/// The product of the entries of a sparse row, from one place to another, with a vector.
#[device]
fn sparse_row_dot(entries: &[f64], columns: &[u32], x: &[f64], from: usize, to: usize) -> f64 {
    let mut sum = 0.0;
    for k in from..to {
        sum += entries[k] * x[columns[k] as usize];
    }
    sum
}

/// The logarithm of Σ exp(x).
#[device]
fn log_of_sum_of_exponentials(x: &[f32]) -> f32 {
    let mut most = x[0];
    for k in 1..x.len() {
        most = most.max(x[k]);
    }
    let mut sum = 0.0;
    for k in 0..x.len() {
        sum += (x[k] - most).exp();
    }
    most + sum.ln()
}

/// Cross entropy of rows of scores with a class for each row: ln Σ exp(s) − s at the class, for the classes up to it and
/// for all of them.
#[kernel(family = "reduction")]
pub fn hierarchical_cross_entropy(
    #[domain(-3.0..3.0)]
    #[shape(dim0, 8)]
    scores: &Array2<f32>,
    #[domain(0..8)] class: &[u32],
    loss: &mut [f32],
) {
    let i = tid();
    let class = class[i] as usize;
    let row = scores.row(i);
    loss[i] = log_of_sum_of_exponentials(row) + log_of_sum_of_exponentials(&row[..=class]) - 2.0 * row[class];
}

/// The product of the entries of a sparse row with a vector.
#[device]
fn sparse_dot(entries: &[f64], columns: &[u32], x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..entries.len() {
        sum += entries[k] * x[columns[k] as usize];
    }
    sum
}

/// Jacobi step x + (b − A·x)/d of a sparse system in CSR form, by ranges of its entries.
#[kernel(family = "reduction")]
pub fn sparse_jacobi_step(
    #[domain(-1.0..1.0)] x: &[f64],
    #[domain(-2.0..2.0)]
    #[shape(3 * dim0)]
    entries: &[f64],
    #[domain(0..x.len())]
    #[shape(entries.len())]
    columns: &[u32],
    #[domain(0..=entries.len(), offsets)]
    #[shape(dim0 + 1)]
    offsets: &[u32],
    #[domain(-4.0..4.0)] b: &[f64],
    #[domain(1.0..4.0)] diagonal: &[f64],
    next: &mut [f64],
) {
    let row = tid();
    let (from, to) = (offsets[row] as usize, offsets[row + 1] as usize);
    next[row] = x[row] + (b[row] - sparse_dot(&entries[from..to], &columns[from..to], x)) / diagonal[row];
}

/// Residual b − A·x of a sparse system in CSR form.
#[kernel(family = "reduction")]
pub fn sparse_residual(
    #[domain(-1.0..1.0)] x: &[f64],
    #[domain(-2.0..2.0)]
    #[shape(3 * dim0)]
    entries: &[f64],
    #[domain(0..x.len())]
    #[shape(entries.len())]
    columns: &[u32],
    #[domain(0..=entries.len(), offsets)]
    #[shape(dim0 + 1)]
    offsets: &[u32],
    #[domain(-4.0..4.0)] b: &[f64],
    residual: &mut [f64],
) {
    let row = tid();
    let from = offsets[row] as usize;
    let to = offsets[row + 1] as usize;
    residual[row] = b[row] - sparse_row_dot(entries, columns, x, from, to);
}

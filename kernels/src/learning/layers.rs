//! Layers of neural networks.

use kernel_rt::prelude::*;

/// Attention of one query a thread over the keys before it, without a table of scores ("flash attention", Dao and others, 2022): the
/// largest score so far, the sum of exponentials and the mean of the values are corrected as keys come in blocks of four.
/// Positions turn pairs of components (RoPE: Su and others, 2021). Axes are (head, position, component); `log_sum` is the
/// logarithm of the sum of exponentials, which a backward pass needs.
#[kernel(family = "nested_loop")]
pub fn attention(
    #[domain(0.2..1.0)] scale: f32,
    #[domain(0.1..1.0)] frequency: f32,
    #[domain(2..9)] window: usize,
    #[shape(dim0, dim1, 4)]
    #[domain(-1.0..1.0)]
    queries: &Array3<f32>,
    #[shape(dim0, dim1, 4)]
    #[domain(-1.0..1.0)]
    keys: &Array3<f32>,
    #[shape(dim0, dim1, 4)]
    #[domain(-1.0..1.0)]
    values: &Array3<f32>,
    #[shape(dim0, dim1, 4)] output: &mut Array3<f32>,
    log_sum: &mut Array2<f32>,
) {
    const BLOCK: usize = 4;
    let (head, position) = tid2();
    let first = (position + 1).saturating_sub(window);
    let query = queries.row(head, position);
    let mut largest = -1e30f32;
    let mut total = 0.0;
    let mut mean = Vec4::ZERO;
    for start in (first..position + 1).step_by(BLOCK) {
        let end = (start + BLOCK).min(position + 1);
        let mut scores = [-1e30f32; BLOCK];
        let mut block_largest = largest;
        for k in start..end {
            // The score depends on the distance alone: the key is turned back by it.
            let key = keys.row(head, k);
            let mut score = 0.0;
            for pair in 0..2 {
                let turn = (position - k) as f32 * frequency / (1 + 3 * pair) as f32;
                let (cosine, sine) = (turn.cos(), turn.sin());
                let (a, b) = (key[2 * pair], key[2 * pair + 1]);
                score += query[2 * pair] * (a * cosine + b * sine) + query[2 * pair + 1] * (b * cosine - a * sine);
            }
            scores[k - start] = scale * score;
            block_largest = block_largest.max(scores[k - start]);
        }
        let correction = (largest - block_largest).exp();
        total *= correction;
        mean *= correction;
        largest = block_largest;
        for k in start..end {
            let weight = (scores[k - start] - largest).exp();
            let value = values.row(head, k);
            total += weight;
            mean += Vec4::new(value[0], value[1], value[2], value[3]) * weight;
        }
    }
    for c in 0..4 {
        output[[head, position, c]] = mean[c] / total;
    }
    log_sum[[head, position]] = largest + total.ln();
}

/// σ(x) = 1/(1 + e⁻ˣ)
#[device]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// A recurrent layer with gates (GRU: Cho and others, 2014) over a sequence, one sequence a thread: four units, whose state is
/// normalised (layer norm: Ba, Kiros and Hinton, 2016) before the gates see it. Weights are one matrix for each gate: reset,
/// update, candidate. Masked steps keep the state.
#[kernel(family = "loop")]
pub fn gated_recurrence(
    #[shape(3)]
    #[domain(-0.8..0.8)]
    by_input: &[Mat4],
    #[shape(3)]
    #[domain(-0.8..0.8)]
    by_state: &[Mat4],
    #[shape(3)]
    #[domain(-0.5..0.5)]
    bias: &[Vec4],
    #[domain(0.5..1.5)] gain: Vec4,
    #[shape(dim0, 6)]
    #[domain(-1.0..1.0)]
    inputs: &Array2<Vec4>,
    #[shape(dim0, 6)]
    #[domain(0..4)]
    mask: &Array2<u8>,
    #[domain(-1.0..1.0)] states: &mut [Vec4],
    #[shape(dim0, 6)] history: &mut Array2<Vec4>,
    used: &mut [u32],
) {
    let i = tid();
    let mut state = states[i];
    let mut count = 0;
    for t in 0..inputs.shape()[1] {
        if mask[[i, t]] == 0 {
            history[[i, t]] = state;
            continue;
        }
        let x = inputs[[i, t]];
        let centred = state - Vec4::splat(0.25 * state.element_sum());
        let spread = (0.25 * centred.length_squared() + 0.01).sqrt();
        let seen = centred * gain / spread;
        let reset_sum = by_input[0] * x + by_state[0] * seen + bias[0];
        let update_sum = by_input[1] * x + by_state[1] * seen + bias[1];
        let mut reset = Vec4::ZERO;
        let mut update = Vec4::ZERO;
        for k in 0..4 {
            reset[k] = sigmoid(reset_sum[k]);
            update[k] = sigmoid(update_sum[k]);
        }
        let candidate_sum = by_input[2] * x + reset * (by_state[2] * seen) + bias[2];
        let mut candidate = Vec4::ZERO;
        for k in 0..4 {
            candidate[k] = candidate_sum[k].tanh();
        }
        state = candidate + update * (state - candidate);
        history[[i, t]] = state;
        count += 1;
    }
    states[i] = state;
    used[i] = count;
}

/// The activation GELU by its tangent, x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))) (Hendrycks and Gimpel, 2016).
#[device]
fn gelu<T: Float>(x: T) -> T {
    let inner = T::lit(0.7978845608028654) * (x + T::lit(0.044715) * x * x * x);
    T::lit(0.5) * x * (T::ONE + inner.tanh())
}

/// A layer of convolution with groups, steps, gaps and a border of zeros, then batch normalisation, what a shortcut brings, and GELU, one
/// output a thread.
/// Axes are (channel, row, column); `weights` has an axis for the channels of a group and one for the nine taps of a filter.
#[kernel(family = "nested_loop", instances(f32, f64))]
pub fn grouped_convolution<T: Float>(
    #[domain(1..3)] stride: usize,
    #[domain(1..3)] gap: usize,
    #[domain(1..3)] inner: usize,
    #[shape(dim0 * inner, 6, 7)]
    #[domain(-1.0..1.0)]
    images: &Array3<T>,
    #[shape(dim0, inner, 9)]
    #[domain(-0.5..0.5)]
    weights: &Array3<T>,
    #[domain(-0.5..0.5)] bias: &[T],
    #[domain(-0.3..0.3)] mean: &[T],
    #[domain(0.5..2.0)] variance: &[T],
    #[domain(0.5..1.5)] gain: &[T],
    #[domain(-1.0..1.0)] shortcut: Option<&Array3<T>>,
    output: &mut Array3<T>,
) {
    let (channel, out_row, out_column) = tid3();
    let (rows, columns) = (images.shape()[1], images.shape()[2]);
    let mut sum = bias[channel];
    for c in 0..inner {
        for down in 0..3 {
            // Rows and columns start `gap` before the image; usize cannot be negative.
            let shifted_row = out_row * stride + down * gap;
            if shifted_row < gap || shifted_row >= rows + gap {
                continue;
            }
            for right in 0..3 {
                let shifted_column = out_column * stride + right * gap;
                if shifted_column < gap || shifted_column >= columns + gap {
                    continue;
                }
                let pixel = images[[channel * inner + c, shifted_row - gap, shifted_column - gap]];
                sum += weights[[channel, c, 3 * down + right]] * pixel;
            }
        }
    }
    let normalised = (sum - mean[channel]) / (variance[channel] + T::lit(1e-5)).sqrt();
    let mut x = gain[channel] * normalised;
    if let Some(shortcut) = shortcut {
        x += shortcut[[channel, out_row, out_column]];
    }
    output[[channel, out_row, out_column]] = gelu(x);
}

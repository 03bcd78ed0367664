/// The adjoint of `x`: that of the result within the range, zero beyond.
#[device]
fn pass_through(x: f32, step: f32, adj: f32) -> f32 {
    let level = x / step;
    if level < -128.0 || level > 127.0 { 0.0 } else { adj }
}

/// The adjoint of the step: by the rounding error within the range, by the last level beyond.
#[device]
fn by_step(x: f32, step: f32, adj: f32) -> f32 {
    let level = x / step;
    if level < -128.0 {
        return -128.0 * adj;
    }
    if level > 127.0 {
        return 127.0 * adj;
    }
    (level.round() - level) * adj
}

/// The nearest of 256 steps: step·clamp(round(x/step), −128, 127). Its derivatives are those of the straight-through
/// estimator with a learned step (LSQ), because the true ones are zero almost everywhere.
#[device(grad(x = pass_through, step = by_step), surrogate)]
fn quantize(x: f32, step: f32) -> f32 {
    (x / step).round().clamp(-128.0, 127.0) * step
}

/// Weights of a neural network as the 8-bit network will see them, for training that knows about it.
#[kernel(family = "scalar_param")]
pub fn fake_quantize(#[domain(0.005..0.05)] step: f32, #[domain(-3.0..3.0)] weights: &[f32], quantized: &mut [f32]) {
    let i = tid();
    quantized[i] = quantize(weights[i], step);
}

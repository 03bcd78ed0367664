//! Kernels whose behaviour depends on scalar parameters: physical constants, gains, rates, modes and flags.

use kernel_rt::prelude::*;

/// Damped oscillation: x(t) = amplitude·e^(−ζωt)·cos(ω√(1 − ζ²)·t + phase), t in s, ω in rad/s, damping ratio ζ below 1.
#[kernel(family = "scalar_param")]
pub fn damped_oscillator(
    #[domain(0.5..2.0)] amplitude: f32,
    #[domain(0.5..10.0)] omega: f32,
    #[domain(0.0..0.95)] damping_ratio: f32,
    #[domain(-3.0..3.0)] phase: f32,
    #[domain(0.0..5.0)] time: &[f32],
    displacement: &mut [f32],
) {
    let i = tid();
    let damped_omega = omega * (1.0 - damping_ratio * damping_ratio).sqrt();
    let envelope = amplitude * (-damping_ratio * omega * time[i]).exp();
    displacement[i] = envelope * (damped_omega * time[i] + phase).cos();
}

/// Logistic growth of populations after some time: P(t) = K / (1 + (K − P₀)/P₀·e^(−rt)), K the capacity, r per day.
#[kernel(family = "scalar_param")]
pub fn logistic_growth(
    #[domain(500.0..1000.0)] capacity: f32,
    #[domain(0.1..2.0)] rate: f32,
    #[domain(0.0..10.0)] days: f32,
    #[domain(1.0..400.0)] population: &mut [f32],
) {
    let i = tid();
    let start = population[i];
    let ratio = (capacity - start) / start;
    population[i] = capacity / (1.0 + ratio * (-rate * days).exp());
}

/// Michaelis-Menten rate with a competitive inhibitor: v = vmax·S / (Km·(1 + I/Ki) + S), concentrations in mmol/l.
#[kernel(family = "scalar_param")]
pub fn michaelis_menten(
    #[domain(0.5..5.0)] vmax: f64,
    #[domain(0.1..2.0)] km: f64,
    #[domain(0.1..2.0)] ki: f64,
    #[domain(0.0..10.0)] substrate: &[f64],
    #[domain(0.0..3.0)] inhibitor: &[f64],
    rate: &mut [f64],
) {
    let i = tid();
    let apparent_km = km * (1.0 + inhibitor[i] / ki);
    rate[i] = vmax * substrate[i] / (apparent_km + substrate[i]);
}

/// Lift, gamma and gain on an image of linear colours: out = (gain·(x + lift·(1 − x)))^(1/gamma), by channel.
#[kernel(family = "scalar_param")]
pub fn lift_gamma_gain(
    #[domain(0.0..0.2)] lift: f32,
    #[domain(0.5..2.5)] gamma: f32,
    #[domain(0.5..1.5)] gain: f32,
    #[domain(0.0..1.0)] image: &mut Array2<Vec3>,
) {
    let (row, column) = tid2();
    let color = image[[row, column]];
    let raised = (color + (Vec3::ONE - color) * lift) * gain;
    let exponent = 1.0 / gamma;
    image[[row, column]] = Vec3::new(raised.x.powf(exponent), raised.y.powf(exponent), raised.z.powf(exponent));
}

/// One step of PID controllers with a bounded integral: u = kp·e + ki·∫e + kd·Δe/dt; `gains` = (kp, ki, kd), dt in s.
#[kernel(family = "scalar_param")]
pub fn pid_step(
    #[domain(0.0..2.0)] gains: Vec3,
    #[domain(0.01..0.1)] dt: f32,
    #[domain(0.5..2.0)] integral_limit: f32,
    #[domain(-1.0..1.0)] error: &[f32],
    #[domain(-1.0..1.0)] previous_error: &mut [f32],
    #[domain(-1.0..1.0)] integral: &mut [f32],
    control: &mut [f32],
) {
    let i = tid();
    let accumulated = (integral[i] + error[i] * dt).clamp(-integral_limit, integral_limit);
    let slope = (error[i] - previous_error[i]) / dt;
    integral[i] = accumulated;
    previous_error[i] = error[i];
    control[i] = gains.x * error[i] + gains.y * accumulated + gains.z * slope;
}

/// Learning rate by training step: a linear warm-up, then half a cosine from the peak down to the floor.
#[kernel(family = "scalar_param")]
pub fn cosine_annealing(
    #[domain(0.001..0.01)] peak: f32,
    #[domain(0.0..0.0005)] floor: f32,
    #[domain(1..100)] warmup: u32,
    #[domain(200..1000)] total: u32,
    #[domain(0..total)] step: &[u32],
    rate: &mut [f32],
) {
    let i = tid();
    if step[i] < warmup {
        rate[i] = peak * (step[i] + 1) as f32 / warmup as f32;
    } else {
        let progress = (step[i] - warmup) as f32 / (total - warmup) as f32;
        let falling = 0.5 * (1.0 + (std::f32::consts::PI * progress).cos());
        rate[i] = floor + (peak - floor) * falling;
    }
}

/// One update of the Adam optimiser: m = β₁m + (1 − β₁)g, v = β₂v + (1 − β₂)g², w −= rate·m/(√v + 10⁻⁸). The bias
/// correction √(1 − β₂ᵗ)/(1 − β₁ᵗ) is part of `rate`.
#[kernel(family = "scalar_param")]
pub fn adam_update(
    #[domain(0.0001..0.01)] rate: f32,
    #[domain(0.8..0.95)] beta1: f32,
    #[domain(0.99..0.999)] beta2: f32,
    #[domain(-1.0..1.0)] gradient: &[f32],
    #[domain(-0.5..0.5)] momentum: &mut [f32],
    #[domain(0.001..0.5)] velocity: &mut [f32],
    #[domain(-1.0..1.0)] weight: &mut [f32],
) {
    let i = tid();
    let g = gradient[i];
    let m = beta1 * momentum[i] + (1.0 - beta1) * g;
    let v = beta2 * velocity[i] + (1.0 - beta2) * g * g;
    momentum[i] = m;
    velocity[i] = v;
    weight[i] -= rate * m / (v.sqrt() + 1e-8);
}

/// One midpoint step of van der Pol oscillators: x'' = mu·(1 − x²)·x' − x; `state` = (x, x').
#[kernel(family = "scalar_param")]
pub fn van_der_pol_step(
    #[domain(0.0..4.0)] mu: f64,
    #[domain(0.001..0.05)] dt: f64,
    #[domain(-2.0..2.0)] state: &mut [DVec2],
) {
    let i = tid();
    let start = state[i];
    let slope = DVec2::new(start.y, mu * (1.0 - start.x * start.x) * start.y - start.x);
    let middle = start + slope * (0.5 * dt);
    let middle_slope = DVec2::new(middle.y, mu * (1.0 - middle.x * middle.x) * middle.y - middle.x);
    state[i] = start + middle_slope * dt;
}

/// Brightness and contrast of an 8-bit grey image about mid-grey 128, contrast in per cent, then inverted on request.
#[kernel(family = "scalar_param")]
pub fn adjust_image(
    #[domain(-100..101)] brightness: i32,
    #[domain(0..301)] contrast: i32,
    invert: bool,
    #[domain(0..256)] image: &Array2<i32>,
    adjusted: &mut Array2<i32>,
) {
    let (row, column) = tid2();
    let stretched = (image[[row, column]] - 128) * contrast / 100 + 128 + brightness;
    let grey = stretched.clamp(0, 255);
    adjusted[[row, column]] = if invert { 255 - grey } else { grey };
}

/// Tone mapping of radiance to 0 … 1 by mode: 0 clips, 1 is Reinhard's x/(1 + x), any other is exponential 1 − e^(−x).
#[kernel(family = "scalar_param")]
pub fn tone_map(
    #[domain(0..3)] mode: i32,
    #[domain(0.1..4.0)] exposure: f32,
    #[domain(0.0..10.0)] radiance: &[f32],
    display: &mut [f32],
) {
    let i = tid();
    let exposed = radiance[i] * exposure;
    if mode == 0 {
        display[i] = exposed.min(1.0);
    } else if mode == 1 {
        display[i] = exposed / (1.0 + exposed);
    } else {
        display[i] = 1.0 - (-exposed).exp();
    }
}

/// Signal times a cosine window of the launch's length: a₀ − (1 − a₀)·cos(2πn/N), a₀ = 0.5 being Hann's window and
/// 0.54 Hamming's; `symmetric` takes N one less than the length.
#[kernel(family = "scalar_param")]
pub fn cosine_window(
    #[domain(0.5..0.6)] a0: f32,
    symmetric: bool,
    #[domain(-1.0..1.0)] signal: &[f32],
    windowed: &mut [f32],
) {
    let n = tid();
    let mut period = signal.len();
    if symmetric && period > 1 {
        period -= 1;
    }
    let angle = std::f32::consts::TAU * n as f32 / period as f32;
    windowed[n] = signal[n] * (a0 - (1.0 - a0) * angle.cos());
}

/// Every stride-th sample of a signal from an offset on, each the mean of itself and its right neighbour.
#[kernel(family = "scalar_param")]
pub fn decimate(
    #[domain(0..5)] offset: usize,
    #[domain(1..6)] stride: usize,
    #[shape(offset + stride * dim0 + 1)]
    #[domain(-1.0..1.0)]
    signal: &[f32],
    decimated: &mut [f32],
) {
    let i = tid();
    let sample = offset + i * stride;
    decimated[i] = 0.5 * (signal[sample] + signal[sample + 1]);
}

/// 8-bit integer activations of a quantised layer: q = round(scale·accumulator) + zero_point within −128 to 127, with
/// negative activations cut off at the zero point on request.
#[kernel(family = "scalar_param")]
pub fn requantize(
    #[domain(0.0005..0.01)] scale: f32,
    #[domain(-20..20)] zero_point: i32,
    relu: bool,
    #[domain(-20000..20000)] accumulators: &Array3<i32>,
    quantized: &mut Array3<i32>,
) {
    let (batch, row, channel) = tid3();
    let rounded = (scale * accumulators[[batch, row, channel]] as f32).round() as i32;
    let shifted = (rounded + zero_point).clamp(-128, 127);
    quantized[[batch, row, channel]] = if relu { shifted.max(zero_point) } else { shifted };
}

/// Affine cipher on large alphabets: y = (multiplier·x + increment) mod modulus, in 64 bits.
#[kernel(family = "scalar_param")]
pub fn affine_modular(
    #[domain(1..2000000000)] multiplier: u64,
    #[domain(0..2000000000)] increment: u64,
    #[domain(2..2000000000)] modulus: u64,
    #[domain(0..modulus)] values: &mut [u64],
) {
    let i = tid();
    values[i] = (multiplier * values[i] + increment) % modulus;
}

/// Simple interest on balances in cents: balance·rate·days / (10⁴·basis), rate in hundredths of a per cent a year, year
/// of 360 or 365 days, rounded half away from zero.
#[kernel(family = "scalar_param")]
pub fn simple_interest(
    #[domain(0..2000)] basis_points: u32,
    #[domain(0..3650)] days: u32,
    banker_year: bool,
    #[domain(-1000000000..1000000000)] balance: &[i64],
    interest: &mut [i64],
) {
    let i = tid();
    let year = if banker_year { 360 } else { 365 };
    let divisor = 10000 * year;
    let product = balance[i] * basis_points as i64 * days as i64;
    let half = divisor / 2 * product.signum();
    interest[i] = (product + half) / divisor;
}

/// One step of leaky integrate-and-fire neurons: τ·dV/dt = (rest − V) + R·I; a neuron past the threshold fires and
/// falls back to rest. Potentials in mV, times in ms, `drive` = R·I in mV.
#[kernel(family = "scalar_param")]
pub fn integrate_and_fire(
    #[domain(5.0..20.0)] tau: f32,
    #[domain(-75.0..-65.0)] rest: f32,
    #[domain(-55.0..-50.0)] threshold: f32,
    #[domain(0.1..1.0)] dt: f32,
    #[domain(0.0..60.0)] drive: &[f32],
    #[domain(-70.0..-50.0)] potential: &mut [f32],
    spikes: &mut [u32],
) {
    let i = tid();
    let leak = rest - potential[i];
    let next = potential[i] + dt / tau * (leak + drive[i]);
    if next >= threshold {
        potential[i] = rest;
        spikes[i] = 1;
    } else {
        potential[i] = next;
        spikes[i] = 0;
    }
}

/// Projectiles that start at the origin with speed v (m/s) at an angle (degrees): position after t seconds under
/// gravity g, kept on the ground when `stop_at_ground`.
#[kernel(family = "scalar_param")]
pub fn projectile(
    #[domain(1.0..25.0)] gravity: f64,
    #[domain(0.0..4.0)] seconds: f64,
    stop_at_ground: bool,
    #[domain(1.0..40.0)] speed: &[f64],
    #[domain(5.0..85.0)] degrees: &[f64],
    position: &mut [DVec2],
) {
    let i = tid();
    let angle = degrees[i].to_radians();
    let climb = speed[i] * angle.sin();
    let flight = 2.0 * climb / gravity;
    let t = if stop_at_ground { seconds.min(flight) } else { seconds };
    position[i] = DVec2::new(speed[i] * angle.cos() * t, climb * t - 0.5 * gravity * t * t);
}

/// The nearest of 256 steps: step·clamp(round(x/step), −128, 127). Its derivatives are those of the straight-through
/// estimator with a learned step (LSQ), because the true ones are zero almost everywhere.
#[device(grad(x = pass_through, step = by_step), surrogate)]
fn quantize(x: f32, step: f32) -> f32 {
    (x / step).round().clamp(-128.0, 127.0) * step
}

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

/// Weights of a neural network as the 8-bit network will see them, for training that knows about it.
#[kernel(family = "scalar_param")]
pub fn fake_quantize(#[domain(0.005..0.05)] step: f32, #[domain(-3.0..3.0)] weights: &[f32], quantized: &mut [f32]) {
    let i = tid();
    quantized[i] = quantize(weights[i], step);
}

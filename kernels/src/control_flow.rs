//! Kernels about control flow: branches, early exits, loops that end on a condition.

use kernel_rt::prelude::*;

/// Leaky rectifier of a neural network: y = x where x is positive, slope · x elsewhere.
#[kernel(family = "control_flow")]
pub fn leaky_relu(#[domain(0.0..0.3)] slope: f32, #[domain(-4.0..4.0)] x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = if x[i] > 0.0 { x[i] } else { slope * x[i] };
}

/// Soft threshold, the proximal operator of λ·|x|: values move towards zero by λ and stop there.
#[kernel(family = "control_flow")]
pub fn soft_threshold(#[domain(0.0..1.0)] lambda: f64, #[domain(-3.0..3.0)] x: &[f64], shrunk: &mut [f64]) {
    let i = tid();
    let value = x[i];
    if value > lambda {
        shrunk[i] = value - lambda;
    } else if value < -lambda {
        shrunk[i] = value + lambda;
    } else {
        shrunk[i] = 0.0;
    }
}

/// Huber loss of a residual r: r²/2 near zero, δ·(|r| − δ/2) beyond δ.
#[kernel(family = "control_flow")]
pub fn huber_loss(
    #[domain(0.5..2.0)] delta: f32,
    #[domain(-5.0..5.0)] predicted: &[f32],
    #[domain(-5.0..5.0)] observed: &[f32],
    loss: &mut [f32],
) {
    let i = tid();
    let residual = predicted[i] - observed[i];
    let size = residual.abs();
    loss[i] = if size <= delta { 0.5 * residual * residual } else { delta * (size - 0.5 * delta) };
}

/// Quotient of two arrays, with a fallback where the divisor is too close to zero.
#[kernel(family = "control_flow")]
pub fn safe_divide(
    #[domain(-1.0..1.0)] fallback: f32,
    #[domain(-10.0..10.0)] numerator: &[f32],
    #[domain(-1.0..1.0)] divisor: &[f32],
    quotient: &mut [f32],
) {
    let i = tid();
    if divisor[i].abs() < 1e-3 {
        quotient[i] = fallback;
        return;
    }
    quotient[i] = numerator[i] / divisor[i];
}

/// Dead zone of a controller: inputs within ±width give nothing, the rest is shifted to start at zero and limited to ±1.
#[kernel(family = "control_flow")]
pub fn dead_zone(#[domain(0.05..0.5)] width: f32, #[domain(-2.0..2.0)] stick: &[f32], command: &mut [f32]) {
    let i = tid();
    let excess = {
        let size = stick[i].abs();
        if size > width { size - width } else { 0.0 }
    };
    let limited = if excess > 1.0 { 1.0 } else { excess };
    command[i] = limited.copysign(stick[i]);
}

/// Length of the Collatz sequence: how many steps n → n/2 (even) or 3n + 1 (odd) lead to 1.
#[kernel(family = "control_flow")]
pub fn collatz_length(#[domain(1..100000)] start: &[u64], steps: &mut [u32]) {
    let i = tid();
    let mut n = start[i];
    let mut count = 0;
    while n != 1 {
        if n % 2 == 0 {
            n /= 2;
        } else {
            n = 3 * n + 1;
        }
        count += 1;
    }
    steps[i] = count;
}

/// Greatest common divisor by Euclid's algorithm.
#[kernel(family = "control_flow")]
pub fn greatest_common_divisor(#[domain(0..1000000)] a: &[u32], #[domain(0..1000000)] b: &[u32], divisor: &mut [u32]) {
    let i = tid();
    let mut larger = a[i];
    let mut smaller = b[i];
    while smaller != 0 {
        let remainder = larger % smaller;
        larger = smaller;
        smaller = remainder;
    }
    divisor[i] = larger;
}

/// Real root of x³ + x = c by bisection, until the bracket is narrower than the tolerance.
#[kernel(family = "control_flow")]
pub fn bisection_root(#[domain(0.00001..0.01)] tolerance: f64, #[domain(-8.0..8.0)] c: &[f64], root: &mut [f64]) {
    let i = tid();
    let mut low = -2.0;
    let mut high = 2.0;
    loop {
        let middle = 0.5 * (low + high);
        if high - low < tolerance {
            root[i] = middle;
            break;
        }
        if middle * middle * middle + middle < c[i] {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// Cube root by Newton's method, x ← x − (x³ − a)/(3x²), left as soon as a step changes little.
#[kernel(family = "control_flow")]
pub fn newton_cube_root(#[domain(0.1..100.0)] a: &[f32], root: &mut [f32]) {
    let i = tid();
    let mut x = a[i].max(1.0);
    for _ in 0..40 {
        let step = (x * x * x - a[i]) / (3.0 * x * x);
        x -= step;
        if step.abs() <= 1e-6 * x {
            break;
        }
    }
    root[i] = x;
}

/// Row and column of the i-th stored element of a packed lower triangular matrix: i = row·(row + 1)/2 + column.
/// A binary search for the last row that starts at or before i.
#[kernel(family = "control_flow")]
pub fn packed_triangle_row(row: &mut [u64], column: &mut [u64]) {
    let i = tid();
    let target = i as u64;
    let mut low = 0;
    let mut high = target + 1;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if middle * (middle + 1) / 2 <= target {
            low = middle;
        } else {
            high = middle;
        }
    }
    row[i] = low;
    column[i] = target - low * (low + 1) / 2;
}

/// Five-point Laplacian of an image; border cells, which lack a neighbour, get zero.
#[kernel(family = "control_flow")]
pub fn interior_laplacian(#[domain(-1.0..1.0)] image: &Array2<f32>, laplacian: &mut Array2<f32>) {
    let (row, col) = tid2();
    let last_row = image.shape()[0] - 1;
    let last_col = image.shape()[1] - 1;
    if row == 0 || col == 0 || row == last_row || col == last_col {
        laplacian[[row, col]] = 0.0;
        return;
    }
    let vertical = image[[row - 1, col]] + image[[row + 1, col]];
    let horizontal = image[[row, col - 1]] + image[[row, col + 1]];
    laplacian[[row, col]] = vertical + horizontal - 4.0 * image[[row, col]];
}

/// Mean of the valid samples of each row; a row without any gets the fill value.
/// `valid` holds 1 for samples that count and 0 for those that do not.
#[kernel(family = "control_flow")]
pub fn masked_mean(
    #[domain(1..12)] samples: usize,
    #[domain(-1.0..1.0)] fill: f32,
    #[domain(-5.0..5.0)]
    #[shape(dim0, samples)]
    values: &Array2<f32>,
    #[domain(0..2)]
    #[shape(dim0, samples)]
    valid: &Array2<i32>,
    mean: &mut [f32],
) {
    let i = tid();
    let mut sum = 0.0;
    let mut count = 0;
    for j in 0..samples {
        if valid[[i, j]] == 0 {
            continue;
        }
        sum += values[[i, j]];
        count += 1;
    }
    mean[i] = if count > 0 { sum / count as f32 } else { fill };
}

/// Position of the first sample of each row that exceeds the threshold, −1 if none does.
#[kernel(family = "control_flow")]
pub fn first_above(
    #[domain(1..20)] samples: usize,
    #[domain(0.0..1.0)] threshold: f32,
    #[domain(-1.0..1.0)]
    #[shape(dim0, samples)]
    signal: &Array2<f32>,
    position: &mut [i32],
) {
    let i = tid();
    position[i] = -1;
    for j in 0..samples {
        if signal[[i, j]] > threshold {
            position[i] = j as i32;
            return;
        }
    }
}

/// Angle in radians brought into −π … π by whole turns.
#[kernel(family = "control_flow")]
pub fn wrap_angle(#[domain(-25.0..25.0)] angle: &mut [f32]) {
    const PI: f32 = std::f32::consts::PI;
    let i = tid();
    let mut wrapped = angle[i];
    while wrapped > PI {
        wrapped -= 2.0 * PI;
    }
    while wrapped < -PI {
        wrapped += 2.0 * PI;
    }
    angle[i] = wrapped;
}

/// Velocity limited to a top speed, direction kept; a `soft` limit passes a tenth of the excess.
#[kernel(family = "control_flow")]
pub fn limit_speed(#[domain(0.5..2.0)] top: f64, soft: bool, #[domain(-3.0..3.0)] velocity: &mut [DVec3]) {
    let i = tid();
    let speed = velocity[i].length();
    if speed <= top {
        return;
    }
    let allowed = if soft { top + 0.1 * (speed - top) } else { top };
    velocity[i] *= allowed / speed;
}

/// x − x³/3 between −1 and 1, constant beyond.
#[device]
fn soft_clip(x: f32) -> f32 {
    if x <= -1.0 {
        return -2.0 / 3.0;
    }
    if x >= 1.0 {
        return 2.0 / 3.0;
    }
    x - x * x * x / 3.0
}

/// Overdrive of a sound signal: amplified, then clipped softly.
#[kernel(family = "control_flow")]
pub fn overdrive(#[domain(0.5..4.0)] gain: f32, #[domain(-1.0..1.0)] signal: &[f32], output: &mut [f32]) {
    let i = tid();
    output[i] = if gain > 3.0 { soft_clip(soft_clip(gain * signal[i])) } else { soft_clip(gain * signal[i]) };
}

/// One step of gradient descent with weight decay. Frozen weights stay as they are.
#[kernel(family = "control_flow")]
pub fn descend_unfrozen(
    #[domain(0.001..0.1)] rate: f32,
    #[domain(0.0..0.05)] decay: f32,
    frozen: &[bool],
    #[domain(-1.0..1.0)] gradient: &[f32],
    #[domain(-2.0..2.0)] weight: &mut [f32],
) {
    let i = tid();
    if frozen[i] {
        return;
    }
    weight[i] -= rate * (gradient[i] + decay * weight[i]);
}

/// Particles that die of age or leave the box from 0 to `size`; the dead stay dead.
#[kernel(family = "control_flow")]
pub fn retire_particles(
    #[domain(0.5..2.0)] lifetime: f32,
    #[domain(0.5..1.0)] size: f32,
    #[domain(0.0..2.0)] age: &[f32],
    #[domain(-0.2..1.2)] position: &[Vec3],
    #[domain(false..=true)] alive: &mut [bool],
) {
    let i = tid();
    let p = position[i];
    alive[i] &= age[i] < lifetime && p.min_element() >= 0.0 && p.max_element() <= size;
}

/// First position of a pattern in each row of a text; the length of the row where it does not occur.
#[kernel(family = "control_flow")]
pub fn find_pattern(
    #[shape(dim0, 24)]
    #[domain(0..3)]
    text: &Array2<u32>,
    #[shape(3)]
    #[domain(0..3)]
    pattern: &[u32],
    position: &mut [u32],
) {
    let row = tid();
    let length = text.shape()[1];
    position[row] = length as u32;
    'starts: for start in 0..length + 1 - pattern.len() {
        for k in 0..pattern.len() {
            if text[[row, start + k]] != pattern[k] {
                continue 'starts;
            }
        }
        position[row] = start as u32;
        break;
    }
}

/// Fuel that a vehicle burns on a route of four segments with six steps each, until its tank is empty. Each vehicle has a
/// consumption of its own.
#[kernel(family = "control_flow")]
pub fn burn_fuel(
    #[domain(3.0..9.0)] tank: f32,
    #[shape(4, 6)]
    #[domain(0.1..0.5)]
    slope: &Array2<f32>,
    #[domain(0.5..2.0)] consumption: &[f32],
    burnt: &mut [f32],
) {
    let vehicle = tid();
    let mut sum = 0.0;
    'route: for segment in 0..slope.shape()[0] {
        for step in 0..slope.shape()[1] {
            let next = sum + consumption[vehicle] * slope[[segment, step]];
            if next > tank {
                break 'route;
            }
            sum = next;
        }
    }
    burnt[vehicle] = sum;
}

/// Step of semi-implicit Euler of particles under gravity. A mask, if there is one, holds the particles that it marks in
/// place; the kinetic energy of the others is written if there is an array for it.
#[kernel(family = "control_flow")]
pub fn masked_step(
    #[domain(-9.81..9.81)] gravity: Vec3,
    #[domain(0.001..0.1)] dt: f32,
    #[domain(0.5..2.0)] mass: &[f32],
    #[domain(0..2)] mask: Option<&[u32]>,
    #[domain(-1.0..1.0)] x: &mut [Vec3],
    #[domain(-1.0..1.0)] v: &mut [Vec3],
    energy: Option<&mut [f32]>,
) {
    let i = tid();
    if let Some(mask) = mask
        && mask[i] != 0
    {
        return;
    }
    v[i] += gravity * dt;
    x[i] += v[i] * dt;
    if let Some(energy) = energy {
        energy[i] = 0.5 * mass[i] * v[i].dot(v[i]);
    }
}

/// Sum of squared residuals, each by its weight and in units of its deviation where these are given.
#[kernel(family = "control_flow")]
pub fn weighted_residuals(
    #[domain(-1.0..1.0)] predicted: &[f64],
    #[domain(-1.0..1.0)] observed: &[f64],
    #[domain(0.0..1.0)] weight: Option<&[f64]>,
    #[domain(0.5..2.0)] deviation: Option<&[f64]>,
    residual: Option<&mut [f64]>,
    #[shape(1)] loss: &mut [f64],
) {
    let i = tid();
    let mut r = predicted[i] - observed[i];
    if let Some(deviation) = deviation {
        r /= deviation[i];
    }
    if let Some(residual) = residual {
        residual[i] = r;
    }
    let w = if let Some(weight) = weight { weight[i] } else { 1.0 };
    atomic_add(&mut loss[0], w * r * r);
}

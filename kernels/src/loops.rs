//! Kernels around one loop: recurrences, series, integrators, iterations with a stopping tolerance.

use kernel_rt::prelude::*;

/// Logistic map: x ← r·x·(1 − x), repeated.
#[kernel(family = "loop")]
pub fn logistic_map(
    #[domain(1.0..3.5)] r: f32,
    #[domain(0..32)] steps: i32,
    #[domain(0.05..0.95)] start: &[f32],
    end: &mut [f32],
) {
    let i = tid();
    let mut x = start[i];
    for _ in 0..steps {
        x = r * x * (1.0 - x);
    }
    end[i] = x;
}

/// Symplectic Euler steps of a pendulum: v' = −k·sin(p), p' = v.
#[kernel(family = "loop")]
pub fn pendulum(
    #[domain(0.5..2.0)] k: f32,
    #[domain(0..100)] steps: i32,
    #[domain(-1.0..1.0)] start: &[f32],
    end: &mut [f32],
) {
    let i = tid();
    let mut p = start[i];
    let mut v = 0.0;
    for _ in 0..steps {
        v -= 0.01 * k * p.sin();
        p += 0.01 * v;
    }
    end[i] = p;
}

/// Polynomial by Horner's rule; `coefficients` stand from the constant term upwards.
#[kernel(family = "loop")]
pub fn horner(
    #[domain(1..9)] terms: usize,
    #[domain(-1.0..1.0)]
    #[shape(terms)]
    coefficients: &[f64],
    #[domain(-1.5..1.5)] x: &[f64],
    value: &mut [f64],
) {
    let i = tid();
    let mut sum = 0.0;
    for k in (0..terms).rev() {
        sum = sum * x[i] + coefficients[k];
    }
    value[i] = sum;
}

/// Square root by a fixed number of Heron's steps, x ← (x + a/x)/2.
#[kernel(family = "loop")]
pub fn heron_square_root(#[domain(4..9)] steps: u32, #[domain(0.1..50.0)] a: &[f64], root: &mut [f64]) {
    let i = tid();
    let mut x = 0.5 * (a[i] + 1.0);
    for _ in 0..steps {
        x = 0.5 * (x + a[i] / x);
    }
    root[i] = x;
}

/// Geometric series 1 + x + x² + …, until a term is below the tolerance; `terms` says how many were added.
#[kernel(family = "loop")]
pub fn geometric_series(
    #[domain(0.0001..0.1)] tolerance: f32,
    #[domain(-0.9..0.9)] x: &[f32],
    sum: &mut [f32],
    terms: &mut [i32],
) {
    let i = tid();
    let mut term = 1.0;
    let mut total = 0.0;
    let mut count = 0;
    while f32::abs(term) >= tolerance {
        total += term;
        term *= x[i];
        count += 1;
    }
    sum[i] = total;
    terms[i] = count;
}

/// Linear differential equation y' = A·y by classical Runge–Kutta steps of h seconds.
#[kernel(family = "loop")]
pub fn runge_kutta_linear(
    #[domain(-1.0..1.0)] a: DMat2,
    #[domain(0.01..0.1)] h: f64,
    #[domain(1..20)] steps: i32,
    #[domain(-1.0..1.0)] state: &mut [DVec2],
) {
    let i = tid();
    let mut y = state[i];
    for _ in 0..steps {
        let k1 = a * y;
        let k2 = a * (y + k1 * (0.5 * h));
        let k3 = a * (y + k2 * (0.5 * h));
        let k4 = a * (y + k3 * h);
        y += (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0);
    }
    state[i] = y;
}

/// Exponential moving average along each row, in place: s ← s + α·(x − s), starting at the first sample.
#[kernel(family = "loop")]
pub fn exponential_moving_average(
    #[domain(1..24)] samples: usize,
    #[domain(0.05..0.95)] alpha: f32,
    #[domain(-2.0..2.0)]
    #[shape(dim0, samples)]
    series: &mut Array2<f32>,
) {
    let i = tid();
    let mut smooth = series[[i, 0]];
    for j in 1..samples {
        smooth += alpha * (series[[i, j]] - smooth);
        series[[i, j]] = smooth;
    }
}

/// Largest value so far along each row.
#[kernel(family = "loop")]
pub fn running_maximum(
    #[domain(1..16)] samples: usize,
    #[domain(-1000..1000)]
    #[shape(dim0, samples)]
    levels: &Array2<i64>,
    #[shape(dim0, samples)] record: &mut Array2<i64>,
) {
    let i = tid();
    let mut best = levels[[i, 0]];
    for j in 0..samples {
        best = best.max(levels[[i, j]]);
        record[[i, j]] = best;
    }
}

/// Fibonacci number F(n) modulo m.
#[kernel(family = "loop")]
pub fn fibonacci_mod(#[domain(2..1000000007)] modulus: u64, #[domain(0..200)] n: &[u32], fibonacci: &mut [u64]) {
    let i = tid();
    let mut current = 0;
    let mut next = 1;
    for _ in 0..n[i] {
        let sum = (current + next) % modulus;
        current = next;
        next = sum;
    }
    fibonacci[i] = current % modulus;
}

/// Escape time of the Mandelbrot set: steps of z ← z² + c until |z| > 2, over a square around `center`.
#[kernel(family = "loop")]
pub fn mandelbrot(
    #[domain(-0.5..0.5)] center: Vec2,
    #[domain(0.5..2.0)] width: f32,
    #[domain(8..64)] max_steps: i32,
    steps: &mut Array2<i32>,
) {
    let (row, col) = tid2();
    let rows = steps.shape()[0] as f32;
    let cols = steps.shape()[1] as f32;
    let c = center + Vec2::new(col as f32 / cols - 0.5, row as f32 / rows - 0.5) * width;
    let mut z = Vec2::ZERO;
    let mut count = 0;
    while count < max_steps && z.length_squared() <= 4.0 {
        z = Vec2::new(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        count += 1;
    }
    steps[[row, col]] = count;
}

/// Arithmetic–geometric mean of two positive numbers, iterated until both means agree to 12 digits.
#[kernel(family = "loop")]
pub fn arithmetic_geometric_mean(#[domain(0.1..10.0)] a: &[f64], #[domain(0.1..10.0)] b: &[f64], mean: &mut [f64]) {
    let i = tid();
    let mut arithmetic = a[i];
    let mut geometric = b[i];
    loop {
        let middle = 0.5 * (arithmetic + geometric);
        geometric = (arithmetic * geometric).sqrt();
        arithmetic = middle;
        if (arithmetic - geometric).abs() <= 1e-12 * arithmetic {
            break;
        }
    }
    mean[i] = arithmetic;
}

/// Factorial n!, counting down.
#[kernel(family = "loop")]
pub fn factorial(#[domain(0..21)] n: &[u64], product: &mut [u64]) {
    let i = tid();
    let mut left = n[i];
    let mut result = 1;
    while left > 1 {
        result *= left;
        left -= 1;
    }
    product[i] = result;
}

/// Leibniz's series for π/4, two terms a trip: 1 − 1/3 + 1/5 − 1/7 + …, up to the denominator `last`.
#[kernel(family = "loop")]
pub fn leibniz_series(#[domain(1..400)] last: &[i32], quarter_pi: &mut [f64]) {
    let i = tid();
    let mut sum = 0.0;
    for denominator in (1..=last[i]).step_by(4) {
        sum += 1.0 / denominator as f64 - 1.0 / (denominator + 2) as f64;
    }
    quarter_pi[i] = sum;
}

/// Harmonic number 1 + 1/2 + … + 1/n, small terms first so that they are not rounded away.
#[kernel(family = "loop")]
pub fn harmonic_number(#[domain(0..500)] n: &[u32], harmonic: &mut [f32]) {
    let i = tid();
    let mut sum = 0.0;
    for k in (1..=n[i]).rev() {
        sum += 1.0 / k as f32;
    }
    harmonic[i] = sum;
}

/// Largest eigenvalue of a matrix with positive entries, by power iteration.
#[kernel(family = "loop")]
pub fn power_iteration(#[domain(2..16)] steps: i32, #[domain(0.1..1.0)] matrix: &[Mat3], eigenvalue: &mut [f32]) {
    let i = tid();
    let mut direction = Vec3::ONE.normalize();
    for _ in 0..steps {
        direction = (matrix[i] * direction).normalize();
    }
    eigenvalue[i] = direction.dot(matrix[i] * direction);
}

/// Modular power b^e mod m by squaring, as in RSA.
#[kernel(family = "loop")]
pub fn modular_power(
    #[domain(2..2000000000)] modulus: u64,
    #[domain(0..2000000000)] base: &[u64],
    #[domain(0..65536)] exponent: &[u64],
    power: &mut [u64],
) {
    let i = tid();
    let mut square = base[i] % modulus;
    let mut bits = exponent[i];
    let mut result = 1;
    while bits > 0 {
        if bits & 1 == 1 {
            result = result * square % modulus;
        }
        square = square * square % modulus;
        bits >>= 1;
    }
    power[i] = result;
}

/// Pseudo-random numbers in 0 … 1: Marsaglia's xorshift from a non-zero seed, after some warm-up rounds.
#[kernel(family = "loop")]
pub fn xorshift(#[domain(1..16)] rounds: u32, #[domain(1..4294967295)] seed: &[u32], uniform: &mut [f32]) {
    let i = tid();
    let mut state = seed[i];
    for _ in 0..rounds {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
    }
    uniform[i] = (state >> 8) as f32 / 16_777_216.0;
}

/// Months until a loan is paid back with interest added monthly, and what is paid in total.
#[kernel(family = "loop")]
pub fn loan_months(
    #[domain(0.001..0.01)] monthly_rate: f64,
    #[domain(200.0..500.0)] payment: f64,
    #[domain(1000.0..10000.0)] loan: &[f64],
    months: &mut [i32],
    paid: &mut [f64],
) {
    let i = tid();
    let mut balance = loan[i];
    let mut total = 0.0;
    let mut count = 0;
    while balance > 0.0 {
        let owed = balance * (1.0 + monthly_rate);
        let part = payment.min(owed);
        balance = owed - part;
        total += part;
        count += 1;
    }
    months[i] = count;
    paid[i] = total;
}

/// A planet: its place and velocity, in units in which the gravitational parameter of its sun is 1.
#[device]
#[derive(Clone, Copy)]
pub struct Planet {
    /// Its place; the sun is at the origin.
    pub place: DVec2,
    /// Its velocity.
    pub velocity: DVec2,
}

/// The planet after a step of the leapfrog method: half a kick, a drift, half a kick.
#[device]
pub fn leapfrog(planet: Planet, dt: f64) -> Planet {
    let mut next = planet;
    next.velocity -= next.place * (0.5 * dt / next.place.length().powi(3));
    next.place += next.velocity * dt;
    next.velocity -= next.place * (0.5 * dt / next.place.length().powi(3));
    next
}

/// Energy and angular momentum of planets after some steps, from a start on the x axis with a velocity across it.
#[kernel(family = "loop")]
pub fn leapfrog_orbit(
    #[domain(1..30)] steps: u32,
    #[domain(0.01..0.1)] dt: f64,
    #[domain(0.8..1.2)] distance: &[f64],
    #[domain(0.7..1.2)] speed: &[f64],
    energy: &mut [f64],
    momentum: &mut [f64],
) {
    let i = tid();
    let mut planet = Planet { place: DVec2::new(distance[i], 0.0), velocity: DVec2::new(0.0, speed[i]) };
    for _ in 0..steps {
        planet = leapfrog(planet, dt);
    }
    let Planet { place, velocity } = planet;
    energy[i] = 0.5 * velocity.length_squared() - 1.0 / place.length();
    momentum[i] = place.x * velocity.y - place.y * velocity.x;
}

//! Elementary functions: exponentials, logarithms, angles and roots in formulas from many fields.

use kernel_rt::prelude::*;

/// Black-Scholes price of European calls: S·N(d₁) − K·e^(−rT)·N(d₂), with Abramowitz and Stegun's 26.2.17 for the
/// normal distribution N. Spot and strike in one currency, rate and volatility per year, expiry in years.
#[kernel(family = "math")]
pub fn black_scholes_call(
    #[domain(0.0..0.08)] rate: f32,
    #[domain(0.1..0.6)] volatility: f32,
    #[domain(20.0..120.0)] spot: &[f32],
    #[domain(20.0..120.0)] strike: &[f32],
    #[domain(0.1..2.0)] expiry: &[f32],
    price: &mut [f32],
) {
    let i = tid();
    let deviation = volatility * expiry[i].sqrt();
    let drift = (rate + 0.5 * volatility * volatility) * expiry[i];
    let d1 = ((spot[i] / strike[i]).ln() + drift) / deviation;
    let d2 = d1 - deviation;

    let t1 = 1.0 / (1.0 + 0.2316419 * d1.abs());
    let series1 = t1 * (0.31938153 + t1 * (-0.35656378 + t1 * (1.7814779 + t1 * (-1.821256 + t1 * 1.3302745))));
    let tail1 = 0.3989423 * (-0.5 * d1 * d1).exp() * series1;
    let normal1 = if d1 < 0.0 { tail1 } else { 1.0 - tail1 };

    let t2 = 1.0 / (1.0 + 0.2316419 * d2.abs());
    let series2 = t2 * (0.31938153 + t2 * (-0.35656378 + t2 * (1.7814779 + t2 * (-1.821256 + t2 * 1.3302745))));
    let tail2 = 0.3989423 * (-0.5 * d2 * d2).exp() * series2;
    let normal2 = if d2 < 0.0 { tail2 } else { 1.0 - tail2 };

    price[i] = spot[i] * normal1 - strike[i] * (-rate * expiry[i]).exp() * normal2;
}

/// Softplus without overflow: ln(1 + eˣ) = max(x, 0) + ln(1 + e^(−|x|)).
#[kernel(family = "math")]
pub fn softplus(#[domain(-40.0..40.0)] x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i].max(0.0) + (-x[i].abs()).exp().ln_1p();
}

/// Gaussian error linear unit in its tanh form: x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))).
#[kernel(family = "math")]
pub fn gelu(#[domain(-6.0..6.0)] x: &[f32], y: &mut [f32]) {
    let i = tid();
    let v = x[i];
    let inner = std::f32::consts::FRAC_2_PI.sqrt() * (v + 0.044715 * v * v * v);
    y[i] = 0.5 * v * (1.0 + inner.tanh());
}

/// A bias for each column and the activation GELU (its approximation by tanh), in `bf16` as in mixed-precision training.
#[kernel(family = "math")]
pub fn bias_gelu(
    #[domain(-3.0..3.0)] x: &Array2<bf16>,
    #[domain(-1.0..1.0)]
    #[shape(dim1)]
    bias: &[bf16],
    y: &mut Array2<bf16>,
) {
    let (i, j) = tid2();
    let v = x[[i, j]].to_f32() + bias[j].to_f32();
    let inner = 0.797_884_6 * (v + 0.044_715 * v * v * v);
    y[[i, j]] = bf16::from_f32(0.5 * v * (1.0 + inner.tanh()));
}

/// Logistic function and its slope over a layer of activations: s = 1/(1 + e^(−x)), s' = s·(1 − s).
#[kernel(family = "math")]
pub fn sigmoid(#[domain(-20.0..20.0)] x: &Array2<f32>, value: &mut Array2<f32>, slope: &mut Array2<f32>) {
    let (row, column) = tid2();
    let s = 1.0 / (1.0 + (-x[[row, column]]).exp());
    value[[row, column]] = s;
    slope[[row, column]] = s * (1.0 - s);
}

/// Great-circle distance in kilometres from one place to others by the haversine formula; (latitude, longitude) in
/// degrees, on a sphere of 6371 km.
#[kernel(family = "math")]
pub fn haversine_distance(
    #[domain(-80.0..80.0)] home: DVec2,
    #[domain(-80.0..80.0)] places: &[DVec2],
    kilometers: &mut [f64],
) {
    let i = tid();
    let latitude1 = home.x.to_radians();
    let latitude2 = places[i].x.to_radians();
    let sine_latitude = (0.5 * (latitude2 - latitude1)).sin();
    let sine_longitude = (0.5 * (places[i].y - home.y).to_radians()).sin();
    let h = sine_latitude * sine_latitude + latitude1.cos() * latitude2.cos() * sine_longitude * sine_longitude;
    kilometers[i] = 2.0 * 6371.0 * h.clamp(0.0, 1.0).sqrt().asin();
}

/// Planck's law: spectral radiance 2hc²/λ⁵ / (e^(hc/λkT) − 1) of a black body at T kelvin, in W/(m²·sr·m), for
/// wavelengths λ in micrometres.
#[kernel(family = "math")]
pub fn planck_radiance(
    #[domain(500.0..6500.0)] temperature: f64,
    #[domain(0.3..20.0)] micrometers: &[f64],
    radiance: &mut [f64],
) {
    const H: f64 = 6.62607015e-34;
    const C: f64 = 299792458.0;
    const K: f64 = 1.380649e-23;
    let i = tid();
    let lambda = micrometers[i] * 1e-6;
    let exponent = H * C / (lambda * K * temperature);
    radiance[i] = 2.0 * H * C * C / (lambda.powi(5) * exponent.exp_m1());
}

/// Box-Muller transform: two uniform numbers, the first above 0, to two independent standard normal ones.
#[kernel(family = "math")]
pub fn box_muller(#[domain(0.000001..1.0)] radial: &[f32], #[domain(0.0..1.0)] angular: &[f32], normals: &mut [Vec2]) {
    let i = tid();
    let radius = (-2.0 * radial[i].ln()).sqrt();
    let angle = std::f32::consts::TAU * angular[i];
    normals[i] = Vec2::new(radius * angle.cos(), radius * angle.sin());
}

/// Lennard-Jones potential and force between two atoms at distance r (in units of σ, ε): V = 4(r⁻¹² − r⁻⁶) and
/// F = −V' = 24(2r⁻¹² − r⁻⁶)/r, as (V, F).
#[kernel(family = "math")]
pub fn lennard_jones(#[domain(0.8..3.0)] distance: &[f64], potential_force: &mut [DVec2]) {
    let i = tid();
    let r = distance[i];
    let attraction = r.powi(-6);
    let repulsion = attraction * attraction;
    let potential = 4.0 * (repulsion - attraction);
    let force = 24.0 * (2.0 * repulsion - attraction) / r;
    potential_force[i] = DVec2::new(potential, force);
}

/// Density of the normal distribution: e^(−z²/2)/(σ√(2π)), z = (x − μ)/σ.
#[kernel(family = "math")]
pub fn gaussian_density(
    #[domain(-1.0..1.0)] mean: f32,
    #[domain(0.2..3.0)] sigma: f32,
    #[domain(-4.0..4.0)] x: &[f32],
    density: &mut [f32],
) {
    let i = tid();
    let z = (x[i] - mean) / sigma;
    density[i] = (-0.5 * z * z).exp() / (sigma * std::f32::consts::TAU.sqrt());
}

/// Sum of two probabilities given by their logarithms: ln(eᵃ + eᵇ) = max(a, b) + ln(1 + e^(−|a − b|)).
#[kernel(family = "math")]
pub fn log_add_exp(#[domain(-700.0..0.0)] a: &[f64], #[domain(-700.0..0.0)] b: &[f64], sum: &mut [f64]) {
    let i = tid();
    let larger = a[i].max(b[i]);
    let gap = (a[i] - b[i]).abs();
    sum[i] = larger + (-gap).exp().ln_1p();
}

/// Bessel function of the first kind J₀ by its power series, Σ (−x²/4)ᵏ/(k!)².
#[kernel(family = "math")]
pub fn bessel_j0(#[domain(0.0..6.0)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let quarter = 0.25 * x[i] * x[i];
    let mut term = 1.0;
    let mut sum = 1.0;
    for k in 1..=24 {
        let order = k as f64;
        term *= -quarter / (order * order);
        sum += term;
    }
    y[i] = sum;
}

/// Lambert's W, the w with w·eʷ = x, by six Newton steps from ln(1 + x).
#[kernel(family = "math")]
pub fn lambert_w(#[domain(0.0..20.0)] x: &[f64], w: &mut [f64]) {
    let i = tid();
    let mut guess = x[i].ln_1p();
    for _ in 0..6 {
        let power = guess.exp();
        guess -= (guess * power - x[i]) / (power * (guess + 1.0));
    }
    w[i] = guess;
}

/// Error function by Abramowitz and Stegun's 7.1.26, within 1.5·10⁻⁷.
#[kernel(family = "math")]
pub fn error_function(#[domain(-4.0..4.0)] x: &[f64], erf: &mut [f64]) {
    let i = tid();
    let t = 1.0 / (1.0 + 0.3275911 * x[i].abs());
    let mut series = 1.061405429;
    series = series * t - 1.453152027;
    series = series * t + 1.421413741;
    series = series * t - 0.284496736;
    series = series * t + 0.254829592;
    let magnitude = 1.0 - series * t * (-x[i] * x[i]).exp();
    erf[i] = magnitude.copysign(x[i]);
}

/// Logarithm of the gamma function by Stirling's series at x + 7, brought back by Γ(x + 1) = x·Γ(x).
#[kernel(family = "math")]
pub fn ln_gamma(#[domain(0.1..20.0)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut rising = 1.0;
    for k in 0..7 {
        rising *= x[i] + k as f64;
    }
    let z = x[i] + 7.0;
    let inverse = 1.0 / z;
    let square = inverse * inverse;
    let correction = inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square / 1260.0));
    let stirling = (z - 0.5) * z.ln() - z + 0.5 * std::f64::consts::TAU.ln() + correction;
    y[i] = stirling - rising.ln();
}

/// Normalised sinc: sin(πx)/(πx), and 1 at zero.
#[kernel(family = "math")]
pub fn sinc(#[domain(-8.0..8.0)] x: &[f32], y: &mut [f32]) {
    let i = tid();
    let angle = std::f32::consts::PI * x[i];
    y[i] = if angle.abs() < 1e-4 { 1.0 } else { angle.sin() / angle };
}

/// Dew point in °C by the Magnus formula from air temperature (°C) and relative humidity (0 to 1).
#[kernel(family = "math")]
pub fn dew_point(#[domain(-20.0..45.0)] temperature: &[f32], #[domain(0.05..1.0)] humidity: &[f32], dew: &mut [f32]) {
    const A: f32 = 17.62;
    const B: f32 = 243.12;
    let i = tid();
    let gamma = humidity[i].ln() + A * temperature[i] / (B + temperature[i]);
    dew[i] = B * gamma / (A - gamma);
}

/// Spectrogram of powers to decibels below the reference, not under the floor: max(10·log₁₀(p/reference), floor).
#[kernel(family = "math")]
pub fn power_to_decibels(
    #[domain(0.5..2.0)] reference: f32,
    #[domain(-80.0..-40.0)] floor: f32,
    #[domain(0.0..1.0)] power: &Array2<f32>,
    decibels: &mut Array2<f32>,
) {
    let (frequency, frame) = tid2();
    let audible = power[[frequency, frame]].max(1e-10);
    decibels[[frequency, frame]] = (10.0 * (audible / reference).log10()).max(floor);
}

/// Web Mercator: (longitude, latitude) in degrees to plane coordinates in radians, y = asinh(tan(latitude)).
#[kernel(family = "math")]
pub fn mercator_projection(#[domain(-85.0..85.0)] places: &[DVec2], plane: &mut [DVec2]) {
    let i = tid();
    let slope = places[i].y.to_radians().tan();
    let y = (slope.abs() + slope.hypot(1.0)).ln();
    plane[i] = DVec2::new(places[i].x.to_radians(), y.copysign(slope));
}

/// Electron density of hydrogen's ground state on a grid of points `spacing` Bohr radii apart, nucleus at the first
/// one: e^(−2r)/π.
#[kernel(family = "math")]
pub fn hydrogen_density(#[domain(0.1..0.5)] spacing: f32, density: &mut Array3<f32>) {
    let (i, j, k) = tid3();
    let position = Vec3::new(i as f32, j as f32, k as f32) * spacing;
    density[[i, j, k]] = std::f32::consts::FRAC_1_PI * (-2.0 * position.length()).exp();
}

/// The eccentric anomaly E of Kepler's equation M = E − e·sin(E), by Newton's steps.
#[device]
fn kepler_root(mean: f64, eccentricity: f64) -> f64 {
    let mut anomaly = mean + eccentricity * mean.sin();
    for _ in 0..8 {
        let error = anomaly - eccentricity * anomaly.sin() - mean;
        anomaly -= error / (1.0 - eccentricity * anomaly.cos());
    }
    anomaly
}

/// The same with the derivatives of the root, instead of those of the steps that lead to it.
#[device(grad(mean = eccentric_by_mean, eccentricity = eccentric_by_eccentricity))]
fn eccentric_anomaly(mean: f64, eccentricity: f64) -> f64 {
    kepler_root(mean, eccentricity)
}

/// dE/dM = 1/(1 − e·cos(E)).
#[device]
fn eccentric_by_mean(mean: f64, eccentricity: f64, adj: f64) -> f64 {
    adj / (1.0 - eccentricity * kepler_root(mean, eccentricity).cos())
}

/// dE/de = sin(E)/(1 − e·cos(E)).
#[device]
fn eccentric_by_eccentricity(mean: f64, eccentricity: f64, adj: f64) -> f64 {
    let anomaly = kepler_root(mean, eccentricity);
    adj * anomaly.sin() / (1.0 - eccentricity * anomaly.cos())
}

/// Distance from the focus on an elliptic orbit: r = a·(1 − e·cos(E)), E by Kepler's equation from the mean anomaly.
#[kernel(family = "math")]
pub fn orbit_radius(
    #[domain(0.5..2.0)] semi_major_axis: f64,
    #[domain(0.0..0.7)] eccentricity: &[f64],
    #[domain(0.0..6.25)] mean_anomaly: &[f64],
    radius: &mut [f64],
) {
    let i = tid();
    let anomaly = eccentric_anomaly(mean_anomaly[i], eccentricity[i]);
    radius[i] = semi_major_axis * (1.0 - eccentricity[i] * anomaly.cos());
}

/// The roots of a·x² + b·x + c with a > 0, the smaller first, without cancellation; the vertex twice where they are complex.
#[device]
pub fn quadratic_roots(a: f64, b: f64, c: f64) -> (f64, f64) {
    let discriminant = b * b - 4.0 * a * c;
    if discriminant <= 0.0 {
        return (-b / (2.0 * a), -b / (2.0 * a));
    }
    let root = discriminant.sqrt();
    let q = if b < 0.0 { -0.5 * (b - root) } else { -0.5 * (b + root) };
    let (first, second) = (q / a, c / q);
    if first < second { (first, second) } else { (second, first) }
}

/// Time and speed of a ball's impact on the ground: thrown upwards with drag neglected, by h + v·t − g·t²/2 = 0.
#[kernel(family = "math")]
pub fn impact_time(
    #[domain(1.6..10.0)] gravity: f64,
    #[domain(0.5..20.0)] height: &[f64],
    #[domain(-5.0..10.0)] speed: &[f64],
    time: &mut [f64],
    impact: &mut [f64],
) {
    let i = tid();
    let (_, later) = quadratic_roots(0.5 * gravity, -speed[i], -height[i]);
    time[i] = later;
    impact[i] = gravity * later - speed[i];
}

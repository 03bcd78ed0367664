//! Prices call options by simulation, and takes all sensitivities ("Greeks") in one backward pass.
//!
//! At maturity a stock is worth S exp((r − σ²/2) T + σ √T z), where z is normal. The price of a call is the mean of
//! exp(−r T) max(S' − K, 0). The adjoint gives delta ∂/∂S, vega ∂/∂σ, rho ∂/∂r and theta −∂/∂T of every option; Black
//! and Scholes (1973) give closed forms for all of them.

use crate::plot::{CURVES, Picture, Plot};
use crate::report::{Report, Result};
use kernel_rt::prelude::*;
use std::f64::consts::{FRAC_1_SQRT_2, TAU};

/// One path of option `i`, and its mirror image. The numbers are points of Fibonacci's lattice, made normal by Box and
/// Muller's transform.
#[kernel]
fn simulate(
    strike: f64,
    paths: u32,
    spot: &[f64],
    volatility: &[f64],
    rate: &[f64],
    maturity: &[f64],
    price: &mut [f64],
) {
    let (i, path) = tid2();
    let u = (path as f64 + 0.5) / paths as f64;
    let w = (path as f64 * 0.6180339887498949).fract();
    let z = (-2.0 * u.ln()).sqrt() * (2.0 * std::f64::consts::PI * w).cos();
    let drift = (rate[i] - 0.5 * volatility[i] * volatility[i]) * maturity[i];
    let spread = volatility[i] * maturity[i].sqrt() * z;
    let up = spot[i] * (drift + spread).exp() - strike;
    let down = spot[i] * (drift - spread).exp() - strike;
    let payoff = 0.5 * (up.max(0.0) + down.max(0.0));
    atomic_add(&mut price[i], (-rate[i] * maturity[i]).exp() * payoff / paths as f64);
}

/// Strike, volatility, rate and maturity of all options.
const STRIKE: f64 = 100.0;
const MARKET: [f64; 3] = [0.25, 0.03, 0.75];

/// Price, delta, vega, rho and theta of a call on a stock that is worth `spot`.
pub fn black_scholes(spot: f64) -> [f64; 5] {
    let [volatility, rate, maturity] = MARKET;
    let normal = |x: f64| 0.5 * libm::erfc(-x * FRAC_1_SQRT_2);
    let spread = volatility * maturity.sqrt();
    let d1 = ((spot / STRIKE).ln() + (rate + 0.5 * volatility * volatility) * maturity) / spread;
    let (d2, bell, discounted) = (d1 - spread, (-0.5 * d1 * d1).exp() / TAU.sqrt(), STRIKE * (-rate * maturity).exp());
    [
        spot * normal(d1) - discounted * normal(d2),
        normal(d1),
        spot * bell * maturity.sqrt(),
        maturity * discounted * normal(d2),
        -spot * bell * volatility / (2.0 * maturity.sqrt()) - rate * discounted * normal(d2),
    ]
}

/// Price, delta, vega, rho and theta of calls on stocks that are worth `spots`, from `paths` paths each.
pub fn greeks(device: &Device, spots: &[f64], paths: usize) -> Result<Vec<[f64; 5]>> {
    let each = |value: f64| device.array_from(vec![value; spots.len()]);
    let [volatility, rate, maturity] = MARKET;
    let (spot, volatility, rate, maturity) =
        (device.array_from(spots)?, each(volatility)?, each(rate)?, each(maturity)?);
    let price = device.zeros(spots.len())?;
    let tape = Tape::new(device);
    let arguments = (STRIKE, u32::try_from(paths)?, &spot, &volatility, &rate, &maturity, &price);
    simulate::launch(&tape, (spots.len(), paths), arguments)?;
    tape.backward_from(&[Seed::new(&price, &each(1.0)?)?])?;
    let by = |array| -> Result<Vec<f64>> { Ok(tape.gradient(array)?.to_vec()?) };
    let (price, delta, vega, rho, decay) = (price.to_vec()?, by(&spot)?, by(&volatility)?, by(&rate)?, by(&maturity)?);
    Ok((0..spots.len()).map(|i| [price[i], delta[i], vega[i], rho[i], -decay[i]]).collect())
}

/// Compares `n` paths of each option with the closed forms.
pub fn run(device: &Device, n: usize) -> Result<Report> {
    let spots: Vec<f64> = (0..25).map(|k| 60.0 + f64::from(k) * 3.5).collect();
    let found = greeks(device, &spots, n)?;
    let error = |greek: usize| {
        let most = spots.iter().map(|spot| black_scholes(*spot)[greek].abs()).fold(0.0, f64::max);
        let off = spots.iter().zip(&found).map(|(spot, found)| (found[greek] - black_scholes(*spot)[greek]).abs());
        off.fold(0.0, f64::max) / most
    };
    let panel = |greek: usize, low: f64, high: f64| {
        let mut plot = Plot::new(360, 360, 55.0..150.0, low..high, DVec2::new(20.0, (high - low) / 5.0));
        let exact =
            (0..191).map(|k| 55.0 + 0.5 * f64::from(k)).map(|spot| DVec2::new(spot, black_scholes(spot)[greek]));
        plot.curve(exact, 3.0, CURVES[0]);
        spots.iter().zip(&found).for_each(|(spot, found)| plot.dot(DVec2::new(*spot, found[greek]), 6.0, CURVES[1]));
        plot.into_picture().reduced(2)
    };
    Ok(Report {
        picture: Picture::beside(&[panel(0, 0.0, 50.0), panel(1, 0.0, 1.0), panel(2, 0.0, 40.0), panel(4, -10.0, 0.0)]),
        numbers: vec![
            ("error of prices", error(0)),
            ("error of delta", error(1)),
            ("error of vega", error(2)),
            ("error of rho", error(3)),
            ("error of theta", error(4)),
        ],
    })
}

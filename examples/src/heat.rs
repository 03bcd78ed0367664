//! Where was the plate heated? A source is found from the temperatures that it leaves behind, by gradients through all
//! steps of the heat equation.
//!
//! ∂T/∂t = ∇²T + s on a square plate with cold edges, by explicit steps. Lengths are in cells. The loss is the mean
//! squared misfit of the last temperatures.

use crate::descent::minimise;
use crate::plot::{GLOW, Picture, ramp};
use crate::report::{Report, Result, array2};
use kernel_rt::prelude::*;

/// One step of ∂T/∂t = ∇²T + s. The edges are at 0.
#[kernel]
fn diffuse(dt: f64, source: &Array2<f64>, t: &Array2<f64>, next: &mut Array2<f64>) {
    let (i, j) = tid2();
    let n = t.shape()[0];
    if i > 0 && j > 0 && i + 1 < n && j + 1 < n {
        let around = t[[i - 1, j]] + t[[i + 1, j]] + t[[i, j - 1]] + t[[i, j + 1]];
        next[[i, j]] = t[[i, j]] + dt * (around - 4.0 * t[[i, j]] + source[[i, j]]);
    }
}

/// loss += mean of (T − observed)².
#[kernel]
fn misfit(t: &Array2<f64>, observed: &Array2<f64>, loss: &mut [f64]) {
    let (i, j) = tid2();
    let d = t[[i, j]] - observed[[i, j]];
    atomic_add(&mut loss[0], d * d / (t.shape()[0] * t.shape()[1]) as f64);
}

/// The temperature of a plate that was cold, after `steps` steps with this source.
pub fn warm(
    on: &impl Launcher,
    device: &Device,
    source: &DeviceArray<f64, 2>,
    steps: usize,
) -> Result<DeviceArray<f64, 2>> {
    let (mut t, mut next) = (device.zeros_nd(source.shape())?, device.zeros_nd(source.shape())?);
    for _ in 0..steps {
        diffuse::launch(on, source.shape(), (0.2, source, &t, &next))?;
        std::mem::swap(&mut t, &mut next);
    }
    Ok(t)
}

/// The loss of a source.
pub fn loss(
    on: &impl Launcher,
    device: &Device,
    source: &DeviceArray<f64, 2>,
    observed: &DeviceArray<f64, 2>,
    steps: usize,
) -> Result<DeviceArray<f64>> {
    let loss = device.zeros(1)?;
    misfit::launch(on, source.shape(), (&warm(on, device, source, steps)?, observed, &loss))?;
    Ok(loss)
}

/// A ring and a spot, on a plate of `n` by `n` cells.
pub fn ring(n: usize) -> Result<Array2<f64>> {
    let smooth = |distance: f64| 1.0 / (1.0 + (1.6 * distance).exp());
    Ok(array2([n, n], |i, j| {
        let place = DVec2::new(j as f64, i as f64) / n as f64;
        let (to_ring, to_spot) = (place.distance(DVec2::new(0.42, 0.56)), place.distance(DVec2::new(0.74, 0.24)));
        0.03 * (smooth(((to_ring - 0.24).abs() - 0.045) * n as f64) + smooth((to_spot - 0.08) * n as f64))
    })?)
}

/// Finds the source on a plate of `n` by `n` cells.
pub fn run(device: &Device, n: usize) -> Result<Report> {
    let steps = n;
    let truth = device.array_from_nd(&ring(n)?)?;
    let observed = warm(device, device, &truth, steps)?;
    let source = device.zeros_nd([n, n])?;
    let losses = minimise(device, &[&source], 200, 0.002, |tape| loss(tape, device, &source, &observed, steps))?;

    let (truth, found) = (truth.to_array()?, source.to_array()?);
    let square = |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>();
    let off = square(&mut truth.as_slice().iter().zip(found.as_slice()).map(|(truth, found)| truth - found));
    let whole = square(&mut truth.as_slice().iter().copied());
    let observed = observed.to_array()?;
    let hottest = observed.as_slice().iter().copied().fold(0.0, f64::max);
    let show =
        |field: &Array2<f64>, most: f64| Picture::from_fn(n, n, |x, y| ramp(&GLOW, field[[y, x]] / most)).enlarged(4);
    Ok(Report {
        picture: Picture::beside(&[show(&truth, 0.034), show(&observed, hottest), show(&found, 0.034)]),
        numbers: vec![
            ("loss before", losses[0]),
            ("loss after", losses[losses.len() - 1]),
            ("relative error of the source", (off / whole).sqrt()),
        ],
    })
}

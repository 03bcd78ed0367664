//! Sharpens a blurred and noisy picture: the picture is found that gives the observation when it is blurred, and that
//! has little total variation (Rudin, Osher and Fatemi, 1992; Vogel and Oman, 1998).

use crate::descent::minimise;
use crate::plot::{Picture, rgb};
use crate::report::{Report, Result, array2, noise};
use kernel_rt::prelude::*;

/// out = psf ∗ x: the point spread function spreads each point of x. Outside of the picture are the values of its edge.
#[kernel]
fn blur(psf: &Array2<f64>, x: &Array2<f64>, out: &mut Array2<f64>) {
    let (i, j) = tid2();
    let reach = psf.shape()[0] / 2;
    let mut sum = 0.0;
    for k in 0..psf.shape()[0] {
        for l in 0..psf.shape()[1] {
            let a = (i + k).saturating_sub(reach).min(x.shape()[0] - 1);
            let b = (j + l).saturating_sub(reach).min(x.shape()[1] - 1);
            sum += psf[[k, l]] * x[[a, b]];
        }
    }
    out[[i, j]] = sum;
}

/// loss += Σ (blurred − observed)² / 2 + penalty · √(|∇x|² + ε²).
#[kernel]
fn objective(penalty: f64, blurred: &Array2<f64>, observed: &Array2<f64>, x: &Array2<f64>, loss: &mut [f64]) {
    let (i, j) = tid2();
    let d = blurred[[i, j]] - observed[[i, j]];
    let down = x[[(i + 1).min(x.shape()[0] - 1), j]] - x[[i, j]];
    let right = x[[i, (j + 1).min(x.shape()[1] - 1)]] - x[[i, j]];
    atomic_add(&mut loss[0], 0.5 * d * d + penalty * (down * down + right * right + 1e-4).sqrt());
}

/// The loss of a picture.
pub fn loss(
    on: &impl Launcher,
    device: &Device,
    psf: &DeviceArray<f64, 2>,
    x: &DeviceArray<f64, 2>,
    observed: &DeviceArray<f64, 2>,
) -> Result<DeviceArray<f64>> {
    let (blurred, loss) = (device.zeros_nd(x.shape())?, device.zeros(1)?);
    blur::launch(on, x.shape(), (psf, x, &blurred))?;
    objective::launch(on, x.shape(), (1e-3, &blurred, observed, x, &loss))?;
    Ok(loss)
}

/// The point spread function of a lens out of focus: a Gaussian, 1.8 pixels wide, on 11 by 11 pixels.
pub fn gaussian() -> Result<Array2<f64>> {
    let weight = |i: usize| (-0.5 * (i as f64 - 5.0).powi(2) / 1.8f64.powi(2)).exp();
    let sum: f64 = (0..11).map(weight).sum();
    Ok(array2([11, 11], |i, j| weight(i) * weight(j) / (sum * sum))?)
}

/// A star of rays, and discs of several sizes.
pub fn chart(n: usize) -> Result<Array2<f64>> {
    let soft = |distance: f64| (0.5 - distance).clamp(0.0, 1.0);
    Ok(array2([n, n], |i, j| {
        let p = DVec2::new(j as f64 + 0.5, i as f64 + 0.5) / n as f64;
        let arm = p - DVec2::new(0.42, 0.56);
        let rays =
            soft(12.0 * (7.0 * arm.y.atan2(arm.x)).sin() * arm.length()) * soft((arm.length() - 0.34) * n as f64);
        let disc = |k: u32| {
            let center = DVec2::new(0.14 + 0.17 * f64::from(k), 0.12 + 0.01 * f64::from(k * k));
            soft((p.distance(center) - 0.02 - 0.012 * f64::from(k)) * n as f64)
        };
        0.1 + 0.8 * (0..5).map(disc).fold(rays, f64::max)
    })?)
}

/// Restores the chart of `n` by `n` pixels.
pub fn run(device: &Device, n: usize) -> Result<Report> {
    let truth = chart(n)?;
    let blurred = device.zeros_nd([n, n])?;
    let psf = device.array_from_nd(&gaussian()?)?;
    blur::launch(device, [n, n], (&psf, &device.array_from_nd(&truth)?, &blurred))?;
    let blurred = blurred.to_array()?;
    let observed = array2([n, n], |i, j| blurred[[i, j]] + 0.01 * noise(i * n + j))?;
    let seen = device.array_from_nd(&observed)?;
    let x = device.array_from_nd(&observed)?;
    let losses = minimise(device, &[&x], 300, 0.05, |tape| loss(tape, device, &psf, &x, &seen))?;

    let restored = x.to_array()?;
    let decibels = |x: &Array2<f64>| {
        let square = x.as_slice().iter().zip(truth.as_slice()).map(|(x, truth)| (x - truth).powi(2));
        -10.0 * (square.sum::<f64>() / x.len() as f64).log10()
    };
    let show = |x: &Array2<f64>| {
        Picture::from_fn(n, n, |column, row| rgb(0x101820).lerp(rgb(0xfaf6ec), x[[row, column]] as f32)).enlarged(2)
    };
    Ok(Report {
        picture: Picture::beside(&[show(&truth), show(&observed), show(&restored)]),
        numbers: vec![
            ("loss before", losses[0]),
            ("loss after", losses[losses.len() - 1]),
            ("signal to noise before, in dB", decibels(&observed)),
            ("signal to noise after, in dB", decibels(&restored)),
        ],
    })
}

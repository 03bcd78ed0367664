//! Fits Gaussian splats to a picture: the sum of a few hundred coloured Gaussians, each with place, shape and colour
//! (Zhang et al., "GaussianImage", 2024, for pictures; Kerbl et al., 2023, for scenes).
//!
//! The picture is the one of `raymarch`. Column k of the parameters is splat k: its centre; the factor R of its inverse
//! covariance RᵀR, which is upper triangular; and its colour. Lengths are in the distance of the splats at the start, so
//! that all parameters are near 1 and take steps of one size.

use crate::descent::minimise;
use crate::plot::Picture;
use crate::raymarch;
use crate::report::{Report, Result, array2};
use kernel_rt::prelude::*;

/// image = Σ color · exp(−|R (x − center)|² / 2).
#[kernel]
fn render(pixel: f64, splats: &Array2<f64>, image: &mut Array2<DVec3>) {
    let (i, j) = tid2();
    let x = (j as f64 + 0.5) * pixel;
    let y = (i as f64 + 0.5) * pixel;
    let mut sum = DVec3::ZERO;
    for k in 0..splats.shape()[1] {
        let dx = x - splats[[0, k]];
        let dy = y - splats[[1, k]];
        let u = splats[[2, k]] * dx + splats[[3, k]] * dy;
        let v = splats[[4, k]] * dy;
        let square = u * u + v * v;
        // Beyond four standard deviations nothing is seen.
        if square < 16.0 {
            let weight = (-0.5 * square).exp();
            sum += weight * DVec3::new(splats[[5, k]], splats[[6, k]], splats[[7, k]]);
        }
    }
    image[[i, j]] = sum;
}

/// loss += mean of |image − target|².
#[kernel]
fn misfit(image: &Array2<DVec3>, target: &Array2<DVec3>, loss: &mut [f64]) {
    let (i, j) = tid2();
    let d = image[[i, j]] - target[[i, j]];
    atomic_add(&mut loss[0], d.dot(d) / (3 * image.shape()[0] * image.shape()[1]) as f64);
}

/// The width of a pixel.
const PIXEL: f64 = 0.125;

/// The picture of splats, and its loss.
pub fn loss(
    on: &impl Launcher,
    device: &Device,
    splats: &DeviceArray<f64, 2>,
    target: &DeviceArray<DVec3, 2>,
) -> Result<(DeviceArray<f64>, DeviceArray<DVec3, 2>)> {
    let (image, loss) = (device.zeros_nd(target.shape())?, device.zeros(1)?);
    render::launch(on, target.shape(), (PIXEL, splats, &image))?;
    misfit::launch(on, target.shape(), (&image, target, &loss))?;
    Ok((loss, image))
}

/// Round splats in `n` rows and 3·n/2 columns, each with half the colour of its place.
pub fn start(n: usize, target: &Array2<DVec3>) -> Result<Array2<f64>> {
    let columns = 3 * n / 2;
    Ok(array2([8, n * columns], |parameter, k| {
        let center = DVec2::new((k % columns) as f64 + 0.5, (k / columns) as f64 + 0.5);
        let color = target[[(center.y / PIXEL) as usize, (center.x / PIXEL) as usize]];
        [center.x, center.y, 1.6, 0.0, 1.6, 0.5 * color.x, 0.5 * color.y, 0.5 * color.z][parameter]
    })?)
}

/// Fits `n` rows of splats.
pub fn run(device: &Device, n: usize) -> Result<Report> {
    let rows = (n as f64 / PIXEL) as usize;
    let [target, _] = raymarch::render(device, 2 * rows)?;
    let target = Picture::from_fn(3 * rows, 2 * rows, |x, y| target[[y, x]]).reduced(2);
    let target = array2([rows, 3 * rows / 2], |i, j| target.pixel(j, i).map(f64::from))?;
    let splats = device.array_from_nd(&start(n, &target)?)?;
    let seen = device.array_from_nd(&target)?;
    let first = loss(device, device, &splats, &seen)?.1.to_array()?;
    let losses = minimise(device, &[&splats], 200, 0.05, |tape| Ok(loss(tape, device, &splats, &seen)?.0))?;
    let (last, image) = loss(device, device, &splats, &seen)?;
    let last = last.to_vec()?[0];

    let show = |image: &Array2<DVec3>| {
        Picture::from_fn(3 * rows / 2, rows, |x, y| image[[y, x]].map(|c| c as f32)).enlarged(2)
    };
    Ok(Report {
        picture: Picture::beside(&[show(&target), show(&first), show(&image.to_array()?)]),
        numbers: vec![
            ("splats", splats.shape()[1] as f64),
            ("loss before", losses[0]),
            ("loss after", last),
            ("signal to noise, in dB", -10.0 * last.log10()),
        ],
    })
}

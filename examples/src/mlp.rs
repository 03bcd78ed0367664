//! A small neural network tells two spirals apart: three dense layers, trained on a tape.
//!
//! Each layer is a = tanh(x·W + b), where b is the last row of a matrix. The loss is logistic.

use crate::descent::minimise;
use crate::plot::{CURVES, PAPER, Picture, ramp, rgb};
use crate::report::{Report, Result, array2, noise};
use kernel_rt::prelude::*;

/// out = tanh(x·w + b), one thread for each output of each sample. The last row of `w` is b.
#[kernel]
fn dense(x: &Array2<f64>, w: &Array2<f64>, out: &mut Array2<f64>) {
    let (sample, j) = tid2();
    let inputs = x.shape()[1];
    let mut sum = w[[inputs, j]];
    for k in 0..inputs {
        sum += x[[sample, k]] * w[[k, j]];
    }
    out[[sample, j]] = sum.tanh();
}

/// loss += mean of ln(1 + exp(−4 y a)), where the class y is 1 or −1.
#[kernel]
fn logistic(class: &[f64], a: &Array2<f64>, loss: &mut [f64]) {
    let i = tid();
    atomic_add(&mut loss[0], (-4.0 * class[i] * a[[i, 0]]).exp().ln_1p() / class.len() as f64);
}

/// A network of three layers.
pub struct Network {
    device: Device,
    weights: [DeviceArray<f64, 2>; 3],
}

impl Network {
    /// A network with two inputs, `width` neurons in each hidden layer, and one output.
    pub fn new(device: &Device, width: usize) -> Result<Network> {
        let layer = |inputs: usize, outputs: usize| -> Result<DeviceArray<f64, 2>> {
            let scale = (3.0 / inputs as f64).sqrt();
            let weights = array2([inputs + 1, outputs], |i, j| scale * noise(i * outputs + j + 1000 * inputs))?;
            Ok(device.array_from_nd(&weights)?)
        };
        Ok(Network { device: device.clone(), weights: [layer(2, width)?, layer(width, width)?, layer(width, 1)?] })
    }

    /// The matrices of its layers.
    pub fn weights(&self) -> [&DeviceArray<f64, 2>; 3] {
        self.weights.each_ref()
    }

    /// The outputs for rows of inputs.
    pub fn outputs(&self, on: &impl Launcher, x: &DeviceArray<f64, 2>) -> Result<DeviceArray<f64, 2>> {
        let mut x = x.clone();
        for w in &self.weights {
            let out = self.device.zeros_nd([x.shape()[0], w.shape()[1]])?;
            dense::launch(on, out.shape(), (&x, w, &out))?;
            x = out;
        }
        Ok(x)
    }

    /// The loss on points of these classes, 1 or −1.
    pub fn loss(
        &self,
        on: &impl Launcher,
        x: &DeviceArray<f64, 2>,
        class: &DeviceArray<f64>,
    ) -> Result<DeviceArray<f64>> {
        let loss = self.device.zeros(1)?;
        logistic::launch(on, class.len(), (class, &self.outputs(on, x)?, &loss))?;
        Ok(loss)
    }
}

/// Points on two spirals, with their classes.
pub fn spirals(count: usize) -> Result<(Array2<f64>, Vec<f64>)> {
    let class = |i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 };
    let point = |i: usize| {
        let t = ((i / 2) as f64 / (count / 2) as f64).sqrt();
        DVec2::from_angle(1.5 + 9.0 * t) * (0.1 + 0.85 * t) * class(i)
    };
    Ok((array2([count, 2], |i, k| point(i)[k])?, (0..count).map(class).collect()))
}

/// Trains `n` neurons in each hidden layer.
pub fn run(device: &Device, n: usize) -> Result<Report> {
    const PIXELS: usize = 160;
    let (points, classes) = spirals(240)?;
    let (x, class) = (device.array_from_nd(&points)?, device.array_from(&classes)?);
    let network = Network::new(device, n)?;
    let losses = minimise(device, &network.weights(), 1500, 0.01, |tape| network.loss(tape, &x, &class))?;
    let outputs = network.outputs(device, &x)?.to_vec()?;
    let right = outputs.iter().zip(&classes).filter(|(output, class)| *output * *class > 0.0).count();

    let place = |pixel: usize| 2.2 * (pixel as f64 + 0.5) / PIXELS as f64 - 1.1;
    let grid = array2([PIXELS * PIXELS, 2], |i, k| place([i % PIXELS, i / PIXELS][k]))?;
    let field = network.outputs(device, &device.array_from_nd(&grid)?)?.to_vec()?;
    let colors = [CURVES[0].lerp(PAPER, 0.3), rgb(0xf7f5f2), CURVES[1].lerp(PAPER, 0.3)];
    let mut picture =
        Picture::from_fn(PIXELS, PIXELS, |x, y| ramp(&colors, 0.5 + 0.5 * field[y * PIXELS + x])).enlarged(2);
    for (i, class) in classes.iter().enumerate() {
        let at = (DVec2::new(points[[i, 0]], points[[i, 1]]) + DVec2::splat(1.1)) * (2 * PIXELS) as f64 / 2.2;
        picture.disc(at, 6.0, PAPER);
        picture.disc(at, 4.5, if *class > 0.0 { CURVES[1] } else { CURVES[0] });
    }
    Ok(Report {
        picture,
        numbers: vec![
            ("loss before", losses[0]),
            ("loss after", losses[losses.len() - 1]),
            ("share of points that are right", right as f64 / classes.len() as f64),
        ],
    })
}

//! Minimisation of a loss by gradients of the tape.

use crate::report::Result;
use kernel_rt::prelude::*;

/// One step of Adam (Kingma and Ba, 2015). `mean` and `square` are running averages of the gradient and of its square;
/// `rate` is the step size, corrected for the start of the averages at zero.
#[kernel(no_grad)]
pub fn adam(rate: f64, gradient: &Array2<f64>, mean: &mut Array2<f64>, square: &mut Array2<f64>, p: &mut Array2<f64>) {
    let (i, j) = tid2();
    let g = gradient[[i, j]];
    mean[[i, j]] = 0.9 * mean[[i, j]] + 0.1 * g;
    square[[i, j]] = 0.99 * square[[i, j]] + 0.01 * g * g;
    p[[i, j]] -= rate * mean[[i, j]] / (square[[i, j]].sqrt() + 1e-12);
}

/// Minimises a loss over `parameters` by `steps` steps of Adam, whose size falls from `rate` to zero. `loss` records
/// the launches on the tape and returns an array of one element. Returns the loss before each step.
///
/// # Errors
/// An error of `loss`, of the tape, or of the device.
pub fn minimise(
    device: &Device,
    parameters: &[&DeviceArray<f64, 2>],
    steps: i32,
    rate: f64,
    mut loss: impl FnMut(&Tape) -> Result<DeviceArray<f64>>,
) -> Result<Vec<f64>> {
    let tape = Tape::new(device);
    let averages = || parameters.iter().map(|p| device.zeros_nd(p.shape())).collect::<Result<Vec<_>, _>>();
    let (means, squares) = (averages()?, averages()?);
    let mut losses = Vec::new();
    for step in 1..=steps {
        tape.clear();
        let value = loss(&tape)?;
        tape.backward(&value)?;
        losses.push(value.to_vec()?[0]);

        let size = rate * (1.0 - f64::from(step - 1) / f64::from(steps));
        let corrected = size * (1.0 - 0.99f64.powi(step)).sqrt() / (1.0 - 0.9f64.powi(step));
        for ((p, mean), square) in parameters.iter().zip(&means).zip(&squares) {
            adam::launch(device, p.shape(), (corrected, &tape.gradient(p)?, mean, square, *p))?;
        }
    }
    Ok(losses)
}

//! Swings up pendulums whose motors are too weak to lift them: the control of every step is found by the gradient
//! through the whole motion.
//!
//! The angle a is 0 below, and d²a/dt² = u − sin a. The motor gives at most `strength`, and 1 would hold the pendulum
//! at any angle. Each thread moves one pendulum by symplectic Euler steps.

use crate::descent::minimise;
use crate::plot::{CURVES, INK, PAPER, Picture, Plot};
use crate::report::{Report, Result, array2};
use kernel_rt::prelude::*;

/// Moves a pendulum. It shall come to stand upright: loss += mean of t⁸ (1 + cos a + v²/2), where t goes from 0 to 1.
#[kernel]
fn swing(dt: f64, strength: &[f64], control: &Array2<f64>, angle: &mut Array2<f64>, loss: &mut [f64]) {
    let i = tid();
    let steps = control.shape()[1];
    let mut a: f64 = 0.0;
    let mut v = 0.0;
    let mut sum = 0.0;
    for k in 0..steps {
        let torque = strength[i] * control[[i, k]].tanh();
        v += dt * (torque - a.sin());
        a += dt * v;
        angle[[i, k]] = a;
        let late = (k + 1) as f64 / steps as f64;
        sum += late.powi(8) * (1.0 + a.cos() + 0.5 * v * v);
    }
    atomic_add(&mut loss[0], sum / steps as f64);
}

/// The strongest torques of the motors.
pub const STRENGTH: [f64; 3] = [0.8, 0.4, 0.22];
/// The length of a step.
pub const DT: f64 = 0.05;

/// The loss of a control, with the angles that it leads to.
pub fn motion(
    on: &impl Launcher,
    device: &Device,
    control: &DeviceArray<f64, 2>,
) -> Result<(DeviceArray<f64>, DeviceArray<f64, 2>)> {
    let (angle, loss) = (device.zeros_nd(control.shape())?, device.zeros(1)?);
    let strength = device.array_from(&STRENGTH)?;
    swing::launch(on, STRENGTH.len(), (DT, &strength, control, &angle, &loss))?;
    Ok((loss, angle))
}

/// Finds the control of `n` steps for each pendulum.
pub fn run(device: &Device, n: usize) -> Result<Report> {
    // A gentle push to and fro: at rest below, the gradient would not know to which side to go.
    let control = device.array_from_nd(&array2([STRENGTH.len(), n], |_, k| 0.2 * (k as f64 * DT).sin())?)?;
    let losses = minimise(device, &[&control], 1000, 0.03, |tape| Ok(motion(tape, device, &control)?.0))?;
    let angle = motion(device, device, &control)?.1.to_array()?;
    let height = |i: usize| -angle[[i, n - 1]].cos();
    Ok(Report {
        picture: draw(&angle),
        numbers: vec![
            ("loss before", losses[0]),
            ("loss after", losses[losses.len() - 1]),
            ("height of the strong pendulum at the end", height(0)),
            ("height of the middle one", height(1)),
            ("height of the weak one", height(2)),
        ],
    })
}

/// The pendulums at some moments, and below them their angles over time.
fn draw(angle: &Array2<f64>) -> Picture {
    const FRAMES: usize = 19;
    let n = angle.shape()[1];
    let most = angle.as_slice().iter().fold(4.0, |most: f64, angle| most.max(angle.abs()));
    let mut plot = Plot::new(1200, 400, 0.0..n as f64 * DT, -most..most, DVec2::new(5.0, std::f64::consts::PI));
    let mut strip = Picture::new(1200, 350, PAPER);
    for i in 0..STRENGTH.len() {
        plot.curve((0..n).map(|k| DVec2::new(k as f64 * DT, angle[[i, k]])), 5.0, CURVES[i]);
        for frame in 0..FRAMES {
            let a = angle[[i, frame * (n - 1) / (FRAMES - 1)]];
            let hinge = DVec2::new(45.0 + 1110.0 * frame as f64 / (FRAMES - 1) as f64, 60.0 + 116.0 * i as f64);
            let bob = hinge + 38.0 * DVec2::new(a.sin(), a.cos());
            strip.line(hinge, bob, 4.0, INK);
            strip.disc(hinge, 4.0, INK);
            strip.disc(bob, 10.0, CURVES[i]);
        }
    }
    Picture::above(&[strip, plot.into_picture()]).reduced(2)
}

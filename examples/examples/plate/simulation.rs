//! The plate, what is observed of it, and the descent to its conductivity.
//!
//! Lengths are in cells and times in steps. The unknown is `p`; the conductivity k(p) keeps within bounds between which
//! the explicit scheme is stable.

use examples::descent::adam;
use kernel_rt::prelude::*;
use kernel_rt::{DeviceError, Launcher, TapeError};
use std::error::Error;

/// The conductivity lies between these.
pub(crate) const CONDUCTIVITY: std::ops::Range<f64> = 0.04..0.24;

/// k = 0.04 + 0.2 / (1 + exp(−p)).
#[kernel(family = "heat")]
fn conductivity(p: &Array2<f64>, k: &mut Array2<f64>) {
    let (i, j) = tid2();
    k[[i, j]] = 0.04 + 0.2 / (1.0 + (-p[[i, j]]).exp());
}

/// One explicit step of ∂T/∂t = ∇·(k ∇T). No heat passes the edges; k at a face is the mean of its two cells.
#[kernel(family = "heat")]
fn diffuse(k: &Array2<f64>, t: &Array2<f64>, next: &mut Array2<f64>) {
    let (i, j) = tid2();
    let here = t[[i, j]];
    let k_here = k[[i, j]];
    let mut flow = 0.0;
    if i > 0 {
        flow += (k_here + k[[i - 1, j]]) * (t[[i - 1, j]] - here);
    }
    if i + 1 < t.shape()[0] {
        flow += (k_here + k[[i + 1, j]]) * (t[[i + 1, j]] - here);
    }
    if j > 0 {
        flow += (k_here + k[[i, j - 1]]) * (t[[i, j - 1]] - here);
    }
    if j + 1 < t.shape()[1] {
        flow += (k_here + k[[i, j + 1]]) * (t[[i, j + 1]] - here);
    }
    next[[i, j]] = here + 0.5 * flow;
}

/// loss += weight · ∑ (T − observed)².
#[kernel(family = "heat")]
fn misfit(weight: f64, t: &Array2<f64>, observed: &Array2<f64>, #[shape(1)] loss: &mut [f64]) {
    let (i, j) = tid2();
    let d = t[[i, j]] - observed[[i, j]];
    atomic_add(&mut loss[0], weight * d * d);
}

/// A square plate, and how long it is watched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plate {
    /// Along an edge.
    pub(crate) cells: usize,
    pub(crate) steps: usize,
    /// The temperature is observed after each so many steps.
    pub(crate) every: usize,
}

/// A plate whose conductivity is unknown but for what was observed.
pub(crate) struct Experiment {
    plate: Plate,
    device: Device,
    /// The parameter of the conductivity that made the observations.
    truth: DeviceArray<f64, 2>,
    start: DeviceArray<f64, 2>,
    observed: Vec<DeviceArray<f64, 2>>,
}

impl Experiment {
    /// Makes the observations.
    pub(crate) fn new(device: &Device, plate: Plate) -> Result<Experiment, Box<dyn Error>> {
        let device = device.clone();
        let truth = device.array_from_nd(plate.map(letter))?;
        let start = device.array_from_nd(plate.map(warmth))?;
        let mut experiment = Experiment { plate, device, truth, start, observed: Vec::new() };
        let mut observed = Vec::new();
        experiment.simulate(&experiment.device, &experiment.truth, |t| {
            observed.push(experiment.device.array_from_nd(t.to_array()?)?);
            Ok(())
        })?;
        experiment.observed = observed;
        Ok(experiment)
    }

    /// Heats the plate with the parameter `p`, on a device or on a tape; shows the temperatures to be observed.
    fn simulate(
        &self,
        on: &impl Launcher,
        p: &DeviceArray<f64, 2>,
        mut observe: impl FnMut(&DeviceArray<f64, 2>) -> Result<(), Box<dyn Error>>,
    ) -> Result<(), Box<dyn Error>> {
        let dim = self.start.shape();
        let k = self.device.zeros_nd(dim)?;
        conductivity::launch(on, dim, (p, &k))?;
        // Two arrays in turns: the tape keeps what a later step overwrites.
        let mut t = self.device.array_from_nd(self.start.to_array()?)?;
        let mut next = self.device.zeros_nd(dim)?;
        for step in 1..=self.plate.steps {
            diffuse::launch(on, dim, (&k, &t, &next))?;
            std::mem::swap(&mut t, &mut next);
            if step % self.plate.every == 0 {
                observe(&t)?;
            }
        }
        Ok(())
    }

    /// The mean squared misfit of the temperatures with the parameter `p`.
    pub(crate) fn loss(&self, on: &impl Launcher, p: &DeviceArray<f64, 2>) -> Result<DeviceArray<f64>, Box<dyn Error>> {
        let loss = self.device.zeros(1)?;
        let weight = 1.0 / (self.observed.len() * p.len()) as f64;
        let mut observed = self.observed.iter();
        self.simulate(on, p, |t| {
            if let Some(observed) = observed.next() {
                misfit::launch(on, t.shape(), (weight, t, observed, &loss))?;
            }
            Ok(())
        })?;
        Ok(loss)
    }

    fn conductivity(&self, p: &DeviceArray<f64, 2>) -> Result<Array2<f64>, Box<dyn Error>> {
        let k = self.device.zeros_nd(p.shape())?;
        conductivity::launch(&self.device, p.shape(), (p, &k))?;
        Ok(k.to_array()?)
    }
}

/// Gradient descent to the parameter of an experiment.
pub(crate) struct Descent {
    pub(crate) experiment: Experiment,
    tape: Tape,
    pub(crate) p: DeviceArray<f64, 2>,
    mean: DeviceArray<f64, 2>,
    square: DeviceArray<f64, 2>,
    steps: i32,
}

impl Descent {
    /// Starts at the middle of the possible conductivities.
    pub(crate) fn new(experiment: Experiment) -> Result<Descent, DeviceError> {
        let zeros = || experiment.device.zeros_nd(experiment.start.shape());
        let (p, mean, square) = (zeros()?, zeros()?, zeros()?);
        Ok(Descent { tape: Tape::new(&experiment.device), experiment, p, mean, square, steps: 0 })
    }

    /// Goes one step; returns the loss before it.
    pub(crate) fn step(&mut self) -> Result<f64, Box<dyn Error>> {
        let (loss, gradient) = self.gradient()?;
        self.steps += 1;
        let size = 0.2 / (1.0 + 0.05 * f64::from(self.steps));
        let rate = size * (1.0 - 0.99f64.powi(self.steps)).sqrt() / (1.0 - 0.9f64.powi(self.steps));
        let arrays = (rate, &gradient, &self.mean, &self.square, &self.p);
        adam::launch(&self.experiment.device, self.p.shape(), arrays)?;
        Ok(loss)
    }

    /// The loss, and its gradient by the parameter.
    pub(crate) fn gradient(&self) -> Result<(f64, DeviceArray<f64, 2>), Box<dyn Error>> {
        let loss = self.experiment.loss(&self.tape, &self.p)?;
        self.tape.backward(&loss)?;
        let gradient: Result<_, TapeError> = self.tape.gradient(&self.p);
        self.tape.clear();
        Ok((loss.to_vec()?[0], gradient?))
    }

    /// The conductivity that was found so far.
    pub(crate) fn found(&self) -> Result<Array2<f64>, Box<dyn Error>> {
        self.experiment.conductivity(&self.p)
    }

    /// The conductivity of the plate.
    pub(crate) fn truth(&self) -> Result<Array2<f64>, Box<dyn Error>> {
        self.experiment.conductivity(&self.experiment.truth)
    }

    /// How far the conductivity that was found is off, as a part of that of the plate, in the mean over all cells.
    pub(crate) fn error(&self) -> Result<f64, Box<dyn Error>> {
        let (found, truth) = (self.found()?, self.truth()?);
        let off = found.as_slice().iter().zip(truth.as_slice()).map(|(found, truth)| (found / truth - 1.0).abs());
        Ok(off.sum::<f64>() / truth.len() as f64)
    }
}

impl Plate {
    /// The values of `f` at the cells, which span the square from 0 to 1.
    fn map(self, f: impl Fn(f64, f64) -> f64) -> Array2<f64> {
        let n = self.cells;
        let mut array = Array2::zeros([n, n]);
        let at = |cell: usize| (cell as f64 + 0.5) / n as f64;
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            array[[i, j]] = f(at(j), at(i));
        }
        array
    }
}

/// The parameter of the plate: a W that conducts well, on a ground that does not.
fn letter(x: f64, y: f64) -> f64 {
    const CORNERS: [(f64, f64); 5] = [(0.14, 0.2), (0.32, 0.8), (0.5, 0.36), (0.68, 0.8), (0.86, 0.2)];
    let to_stroke = |ends: &[(f64, f64)]| {
        let ((ax, ay), (bx, by)) = (ends[0], ends[1]);
        let (dx, dy) = (bx - ax, by - ay);
        let along = (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
        (x - ax - along * dx).hypot(y - ay - along * dy)
    };
    let distance = CORNERS.windows(2).map(to_stroke).fold(f64::INFINITY, f64::min);
    (40.0 * (0.07 - distance)).clamp(-1.5, 1.5)
}

/// The temperature at the start: waves, so that heat flows everywhere.
fn warmth(x: f64, y: f64) -> f64 {
    (57.0 * x + 9.0 * y).sin() + (61.0 * y - 11.0 * x).cos() + (23.0 * (x + y)).sin()
}

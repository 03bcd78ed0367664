//! Air flows past a cylinder and sheds vortices: the lattice Boltzmann method, D2Q9 with one relaxation time (Qian,
//! d'Humières and Lallemand, "Lattice BGK models for Navier–Stokes equation", 1992).
//!
//! Lengths are in cells and times in steps. Direction q = 0..9 is (q % 3 − 1, q / 3 − 1), so 8 − q is opposite to q.

use crate::plot::{Picture, SIGNED, ramp, rgb};
use crate::report::{Report, Result, array2};
use kernel_rt::prelude::*;

/// The direction `q`.
#[device]
fn direction(q: i32) -> Vec2 {
    Vec2::new((q % 3 - 1) as f32, (q / 3 - 1) as f32)
}

/// The equilibrium of a gas of this density and velocity in direction `q`.
#[device]
fn equilibrium(q: i32, rho: f32, u: Vec2) -> f32 {
    let c = direction(q);
    let weight = (2.0 / 3.0 - 0.5 * c.x.abs()) * (2.0 / 3.0 - 0.5 * c.y.abs());
    let along = 3.0 * c.dot(u);
    weight * rho * (1.0 + along + 0.5 * along * along - 1.5 * u.dot(u))
}

/// One step: what the neighbours sent comes in, and relaxes towards the equilibrium. The lattice is closed to a ring
/// along both axes; what meets a wall is sent back.
#[kernel(no_grad)]
fn step(omega: f32, wall: &Array2<u32>, f: &Array3<f32>, next: &mut Array3<f32>, velocity: &mut Array2<Vec2>) {
    let (i, j) = tid2();
    let rows = wall.shape()[0];
    let columns = wall.shape()[1];
    let mut rho = 0.0;
    let mut momentum = Vec2::ZERO;
    for q in 0..9 {
        // The cell from which direction q leads here.
        let a = (i + rows + 1 - q / 3) % rows;
        let b = (j + columns + 1 - q % 3) % columns;
        let incoming = if wall[[a, b]] == 1 { f[[8 - q, i, j]] } else { f[[q, a, b]] };
        next[[q, i, j]] = incoming;
        rho += incoming;
        momentum += incoming * direction(q as i32);
    }
    let u = momentum / rho;
    velocity[[i, j]] = u;
    for q in 0..9 {
        next[[q, i, j]] += omega * (equilibrium(q as i32, rho, u) - next[[q, i, j]]);
    }
}

/// The first and the last column hold the wind.
#[kernel]
fn blow(wind: Vec2, next: &mut Array3<f32>) {
    let (q, i) = tid2();
    let last = next.shape()[2] - 1;
    next[[q, i, 0]] = equilibrium(q as i32, 1.0, wind);
    next[[q, i, last]] = equilibrium(q as i32, 1.0, wind);
}

/// Fills the lattice with gas of density 1.
#[kernel]
fn fill(velocity: &Array2<Vec2>, f: &mut Array3<f32>) {
    let (q, i, j) = tid3();
    f[[q, i, j]] = equilibrium(q as i32, 1.0, velocity[[i, j]]);
}

/// A gas of this kinematic viscosity in a channel.
pub struct Gas {
    omega: f32,
    wind: Option<Vec2>,
    wall: DeviceArray<u32, 2>,
    f: DeviceArray<f32, 3>,
    next: DeviceArray<f32, 3>,
    velocity: DeviceArray<Vec2, 2>,
}

impl Gas {
    /// A gas that starts with these velocities; `wind` blows at both ends, if there is one.
    pub fn new(
        device: &Device,
        viscosity: f32,
        wind: Option<Vec2>,
        wall: &Array2<u32>,
        velocity: &Array2<Vec2>,
    ) -> Result<Gas> {
        let [rows, columns] = wall.shape();
        let (f, next) = (device.zeros_nd([9, rows, columns])?, device.zeros_nd([9, rows, columns])?);
        let (wall, velocity) = (device.array_from_nd(wall)?, device.array_from_nd(velocity)?);
        fill::launch(device, [9, rows, columns], (&velocity, &f))?;
        Ok(Gas { omega: 1.0 / (3.0 * viscosity + 0.5), wind, wall, f, next, velocity })
    }

    /// One step.
    pub fn step(&mut self, device: &Device) -> Result<()> {
        step::launch(device, self.wall.shape(), (self.omega, &self.wall, &self.f, &self.next, &self.velocity))?;
        if let Some(wind) = self.wind {
            blow::launch(device, [9, self.wall.shape()[0]], (wind, &self.next))?;
        }
        std::mem::swap(&mut self.f, &mut self.next);
        Ok(())
    }

    /// The mass of the gas.
    pub fn mass(&self) -> Result<f64> {
        Ok(self.f.to_vec()?.iter().map(|f| f64::from(*f)).sum())
    }
}

/// How fast a shear wave decays in a gas of this viscosity, as a viscosity, and how much mass is lost meanwhile.
pub fn shear_wave(device: &Device, viscosity: f32) -> Result<(f64, f64)> {
    const ROWS: usize = 32;
    const STEPS: usize = 200;
    let k = std::f32::consts::TAU / ROWS as f32;
    let wave = array2([ROWS, 4], |i, _| Vec2::new(0.05 * (k * i as f32).sin(), 0.0))?;
    let mut gas = Gas::new(device, viscosity, None, &array2([ROWS, 4], |_, _| 0)?, &wave)?;
    let mass = gas.mass()?;
    for _ in 0..STEPS {
        gas.step(device)?;
    }
    let rest = gas.velocity.to_array()?[[ROWS / 4, 0]].x / 0.05;
    // The velocity that `step` shows is from before its collision.
    let decay = -f64::from(rest).ln() / (STEPS as f64 * f64::from(k * k));
    Ok((decay, gas.mass()? / mass - 1.0))
}

/// Shows the vorticity behind a cylinder that is `n` cells wide, at a Reynolds number of 150.
pub fn run(device: &Device, n: usize) -> Result<Report> {
    const WIND: f32 = 0.12;
    const EVERY: usize = 20;
    let shape = [5 * n, 16 * n];
    let center = Vec2::new(3.5 * n as f32, 2.5 * n as f32);
    let inside = |i, j| u32::from(Vec2::new(j as f32, i as f32).distance(center) < 0.5 * n as f32);
    let wall = array2(shape, inside)?;
    // The gas starts at an angle to the wind, so that the wake becomes uneven soon.
    let start = array2(shape, |_, _| Vec2::new(WIND, 0.4 * WIND))?;
    let mut gas = Gas::new(device, WIND * n as f32 / 150.0, Some(Vec2::new(WIND, 0.0)), &wall, &start)?;
    let mut sideways = Vec::new();
    for step in 0..(45.0 * n as f32 / WIND) as usize {
        gas.step(device)?;
        if step % EVERY == 0 {
            sideways.push(gas.velocity.to_array()?[[shape[0] / 2, 6 * n]].y);
        }
    }
    // In the second half the wake is regular.
    let rises = |k: &usize| sideways[k - 1] < 0.0 && sideways[*k] >= 0.0;
    let rises: Vec<usize> = (sideways.len() / 2..sideways.len()).filter(rises).collect();
    let cycles = rises.len().saturating_sub(1) as f64;
    let time = (EVERY * rises.last().unwrap_or(&0).saturating_sub(*rises.first().unwrap_or(&0))) as f64;
    let (decay, loss) = shear_wave(device, 0.05)?;
    Ok(Report {
        picture: draw(&gas.velocity.to_array()?, &wall, WIND / n as f32).enlarged(2),
        numbers: vec![
            ("Strouhal number", cycles / time * n as f64 / f64::from(WIND)),
            ("viscosity", 0.05),
            ("viscosity by the decay of a shear wave", decay),
            ("relative change of its mass", loss),
        ],
    })
}

fn draw(u: &Array2<Vec2>, wall: &Array2<u32>, unit: f32) -> Picture {
    let [rows, columns] = u.shape();
    Picture::from_fn(columns - 6, rows, |j, i| {
        if wall[[i, j]] == 1 {
            return rgb(0x22303c);
        }
        let (up, down) = ((i + rows - 1) % rows, (i + 1) % rows);
        let (left, right) = (j.saturating_sub(1), (j + 1).min(columns - 1));
        let curl = 0.5 * (u[[i, right]].y - u[[i, left]].y - u[[down, j]].x + u[[up, j]].x);
        ramp(&SIGNED, f64::from(0.5 + 0.25 * curl / unit))
    })
}

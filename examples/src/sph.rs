//! A column of water collapses: smoothed particle hydrodynamics in two dimensions (Müller, Charypar and Gross,
//! "Particle-based fluid simulation for interactive applications", 2003).
//!
//! Lengths are in the spacing of the particles at rest, and gravity and the mass of a particle are 1, so the density at
//! rest is 1. Neighbours are found in a grid whose cells are as wide as the reach h of a particle.

use crate::plot::{Picture, WATER, ramp, rgb};
use crate::report::{Report, Result};
use kernel_rt::prelude::*;

/// h, the distance at which the influence of a particle ends.
#[device]
fn reach() -> f32 {
    2.5
}

/// Sorts particles into cells. The order inside of a cell is that of the threads.
#[kernel(no_grad)]
pub fn sort(x: &[Vec2], count: &mut Array2<u32>, members: &mut Array3<u32>) {
    let i = tid();
    let row = (x[i].y / reach()) as usize;
    let column = (x[i].x / reach()) as usize;
    let place = atomic_add(&mut count[[row, column]], 1) as usize;
    if place < members.shape()[2] {
        members[[row, column, place]] = i as u32;
    }
}

/// ρᵢ = Σ 4 / (π h⁸) · (h² − r²)³.
#[kernel(no_grad)]
pub fn density(x: &[Vec2], count: &Array2<u32>, members: &Array3<u32>, rho: &mut [f32]) {
    let i = tid();
    let row = (x[i].y / reach()) as usize;
    let column = (x[i].x / reach()) as usize;
    let mut sum = 0.0;
    for a in row.saturating_sub(1)..(row + 2).min(count.shape()[0]) {
        for b in column.saturating_sub(1)..(column + 2).min(count.shape()[1]) {
            for k in 0..(count[[a, b]] as usize).min(members.shape()[2]) {
                let arm = x[i] - x[members[[a, b, k]] as usize];
                sum += (reach() * reach() - arm.dot(arm)).max(0.0).powi(3);
            }
        }
    }
    rho[i] = 4.0 / (std::f32::consts::PI * reach().powi(8)) * sum;
}

/// The acceleration by the pressure c² (ρ − 1), by viscosity, and by gravity.
#[kernel(no_grad)]
pub fn push(x: &[Vec2], v: &[Vec2], rho: &[f32], count: &Array2<u32>, members: &Array3<u32>, force: &mut [Vec2]) {
    const SOUND: f32 = 50.0;
    const VISCOSITY: f32 = 2.0;
    let i = tid();
    let row = (x[i].y / reach()) as usize;
    let column = (x[i].x / reach()) as usize;
    let slope = 30.0 / (std::f32::consts::PI * reach().powi(5));
    let mut sum = Vec2::NEG_Y;
    for a in row.saturating_sub(1)..(row + 2).min(count.shape()[0]) {
        for b in column.saturating_sub(1)..(column + 2).min(count.shape()[1]) {
            for k in 0..(count[[a, b]] as usize).min(members.shape()[2]) {
                let j = members[[a, b, k]] as usize;
                let arm = x[i] - x[j];
                let r = arm.length();
                if j != i && r < reach() && r > 0.0 {
                    let near = reach() - r;
                    let pressure = 0.5 * SOUND * SOUND * ((rho[i] - 1.0).max(0.0) + (rho[j] - 1.0).max(0.0));
                    // The same for i and j but for the sign, so that no momentum is made.
                    sum += slope * near / (rho[i] * rho[j]) * (pressure * near / r * arm + VISCOSITY * (v[j] - v[i]));
                }
            }
        }
    }
    force[i] = sum;
}

/// Moves the particles; the walls of the basin take most of the speed against them.
#[kernel(no_grad)]
fn advance(dt: f32, basin: Vec2, force: &[Vec2], v: &mut [Vec2], x: &mut [Vec2]) {
    let i = tid();
    v[i] += dt * force[i];
    let to = x[i] + dt * v[i];
    x[i] = to.max(Vec2::ZERO).min(basin);
    if x[i].x != to.x {
        v[i].x *= -0.2;
    }
    if x[i].y != to.y {
        v[i].y *= -0.2;
    }
}

/// The particles at one moment.
pub struct Moment {
    /// Places.
    pub x: Vec<Vec2>,
    /// Velocities.
    pub v: Vec<Vec2>,
    /// Densities.
    pub rho: Vec<f32>,
}

/// A column of `n` rows of particles in a basin that is 2.5·n wide, at each of these times.
pub fn collapse(device: &Device, n: usize, times: &[f32]) -> Result<Vec<Moment>> {
    const DT: f32 = 0.01;
    let basin = n as f32 * Vec2::new(2.5, 1.25);
    let column = (0..n).flat_map(|i| (0..3 * n / 4).map(move |j| Vec2::new(j as f32 + 0.5, i as f32 + 0.5)));
    let x = device.array_from(column.collect::<Vec<_>>())?;
    let len = x.len();
    let (v, force, rho) = (device.zeros(len)?, device.zeros(len)?, device.zeros(len)?);
    let cells = [basin.y, basin.x].map(|length| (length / reach()) as usize + 1);
    // A cell has 6 or 7 particles at rest, and room for 32.
    let (count, members) = (device.zeros_nd(cells)?, device.zeros_nd([cells[0], cells[1], 32])?);
    let (mut moments, mut step) = (Vec::new(), 0);
    for time in times {
        loop {
            count.fill(0)?;
            sort::launch(device, len, (&x, &count, &members))?;
            density::launch(device, len, (&x, &count, &members, &rho))?;
            if step as f32 * DT >= *time {
                break;
            }
            push::launch(device, len, (&x, &v, &rho, &count, &members, &force))?;
            advance::launch(device, len, (DT, basin, &force, &v, &x))?;
            step += 1;
        }
        moments.push(Moment { x: x.to_vec()?, v: v.to_vec()?, rho: rho.to_vec()? });
    }
    Ok(moments)
}

/// Shows three moments of a column of `n` rows of particles.
pub fn run(device: &Device, n: usize) -> Result<Report> {
    let fall = (n as f32).sqrt();
    let moments = collapse(device, n, &[0.0, fall, 2.3 * fall, 4.2 * fall])?;
    let mean = |of: &dyn Fn(usize) -> f32, count: usize| f64::from((0..count).map(of).sum::<f32>()) / count as f64;
    let energy = |m: &Moment| mean(&|i| m.x[i].y + 0.5 * m.v[i].length_squared(), m.x.len());
    let density = |m: &Moment| mean(&|i| m.rho[i], m.rho.len());
    let densest = moments.iter().flat_map(|m| m.rho.iter().copied()).fold(0.0, f32::max);
    Ok(Report {
        picture: Picture::beside(&moments[1..].iter().map(|moment| draw(moment, n)).collect::<Vec<_>>()),
        numbers: vec![
            ("energy of a particle at the start", energy(&moments[0])),
            ("energy of a particle at the end", energy(&moments[3])),
            ("mean density at the start", density(&moments[0])),
            ("mean density at the end", density(&moments[3])),
            ("largest density", densest.into()),
        ],
    })
}

fn draw(moment: &Moment, n: usize) -> Picture {
    let scale = 480.0 / (2.5 * n as f64);
    let mut picture = Picture::new(480, 240, rgb(0x0d1b2a));
    for (x, v) in moment.x.iter().zip(&moment.v) {
        let color = ramp(&WATER, f64::from(v.length()) / (1.6 * n as f64).sqrt());
        picture.disc(scale * DVec2::new(x.x.into(), 1.25 * n as f64 - f64::from(x.y)), 0.7 * scale, color);
    }
    picture.reduced(2)
}

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

/// Lets a gas of this kinematic viscosity flow, which starts with the velocities `start`; `wind` blows at both ends, if
/// there is one. Shows the velocities to `observe` after each step. Returns the velocities at the end, and the mass as
/// a multiple of that at the start.
pub fn flow(
    device: &Device,
    [viscosity, steps]: [f32; 2],
    wind: Option<Vec2>,
    wall: &Array2<u32>,
    start: &Array2<Vec2>,
    mut observe: impl FnMut(&DeviceArray<Vec2, 2>) -> Result<()>,
) -> Result<(Array2<Vec2>, f64)> {
    let [rows, columns] = wall.shape();
    let rest = |q: usize| start.as_slice().iter().map(move |u| equilibrium(q as i32, 1.0, *u));
    let mut f = device.array_from_nd(&Array3::from_vec([9, rows, columns], (0..9).flat_map(rest).collect())?)?;
    let (mut next, velocity) = (device.zeros_nd(f.shape())?, device.zeros_nd(wall.shape())?);
    let walls = device.array_from_nd(wall)?;
    let mass = |f: &DeviceArray<f32, 3>| f.to_vec().map(|f| f.iter().map(|f| f64::from(*f)).sum::<f64>());
    let before = mass(&f)?;
    for _ in 0..steps as usize {
        let omega = 1.0 / (3.0 * viscosity + 0.5);
        step::launch(device, [rows, columns], (omega, &walls, &f, &next, &velocity))?;
        if let Some(wind) = wind {
            blow::launch(device, [9, rows], (wind, &next))?;
        }
        std::mem::swap(&mut f, &mut next);
        observe(&velocity)?;
    }
    Ok((velocity.to_array()?, mass(&f)? / before))
}

/// The viscosity of a gas as the decay of a shear wave shows it, and how much its mass changes meanwhile.
pub fn shear_wave(device: &Device, viscosity: f32) -> Result<(f64, f64)> {
    const SHAPE: [usize; 2] = [32, 4];
    let k = std::f32::consts::TAU / SHAPE[0] as f32;
    let wave = array2(SHAPE, |i, _| Vec2::new(0.05 * (k * i as f32).sin(), 0.0))?;
    let mut crest = Vec::new();
    let (_, mass) = flow(device, [viscosity, 200.0], None, &array2(SHAPE, |_, _| 0)?, &wave, |u| {
        crest.push(u.rows(SHAPE[0] / 4..SHAPE[0] / 4 + 1)?.to_vec()?[0].x);
        Ok(())
    })?;
    // The first steps come from a start without shear stress.
    let decay = (crest[19] / crest[199]).ln() / (180.0 * k * k);
    Ok((decay.into(), mass - 1.0))
}

/// Shows the vorticity behind a cylinder that is `n` cells wide, at a Reynolds number of 150.
pub fn run(device: &Device, n: usize) -> Result<Report> {
    const WIND: f32 = 0.12;
    let (shape, width) = ([5 * n, 16 * n], n as f32);
    let center = width * Vec2::new(3.5, 2.5);
    let wall = array2(shape, |i, j| u32::from(Vec2::new(j as f32, i as f32).distance(center) < 0.5 * width))?;
    // The gas starts at an angle to the wind, so that the wake becomes uneven soon.
    let start = array2(shape, |_, _| Vec2::new(WIND, 0.4 * WIND))?;
    let (conditions, wind) = ([WIND * width / 150.0, 45.0 * width / WIND], Vec2::new(WIND, 0.0));
    let mut sideways = Vec::new();
    let (u, _) = flow(device, conditions, Some(wind), &wall, &start, |u| {
        sideways.push(u.rows(shape[0] / 2..shape[0] / 2 + 1)?.to_vec()?[6 * n].y);
        Ok(())
    })?;
    // In the second half the wake is regular.
    let rises = |k: &usize| sideways[k - 1] < 0.0 && sideways[*k] >= 0.0;
    let rises: Vec<usize> = (sideways.len() / 2..sideways.len()).filter(rises).collect();
    let period = match rises[..] {
        [first, .., last] => (last - first) as f64 / (rises.len() - 1) as f64,
        _ => f64::NAN,
    };
    let (decay, loss) = shear_wave(device, 0.05)?;
    Ok(Report {
        picture: draw(&u, &wall, WIND / width).enlarged(2),
        numbers: vec![
            ("Strouhal number", f64::from(width / WIND) / period),
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

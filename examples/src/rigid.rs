//! Bodies tumble freely: a body that turns about its middle axis flips over again and again (Dzhanibekov's effect).
//!
//! Euler's equations in the frame of the body, dL/dt = L × ω and dq/dt = ½ q ω with L = I ω, by the method of Runge and
//! Kutta. Each thread turns one body. The flips come at the times that the solution by elliptic functions gives
//! (Landau and Lifshitz, "Mechanics", § 37).

use crate::plot::{CURVES, INK, PAPER, Picture, Plot, SIGNED, ramp, rgb};
use crate::report::{Report, Result};
use kernel_rt::prelude::*;
use std::f64::consts::TAU;

/// dL/dt = L × ω.
#[device]
fn turn(inertia: DVec3, l: DVec3) -> DVec3 {
    l.cross(l / inertia)
}

/// dq/dt = ½ q ω, for ω in the frame of the body.
#[device]
fn orient(q: DQuat, w: DVec3) -> DQuat {
    q * DQuat::from_xyzw(w.x, w.y, w.z, 0.0) * 0.5
}

/// Turns a body in time; keeps its angular momentum in its own frame, and at the end its orientation.
#[kernel]
fn tumble(dt: f64, inertia: DVec3, start: &[DVec3], l: &mut Array2<DVec3>, orientation: &mut [DQuat]) {
    let i = tid();
    let mut a = start[i];
    let mut q = DQuat::IDENTITY;
    for k in 0..l.shape()[1] {
        let a1 = turn(inertia, a);
        let a2 = turn(inertia, a + 0.5 * dt * a1);
        let a3 = turn(inertia, a + 0.5 * dt * a2);
        let a4 = turn(inertia, a + dt * a3);
        let q1 = orient(q, a / inertia);
        let q2 = orient(q + q1 * (0.5 * dt), (a + 0.5 * dt * a1) / inertia);
        let q3 = orient(q + q2 * (0.5 * dt), (a + 0.5 * dt * a2) / inertia);
        let q4 = orient(q + q3 * dt, (a + dt * a3) / inertia);
        a += dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        q = (q + (q1 + q2 * 2.0 + q3 * 2.0 + q4) * (dt / 6.0)).normalize();
        l[[i, k]] = a;
    }
    orientation[i] = q;
}

/// Moments of inertia. The middle one is that of the second axis.
const INERTIA: DVec3 = DVec3::new(1.0, 2.0, 3.0);
const DT: f64 = 0.01;

/// Turns bodies with these angular momenta in time. Returns the momenta, and the orientations at the end.
pub fn spin(device: &Device, start: &[DVec3], steps: usize) -> Result<(Array2<DVec3>, Vec<DQuat>)> {
    let (l, orientation) = (device.zeros_nd([start.len(), steps])?, device.zeros(start.len())?);
    tumble::launch(device, start.len(), (DT, INERTIA, &device.array_from(start)?, &l, &orientation))?;
    Ok((l.to_array()?, orientation.to_vec()?))
}

/// The time in which the angular momentum goes once around the first or the third axis: 4 K(k) √(I₁ I₂ I₃ / fast).
pub fn period(l: DVec3) -> f64 {
    let (square, twice_energy) = (l.length_squared(), l.dot(l / INERTIA));
    let third = (INERTIA.z - INERTIA.y) * (square - twice_energy * INERTIA.x);
    let first = (INERTIA.y - INERTIA.x) * (twice_energy * INERTIA.z - square);
    let (fast, slow) = (third.max(first), third.min(first));
    // K(k) = π / (2 M(1, √(1 − k²))), where M is the arithmetic-geometric mean, and k² = slow / fast.
    let (mut a, mut b) = (1.0, (1.0 - slow / fast).sqrt());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    TAU / a * (INERTIA.element_product() / fast).sqrt()
}

/// Shows the ways of angular momenta on a sphere, and the flips of the first body over `n` steps.
pub fn run(device: &Device, n: usize) -> Result<Report> {
    let angles = (1..7).map(|k| f64::from(k) * 0.24);
    let around = |sign: f64| {
        angles
            .clone()
            .flat_map(move |a| [DVec3::new(sign * a.cos(), a.sin(), 0.0), DVec3::new(0.0, a.sin(), sign * a.cos())])
    };
    let mut start = vec![DVec3::new(0.0, 1.0, 0.02).normalize()];
    start.extend(around(1.0).chain(around(-1.0)));
    let (l, orientation) = spin(device, &start, n)?;

    let energy = |l: DVec3| 0.5 * l.dot(l / INERTIA);
    let at = |body: usize, step: usize| l[[body, step]];
    let off = |of: &dyn Fn(usize) -> f64| (0..start.len()).map(of).fold(0.0, f64::max);
    Ok(Report {
        picture: Picture::beside(&[sphere(&start, &l), flips(&l)]),
        numbers: vec![
            ("period of the first body", measured(&l)),
            ("by elliptic functions", period(start[0])),
            ("largest drift of an energy", off(&|body| (energy(at(body, n - 1)) / energy(start[body]) - 1.0).abs())),
            (
                "largest drift of a momentum in space",
                off(&|body| (orientation[body] * at(body, n - 1)).distance(start[body])),
            ),
        ],
    })
}

/// The mean time from one fall of the second component through zero to the next.
fn measured(l: &Array2<DVec3>) -> f64 {
    let falls: Vec<f64> = (1..l.shape()[1])
        .map(|k| (k as f64, l[[0, k - 1]].y, l[[0, k]].y))
        .filter(|(_, before, after)| *before > 0.0 && *after <= 0.0)
        .map(|(k, before, after)| DT * (k - after / (after - before)))
        .collect();
    match falls[..] {
        [first, .., last] => (last - first) / (falls.len() - 1) as f64,
        _ => f64::NAN,
    }
}

/// The ways of the angular momenta, in the frame of the body. The middle axis points to the viewer.
fn sphere(start: &[DVec3], l: &Array2<DVec3>) -> Picture {
    const SIZE: f64 = 520.0;
    let toward = DVec3::new(0.45, 0.8, 0.4).normalize();
    let right = toward.cross(DVec3::Z).normalize();
    let up = right.cross(toward);
    let at = |p: DVec3| DVec2::splat(0.5 * SIZE) + 0.47 * SIZE * DVec2::new(-p.dot(right), -p.dot(up));
    let mut picture = Picture::new(SIZE as usize, SIZE as usize, PAPER);
    picture.disc(at(DVec3::ZERO), 0.47 * SIZE, rgb(0xf1f4f6));
    for (body, start) in start.iter().enumerate().skip(1).chain([(0, &start[0])]) {
        let side = start.x.abs() - start.z.abs();
        let color = if body == 0 { INK } else { ramp(&SIGNED, 0.5 + 0.2 * side.signum() + 0.3 * side) };
        let steps = (1.2 * period(*start) / DT) as usize;
        let path: Vec<DVec3> = (0..l.shape()[1].min(steps)).step_by(4).map(|k| l[[body, k]]).collect();
        for ends in path.windows(2).filter(|ends| ends[0].dot(toward) > 0.0) {
            picture.line(at(ends[0]), at(ends[1]), if body == 0 { 5.0 } else { 3.0 }, color);
        }
    }
    picture.reduced(2)
}

/// The components of the angular momentum of the first body over time.
fn flips(l: &Array2<DVec3>) -> Picture {
    let time = l.shape()[1] as f64 * DT;
    let mut plot = Plot::new(700, 520, 0.0..time, -1.1..1.1, DVec2::new(10.0, 0.5));
    for axis in [0, 2, 1] {
        let points = (0..l.shape()[1]).step_by(5).map(|k| DVec2::new(k as f64 * DT, l[[0, k]][axis]));
        plot.curve(points, 5.0, CURVES[axis]);
    }
    plot.into_picture().reduced(2)
}

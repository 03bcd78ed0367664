//! A cloth falls on a ball: masses and springs, with symplectic Euler steps.
//!
//! Each mass is joined to its neighbours along the threads and along the diagonals, and to the next but one along the
//! threads, which resists bending (Provot, "Deformation constraints in a mass-spring model", 1995). The cloth is 1 wide
//! and starts 0.75 above the floor, and a mass is 1.

use crate::plot::{Picture, rgb};
use crate::report::{Report, Result, array2};
use crate::surface::{Camera, Scene, grid, sphere};
use kernel_rt::prelude::*;

/// The acceleration of gravity.
pub const GRAVITY: f32 = 3.0;
/// The radius of the ball, which lies on the floor.
pub const RADIUS: f32 = 0.3;
/// The speed of a wave in the cloth. With it the stiffness of a spring does not depend on the number of masses.
const WAVE: f32 = 8.0;

/// Springs, their friction, and gravity change velocities.
#[kernel]
fn pull(dt: f32, wave: f32, gravity: f32, x: &Array2<Vec3>, v: &Array2<Vec3>, next: &mut Array2<Vec3>) {
    let (i, j) = tid2();
    let spacing = 1.0 / (x.shape()[0] as f32 - 1.0);
    let rate = wave / spacing;
    let mut force = Vec3::new(0.0, -gravity, 0.0);
    for a in i.saturating_sub(2)..(i + 3).min(x.shape()[0]) {
        for b in j.saturating_sub(2)..(j + 3).min(x.shape()[1]) {
            let square = a.abs_diff(i) * a.abs_diff(i) + b.abs_diff(j) * b.abs_diff(j);
            if square == 1 || square == 2 || square == 4 {
                let along = x[[a, b]] - x[[i, j]];
                let rest = spacing * (square as f32).sqrt();
                force += rate * rate * (1.0 - rest / along.length()) * along + 0.1 * rate * (v[[a, b]] - v[[i, j]]);
            }
        }
    }
    next[[i, j]] = v[[i, j]] + dt * force;
}

/// Moves the masses. A ball on the floor keeps them outside, and holds them by friction.
#[kernel]
fn advance(dt: f32, radius: f32, v: &mut Array2<Vec3>, x: &mut Array2<Vec3>) {
    let (i, j) = tid2();
    let center = Vec3::new(0.0, radius, 0.0);
    let arm = x[[i, j]] + dt * v[[i, j]] - center;
    let normal = arm / arm.length();
    let inwards = v[[i, j]].dot(normal);
    if arm.length() < radius && inwards < 0.0 {
        v[[i, j]] = (1.0 - 4.0 * dt) * (v[[i, j]] - inwards * normal);
    }
    x[[i, j]] = center + arm.length().max(radius) * normal;
}

/// The cloth of `n` by `n` masses after this time: the places of the masses.
pub fn fall(device: &Device, n: usize, time: f32) -> Result<Array2<Vec3>> {
    let spacing = 1.0 / (n as f32 - 1.0);
    let dt = 0.2 * spacing / WAVE;
    // Turned a little, so that the corners do not fall alike.
    let start = |i, j| Quat::from_rotation_y(0.3) * Vec3::new(i as f32 * spacing - 0.5, 0.75, j as f32 * spacing - 0.5);
    let x = device.array_from_nd(&array2([n, n], start)?)?;
    let (mut v, mut next) = (device.zeros_nd([n, n])?, device.zeros_nd([n, n])?);
    for _ in 0..(time / dt) as usize {
        pull::launch(device, [n, n], (dt, WAVE, GRAVITY, &x, &v, &next))?;
        std::mem::swap(&mut v, &mut next);
        // The ball is a little larger than its picture: the cloth has a thickness.
        advance::launch(device, [n, n], (dt, 1.02 * RADIUS, &v, &x))?;
    }
    Ok(x.to_array()?)
}

/// Shows three moments of the fall of a cloth of `n` by `n` masses.
pub fn run(device: &Device, n: usize) -> Result<Report> {
    let (early, middle, x) = (fall(device, n, 0.45)?, fall(device, n, 0.75)?, fall(device, n, 2.0)?);
    let threads = (0..n).flat_map(|i| (1..n).flat_map(move |j| [([i, j - 1], [i, j]), ([j - 1, i], [j, i])]));
    let stretch = threads.map(|(a, b)| (x[a].distance(x[b]) * (n as f32 - 1.0) - 1.0).abs());
    let height = |x: &Array2<Vec3>| f64::from(x.as_slice().iter().map(|x| x.y).sum::<f32>()) / x.len() as f64;
    let center = Vec3::new(0.0, RADIUS, 0.0);
    let closest = x.as_slice().iter().map(|x| x.distance(center)).fold(f32::INFINITY, f32::min);
    Ok(Report {
        picture: Picture::beside(&[draw(&early, n), draw(&middle, n), draw(&x, n)]),
        numbers: vec![
            ("mean height at the start", 0.75),
            ("mean height at the end", height(&x)),
            ("largest stretch of a thread", stretch.fold(0.0, f32::max).into()),
            ("least distance from the ball", (closest - RADIUS).into()),
        ],
    })
}

fn draw(x: &Array2<Vec3>, n: usize) -> Picture {
    let camera = Camera { eye: DVec3::new(1.6, 1.35, 2.4), target: DVec3::new(0.0, 0.32, 0.0), zoom: 0.42 };
    let sky = Picture::from_fn(500, 500, |_, y| rgb(0xf4f6f8).lerp(rgb(0xc9d4de), y as f32 / 500.0));
    let mut scene = Scene::new(camera, sky);
    let (ball, faces) = sphere(DVec3::new(0.0, RADIUS.into(), 0.0), RADIUS.into());
    scene.add(&ball, &faces, |_, _| rgb(0x8d99a6));
    let vertices: Vec<DVec3> = x.as_slice().iter().map(|x| x.map(f64::from)).collect();
    let check = (n - 1).div_ceil(8);
    scene.add(&vertices, &grid(n, n, [false, false]), |face, is_front| {
        let (row, column) = (face / 2 / (n - 1), face / 2 % (n - 1));
        match (is_front, (row / check + column / check) % 2) {
            (true, 0) => rgb(0xd1495b),
            (true, _) => rgb(0xf6e7d8),
            (false, _) => rgb(0xb08a7e),
        }
    });
    scene.into_picture().reduced(2)
}

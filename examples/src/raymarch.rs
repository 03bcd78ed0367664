//! Marches rays through a scene that is given by a distance, and takes the normals of its surfaces from the adjoint of
//! that distance (Hart, "Sphere tracing", 1996).

use crate::plot::Picture;
use crate::report::{Report, Result};
use kernel_rt::prelude::*;

/// The smaller of two distances, with a rounded edge of this width.
#[device]
fn smooth_min(a: f32, b: f32, width: f32) -> f32 {
    let overlap = (width - (a - b).abs()).max(0.0) / width;
    a.min(b) - 0.25 * width * overlap * overlap
}

/// The place in the frame of the ring, which is tilted around the axis x.
#[device]
fn tilt(p: Vec3) -> Vec3 {
    Vec3::new(p.x, 0.94 * (p.y - 0.85) + 0.34 * p.z, 0.94 * p.z - 0.34 * (p.y - 0.85))
}

/// The distance from a ring in the plane y = 0.
#[device]
fn ring(p: Vec3, radius: f32, thickness: f32) -> f32 {
    Vec2::new(Vec2::new(p.x, p.z).length() - radius, p.y).length() - thickness
}

/// The distance from the nearest surface: three balls that melt into each other, a ring around them, and a floor.
#[device]
pub fn scene(p: Vec3) -> f32 {
    let balls = smooth_min(
        smooth_min(
            (p - Vec3::new(0.0, 0.95, 0.0)).length() - 0.62,
            (p - Vec3::new(-0.62, 0.42, 0.25)).length() - 0.42,
            0.35,
        ),
        (p - Vec3::new(0.55, 0.36, 0.45)).length() - 0.36,
        0.35,
    );
    balls.min(ring(tilt(p), 1.05, 0.09)).min(p.y)
}

/// How far a ray goes until it meets a surface; 30 or more if it meets none.
#[device]
fn travel(from: Vec3, along: Vec3) -> f32 {
    let mut t = 0.0;
    for _ in 0..200 {
        let d = scene(from + t * along);
        if d < 0.0005 || t > 30.0 {
            return t;
        }
        t += d;
    }
    t
}

/// The points that the rays of the pixels meet.
#[kernel(no_grad)]
fn march(eye: Vec3, right: Vec3, up: Vec3, forward: Vec3, hit: &mut Array2<Vec3>) {
    let (i, j) = tid2();
    let height = hit.shape()[0] as f32;
    let x = (j as f32 + 0.5 - 0.5 * hit.shape()[1] as f32) / height;
    let y = 0.5 - (i as f32 + 0.5) / height;
    let along = (forward + x * right + y * up).normalize();
    hit[[i, j]] = eye + travel(eye, along) * along;
}

/// The distances at points. Its adjoint makes normals.
#[kernel]
fn measure(p: &Array2<Vec3>, d: &mut Array2<f32>) {
    let (i, j) = tid2();
    d[[i, j]] = scene(p[[i, j]]);
}

/// The sky in a direction.
#[device]
fn sky(along: Vec3) -> Vec3 {
    let up = along.y.max(0.0).sqrt();
    Vec3::new(0.92, 0.90, 0.86) + up * (Vec3::new(0.28, 0.46, 0.70) - Vec3::new(0.92, 0.90, 0.86))
}

/// Light of a sun with soft shadows, of the sky, and of a mirror image.
#[kernel(no_grad)]
fn shade(eye: Vec3, sun: Vec3, hit: &Array2<Vec3>, normal: &Array2<Vec3>, image: &mut Array2<Vec3>) {
    let (i, j) = tid2();
    let p = hit[[i, j]];
    let n = normal[[i, j]];
    let along = (p - eye).normalize();
    if (p - eye).length() >= 30.0 {
        image[[i, j]] = sky(along);
        return;
    }
    let mut color = Vec3::new(0.78, 0.25, 0.20);
    if p.y < 0.01 {
        let is_light = (p.x.floor() + p.z.floor()).rem_euclid(2.0) < 0.5;
        color = if is_light { Vec3::splat(0.75) } else { Vec3::new(0.30, 0.36, 0.42) };
    } else if ring(tilt(p), 1.05, 0.09) < 0.002 {
        color = Vec3::new(0.93, 0.68, 0.24);
    }
    // The closer a ray to the sun passes by a surface, the darker (Quilez, "Soft shadows in raymarched SDFs").
    let mut lit: f32 = 1.0;
    let mut t: f32 = 0.03;
    for _ in 0..60 {
        let d = scene(p + t * sun);
        lit = lit.min(12.0 * d / t);
        t += d.clamp(0.01, 0.2);
    }
    let open = (scene(p + 0.25 * n) / 0.25).clamp(0.2, 1.0);
    let light = lit.max(0.0) * n.dot(sun).max(0.0) * Vec3::new(1.15, 1.05, 0.90) + 0.35 * open * sky(n);
    let mirrored = along - 2.0 * along.dot(n) * n;
    let fresnel = 0.04 + 0.5 * (1.0 + along.dot(n)).clamp(0.0, 1.0).powi(5);
    let fog = (-0.0025 * (p - eye).dot(p - eye)).exp();
    let surface = color * light + fresnel * sky(mirrored);
    image[[i, j]] = sky(along) + fog * (surface - sky(along));
}

/// The normals at points: the gradient of the distance.
pub fn normals(device: &Device, points: &DeviceArray<Vec3, 2>) -> Result<DeviceArray<Vec3, 2>> {
    let (d, one) = (device.zeros_nd(points.shape())?, device.zeros_nd(points.shape())?);
    one.fill(1.0)?;
    let tape = Tape::new(device);
    measure::launch(&tape, points.shape(), (points, &d))?;
    tape.backward_from(&[Seed::new(&d, &one)?])?;
    Ok(tape.gradient(points)?)
}

/// The scene in `height` rows of pixels, and the normals that it needs.
pub fn render(device: &Device, height: usize) -> Result<[Array2<Vec3>; 2]> {
    let shape = [height, height * 3 / 2];
    let eye = Vec3::new(1.3, 1.7, 4.4);
    let forward = (Vec3::new(0.0, 0.62, 0.0) - eye).normalize();
    let right = forward.cross(Vec3::Y).normalize();
    let up = right.cross(forward);
    let (hit, image) = (device.zeros_nd(shape)?, device.zeros_nd(shape)?);
    march::launch(device, shape, (eye, right, up, 1.7 * forward, &hit))?;
    let normal = normals(device, &hit)?;
    shade::launch(device, shape, (eye, Vec3::new(0.55, 0.65, 0.52).normalize(), &hit, &normal, &image))?;
    Ok([image.to_array()?, normal.to_array()?])
}

/// Renders `n` rows of pixels, each from four rays.
pub fn run(device: &Device, n: usize) -> Result<Report> {
    let [image, normal] = render(device, 2 * n)?;
    let uneven = normal.as_slice().iter().map(|n| (n.length() - 1.0).abs());
    Ok(Report {
        picture: Picture::from_fn(3 * n, 2 * n, |x, y| image[[y, x]]).reduced(2),
        numbers: vec![
            ("rays", image.len() as f64),
            ("mean difference of the length of a normal from 1", f64::from(uneven.sum::<f32>()) / image.len() as f64),
        ],
    })
}

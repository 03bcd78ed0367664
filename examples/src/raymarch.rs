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

/// The distance from a ring in the plane y = 0.
#[device]
fn ring(p: Vec3, radius: f32, thickness: f32) -> f32 {
    Vec2::new(Vec2::new(p.x, p.z).length() - radius, p.y).length() - thickness
}

/// The distance from the nearest surface: three balls that melt into each other, a ring around them, and a floor.
#[device]
pub fn distance(p: Vec3) -> f32 {
    let balls = smooth_min(
        smooth_min((p - Vec3::new(0.0, 0.95, 0.0)).length() - 0.62, (p - Vec3::new(-0.62, 0.42, 0.25)).length() - 0.42, 0.35),
        (p - Vec3::new(0.55, 0.36, 0.45)).length() - 0.36,
        0.35,
    );
    // The ring is tilted.
    let q = Vec3::new(p.x, 0.94 * (p.y - 0.85) + 0.34 * p.z, 0.94 * p.z - 0.34 * (p.y - 0.85));
    balls.min(ring(q, 1.05, 0.09)).min(p.y)
}

/// How far a ray goes until it meets a surface; 30 if it meets none.
#[device]
fn travel(from: Vec3, along: Vec3) -> f32 {
    let mut t = 0.02;
    for _ in 0..160 {
        let d = distance(from + t * along);
        t += d;
        if d < 0.0005 || t > 30.0 {
            return t;
        }
    }
    t
}

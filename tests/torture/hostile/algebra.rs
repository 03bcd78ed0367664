//! Torture: vectors, matrices and quaternions. Singular inverses, directions of zero vectors, angles at the edge of a
//! domain.

use super::{Hostile, hostile};
use kernel_rt::prelude::*;

#[kernel(family = "torture")]
fn unused_inverse(
    #[domain(0.5..1.5)]
    #[shape(2)]
    c: &[Vec2],
    y: &mut [f32],
) {
    let i = tid();
    let m = Mat2::from_cols(c[0], Vec2::new(-c[1].x, c[1].y));
    let solved = m.inverse() * c[1];
    y[i] = if m.determinant().abs() > 0.5 { solved.x } else { c[0].x * c[1].y };
}

#[kernel(family = "torture")]
fn unused_inverse_f64(
    #[domain(0.1..0.3)]
    #[shape(3)]
    c: &[DVec3],
    y: &mut [f64],
) {
    let i = tid();
    let m = DMat3::from_cols(c[0] + DVec3::X, c[1] + DVec3::Y, c[2] + DVec3::Z);
    let solved = m.inverse() * c[0];
    y[i] = if m.determinant().abs() > 0.1 { solved.x } else { c[0].x * c[1].y };
}

#[kernel(family = "torture")]
fn guarded_normal(
    #[domain(0.5..1.5)]
    #[shape(2)]
    v: &[Vec3],
    y: &mut [f32],
) {
    let i = tid();
    let normal = v[0].normalize();
    y[i] = if v[0].length() > 0.25 { normal.dot(v[1]) } else { v[0].x * v[1].y + v[1].z };
}

#[kernel(family = "torture")]
fn guarded_direction(
    #[domain(0.5..1.5)]
    #[shape(2)]
    v: &[DVec2],
    y: &mut [f64],
) {
    let i = tid();
    let offset = v[1] - v[0];
    let direction = offset / offset.dot(offset).sqrt();
    y[i] = if offset.dot(offset) > 0.1 { direction.x } else { v[0].dot(v[1]) };
}

/// Rotates by a quaternion that is normalised, unless it is zero.
#[kernel(family = "torture")]
fn guarded_quaternion(
    #[domain(0.5..1.5)]
    #[shape(1)]
    q: &[Quat],
    y: &mut [f32],
) {
    let i = tid();
    let unit = q[0].normalize();
    y[i] = if q[0].length_squared() > 0.1 { unit.x * unit.w } else { q[0].x + 2.0 * q[0].w };
}

/// The rotation vector of a quaternion: at the identity, its axis is 0 / 0.
#[kernel(family = "torture")]
fn rotation_vector(
    #[domain(0.3..0.6)]
    #[shape(1)]
    q: &[DQuat],
    y: &mut [f64],
) {
    let i = tid();
    let sine = (1.0 - q[0].w * q[0].w).sqrt();
    let angle = 2.0 * q[0].w.acos();
    let part = q[0].x / sine * angle;
    y[i] = if sine > 0.1 { part } else { 2.0 * q[0].x + q[0].y };
}

/// Interpolates between two rotations along the arc; between equal ones the formula is 0 / 0.
#[kernel(family = "torture")]
fn slerp(
    #[domain(0.2..0.5)]
    #[shape(2)]
    q: &[DQuat],
    y: &mut [f64],
) {
    let i = tid();
    let cosine = q[0].dot(q[1]);
    let angle = cosine.acos();
    let along = q[0] * ((0.75 * angle).sin() / angle.sin()) + q[1] * ((0.25 * angle).sin() / angle.sin());
    let straight = q[0] * 0.75 + q[1] * 0.25;
    y[i] = if cosine > 0.9 { straight.x + straight.w } else { along.x };
}

/// The angle between two directions, used unless they are parallel.
#[kernel(family = "torture")]
fn angle_of_parallels(
    #[domain(0.3..0.5)]
    #[shape(2)]
    v: &[Vec3],
    y: &mut [f32],
) {
    let i = tid();
    let cosine = v[0].dot(v[1]);
    let angle = cosine.acos();
    y[i] = if cosine < 0.9 { angle } else { v[0].cross(v[1]).z + cosine };
}

/// Components that nothing reads are not finite.
#[kernel(family = "torture")]
fn one_component_of_a_cross_product(
    #[domain(0.5..1.5)]
    #[shape(2)]
    v: &[DVec3],
    y: &mut [f64],
) {
    let i = tid();
    y[i] = v[0].cross(v[1]).x;
}

#[kernel(family = "torture")]
fn one_row_of_a_product(
    #[domain(0.5..1.5)]
    #[shape(3)]
    c: &[Vec2],
    y: &mut [f32],
) {
    let i = tid();
    y[i] = (Mat2::from_cols(c[0], c[1]) * c[2]).y;
}

#[kernel(family = "torture")]
fn projection_on_nothing(
    #[domain(0.5..1.5)]
    #[shape(2)]
    v: &[Vec2],
    y: &mut [f32],
) {
    let i = tid();
    let part = v[0].dot(v[1]) / v[1].dot(v[1]);
    let projected = v[1] * part;
    y[i] = if v[1].length_squared() > 0.1 { projected.x } else { v[0].x * v[0].y };
}

/// Coordinates in a triangle without an area.
#[kernel(family = "torture")]
fn barycentric(
    #[domain(0.5..1.5)]
    #[shape(3)]
    v: &[DVec2],
    y: &mut [f64],
) {
    let i = tid();
    let area = v[0].x * v[1].y - v[0].y * v[1].x;
    let scale = 1.0 / area;
    let first = (v[2].x * v[1].y - v[2].y * v[1].x) * scale;
    y[i] = if area.abs() > 0.1 { first } else { v[2].x * v[2].y };
}

/// The half-way vector of two opposite directions.
#[kernel(family = "torture")]
fn half_way(
    #[domain(0.5..1.5)]
    #[shape(2)]
    v: &[Vec3],
    y: &mut [f32],
) {
    let i = tid();
    let sum = v[0] + v[1];
    let specular = sum.normalize().x;
    y[i] = if sum.length_squared() > 0.1 { specular } else { v[0].y * v[1].y };
}

/// Refraction beyond the angle of total reflection: the root of a negative number.
#[kernel(family = "torture")]
fn total_reflection(
    #[domain(0.5..0.9)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let k = 1.0 - x[0] * x[0] * (1.0 - x[1] * x[1]);
    let refracted = x[0] * x[1] - k.sqrt();
    y[i] = if k > 0.0 { refracted } else { x[0] * x[1] };
}

/// The square of the length of a vector that is zero.
#[kernel(family = "torture")]
fn square_of_a_length(
    #[domain(0.5..1.5)]
    #[shape(1)]
    v: &[Vec3],
    y: &mut [f32],
) {
    let i = tid();
    let length = v[0].length();
    y[i] = length * length;
}

/// A spring between two points that coincide.
#[kernel(family = "torture")]
fn cube_of_a_distance(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let r = (x[0] * x[0] + x[1] * x[1]).sqrt();
    y[i] = r * r * r;
}

pub(super) fn cases() -> Vec<Hostile> {
    const INFINITY: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    vec![
        hostile("unused_inverse", "inverse of a singular 2x2 matrix").with("c", &[3.0, 6.0, -2.0, 4.0]),
        hostile("unused_inverse_f64", "inverse of a singular 3x3 matrix, f64")
            .with("c", &[0.0, 2.0, 3.0, 0.0, -1.0, 0.0, 0.5, 0.25, 0.0]),
        hostile("guarded_normal", "`normalize` of zero behind a guard").with("v", &[0.0, 0.0, 0.0, 2.0, 3.0, 5.0]),
        hostile("guarded_direction", "direction between equal points behind a guard, f64")
            .with("v", &[2.0, 3.0, 2.0, 3.0]),
        hostile("guarded_quaternion", "`normalize` of a zero quaternion").with("q", &[0.0, 0.0, 0.0, 0.0]),
        hostile("rotation_vector", "rotation vector at the identity, f64").with("q", &[0.0, 0.0, 0.0, 1.0]),
        hostile("slerp", "slerp between equal quaternions, f64").with("q", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]),
        hostile("angle_of_parallels", "`acos` of 1, used below it").with("v", &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
        hostile("one_component_of_a_cross_product", "component of a cross product beside NaN, f64")
            .with("v", &[NAN, 2.0, 3.0, INFINITY, 5.0, 7.0]),
        hostile("one_row_of_a_product", "row of a matrix times a vector beside infinity")
            .with("c", &[INFINITY, 2.0, NAN, 3.0, 5.0, 7.0]),
        hostile("projection_on_nothing", "projection on a zero vector").with("v", &[2.0, 3.0, 0.0, 0.0]),
        hostile("barycentric", "coordinates in a flat triangle, f64").with("v", &[1.0, 2.0, 2.0, 4.0, 3.0, 5.0]),
        hostile("half_way", "`normalize` of a sum that vanishes").with("v", &[1.0, 2.0, 3.0, -1.0, -2.0, -3.0]),
        hostile("total_reflection", "root of a negative number in refraction").with("x", &[1.5, 0.25]),
        hostile("square_of_a_length", "square of the length of a zero vector").with("v", &[0.0, 0.0, 0.0]),
        hostile("cube_of_a_distance", "cube of a distance by `sqrt` at 0, f64").with("x", &[0.0, 0.0]),
    ]
}

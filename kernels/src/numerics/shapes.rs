//! Shapes, surfaces and lights, with the decompositions and the sequences of the library. The kernels belong to the families
//! of what they compute with.

use kernel_rt::library::*;
use kernel_rt::prelude::*;

/// Shape matching, one cluster of particles a thread: the rotation that takes the shape at rest nearest to the particles, and
/// the places that it gives them, to which a simulation pulls them.
///
/// Source: M. Müller and others, "Meshless deformations based on shape matching", 2005.
#[kernel(family = "matrix")]
pub fn match_shapes(
    #[domain(4..9)] count: usize,
    #[shape(count)]
    #[domain(-1.0..1.0)]
    rest: &[Vec3],
    #[shape(dim0, count)]
    #[domain(-0.3..0.3)]
    moved: &Array2<Vec3>,
    rotations: &mut [Mat3],
    #[shape(dim0, count)] goals: &mut Array2<Vec3>,
) {
    let i = tid();
    let (mut rest_center, mut center) = (Vec3::ZERO, Vec3::ZERO);
    for k in 0..count {
        rest_center += rest[k] / count as f32;
        center += (rest[k] + moved[[i, k]]) / count as f32;
    }
    let mut covariance = Mat3::ZERO;
    for k in 0..count {
        covariance += (rest[k] + moved[[i, k]] - center).outer(rest[k] - rest_center);
    }
    let (rotation, _) = polar3(covariance);
    rotations[i] = rotation;
    for k in 0..count {
        goals[[i, k]] = center + rotation * (rest[k] - rest_center);
    }
}

/// Forces of elastic tetrahedra on their corners, by the corotated model: the stress is 2μ·(F - R) + λ·tr(Rᵀ·F - 1)·R, where R
/// is the rotation in the deformation F.
#[kernel(family = "atomic")]
pub fn corotated_forces(
    #[domain(1.0..10.0)] mu: f32,
    #[domain(1.0..10.0)] lambda: f32,
    #[domain(-0.2..0.2)] strain: &[Mat3],
    #[domain(0.1..1.0)] volume: &[f32],
    #[shape(dim0 + 3)]
    #[domain(-0.1..0.1)]
    moved: &[Vec3],
    #[shape(dim0 + 3)] forces: &mut [Vec3],
) {
    let i = tid();
    // The edges at rest are the axes, a little strained.
    let rest = Mat3::IDENTITY + strain[i];
    let edges = rest + Mat3::from_cols(moved[i + 1] - moved[i], moved[i + 2] - moved[i], moved[i + 3] - moved[i]);
    let to_rest = rest.inverse();
    let deformation = edges * to_rest;
    let (rotation, stretch) = polar3(deformation);
    let stress = (deformation - rotation) * (2.0 * mu) + rotation * (lambda * (stretch.trace() - 3.0));
    let pull = stress * to_rest.transpose() * -volume[i];
    atomic_add(&mut forces[i + 1], pull.x_axis);
    atomic_add(&mut forces[i + 2], pull.y_axis);
    atomic_add(&mut forces[i + 3], pull.z_axis);
    atomic_sub(&mut forces[i], pull.x_axis + pull.y_axis + pull.z_axis);
}

/// Normals of a scanned surface, one patch a thread: the direction in which the points of the patch spread least, and the
/// part of the spread along it, which is the roughness.
#[kernel(family = "matrix")]
pub fn patch_normals(
    #[domain(6..12)] count: usize,
    #[shape(dim0, count)]
    #[domain(-1.0..1.0)]
    places: &Array2<Vec2>,
    #[shape(dim0, count)]
    #[domain(-0.1..0.1)]
    heights: &Array2<f32>,
    normals: &mut [Vec3],
    roughness: &mut [f32],
) {
    let i = tid();
    let mut center = Vec3::ZERO;
    for k in 0..count {
        center += places[[i, k]].extend(heights[[i, k]]) / count as f32;
    }
    let mut covariance = Mat3::ZERO;
    for k in 0..count {
        let arm = places[[i, k]].extend(heights[[i, k]]) - center;
        covariance += arm.outer(arm);
    }
    let (axes, spread) = eig3(covariance);
    normals[i] = if axes.z_axis.z < 0.0 { -axes.z_axis } else { axes.z_axis };
    roughness[i] = spread.z / spread.element_sum();
}

/// The parabola c₀ + c₁·x + c₂·x² through the measurements of each thread, by least squares with a small penalty on large
/// coefficients, and what is left of the measurements.
#[kernel(family = "nested_loop")]
pub fn fit_parabolas(
    #[domain(4..10)] count: usize,
    #[shape(count)]
    #[domain(-1.0..1.0)]
    x: &[f32],
    #[shape(dim0, count)]
    #[domain(-2.0..2.0)]
    y: &Array2<f32>,
    #[domain(0.01..0.1)] penalty: f32,
    coefficients: &mut [Vec3],
    residuals: &mut [f32],
) {
    let i = tid();
    let mut normal = Mat3::from_diagonal(Vec3::splat(penalty));
    let mut right = Vec3::ZERO;
    for k in 0..count {
        let powers = Vec3::new(1.0, x[k], x[k] * x[k]);
        normal += powers.outer(powers);
        right += powers * y[[i, k]];
    }
    let c = cholesky_solve(normal, right);
    coefficients[i] = c;
    let mut left = 0.0;
    for k in 0..count {
        let apart = c.dot(Vec3::new(1.0, x[k], x[k] * x[k])) - y[[i, k]];
        left += apart * apart;
    }
    residuals[i] = left;
}

/// The light of a sky on surfaces: the mean over directions of low discrepancy, of which the brightest is that of the sun.
#[kernel(family = "loop")]
pub fn sky_light(
    #[domain(8..24)] samples: u32,
    #[domain(-1.0..1.0)] sun: Vec3,
    #[domain(0.5..3.0)] sharpness: f32,
    #[domain(-1.0..1.0)] normals: &[Vec3],
    light: &mut [f32],
) {
    let i = tid();
    let (normal, to_sun) = (normals[i].normalize_or_zero(), sun.normalize_or_zero());
    let mut sum = 0.0;
    for k in 0..samples {
        let height = 1.0 - 2.0 * halton(k + 1, 2);
        let (sin, cos) = sin_cos(std::f32::consts::TAU * halton(k + 1, 3));
        let across = (1.0 - height * height).sqrt();
        let direction = Vec3::new(across * cos, across * sin, height);
        let brightness = (sharpness * (direction.dot(to_sun) - 1.0)).exp();
        sum += brightness * direction.dot(normal).max(0.0);
    }
    light[i] = sum * 4.0 / samples as f32;
}

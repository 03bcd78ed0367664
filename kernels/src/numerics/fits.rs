//! Fits: rotations and motions between clouds of points.

use kernel_rt::prelude::*;

/// The cosine and the sine of the rotation that makes two columns orthogonal, for their squares and their product.
#[device]
fn jacobi_rotation(first: f64, second: f64, product: f64) -> (f64, f64) {
    if product.abs() < 1e-14 {
        return (1.0, 0.0);
    }
    let zeta = 0.5 * (second - first) / product;
    let tangent = 1.0f64.copysign(zeta) / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    (cosine, cosine * tangent)
}

/// The rigid motion that brings a cloud of points closest to another one, one pair of clouds a thread: the rotation is V·D·Uᵀ of
/// the covariance U·S·Vᵀ (Kabsch, 1976), and D keeps it from being a reflection. The singular values come from one-sided
/// rotations after Jacobi (Hestenes, 1958). `error` is the mean square of the distances that are left.
#[kernel(family = "matrix")]
pub fn align_clouds(
    #[domain(5..12)] points: usize,
    #[shape(dim0, points)]
    #[domain(-1.0..1.0)]
    from: &Array2<DVec3>,
    #[shape(dim0, points)]
    #[domain(-1.0..1.0)]
    noise: &Array2<DVec3>,
    rotation: &mut [DMat3],
    shift: &mut [DVec3],
    error: &mut [f64],
) {
    let i = tid();
    let count = points as f64;
    let stretch = DVec3::new(1.0, 1.5, 2.0);
    let mut mean_from = DVec3::ZERO;
    let mut mean_to = DVec3::ZERO;
    for k in 0..points {
        mean_from += from[[i, k]] / count;
        mean_to += (from[[i, k]] * stretch + noise[[i, k]] * 0.2) / count;
    }
    // The columns of `u` become orthogonal: covariance · v = u.
    let mut u = DMat3::ZERO;
    for k in 0..points {
        let target = from[[i, k]] * stretch + noise[[i, k]] * 0.2 - mean_to;
        u += (from[[i, k]] - mean_from).outer(target);
    }
    let mut v = DMat3::IDENTITY;
    for _ in 0..6 {
        for p in 0..2 {
            for q in p + 1..3 {
                let a = u.col(p);
                let b = u.col(q);
                let (cosine, sine) = jacobi_rotation(a.length_squared(), b.length_squared(), a.dot(b));
                *u.col_mut(p) = a * cosine - b * sine;
                *u.col_mut(q) = a * sine + b * cosine;
                let (c, d) = (v.col(p), v.col(q));
                *v.col_mut(p) = c * cosine - d * sine;
                *v.col_mut(q) = c * sine + d * cosine;
            }
        }
    }
    // The columns of `u` are as long as the singular values.
    let mut weakest = 0;
    let mut least = u.col(0).length();
    for axis in 0..3 {
        let value = u.col(axis).length();
        if value < least {
            least = value;
            weakest = axis;
        }
        *u.col_mut(axis) = u.col(axis).normalize_or_zero();
    }
    // A reflection is undone along the axis that matters least.
    let mut turn = v * u.transpose();
    if turn.determinant() < 0.0 {
        *u.col_mut(weakest) = -u.col(weakest);
        turn = v * u.transpose();
    }
    let moved = mean_to - turn * mean_from;
    let mut squares = 0.0;
    for k in 0..points {
        let target = from[[i, k]] * stretch + noise[[i, k]] * 0.2;
        squares += (turn * from[[i, k]] + moved).distance_squared(target) / count;
    }
    rotation[i] = turn;
    shift[i] = moved;
    error[i] = squares;
}

/// A step of Gauss and Newton for the motion that brings points onto surfaces ("point to plane", Chen and Medioni, 1992), one scan
/// a thread: it sums the normal equations over all pairs that lie within `gate` of each other, weighted after Huber, and solves
/// them by elimination. The step is (turn in rad, shift in m).
#[kernel(family = "reduction")]
pub fn icp_step(
    #[domain(0.3..1.0)] gate: f32,
    #[domain(0.05..0.2)] width: f32,
    #[domain(8..20)] pairs: usize,
    #[shape(dim0, pairs)]
    #[domain(-1.0..1.0)]
    points: &Array2<Vec3>,
    #[shape(dim0, pairs)]
    #[domain(-0.3..0.3)]
    offsets: &Array2<Vec3>,
    #[shape(dim0, pairs)]
    #[domain(-1.0..1.0)]
    normals: &Array2<Vec3>,
    step: &mut [Vector<f32, 6>],
    inliers: &mut [u32],
    cost: &mut [f32],
) {
    let i = tid();
    // A little damping after Levenberg keeps the equations regular.
    let mut matrix = Matrix::<f32, 6, 6>::IDENTITY * 0.1;
    let mut right = Vector::<f32, 6>::ZERO;
    let mut total = 0.0;
    let mut count = 0;
    for k in 0..pairs {
        let point = points[[i, k]];
        let offset = offsets[[i, k]];
        let size = normals[[i, k]].length();
        if size < 0.1 || offset.length() > gate {
            continue;
        }
        let normal = normals[[i, k]] / size;
        let distance = offset.dot(normal);
        let mut weight = 1.0;
        if distance.abs() > width {
            weight = width / distance.abs();
        }
        let turning = point.cross(normal);
        let row = Vector::<f32, 6>::new(turning.x, turning.y, turning.z, normal.x, normal.y, normal.z);
        matrix += row.outer(row) * weight;
        right += row * (weight * distance);
        total += weight * distance * distance;
        count += 1;
    }
    // Elimination without a choice of pivots: the matrix is positive definite.
    for p in 0..6 {
        for r in p + 1..6 {
            let factor = matrix.col(p)[r] / matrix.col(p)[p];
            for c in p..6 {
                matrix.col_mut(c)[r] -= factor * matrix.col(c)[p];
            }
            right[r] -= factor * right[p];
        }
    }
    for r in (0..6).rev() {
        for c in r + 1..6 {
            right[r] -= matrix.col(c)[r] * right[c];
        }
        right[r] /= matrix.col(r)[r];
    }
    step[i] = right;
    inliers[i] = count;
    cost[i] = total;
}

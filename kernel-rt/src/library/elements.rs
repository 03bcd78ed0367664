//! Functions of all elements of a vector or a matrix.

use crate::prelude::*;

/// The sum of the products of the elements of two matrices. Warp's sum is rounded otherwise.
#[device]
pub fn ddot<T: Float, const R: usize, const C: usize>(a: Matrix<T, R, C>, b: Matrix<T, R, C>) -> T {
    let mut sum = T::ZERO;
    for i in 0..R {
        for j in 0..C {
            sum += a.col(j)[i] * b.col(j)[i];
        }
    }
    sum
}

/// The diagonal of a matrix. Its counterpart is `from_diagonal`.
#[device(warp = "get_diag")]
pub fn get_diag<T: Float, const N: usize>(a: Matrix<T, N, N>) -> Vector<T, N> {
    let mut diagonal = a.col(0);
    for k in 0..N {
        diagonal[k] = a.col(k)[k];
    }
    diagonal
}

/// The sum of the magnitudes of the components.
#[device(warp = "norm_l1")]
pub fn norm_l1<const N: usize>(v: Vector<f32, N>) -> f32 {
    let mut sum = 0.0;
    for k in 0..N {
        sum += v[k].abs();
    }
    sum
}

/// Half the square of the length up to the length `delta`, and from there a straight line, as P. Huber's loss.
#[device(warp = "norm_huber")]
pub fn norm_huber<const N: usize>(v: Vector<f32, N>, delta: f32) -> f32 {
    let a = v.dot(v);
    if a <= delta * delta { 0.5 * a } else { delta * (a.sqrt() - 0.5 * delta) }
}

/// A smooth function like the length: `delta · √(1 + |v|² / delta²)`.
#[device(warp = "norm_pseudo_huber")]
pub fn norm_pseudo_huber<const N: usize>(v: Vector<f32, N>, delta: f32) -> f32 {
    let a = v.dot(v);
    delta * (1.0 + a / (delta * delta)).sqrt()
}

/// The vector over its `norm_pseudo_huber`, which is smooth at zero, too.
#[device(warp = "smooth_normalize")]
pub fn smooth_normalize<const N: usize>(v: Vector<f32, N>, delta: f32) -> Vector<f32, N> {
    v / norm_pseudo_huber(v, delta)
}

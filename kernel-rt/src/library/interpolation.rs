//! Interpolation between values, along curves and in tables.

use crate::prelude::*;

/// The cubic polynomial that is `a` at 0 and `b` at 1, where its slopes are `da` and `db`.
#[device]
pub fn hermite<T: Float>(a: T, da: T, b: T, db: T, t: T) -> T {
    let s = T::ONE - t;
    (a * (T::ONE + t + t) + da * t) * s * s + (b * (T::ONE + s + s) - db * s) * t * t
}

/// `hermite` of each component.
#[device]
pub fn hermite_curve<T: Float, const N: usize>(
    a: Vector<T, N>,
    da: Vector<T, N>,
    b: Vector<T, N>,
    db: Vector<T, N>,
    t: T,
) -> Vector<T, N> {
    let s = T::ONE - t;
    (a * (T::ONE + t + t) + da * t) * (s * s) + (b * (T::ONE + s + s) - db * s) * (t * t)
}

/// The curve from `b` at 0 to `c` at 1 through equally spaced values, of which `a` is the one before and `d` the one behind.
///
/// Source: E. Catmull and R. Rom, "A class of local interpolating splines", 1974.
#[device]
pub fn catmull_rom<T: Float>(a: T, b: T, c: T, d: T, t: T) -> T {
    hermite(b, (c - a) * T::lit(0.5), c, (d - b) * T::lit(0.5), t)
}

/// `catmull_rom` of each component.
#[device]
pub fn catmull_rom_curve<T: Float, const N: usize>(
    a: Vector<T, N>,
    b: Vector<T, N>,
    c: Vector<T, N>,
    d: Vector<T, N>,
    t: T,
) -> Vector<T, N> {
    hermite_curve(b, (c - a) * T::lit(0.5), c, (d - b) * T::lit(0.5), t)
}

/// The value between the four elements around row `y` and column `x`, which need not be whole. Beyond the edges the value is
/// that at the edge. The derivative by `x` and `y` is the slope of the cell.
#[device]
pub fn bilinear<T: Float>(table: &Array2<T>, y: T, x: T) -> T {
    let (rows, columns) = (table.shape()[0], table.shape()[1]);
    let (y, x) = (y.clamp(T::ZERO, T::cast(rows - 1)), x.clamp(T::ZERO, T::cast(columns - 1)));
    let (i, j) = (usize::cast(y), usize::cast(x));
    let (below, right) = ((i + 1).min(rows - 1), (j + 1).min(columns - 1));
    let (v, u) = (y - T::cast(i), x - T::cast(j));
    let top = table[[i, j]] * (T::ONE - u) + table[[i, right]] * u;
    let bottom = table[[below, j]] * (T::ONE - u) + table[[below, right]] * u;
    top * (T::ONE - v) + bottom * v
}

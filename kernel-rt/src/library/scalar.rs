//! Functions of one number.
//!
//! The polynomials of the error function were fitted for this crate, by the exchange algorithm of Remez, to relative
//! errors of 1.2e-9 (`erf(x)/x` below 1) and 8.5e-9 (`(x + 2)·exp(x²)·erfc(x)` from 0.5).

use crate::prelude::*;

/// -1 below zero, otherwise 1.
#[device(warp = "sign")]
pub fn sign<T: Float>(x: T) -> T {
    if x < T::ZERO { -T::ONE } else { T::ONE }
}

/// 1 below zero, otherwise 0.
#[device(warp = "step")]
pub fn step<T: Float>(x: T) -> T {
    if x < T::ZERO { T::ONE } else { T::ZERO }
}

/// 0 at zero, otherwise 1.
#[device(warp = "nonzero")]
pub fn nonzero<T: Float>(x: T) -> T {
    if x == T::ZERO { T::ZERO } else { T::ONE }
}

/// The part of `x` behind the point, with the sign of `x`.
#[device(warp = "frac")]
pub fn frac<T: Float>(x: T) -> T {
    x - x.trunc()
}

/// The linear interpolation `a * (1 - t) + b * t`. Of vectors it is the method `lerp`.
#[device(warp = "lerp")]
pub fn mix<T: Float>(a: T, b: T, t: T) -> T {
    a * (T::ONE - t) + b * t
}

/// The sine and the cosine of an angle in radians.
#[device]
pub fn sin_cos<T: Float>(x: T) -> (T, T) {
    (x.sin(), x.cos())
}

/// 0 below `a`, 1 above `b`, and a smooth step between them.
#[device(warp = "smoothstep")]
pub fn smoothstep<T: Float>(a: T, b: T, x: T) -> T {
    let t = ((x - a) / (b - a)).clamp(T::ZERO, T::ONE);
    t * t * (T::lit(3) - T::lit(2) * t)
}

/// The error function. Its error is below 3 units in the last place.
#[device(grad(x = erf_dx))]
pub fn erf(x: f32) -> f32 {
    let a = x.abs();
    if a < 1.0 {
        x * erf_over_x(x * x)
    } else if x < 0.0 {
        erfc_tail(a) - 1.0
    } else {
        1.0 - erfc_tail(a)
    }
}

/// The complement of the error function, 1 - erf(x), which keeps its digits where erf(x) is near 1. Its error is below 5
/// units in the last place.
#[device(grad(x = erfc_dx))]
pub fn erfc(x: f32) -> f32 {
    let a = x.abs();
    if a < 0.5 {
        1.0 - x * erf_over_x(x * x)
    } else if x < 0.0 {
        2.0 - erfc_tail(a)
    } else {
        erfc_tail(a)
    }
}

/// The number whose error function is `x`, from -1 to 1: at the ends infinite, and outside NaN.
#[device(grad(x = erfinv_dx))]
pub fn erfinv(x: f32) -> f32 {
    root_of_erf(x)
}

#[device]
fn erf_dx(x: f32, adj: f32) -> f32 {
    adj * (std::f32::consts::FRAC_2_SQRT_PI * gaussian(x))
}

#[device]
fn erfc_dx(x: f32, adj: f32) -> f32 {
    adj * (-std::f32::consts::FRAC_2_SQRT_PI * gaussian(x))
}

#[device]
fn erfinv_dx(x: f32, adj: f32) -> f32 {
    let y = root_of_erf(x);
    adj.strong_div(std::f32::consts::FRAC_2_SQRT_PI * gaussian(y))
}

/// exp(-x²). The square of a rounded `x` is exact, so large exponents keep their digits.
#[device]
fn gaussian(x: f32) -> f32 {
    let a = if x.abs() > 16.0 { 16.0 } else { x.abs() };
    let high = (a * 16.0).floor() / 16.0;
    (-high * high).exp() * (-(a - high) * (a + high)).exp()
}

/// erf(x) / x below 1, as a function of x².
#[device]
fn erf_over_x(z: f32) -> f32 {
    let p = -0.000_801_019_36 + z * 7.853_861e-5;
    let p = -0.026_853_812 + z * (0.005_188_327_7 + z * p);
    std::f32::consts::FRAC_2_SQRT_PI + z * (-0.376_126_26 + z * (0.112_835_85 + z * p))
}

/// erfc(x) from 0.5.
#[device]
fn erfc_tail(x: f32) -> f32 {
    let x = if x > 16.0 { 16.0 } else { x };
    let u = (x - 2.0) / (x + 2.0);
    let p = 0.003_009_183_3 + u * (-0.000_801_896_45 + u * -0.000_480_582_96);
    let p = -0.036_441_5 + u * (-0.021_496_177 + u * (0.006_470_225 + u * p));
    let p = 1.021_582_7 + u * (-0.687_160_7 + u * (0.279_471_2 + u * p));
    gaussian(x) * (p / (x + 2.0))
}

/// The solution y of erf(y) = x.
///
/// Source of the first guess: S. Winitzki, "A handy approximation for the error function and its inverse", 2008.
#[device]
fn root_of_erf(x: f32) -> f32 {
    let a = x.abs();
    if a >= 1.0 {
        return if a == 1.0 { x * f32::INFINITY } else { f32::NAN };
    }
    let l = ((1.0 - a) * (1.0 + a)).ln();
    let t = 4.330_747 + 0.5 * l;
    let mut y = ((t * t - l * 6.802_721).sqrt() - t).max(0.0).sqrt();
    // Two steps of Newton's method double the digits twice.
    for _ in 0..2 {
        let above = if a < 0.5 { y * erf_over_x(y * y) - a } else { 1.0 - a - erfc(y) };
        y -= above / (std::f32::consts::FRAC_2_SQRT_PI * gaussian(y));
    }
    if x < 0.0 { -y } else { y }
}

//! Random points of shapes, and numbers of distributions. `rng` is the state of a random generator, which each draw advances.
//!
//! From one state, the draws are those of Warp's functions and the points are theirs, up to the rounding of functions such as
//! the cosine. The code of these functions is inserted where they are called, so the Warp text draws by `wp.randf`.
//! Points have no derivative; what a kernel computes from them has.

use super::lower_bound;
use crate::prelude::*;

/// The index of the first number of `cdf` that is not below a random number from 0 to below 1: a random index, if `cdf` has the
/// sums of probabilities up to each index and ends with 1.
#[device]
pub fn sample_cdf(rng: &mut u32, cdf: &[f32]) -> i32 {
    let u = randf(rng);
    lower_bound(cdf, u)
}

/// A point of a triangle with corners a, b and c, as the weights of a and b. That of c is the rest to 1.
///
/// Source: G. Turk, "Generating random points in triangles", 1990.
#[device]
pub fn sample_triangle(rng: &mut u32) -> Vec2 {
    let r = randf(rng).sqrt();
    Vec2::new(1.0 - r, randf(rng) * r)
}

/// The point of the unit circle at a random angle.
#[device]
pub fn sample_unit_ring(rng: &mut u32) -> Vec2 {
    let angle = randf_range(rng, 0.0, std::f32::consts::TAU);
    Vec2::new(angle.cos(), angle.sin())
}

/// A point of the disc with the radius 1 around 0.
#[device]
pub fn sample_unit_disk(rng: &mut u32) -> Vec2 {
    let r = randf(rng).sqrt();
    sample_unit_ring(rng) * r
}

/// The point of the unit sphere at the height `1 - depth`, at a random angle. The product keeps the digits near the poles.
#[device]
fn at_depth(rng: &mut u32, depth: f32) -> Vec3 {
    let r = (depth * (2.0 - depth)).sqrt();
    let p = sample_unit_ring(rng) * r;
    Vec3::new(p.x, p.y, 1.0 - depth)
}

/// A point of the unit sphere.
///
/// The area of a zone of the sphere is that of its height, by Archimedes.
#[device]
pub fn sample_unit_sphere_surface(rng: &mut u32) -> Vec3 {
    let depth = 2.0 * randf(rng);
    at_depth(rng, depth)
}

/// A point of the ball with the radius 1 around 0.
#[device]
pub fn sample_unit_sphere(rng: &mut u32) -> Vec3 {
    let p = sample_unit_sphere_surface(rng);
    p * randf(rng).cbrt()
}

/// A point of the half of the unit sphere from z = 0 up.
#[device]
pub fn sample_unit_hemisphere_surface(rng: &mut u32) -> Vec3 {
    let depth = randf(rng);
    at_depth(rng, depth)
}

/// A point of the half of the unit ball from z = 0 up.
#[device]
pub fn sample_unit_hemisphere(rng: &mut u32) -> Vec3 {
    let p = sample_unit_hemisphere_surface(rng);
    p * randf(rng).cbrt()
}

/// A point of the square with sides of 1 around 0.
#[device]
pub fn sample_unit_square(rng: &mut u32) -> Vec2 {
    Vec2::new(randf(rng) - 0.5, randf(rng) - 0.5)
}

/// A point of the cube with sides of 1 around 0.
#[device]
pub fn sample_unit_cube(rng: &mut u32) -> Vec3 {
    Vec3::new(randf(rng) - 0.5, randf(rng) - 0.5, randf(rng) - 0.5)
}

/// A number of the Poisson distribution with the mean `lam`, from 0 to 10⁶. It is Warp's from the same state, unless the rounding
/// of a logarithm decides: in none of 40,000 states for means up to 110, and in 0.5% for means from 1000 to 21,000.
///
/// Sources: D. E. Knuth, "The Art of Computer Programming", volume 2, 1969, for means below 10; W. Hörmann, "The transformed
/// rejection method for generating Poisson random variables", 1993, for others.
#[device]
pub fn poisson(rng: &mut u32, lam: f32) -> u32 {
    if lam < 10.0 { few_events(rng, lam) } else { many_events(rng, lam) }
}

/// The number of random factors after which a product is still above exp(-lam).
#[device]
fn few_events(rng: &mut u32, lam: f32) -> u32 {
    if lam == 0.0 {
        return 0;
    }
    let (bound, mut product, mut count) = ((-lam).exp(), randf(rng), 0);
    while product > bound {
        count += 1;
        product *= randf(rng);
    }
    count
}

/// Hörmann's algorithm PTRS.
#[device]
fn many_events(rng: &mut u32, lam: f32) -> u32 {
    let b = 0.931 + 2.53 * lam.sqrt();
    let a = -0.059 + 0.024_83 * b;
    let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    let sure = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        let u = randf(rng) - 0.5;
        let v = randf(rng);
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + lam + 0.43).floor();
        if us >= 0.07 && v <= sure {
            return k as u32;
        }
        if k >= 0.0
            && (us >= 0.013 || v <= us)
            && (v * inverse_alpha / (a / (us * us) + b)).ln() <= ln_probability(k, lam)
        {
            return k as u32;
        }
    }
}

/// The logarithm of the probability of `k` events, without terms that cancel.
///
/// Source: C. Loader, "Fast and accurate computation of binomial probabilities", 2000.
#[device]
fn ln_probability(k: f32, lam: f32) -> f32 {
    if k < 8.0 {
        let mut factorial = 1.0;
        for j in 2..k as i32 + 1 {
            factorial *= j as f32;
        }
        return k * lam.ln() - lam - factorial.ln();
    }
    let t = (lam - k) / k;
    // Stirling's series of the factorial.
    k * (t.ln_1p() - t) - 0.5 * (std::f32::consts::TAU * k).ln() - (1.0 - 1.0 / (30.0 * k * k)) / (12.0 * k)
}

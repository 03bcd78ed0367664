//! Sequences of low discrepancy: the point of a number, for integrals and for samples that keep their distance.

use crate::prelude::*;

/// The number from 0 to below 1 whose digits in base 2 are the highest 24 of `bits`.
#[device]
fn fraction(bits: u32) -> f32 {
    (bits >> 8) as f32 * 5.960_464_5e-8
}

/// The binary digits of `i`, mirrored at the point: 0, 1/2, 1/4, 3/4 and so on, cut off behind 24 digits.
///
/// Source: J. G. van der Corput, "Verteilungsfunktionen", 1935.
#[device]
pub fn van_der_corput(i: u32) -> f32 {
    let swapped = i.rotate_left(16);
    let swapped = (swapped & 0x00ff_00ff) << 8 | (swapped & 0xff00_ff00) >> 8;
    let swapped = (swapped & 0x0f0f_0f0f) << 4 | (swapped & 0xf0f0_f0f0) >> 4;
    let swapped = (swapped & 0x3333_3333) << 2 | (swapped & 0xcccc_cccc) >> 2;
    fraction((swapped & 0x5555_5555) << 1 | (swapped & 0xaaaa_aaaa) >> 1)
}

/// The digits of `i` in a base from 2 to 65536, mirrored at the point, below 1. Coordinates take different prime numbers as
/// bases. The error is below 2 units in the last place.
///
/// Source: J. H. Halton, "On the efficiency of certain quasi-random sequences of points", 1960.
#[device]
pub fn halton(i: u32, base: u32) -> f32 {
    let (mut rest, mut mirrored, mut power) = (i, 0u64, 1u64);
    while rest > 0 {
        mirrored = mirrored * base as u64 + (rest % base) as u64;
        power *= base as u64;
        rest /= base;
    }
    (mirrored as f32 / power as f32).min(0.999_999_94)
}

/// The point `i` of the sequence of Sobol in the unit square, with 24 digits. Each 2ᵏ points lie in different cells of every
/// partition of the square into 2ᵏ equal boxes with sides of powers of two, if they start at a multiple of 2ᵏ.
///
/// Source: I. M. Sobol, "On the distribution of points in a cube", 1967.
#[device]
pub fn sobol2(i: u32) -> Vec2 {
    let (mut rest, mut direction, mut bits) = (i, 0x8000_0000u32, 0u32);
    while rest > 0 {
        if rest & 1 == 1 {
            bits ^= direction;
        }
        direction ^= direction >> 1;
        rest >>= 1;
    }
    Vec2::new(van_der_corput(i), fraction(bits))
}

/// The point `i` of the additive sequence of the plastic number in the unit square, from its center: points in any number.
///
/// Source: M. Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018. The steps are rounded to 32 digits,
/// so the point is off by at most `i` · 2⁻³³.
#[device]
pub fn roberts2(i: u32) -> Vec2 {
    let half = 0x8000_0000u32;
    let x = i.wrapping_mul(3_242_174_889).wrapping_add(half);
    let y = i.wrapping_mul(2_447_445_414).wrapping_add(half);
    Vec2::new(fraction(x), fraction(y))
}

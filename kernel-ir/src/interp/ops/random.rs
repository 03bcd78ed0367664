//! Random numbers: states of generators, and draws from them. The streams are those of Warp.

use super::operands::{Outcome, undefined};
use crate::interp::Number;
use crate::interp::num::Num;
use crate::ops::Op;
use std::f32::consts::TAU;

/// What `randn` adds to a uniform number, so that its logarithm is finite: a little less than 2⁻²⁴.
const ABOVE_ZERO: f32 = 5.96e-8;

/// The next state: the hash `pcg` of Jarzynski and Olano, "Hash Functions for GPU Rendering" (2020).
fn next(state: u32) -> u32 {
    let sum = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((sum >> ((sum >> 28) + 4)) ^ sum).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// The upper 24 bits as a fraction, which is exact in `f32`.
fn uniform<N: Number>(bits: u32) -> N {
    N::constant(f64::from(bits >> 8) / f64::from(1 << 24))
}

/// The number `bits` reduced to `low..high`.
fn within(op: Op, bits: u32, low: u32, high: u32) -> Outcome<u32> {
    let rest = bits.checked_rem(high.wrapping_sub(low));
    let rest = rest.ok_or_else(|| format!("`{}` from an empty range: its bounds are equal", op.name()))?;
    Ok(rest.wrapping_add(low))
}

pub(super) fn apply<S: Number, D: Number>(op: Op, args: &[Num<S, D>]) -> Outcome<Num<S, D>> {
    Ok(match (op, args) {
        (Op::RandInit, [Num::I32(seed), Num::I32(offset), ..]) => {
            Num::U32(next((*seed as u32).wrapping_add(next(*offset as u32))))
        }
        (Op::RandSeed, [Num::I32(seed), ..]) => Num::U32(next(*seed as u32)),
        (Op::Randu, [Num::U32(state), ..]) => Num::U32(next(*state)),
        (Op::RanduRange, [Num::U32(state), Num::U32(low), Num::U32(high)]) => {
            Num::U32(within(op, next(*state), *low, *high)?)
        }
        (Op::Randi, [Num::U32(state), ..]) => Num::I32(next(*state) as i32),
        (Op::RandiRange, [Num::U32(state), Num::I32(low), Num::I32(high)]) => {
            Num::I32(within(op, next(*state), *low as u32, *high as u32)? as i32)
        }
        (Op::Randf, [Num::U32(state), ..]) => Num::F32(uniform(next(*state))),
        (Op::RandfRange, [Num::U32(state), Num::F32(low), Num::F32(high)]) => {
            Num::F32((*high - *low) * uniform(next(*state)) + *low)
        }
        (Op::Randn, [Num::U32(state), ..]) => Num::F32(normal(next(*state))),
        _ => return Err(undefined(op)),
    })
}

/// The transformation of Box and Muller: the radius from these bits, the angle from the next ones.
fn normal<N: Number>(bits: u32) -> N {
    let radius = N::constant(-2.0) * (uniform::<N>(bits) + N::constant(ABOVE_ZERO.into())).ln();
    radius.sqrt() * (N::constant(TAU.into()) * uniform(next(bits))).cos()
}

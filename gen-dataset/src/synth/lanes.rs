//! What is known of a value: what it is in a dozen threads, each in circumstances of its own.
//!
//! Lanes 0 and 1 are the corners where every input has its least and its largest value, lanes 2 and 3 mix such corners,
//! the others lie anywhere. An operation is *probed* on more points than these: on operands of different lanes, between
//! lanes, a little beyond them, and at zero where the sign changes. So nothing needs to be written down about where an
//! operation may be used; the interpreter says it.

use super::dice::Dice;
use kernel_ir::data::{Arg, Data};
use kernel_ir::interp::pointwise;
use kernel_ir::ir::{Literal, Scalar, Type};
use kernel_ir::ops::Op;

/// How many lanes there are.
pub(super) const LANES: usize = 12;

/// Points with the operands of different lanes.
const MIXED: usize = 8;
/// Points between two lanes, or a little beyond.
const BETWEEN: usize = 6;
/// Points at the ends of what is known, or a little beyond.
const ENDS: usize = 6;

/// The largest float that a term may have: what is larger loses the digits of what it meets.
const LARGEST: f64 = 5e3;
/// How far apart the floats of a term must lie at least.
const SPREAD: f64 = 2e-3;

/// The values of a `ty` with components from `low` to below `high`, by lane.
pub(super) fn draw(dice: &mut Dice, ty: Type, low: f64, high: f64) -> Arg {
    let top = if ty.is_float() { high } else { (high - 1.0).max(low) };
    let count = ty.components();
    let mut values = Vec::with_capacity(LANES * count);
    // Two floats are hardly ever equal, not even at the corners.
    let slack = if ty.is_float() { 0.01 * (high - low) } else { 0.0 };
    for lane in 0..LANES {
        for _ in 0..count {
            let inside = slack * dice.float(0.0, 1.0);
            values.push(match lane {
                0 => low + inside,
                1 => top - inside,
                2 | 3 if dice.percent(50) => low + inside,
                2 | 3 => top - inside,
                _ => dice.float(low, high),
            });
        }
    }
    Arg { ty, shape: vec![LANES], data: from_floats(ty.scalar(), &values) }
}

/// The constant `value`, by lane.
pub(super) fn constant(value: Literal) -> Arg {
    let data = match value {
        Literal::Bool(value) => Data::Bool(vec![value; LANES]),
        Literal::I32(value) => Data::I32(vec![value; LANES]),
        Literal::U32(value) => Data::U32(vec![value; LANES]),
        Literal::I64(value) => Data::I64(vec![value; LANES]),
        Literal::U64(value) => Data::U64(vec![value; LANES]),
        Literal::Index(value) => Data::Index(vec![value as usize; LANES]),
        Literal::F32(bits) => Data::F32(vec![f32::from_bits(bits); LANES]),
        Literal::F64(bits) => Data::F64(vec![f64::from_bits(bits); LANES]),
    };
    Arg { ty: value.ty(), shape: vec![LANES], data }
}

/// The least and the largest of the scalars.
pub(super) fn bounds(arg: &Arg) -> (f64, f64) {
    fn of<T: Copy>(values: &[T], number: impl Fn(T) -> f64) -> (f64, f64) {
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            let value = number(*value);
            (low.min(value), high.max(value))
        })
    }
    match &arg.data {
        Data::Bool(data) => of(data, |v| f64::from(u8::from(v))),
        Data::I32(data) => of(data, f64::from),
        Data::U32(data) => of(data, f64::from),
        Data::I64(data) => of(data, |v| v as f64),
        Data::U64(data) => of(data, |v| v as f64),
        Data::Index(data) => of(data, |v| v as f64),
        Data::F32(data) => of(data, f64::from),
        Data::F64(data) => of(data, |v| v),
    }
}

/// The largest distance from zero.
pub(super) fn size(arg: &Arg) -> f64 {
    let (low, high) = bounds(arg);
    low.abs().max(high.abs())
}

/// For every lane the value of `then` where `cond` holds, else that of `other`.
pub(super) fn select(cond: &Arg, then: &Arg, other: &Arg) -> Arg {
    let Data::Bool(cond) = &cond.data else { return then.clone() };
    let parts = then.ty.components();
    let mut chosen = other.clone();
    for (lane, _) in cond.iter().enumerate().filter(|(_, holds)| **holds) {
        copy(&then.data, lane * parts, &mut chosen.data, lane * parts, parts);
    }
    chosen
}

/// What `op` makes of `operands`, lane by lane, if it is defined there.
pub(super) fn apply(op: Op, operands: &[&Arg], ty: Type) -> Option<Arg> {
    pointwise::apply(op, operands, ty).ok()
}

/// What `op` makes of `operands`, lane by lane, if it is sound on them: defined, moderate and not constant on all the
/// points of a probe.
pub(super) fn probe(dice: &mut Dice, op: Op, operands: &[&Arg], ty: Type) -> Option<Arg> {
    let first = apply(op, operands, ty)?;
    if !is_moderate(&first) || !is_varied(&first) {
        return None;
    }
    let probed = {
        let points: Vec<Arg> = spread(dice, operands);
        let points: Vec<&Arg> = points.iter().collect();
        apply(op, &points, ty)?
    };
    is_moderate(&probed).then_some(first)
}

/// Points around the lanes of all `operands` together.
fn spread(dice: &mut Dice, operands: &[&Arg]) -> Vec<Arg> {
    let pairs: Vec<(usize, usize, f64)> = (0..BETWEEN)
        .map(|place| {
            let part = match place {
                0 => 0.5,
                1 => -0.06,
                _ => dice.float(0.0, 1.0),
            };
            if place == 0 { (0, 1, part) } else { (dice.below(LANES), dice.below(LANES), part) }
        })
        .collect();
    let crossing: Vec<bool> = operands.iter().map(|operand| crosses_zero(operand)).collect();
    let zeros = crossing.iter().filter(|crosses| **crosses).count();
    let count = MIXED + BETWEEN + ENDS + zeros;
    let mut zero = 0;
    operands
        .iter()
        .zip(&crossing)
        .enumerate()
        .map(|(number, (operand, crosses))| {
            let parts = operand.ty.components();
            let mut data = Data::zeros(operand.ty.scalar(), count * parts);
            let mut place = 0;
            for _ in 0..MIXED {
                copy(&operand.data, dice.below(LANES) * parts, &mut data, place * parts, parts);
                place += 1;
            }
            for &(a, b, part) in &pairs {
                blend(&operand.data, (a * parts, b * parts), part, &mut data, place * parts, parts);
                place += 1;
            }
            for end in 0..ENDS {
                if operand.ty.is_scalar() && operand.ty != Type::BOOL {
                    // Every corner of the first two operands.
                    let high = if end < 4 && number < 2 { end >> number & 1 == 1 } else { dice.percent(50) };
                    put_end(operand, high, &mut data, place);
                } else {
                    copy(&operand.data, dice.below(LANES) * parts, &mut data, place * parts, parts);
                }
                place += 1;
            }
            for crossed in 0..zeros {
                // Zeros are there already.
                if !(*crosses && crossed == zero) {
                    copy(&operand.data, dice.below(LANES) * parts, &mut data, place * parts, parts);
                }
                place += 1;
            }
            zero += usize::from(*crosses);
            Arg { ty: operand.ty, shape: vec![count], data }
        })
        .collect()
}

/// Whether the operand is a number that may be negative, positive, and so also zero.
fn crosses_zero(operand: &Arg) -> bool {
    let (low, high) = bounds(operand);
    operand.ty.is_scalar() && operand.ty != Type::BOOL && low < 0.0 && high > 0.0
}

/// Runs `$body` with both lists of scalars, if they are of one type.
macro_rules! same_scalars {
    ($from:expr, $to:expr, |$a:ident, $b:ident| $body:expr) => {
        match ($from, $to) {
            (Data::Bool($a), Data::Bool($b)) => $body,
            (Data::I32($a), Data::I32($b)) => $body,
            (Data::U32($a), Data::U32($b)) => $body,
            (Data::I64($a), Data::I64($b)) => $body,
            (Data::U64($a), Data::U64($b)) => $body,
            (Data::Index($a), Data::Index($b)) => $body,
            (Data::F32($a), Data::F32($b)) => $body,
            (Data::F64($a), Data::F64($b)) => $body,
            _ => {}
        }
    };
}

fn copy(from: &Data, source: usize, to: &mut Data, target: usize, count: usize) {
    same_scalars!(from, to, |a, b| b[target..target + count].copy_from_slice(&a[source..source + count]));
}

/// The values between those at `ends`; for integers those at the first end.
fn blend(from: &Data, (a, b): (usize, usize), part: f64, to: &mut Data, target: usize, count: usize) {
    match (from, to) {
        (Data::F32(from), Data::F32(to)) => {
            for k in 0..count {
                to[target + k] = from[a + k] + part as f32 * (from[b + k] - from[a + k]);
            }
        }
        (Data::F64(from), Data::F64(to)) => {
            for k in 0..count {
                to[target + k] = from[a + k] + part * (from[b + k] - from[a + k]);
            }
        }
        (from, to) => copy(from, a, to, target, count),
    }
}

/// An end of the numbers, or a little beyond it; integers that are never negative do not become so.
fn put_end(operand: &Arg, high: bool, data: &mut Data, place: usize) {
    let (low, top) = bounds(operand);
    let width = top - low;
    let value = match (operand.ty.is_float(), high) {
        (true, true) => top + 0.04 * width,
        (true, false) => low - 0.04 * width,
        (false, true) => top + (width / 8.0).ceil(),
        (false, false) if low < 0.0 => low - (width / 8.0).ceil(),
        (false, false) => low,
    };
    match data {
        Data::Bool(_) => {}
        Data::I32(data) => data[place] = value as i32,
        Data::U32(data) => data[place] = value as u32,
        Data::I64(data) => data[place] = value as i64,
        Data::U64(data) => data[place] = value as u64,
        Data::Index(data) => data[place] = value as usize,
        Data::F32(data) => data[place] = value as f32,
        Data::F64(data) => data[place] = value,
    }
}

/// Whether all floats are finite and not large.
pub(super) fn is_moderate(arg: &Arg) -> bool {
    match &arg.data {
        Data::F32(data) => data.iter().all(|value| f64::from(value.abs()) <= LARGEST),
        Data::F64(data) => data.iter().all(|value| value.abs() <= LARGEST),
        _ => true,
    }
}

/// Whether the value is not the same in nearly all lanes.
pub(super) fn is_varied(arg: &Arg) -> bool {
    match &arg.data {
        Data::Bool(data) => (2..=data.len() - 2).contains(&data.iter().filter(|value| **value).count()),
        Data::F32(_) | Data::F64(_) => {
            let parts = arg.ty.components();
            let size = size(arg);
            (0..parts).any(|part| {
                let of = |lane: usize| scalar(&arg.data, lane * parts + part);
                let values = (0..arg.len()).map(of);
                let (low, high) =
                    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
                high - low >= SPREAD && high - low >= 1e-3 * size
            })
        }
        data => {
            let parts = arg.ty.components();
            (1..arg.len()).filter(|lane| differs(data, *lane, parts)).count() >= 2
        }
    }
}

/// Whether the value of a lane is another one than that of the first.
fn differs(data: &Data, lane: usize, parts: usize) -> bool {
    let mut other = false;
    same_scalars!(data, data, |a, b| other = a[..parts] != b[lane * parts..(lane + 1) * parts]);
    other
}

/// A float, by its place.
fn scalar(data: &Data, place: usize) -> f64 {
    match data {
        Data::F32(data) => f64::from(data[place]),
        Data::F64(data) => data[place],
        _ => 0.0,
    }
}

fn from_floats(scalar: Scalar, values: &[f64]) -> Data {
    match scalar {
        Scalar::Bool => Data::Bool(values.iter().map(|v| *v > 0.5).collect()),
        Scalar::I32 => Data::I32(values.iter().map(|v| v.floor() as i32).collect()),
        Scalar::U32 => Data::U32(values.iter().map(|v| v.floor() as u32).collect()),
        Scalar::I64 => Data::I64(values.iter().map(|v| v.floor() as i64).collect()),
        Scalar::U64 => Data::U64(values.iter().map(|v| v.floor() as u64).collect()),
        Scalar::Index => Data::Index(values.iter().map(|v| v.floor() as usize).collect()),
        Scalar::F32 => Data::F32(values.iter().map(|v| *v as f32).collect()),
        Scalar::F64 => Data::F64(values.to_vec()),
    }
}

//! Sampled values: each term carries its value at a dozen sample points, and an interval that contains all its values.
//!
//! In samples 0 and 1 every input has its least or its greatest value. Samples 2 and 3 mix such corners. The others are
//! drawn from the whole domain. The interval of an input is its domain.
//!
//! An operation is *probed* on further points: on operands of different samples, between samples, at the ends of the
//! intervals in every combination, and at zero. The results, with a margin on both sides, give the interval of the new
//! term. So the interpreter decides where an operation is defined, and there is no table of domains.

use super::rng::Rng;
use kernel_ir::data::{Arg, Data};
use kernel_ir::interp::pointwise;
use kernel_ir::ir::{FloatFormat, Literal, Scalar, Type};
use kernel_ir::ops::Op;

/// The number of samples.
pub(super) const SAMPLES: usize = 12;

/// The number of points that combine operands of different samples.
const MIXED: usize = 8;
/// The number of points between two samples, or slightly beyond.
const BETWEEN: usize = 6;
/// The number of points at the ends of the intervals.
const ENDS: usize = 6;

/// The largest float of a term. A larger one would absorb the digits of what is added to it.
const LARGEST: f64 = 5e3;
/// The largest index of a term. A larger one could depend on the width of indices.
const LARGEST_INDEX: f64 = 1e9;
/// The least distance between different floats of a term.
const SPREAD: f64 = 2e-3;

/// The values of a term at the samples, and their interval.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    pub(super) values: Arg,
    pub(super) low: f64,
    pub(super) high: f64,
    /// Whether the value differs between the threads of a launch.
    pub(super) by_thread: bool,
}

/// Samples of a `ty` with components from `low` to below `high`.
pub(super) fn draw(rng: &mut Rng, ty: Type, low: f64, high: f64) -> Samples {
    let top = if ty.is_float() { high } else { (high - 1.0).max(low) };
    let count = ty.components();
    let mut values = Vec::with_capacity(SAMPLES * count);
    // Without this slack, all inputs would be equal at the corners, and differences of inputs would be 0 there.
    let slack = if ty.is_float() { 0.01 * (high - low) } else { 0.0 };
    for sample in 0..SAMPLES {
        for _ in 0..count {
            let inside = slack * rng.float(0.0, 1.0);
            values.push(match sample {
                0 => low + inside,
                1 => top - inside,
                2 | 3 if rng.percent(50) => low + inside,
                2 | 3 => top - inside,
                _ => rng.float(low, high),
            });
        }
    }
    let values = Arg { ty, shape: vec![SAMPLES], data: from_floats(ty.scalar(), &values) };
    Samples { values, low, high: top, by_thread: true }
}

/// Samples of a constant.
pub(super) fn constant(value: Literal) -> Samples {
    let data = match value {
        Literal::Bool(value) => Data::Bool(vec![value; SAMPLES]),
        Literal::I8(value) => Data::I8(vec![value; SAMPLES]),
        Literal::U8(value) => Data::U8(vec![value; SAMPLES]),
        Literal::I16(value) => Data::I16(vec![value; SAMPLES]),
        Literal::U16(value) => Data::U16(vec![value; SAMPLES]),
        Literal::I32(value) => Data::I32(vec![value; SAMPLES]),
        Literal::U32(value) => Data::U32(vec![value; SAMPLES]),
        Literal::I64(value) => Data::I64(vec![value; SAMPLES]),
        Literal::U64(value) => Data::U64(vec![value; SAMPLES]),
        Literal::Index(value) => Data::Index(vec![value as usize; SAMPLES]),
        Literal::F16(bits) => Data::F16(vec![f32::from_bits(bits); SAMPLES]),
        Literal::BF16(bits) => Data::BF16(vec![f32::from_bits(bits); SAMPLES]),
        Literal::F32(bits) => Data::F32(vec![f32::from_bits(bits); SAMPLES]),
        Literal::F64(bits) => Data::F64(vec![f64::from_bits(bits); SAMPLES]),
    };
    let values = Arg { ty: value.ty(), shape: vec![SAMPLES], data };
    let (low, high) = bounds(&values);
    Samples { values, low, high, by_thread: false }
}

/// The least and the largest scalar.
fn bounds(arg: &Arg) -> (f64, f64) {
    fn of<T: Copy>(values: &[T], number: impl Fn(T) -> f64) -> (f64, f64) {
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            let value = number(*value);
            (low.min(value), high.max(value))
        })
    }
    match &arg.data {
        Data::Bool(data) => of(data, |v| f64::from(u8::from(v))),
        Data::I8(data) => of(data, f64::from),
        Data::U8(data) => of(data, f64::from),
        Data::I16(data) => of(data, f64::from),
        Data::U16(data) => of(data, f64::from),
        Data::I32(data) => of(data, f64::from),
        Data::U32(data) => of(data, f64::from),
        Data::I64(data) => of(data, |v| v as f64),
        Data::U64(data) => of(data, |v| v as f64),
        Data::Index(data) => of(data, |v| v as f64),
        Data::F16(data) | Data::BF16(data) | Data::F32(data) => of(data, f64::from),
        Data::F64(data) => of(data, |v| v),
    }
}

impl Samples {
    fn ty(&self) -> Type {
        self.values.ty
    }

    /// The largest magnitude.
    pub(super) fn size(&self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// The interval of the values.
    pub(super) fn range(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// The same values, with the interval cut to `low..high`.
    pub(super) fn known(mut self, low: f64, high: f64) -> Samples {
        (self.low, self.high) = (self.low.max(low), self.high.min(high));
        self
    }

    /// The samples of component or column `number`.
    pub(super) fn part(&self, number: usize) -> Option<Samples> {
        let values = pointwise::part(&self.values, number).ok()?;
        Some(Samples { values, ..*self })
    }

    /// The samples converted to another scalar type.
    pub(super) fn converted(&self, to: Scalar) -> Option<Samples> {
        let values = pointwise::convert(&self.values, to).ok()?;
        let (low, high) = if to.is_float() { self.range() } else { (self.low.trunc(), self.high.trunc()) };
        let low = if to.is_float() || to.is_signed_integer() { low } else { low.max(0.0) };
        Some(Samples { values, low, high, by_thread: self.by_thread })
    }

    /// The share of the samples strictly between two numbers.
    pub(super) fn share_between(&self, low: f64, high: f64) -> f64 {
        let inside = |value: f64| f64::from(u8::from(low < value && value < high));
        let of = |place| inside(scalar(&self.values.data, place));
        (0..SAMPLES).map(of).sum::<f64>() / SAMPLES as f64
    }

    /// The same values, marked as equal in all threads.
    pub(super) fn shared(self) -> Samples {
        Samples { by_thread: false, ..self }
    }

    /// Whether the values vary enough between samples.
    pub(super) fn is_varied(&self) -> bool {
        is_varied(&self.values)
    }
}

/// The samples of a select: `then` where `cond` holds, else `other`.
pub(super) fn select(cond: &Samples, then: &Samples, other: &Samples) -> Samples {
    let by_thread = cond.by_thread || then.by_thread || other.by_thread;
    let Data::Bool(cond) = &cond.values.data else { return then.clone() };
    let parts = then.ty().components();
    let mut values = other.values.clone();
    for (sample, _) in cond.iter().enumerate().filter(|(_, holds)| **holds) {
        copy(&then.values.data, sample * parts, &mut values.data, sample * parts, parts);
    }
    Samples { values, low: then.low.min(other.low), high: then.high.max(other.high), by_thread }
}

/// The samples of `op` on `operands`. `None` if the operation is undefined at a sample or a probed point.
pub(super) fn apply(rng: &mut Rng, op: Op, operands: &[&Samples], ty: Type) -> Option<Samples> {
    ranged(rng, op, operands, by_sample(op, operands, ty)?)
}

/// The values of `op` on `operands`, sample by sample.
fn by_sample(op: Op, operands: &[&Samples], ty: Type) -> Option<Arg> {
    let samples: Vec<&Arg> = operands.iter().map(|operand| &operand.values).collect();
    pointwise::apply(op, &samples, ty).ok()
}

/// Probes `op` and gives its `values` their interval. `None` if it is undefined at a probed point.
fn ranged(rng: &mut Rng, op: Op, operands: &[&Samples], values: Arg) -> Option<Samples> {
    let ty = values.ty;
    let points: Vec<Arg> = spread(rng, operands);
    let points: Vec<&Arg> = points.iter().collect();
    let probed = pointwise::apply(op, &points, ty).ok()?;
    if !is_moderate(&values, f64::MAX) || !is_moderate(&probed, f64::MAX) {
        return None;
    }
    let (a, b) = (bounds(&values), bounds(&probed));
    if ty == Type::INDEX && a.1.max(b.1) > LARGEST_INDEX {
        return None;
    }
    let (low, high) = with_room(ty, a.0.min(b.0), a.1.max(b.1));
    let by_thread = operands.iter().any(|operand| operand.by_thread);
    Some(Samples { values, low, high, by_thread })
}

/// The samples of `op` on `operands`. `None` unless the result is defined, moderate and not constant at all samples and
/// probed points.
pub(super) fn probe(rng: &mut Rng, op: Op, operands: &[&Samples], ty: Type) -> Option<Samples> {
    let values = by_sample(op, operands, ty)?;
    if !is_moderate(&values, LARGEST) || !is_varied(&values) {
        return None;
    }
    let samples = ranged(rng, op, operands, values)?;
    (!ty.is_float() || samples.size() <= LARGEST).then_some(samples)
}

/// The interval with a margin on both sides. An end near zero is moved beyond zero.
fn with_room(ty: Type, low: f64, high: f64) -> (f64, f64) {
    if ty == Type::BOOL || low == high {
        return (low, high);
    }
    let width = high - low;
    let room = if ty.is_float() { 0.03 * width } else { (width / 10.0).ceil() };
    let (below, above) = (low - room, high + room);
    let low = if low >= 0.0 && (below < 0.0 || low < 0.15 * high) { 0.0 } else { below };
    let high = if high <= 0.0 && (above > 0.0 || high > 0.15 * low) { 0.0 } else { above };
    let (least, most) = ends_of(ty.scalar());
    (low.max(least), high.min(most))
}

/// The least and the largest number of the type.
fn ends_of(scalar: Scalar) -> (f64, f64) {
    match (scalar, scalar.limits()) {
        (Scalar::Index, _) => (0.0, f64::from(u32::MAX)),
        (_, Some((least, most))) => (least as f64, most as f64),
        (_, None) => (f64::MIN, f64::MAX),
    }
}

/// The points to probe around the samples of all `operands`.
fn spread(rng: &mut Rng, operands: &[&Samples]) -> Vec<Arg> {
    let pairs: Vec<(usize, usize, f64)> = (0..BETWEEN)
        .map(|place| match place {
            0 => (0, 1, 0.5),
            1 => (rng.below(SAMPLES), rng.below(SAMPLES), -0.06),
            _ => (rng.below(SAMPLES), rng.below(SAMPLES), rng.float(0.0, 1.0)),
        })
        .collect();
    let with_zero: Vec<bool> = operands.iter().map(|operand| has_zero(operand)).collect();
    let zeros = with_zero.iter().filter(|has| **has).count();
    let count = MIXED + BETWEEN + ENDS + zeros;
    let mut zero = 0;
    let mut points = Vec::with_capacity(operands.len());
    for (number, (operand, has_zero)) in operands.iter().zip(&with_zero).enumerate() {
        let ty = operand.ty();
        let (parts, from) = (ty.components(), &operand.values.data);
        let mut data = Data::zeros(ty.scalar(), count * parts);
        for place in 0..MIXED {
            copy(from, rng.below(SAMPLES) * parts, &mut data, place * parts, parts);
        }
        for (place, &(a, b, part)) in pairs.iter().enumerate() {
            blend(from, (a * parts, b * parts), part, &mut data, (MIXED + place) * parts, parts);
        }
        for end in 0..ENDS {
            let place = MIXED + BETWEEN + end;
            if ty.is_scalar() && ty != Type::BOOL {
                // The first two operands take every combination of their ends.
                let high = if end < 4 && number < 2 { end >> number & 1 == 1 } else { rng.percent(50) };
                put(&mut data, place, if high { operand.high } else { operand.low });
            } else {
                copy(from, rng.below(SAMPLES) * parts, &mut data, place * parts, parts);
            }
        }
        for crossed in 0..zeros {
            // The points of this operand's own zero are zero already.
            if !(*has_zero && crossed == zero) {
                copy(from, rng.below(SAMPLES) * parts, &mut data, (MIXED + BETWEEN + ENDS + crossed) * parts, parts);
            }
        }
        zero += usize::from(*has_zero);
        points.push(Arg { ty, shape: vec![count], data });
    }
    points
}

/// Whether the operand is a number whose interval contains zero.
fn has_zero(operand: &Samples) -> bool {
    let ty = operand.ty();
    ty.is_scalar() && ty != Type::BOOL && operand.low <= 0.0 && operand.high >= 0.0
}

/// Runs `$body` on two lists of scalars of the same type.
macro_rules! same_scalars {
    ($from:expr, $to:expr, |$a:ident, $b:ident| $body:expr) => {
        match ($from, $to) {
            (Data::Bool($a), Data::Bool($b)) => $body,
            (Data::I8($a), Data::I8($b)) => $body,
            (Data::U8($a), Data::U8($b)) => $body,
            (Data::I16($a), Data::I16($b)) => $body,
            (Data::U16($a), Data::U16($b)) => $body,
            (Data::I32($a), Data::I32($b)) => $body,
            (Data::U32($a), Data::U32($b)) => $body,
            (Data::I64($a), Data::I64($b)) => $body,
            (Data::U64($a), Data::U64($b)) => $body,
            (Data::Index($a), Data::Index($b)) => $body,
            (Data::F16($a), Data::F16($b)) => $body,
            (Data::BF16($a), Data::BF16($b)) => $body,
            (Data::F32($a), Data::F32($b)) => $body,
            (Data::F64($a), Data::F64($b)) => $body,
            _ => {}
        }
    };
}

fn copy(from: &Data, source: usize, to: &mut Data, target: usize, count: usize) {
    same_scalars!(from, to, |a, b| b[target..target + count].copy_from_slice(&a[source..source + count]));
}

/// Interpolates between two samples. Integers take the first one.
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

/// Stores the number, saturated to the type.
fn put(data: &mut Data, place: usize, value: f64) {
    match data {
        Data::Bool(_) => {}
        Data::I8(data) => data[place] = value as i8,
        Data::U8(data) => data[place] = value as u8,
        Data::I16(data) => data[place] = value as i16,
        Data::U16(data) => data[place] = value as u16,
        Data::I32(data) => data[place] = value as i32,
        Data::U32(data) => data[place] = value as u32,
        Data::I64(data) => data[place] = value as i64,
        Data::U64(data) => data[place] = value as u64,
        Data::Index(data) => data[place] = value as usize,
        Data::F16(data) => data[place] = FloatFormat::F16.round(value) as f32,
        Data::BF16(data) => data[place] = FloatFormat::BF16.round(value) as f32,
        Data::F32(data) => data[place] = value as f32,
        Data::F64(data) => data[place] = value,
    }
}

/// Whether all floats are finite and at most `largest`.
fn is_moderate(arg: &Arg, largest: f64) -> bool {
    match &arg.data {
        Data::F16(data) | Data::BF16(data) | Data::F32(data) => {
            data.iter().all(|value| value.is_finite() && f64::from(value.abs()) <= largest)
        }
        Data::F64(data) => data.iter().all(|value| value.abs() <= largest),
        _ => true,
    }
}

/// Whether the values vary: at least a third of the samples must differ from each of two reference samples.
fn is_varied(arg: &Arg) -> bool {
    let (parts, samples) = (arg.ty.components(), arg.len());
    let gap = match arg.ty.is_float() {
        true => {
            let (low, high) = bounds(arg);
            SPREAD.max(1e-3 * low.abs().max(high.abs()))
        }
        false => 0.0,
    };
    [SAMPLES / 2, SAMPLES - 1].into_iter().all(|usual| {
        (0..samples).filter(|sample| differs(&arg.data, usual * parts, sample * parts, parts, gap)).count()
            >= SAMPLES / 3
    })
}

/// Whether two values differ, floats by more than `gap`.
fn differs(data: &Data, a: usize, b: usize, parts: usize, gap: f64) -> bool {
    if data.scalar().is_float() {
        return (0..parts).any(|part| (scalar(data, a + part) - scalar(data, b + part)).abs() > gap);
    }
    let mut other = false;
    same_scalars!(data, data, |x, y| other = x[a..a + parts] != y[b..b + parts]);
    other
}

/// The float at index `place`.
fn scalar(data: &Data, place: usize) -> f64 {
    match data {
        Data::F16(data) | Data::BF16(data) | Data::F32(data) => f64::from(data[place]),
        Data::F64(data) => data[place],
        _ => 0.0,
    }
}

fn from_floats(scalar: Scalar, values: &[f64]) -> Data {
    match scalar {
        Scalar::Bool => Data::Bool(values.iter().map(|v| *v > 0.5).collect()),
        Scalar::I8 => Data::I8(values.iter().map(|v| v.floor() as i8).collect()),
        Scalar::U8 => Data::U8(values.iter().map(|v| v.floor() as u8).collect()),
        Scalar::I16 => Data::I16(values.iter().map(|v| v.floor() as i16).collect()),
        Scalar::U16 => Data::U16(values.iter().map(|v| v.floor() as u16).collect()),
        Scalar::I32 => Data::I32(values.iter().map(|v| v.floor() as i32).collect()),
        Scalar::U32 => Data::U32(values.iter().map(|v| v.floor() as u32).collect()),
        Scalar::I64 => Data::I64(values.iter().map(|v| v.floor() as i64).collect()),
        Scalar::U64 => Data::U64(values.iter().map(|v| v.floor() as u64).collect()),
        Scalar::Index => Data::Index(values.iter().map(|v| v.floor() as usize).collect()),
        Scalar::F16 | Scalar::BF16 => Data::rounded(scalar, values.iter().map(|v| *v as f32).collect()),
        Scalar::F32 => Data::F32(values.iter().map(|v| *v as f32).collect()),
        Scalar::F64 => Data::F64(values.to_vec()),
    }
}

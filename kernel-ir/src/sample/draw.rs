//! Random scalars in ranges.

use crate::data::Data;
use crate::ir::{FloatFormat, Scalar};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Half-open ranges for floats and integers; the scalar type selects one.
pub(super) struct Ranges {
    pub(super) floats: (f64, f64),
    pub(super) ints: (i128, i128),
}

/// A distribution of scalars over a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Uniform.
    Uniform,
    /// Mostly near the start of the range, or near 0 if the range has both signs. The distances from there spread over
    /// several orders of magnitude.
    Small,
    /// Each number is near one of the ends of the range, or in the middle.
    Extreme,
    /// All numbers of an array are equal, apart from one in four, which are uniform. In half of the arrays they are 0,
    /// or the start of a range without 0.
    Level,
    /// One of the others for each parameter.
    Mixed,
}

impl Style {
    /// All styles.
    pub const ALL: [Style; 5] = [Style::Uniform, Style::Small, Style::Extreme, Style::Level, Style::Mixed];
}

/// The random stream of one parameter.
pub(super) struct Source {
    rng: ChaCha8Rng,
    style: Style,
    /// The part of the range where most numbers are, in [`Style::Level`]. `None` for 0, or the start of a range without
    /// 0.
    level: Option<f64>,
}

impl Source {
    pub(super) fn new(seed: u64, name: &str, style: Style) -> Source {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(fnv1a(name));
        let style = match style {
            Style::Mixed => Style::ALL[(rng.next_u64() >> 62) as usize],
            Style::Uniform | Style::Small | Style::Extreme | Style::Level => style,
        };
        let level = (style == Style::Level).then(|| part(rng.next_u64())).filter(|part| *part >= 0.5);
        Source { rng, style, level }
    }

    /// A number from 0 to 1, its distribution by the style. `middle` is the part of the range where 0 is, if it is
    /// inside.
    fn part(&mut self, middle: f64) -> f64 {
        let uniform = part(self.rng.next_u64());
        match self.style {
            Style::Uniform | Style::Mixed => uniform,
            Style::Small => {
                let choice = self.rng.next_u64();
                // The largest distance that stays inside the range on both sides of the middle.
                let size = if middle > 0.0 { middle.min(1.0 - middle) } else { 1.0 };
                let distance = size * uniform * [1.0, 0.1, 1e-2, 1e-4][(choice >> 62) as usize];
                if middle > 0.0 && choice & 1 == 1 { middle - distance } else { middle + distance }
            }
            Style::Extreme => {
                let near = 0.01 * uniform;
                [near, 0.5 + near, 1.0 - near, uniform][(self.rng.next_u64() >> 62) as usize]
            }
            Style::Level if self.rng.next_u64() >> 62 != 0 => self.level.unwrap_or(middle),
            Style::Level => uniform,
        }
    }

    /// Draws `count` scalars; `None` if the range does not fit the type.
    pub(super) fn draw(&mut self, scalar: Scalar, ranges: &Ranges, count: usize) -> Option<Data> {
        Some(match scalar {
            Scalar::Bool => Data::Bool((0..count).map(|_| self.part(0.0) >= 0.5).collect()),
            Scalar::I8 => Data::I8(self.ints(ranges.ints, count)?),
            Scalar::U8 => Data::U8(self.ints(ranges.ints, count)?),
            Scalar::I16 => Data::I16(self.ints(ranges.ints, count)?),
            Scalar::U16 => Data::U16(self.ints(ranges.ints, count)?),
            Scalar::I32 => Data::I32(self.ints(ranges.ints, count)?),
            Scalar::U32 => Data::U32(self.ints(ranges.ints, count)?),
            Scalar::I64 => Data::I64(self.ints(ranges.ints, count)?),
            Scalar::U64 => Data::U64(self.ints(ranges.ints, count)?),
            Scalar::Index => Data::Index(self.ints(ranges.ints, count)?),
            Scalar::F16 => Data::F16(self.halves(FloatFormat::F16, ranges.floats, count)?),
            Scalar::BF16 => Data::BF16(self.halves(FloatFormat::BF16, ranges.floats, count)?),
            Scalar::F32 => Data::F32((0..count).map(|_| self.f32(ranges.floats)).collect::<Option<_>>()?),
            Scalar::F64 => Data::F64((0..count).map(|_| self.f64(ranges.floats)).collect()),
        })
    }

    /// Draws `count` numbers in [-1, 1).
    pub(super) fn signed(&mut self, count: usize) -> Vec<f32> {
        // 24 random bits, the precision of an f32 in [1, 2).
        let number = |bits: u64| (bits >> 40) as f32 / (1 << 23) as f32 - 1.0;
        (0..count).map(|_| number(self.rng.next_u64())).collect()
    }

    fn ints<T: TryFrom<i128>>(&mut self, range: (i128, i128), count: usize) -> Option<Vec<T>> {
        // If both ends fit the type, every value does.
        let _ends = (T::try_from(range.0).ok()?, T::try_from(range.1 - 1).ok()?);
        (0..count).map(|_| T::try_from(self.int(range)).ok()).collect()
    }

    /// A uniform integer in the range.
    pub(super) fn int(&mut self, (low, high): (i128, i128)) -> i128 {
        // Lemire's multiply-shift without rejection: the upper half of the product of the width and 64 random bits. Its
        // bias is below width / 2⁶⁴.
        let width = (high - low) as u128;
        match self.style {
            Style::Uniform | Style::Mixed => low + ((width * u128::from(self.rng.next_u64())) >> 64) as i128,
            Style::Small | Style::Extreme | Style::Level => {
                let middle = if low < 0 { -low as f64 / width as f64 } else { 0.0 };
                low + ((width as f64 * self.part(middle)) as i128).clamp(0, high - low - 1)
            }
        }
    }

    /// A float of the range.
    pub(super) fn f64(&mut self, (low, high): (f64, f64)) -> f64 {
        let part = self.part(if low < 0.0 && high > 0.0 { -low / (high - low) } else { 0.0 });
        let value = low * (1.0 - part) + high * part;
        value.clamp(low, high.next_down())
    }

    /// `count` numbers of a format with 16 bits, of the range; `None` if an end of it is beyond the largest number.
    fn halves(&mut self, format: FloatFormat, range: (f64, f64), count: usize) -> Option<Vec<f32>> {
        if range.0.abs().max(range.1.abs()) > format.largest() {
            return None;
        }
        let inside = |value: &f64| (range.0..range.1).contains(value);
        (0..count)
            .map(|_| {
                let value = self.f64(range);
                // Rounding may cross a bound by less than one step. Half a step towards the other number leads to it.
                let step = (format.epsilon() * value.abs()).max(format.least());
                let near = [value, value - step, value + step].map(|value| format.round(value));
                near.iter().find(|value| inside(value)).map(|value| *value as f32)
            })
            .collect()
    }

    fn f32(&mut self, range: (f64, f64)) -> Option<f32> {
        if !((range.0 as f32).is_finite() && (range.1 as f32).is_finite()) {
            return None;
        }
        let value = self.f64(range) as f32;
        let inside = |value: f32| (range.0..range.1).contains(&f64::from(value));
        // The conversion to f32 may round past a bound by less than one step.
        [value, value.next_down(), value.next_up()].into_iter().find(|value| inside(*value))
    }
}

/// Random bits as a number in [0, 1).
fn part(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// The first integer in `data`, for sizes that depend on an argument.
pub(super) fn integer(data: &Data) -> Option<i64> {
    match data {
        Data::I8(data) => data.first().copied().map(i64::from),
        Data::U8(data) => data.first().copied().map(i64::from),
        Data::I16(data) => data.first().copied().map(i64::from),
        Data::U16(data) => data.first().copied().map(i64::from),
        Data::I32(data) => data.first().copied().map(i64::from),
        Data::U32(data) => data.first().copied().map(i64::from),
        Data::I64(data) => data.first().copied(),
        Data::U64(data) => data.first().and_then(|value| i64::try_from(*value).ok()),
        Data::Index(data) => data.first().and_then(|value| i64::try_from(*value).ok()),
        Data::Bool(_) | Data::F16(_) | Data::BF16(_) | Data::F32(_) | Data::F64(_) => None,
    }
}

/// FNV-1a of 64 bits. Stored datasets depend on it, so it must not change.
fn fnv1a(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

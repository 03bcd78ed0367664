//! Scalars drawn from ranges.

use crate::data::Data;
use crate::ir::Scalar;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// From the first to below the second value, for whichever kind of scalar is drawn.
pub(super) struct Ranges {
    pub(super) floats: (f64, f64),
    pub(super) ints: (i128, i128),
}

/// The random bits of one parameter.
pub(super) struct Source(ChaCha8Rng);

impl Source {
    pub(super) fn new(seed: u64, name: &str) -> Source {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(fnv1a(name));
        Source(rng)
    }

    /// `count` scalars; `None` if the range does not fit the type.
    pub(super) fn draw(&mut self, scalar: Scalar, ranges: &Ranges, count: usize) -> Option<Data> {
        Some(match scalar {
            Scalar::Bool => Data::Bool((0..count).map(|_| self.0.next_u64() >> 63 == 1).collect()),
            Scalar::I32 => Data::I32(self.ints(ranges.ints, count)?),
            Scalar::U32 => Data::U32(self.ints(ranges.ints, count)?),
            Scalar::I64 => Data::I64(self.ints(ranges.ints, count)?),
            Scalar::U64 => Data::U64(self.ints(ranges.ints, count)?),
            Scalar::Index => Data::Index(self.ints(ranges.ints, count)?),
            Scalar::F32 => Data::F32((0..count).map(|_| self.f32(ranges.floats)).collect::<Option<_>>()?),
            Scalar::F64 => Data::F64((0..count).map(|_| self.f64(ranges.floats)).collect()),
        })
    }

    /// `count` numbers from -1 to below 1.
    pub(super) fn signed(&mut self, count: usize) -> Vec<f32> {
        // All 24 digits of an f32 between 1 and 2.
        let number = |bits: u64| (bits >> 40) as f32 / (1 << 23) as f32 - 1.0;
        (0..count).map(|_| number(self.0.next_u64())).collect()
    }

    fn ints<T: TryFrom<i128>>(&mut self, range: (i128, i128), count: usize) -> Option<Vec<T>> {
        // Where the ends fit, everything does.
        let _ends = (T::try_from(range.0).ok()?, T::try_from(range.1 - 1).ok()?);
        (0..count).map(|_| T::try_from(self.int(range)).ok()).collect()
    }

    /// An integer of the range.
    pub(super) fn int(&mut self, (low, high): (i128, i128)) -> i128 {
        // The upper half of the product of the width and 64 random bits: even but for one part in 2^64 / width.
        let width = (high - low) as u128;
        low + ((width * u128::from(self.0.next_u64())) >> 64) as i128
    }

    /// A float of the range.
    pub(super) fn f64(&mut self, (low, high): (f64, f64)) -> f64 {
        let part = (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let value = low * (1.0 - part) + high * part;
        value.clamp(low, high.next_down())
    }

    fn f32(&mut self, range: (f64, f64)) -> Option<f32> {
        if !((range.0 as f32).is_finite() && (range.1 as f32).is_finite()) {
            return None;
        }
        let value = self.f64(range) as f32;
        let inside = |value: f32| (range.0..range.1).contains(&f64::from(value));
        // Rounding goes past a bound by less than one step.
        [value, value.next_down(), value.next_up()].into_iter().find(|value| inside(*value))
    }
}

/// The integer in `data`, if it is one.
pub(super) fn integer(data: &Data) -> Option<i64> {
    match data {
        Data::I32(data) => data.first().copied().map(i64::from),
        Data::U32(data) => data.first().copied().map(i64::from),
        Data::I64(data) => data.first().copied(),
        Data::U64(data) => data.first().and_then(|value| i64::try_from(*value).ok()),
        Data::Index(data) => data.first().and_then(|value| i64::try_from(*value).ok()),
        Data::Bool(_) | Data::F32(_) | Data::F64(_) => None,
    }
}

/// A hash of `name` that never changes: FNV-1a of 64 bits.
fn fnv1a(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

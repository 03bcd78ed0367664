//! Formats of floats: their precision and range, rounding to them, and the bits of those with 16 bits.

/// A binary format of floats as IEEE 754 defines them, with gradual underflow, infinities and NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatFormat {
    /// The number of binary digits of the significand; the first one is not stored.
    digits: i32,
    /// The exponent of the smallest normal number. The exponent of the largest number is `1 - least_exponent`.
    least_exponent: i32,
}

impl FloatFormat {
    /// Binary16, `f16`.
    pub const F16: FloatFormat = FloatFormat { digits: 11, least_exponent: -14 };
    /// Bfloat16, `bf16`.
    pub const BF16: FloatFormat = FloatFormat { digits: 8, least_exponent: -126 };
    /// Binary32, `f32`.
    pub const F32: FloatFormat = FloatFormat { digits: 24, least_exponent: -126 };
    /// Binary64, `f64`.
    pub const F64: FloatFormat = FloatFormat { digits: 53, least_exponent: -1022 };

    /// Whether the format has 16 bits.
    pub fn is_half(self) -> bool {
        matches!(self, FloatFormat::F16 | FloatFormat::BF16)
    }

    /// The distance from 1 to the next number.
    pub fn epsilon(self) -> f64 {
        power_of_two(1 - self.digits)
    }

    /// The smallest positive number.
    pub fn least(self) -> f64 {
        power_of_two(self.least_exponent + 1 - self.digits)
    }

    /// The smallest positive number with all digits.
    pub fn least_normal(self) -> f64 {
        power_of_two(self.least_exponent)
    }

    /// The largest finite number.
    pub fn largest(self) -> f64 {
        (2.0 - self.epsilon()) * power_of_two(1 - self.least_exponent)
    }

    /// The number of the format nearest to `value`; of two, the even one. Beyond the largest number it is infinite.
    pub fn round(self, value: f64) -> f64 {
        if self == FloatFormat::F64 || value == 0.0 || !value.is_finite() {
            return value;
        }
        // The quotient is exact: the divisor is a power of two, and neither of them is near the limits of `f64`, except
        // for subnormal `f64`, which round to zero.
        let unit = power_of_two(exponent(value).max(self.least_exponent) + 1 - self.digits);
        let rounded = (value / unit).round_ties_even() * unit;
        if rounded.abs() > self.largest() { f64::INFINITY.copysign(value) } else { rounded }
    }

    /// The bits of `value`, a number of this format with 16 bits. A NaN gets the bits of the quiet one without a sign.
    pub fn to_bits(self, value: f32) -> u16 {
        let stored = self.digits - 1;
        let magnitude = if value.is_nan() {
            self.infinity() | 1 << (stored - 1)
        } else if value.is_infinite() {
            self.infinity()
        } else {
            let (size, exponent) = (f64::from(value.abs()), exponent(value.into()).max(self.least_exponent));
            // The first digit of a normal number adds the one that the exponent counts from.
            let digits = (size / power_of_two(exponent - stored)) as u16;
            ((exponent - self.least_exponent) as u16 * (1 << stored)) + digits
        };
        if value.is_sign_negative() && !value.is_nan() { magnitude | 1 << 15 } else { magnitude }
    }

    /// The number with these bits in this format with 16 bits.
    pub fn from_bits(self, bits: u16) -> f32 {
        let stored = self.digits - 1;
        let (magnitude, fraction) = (bits & 0x7fff, bits & ((1 << stored) - 1));
        let size = match magnitude >> stored {
            _ if magnitude > self.infinity() => f64::NAN,
            _ if magnitude == self.infinity() => f64::INFINITY,
            0 => f64::from(fraction) * self.least(),
            exponent => {
                f64::from(fraction | 1 << stored) * power_of_two(self.least_exponent - 1 + i32::from(exponent) - stored)
            }
        };
        (if bits >> 15 == 1 { -size } else { size }) as f32
    }

    /// The bits of infinity in the format with 16 bits.
    fn infinity(self) -> u16 {
        0x7fff & !((1 << (self.digits - 1)) - 1)
    }
}

/// 2 to the power of `exponent`, which is that of a normal or subnormal `f64`.
fn power_of_two(exponent: i32) -> f64 {
    const STORED: i32 = f64::MANTISSA_DIGITS as i32 - 1;
    let bits = match exponent < f64::MIN_EXP - 1 {
        true => 1 << (exponent - (f64::MIN_EXP - 1 - STORED)),
        false => ((exponent + f64::MAX_EXP - 1) as u64) << STORED,
    };
    f64::from_bits(bits)
}

/// The exponent of the first binary digit of a finite number; that of the smallest normal `f64` for smaller numbers.
fn exponent(value: f64) -> i32 {
    let biased = (value.to_bits() >> (f64::MANTISSA_DIGITS - 1)) as i32 & 0x7ff;
    biased.max(1) - (f64::MAX_EXP - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_facts_of_known_formats() {
        assert_eq!(FloatFormat::F32.epsilon(), f64::from(f32::EPSILON));
        assert_eq!(FloatFormat::F32.least(), f64::from(f32::from_bits(1)));
        assert_eq!(FloatFormat::F32.largest(), f64::from(f32::MAX));
        assert_eq!(FloatFormat::F64.epsilon(), f64::EPSILON);
        assert_eq!(FloatFormat::F64.least(), f64::from_bits(1));
        assert_eq!(FloatFormat::F64.largest(), f64::MAX);
        assert_eq!(FloatFormat::F16.largest(), 65504.0);
        assert_eq!(FloatFormat::BF16.largest(), f64::from(f32::from_bits(0x7f7f_0000)));
    }

    #[test]
    fn all_bits_lead_back_to_themselves() {
        for format in [FloatFormat::F16, FloatFormat::BF16] {
            for bits in 0..=u16::MAX {
                let value = format.from_bits(bits);
                assert!(value.is_nan() || format.to_bits(value) == bits, "{format:?} {bits:#06x} {value}");
                let rounded = format.round(value.into());
                assert!(value.is_nan() || rounded.to_bits() == f64::from(value).to_bits(), "{format:?} {bits:#06x}");
            }
            assert_eq!(format.from_bits(format.to_bits(f32::NAN)).to_bits(), f32::NAN.to_bits());
        }
        // In bfloat16 the bits are the upper half of those of `f32`.
        assert!((0..0x7f80).all(|bits: u16| { FloatFormat::BF16.from_bits(bits).to_bits() == u32::from(bits) << 16 }));
    }

    #[test]
    fn numbers_between_two_go_to_the_nearer_and_ties_to_the_even_one() {
        for format in [FloatFormat::F16, FloatFormat::BF16] {
            for bits in 0..format.infinity() - 1 {
                let (low, high) = (f64::from(format.from_bits(bits)), f64::from(format.from_bits(bits + 1)));
                let middle = (low + high) / 2.0;
                let even = if bits % 2 == 0 { low } else { high };
                for sign in [1.0, -1.0] {
                    assert_eq!(format.round(sign * middle), sign * even, "{format:?} {bits:#06x}");
                    assert_eq!(format.round(sign * f64::from_bits(middle.to_bits() - 1)), sign * low);
                    assert_eq!(format.round(sign * f64::from_bits(middle.to_bits() + 1)), sign * high);
                }
            }
            let limit = format.largest() + format.epsilon() * power_of_two(-format.least_exponent);
            assert_eq!(format.round(limit), f64::INFINITY);
            assert_eq!(format.round(f64::from_bits(limit.to_bits() - 1)), format.largest());
            assert!(format.round(f64::NAN).is_nan());
            assert!(format.round(-1e-300).to_bits() == (-0.0f64).to_bits());
        }
        let single = |value: f64| FloatFormat::F32.round(value) == f64::from(value as f32);
        assert!([0.1, 1e-40, -3.3e38, 1e39, 1.0 / 3.0, 5e-324].into_iter().all(single));
    }
}

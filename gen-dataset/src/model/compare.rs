//! Compares two executions of one launch, number by number.

use super::agreement::Agreement;
use kernel_ir::data::{Arg, Data};
use kernel_ir::interp::type_of_tolerance;
use kernel_ir::ir::FloatFormat;
use std::fmt::{self, Debug};

/// Compares `found` with `expected`. `allowed` holds a tolerance for each float; a tolerance of 0 demands the same
/// bits.
///
/// A NaN agrees only with a NaN of the same bits, so it is no wildcard. Whether results are finite is a separate
/// question, see [`all_finite`].
///
/// # Errors
/// A sentence that names the first argument (by `names`) with a float outside its tolerance, or with another value that
/// differs.
pub(crate) fn agreement<'a>(
    names: impl IntoIterator<Item = &'a str>,
    found: &[Arg],
    expected: &[Arg],
    allowed: &[Arg],
) -> Result<Agreement, String> {
    let mut agreement = Agreement { allowed_ulp: allowed_ulp(expected, allowed), ..Agreement::SAME };
    for (((name, found), expected), allowed) in names.into_iter().zip(found).zip(expected).zip(allowed) {
        let floats = match (&found.data, &expected.data, &allowed.data) {
            (Data::F16(found), Data::F16(expected), Data::F32(allowed)) => {
                let [found, expected, allowed] = [found, expected, allowed].map(|data| halves(FloatFormat::F16, data));
                compare(&found, &expected, &allowed)
            }
            (Data::BF16(found), Data::BF16(expected), Data::F32(allowed)) => {
                let [found, expected, allowed] = [found, expected, allowed].map(|data| halves(FloatFormat::BF16, data));
                compare(&found, &expected, &allowed)
            }
            (Data::F32(found), Data::F32(expected), Data::F32(allowed)) => compare(found, expected, allowed),
            (Data::F64(found), Data::F64(expected), Data::F64(allowed)) => compare(found, expected, allowed),
            (found, expected, _) if found == expected => continue,
            _ => Err(String::new()),
        };
        agreement = agreement.and(floats.map_err(|what| format!("`{name}` differs{what}"))?);
    }
    Ok(agreement)
}

/// Checks that `found` has the same bits as `expected`.
///
/// # Errors
/// The sentence of [`agreement`].
pub(crate) fn same<'a>(
    names: impl IntoIterator<Item = &'a str>,
    found: &[Arg],
    expected: &[Arg],
) -> Result<(), String> {
    agreement(names, found, expected, &zeros(expected)).map(drop)
}

/// Zeros for the numbers of `args`.
fn zeros(args: &[Arg]) -> Vec<Arg> {
    args.iter().map(|arg| Arg::zeros(type_of_tolerance(arg.ty), &arg.shape)).collect()
}

/// The largest tolerance, in units in the last place of the number that it is for.
pub(crate) fn allowed_ulp(expected: &[Arg], allowed: &[Arg]) -> u64 {
    fn most<F: Float>(expected: &[F], allowed: &[F]) -> u64 {
        let steps = |(value, allowed): (&F, &F)| value.distance(value.plus(*allowed));
        expected.iter().zip(allowed).filter(|(_, allowed)| allowed.wide() > 0.0).map(steps).max().unwrap_or(0)
    }
    let each = expected.iter().zip(allowed).map(|(expected, allowed)| match (&expected.data, &allowed.data) {
        (Data::F16(expected), Data::F32(allowed)) => {
            most(&halves(FloatFormat::F16, expected), &halves(FloatFormat::F16, allowed))
        }
        (Data::BF16(expected), Data::F32(allowed)) => {
            most(&halves(FloatFormat::BF16, expected), &halves(FloatFormat::BF16, allowed))
        }
        (Data::F32(expected), Data::F32(allowed)) => most(expected, allowed),
        (Data::F64(expected), Data::F64(allowed)) => most(expected, allowed),
        _ => 0,
    });
    each.max().unwrap_or(0)
}

/// Whether every float of `args` is finite.
pub(crate) fn all_finite(args: &[Arg]) -> bool {
    first_not_finite(std::iter::repeat(""), args).is_none()
}

/// The first float of `args` that is infinite or NaN: the name of its argument, its position and its value.
pub(super) fn first_not_finite<'a>(
    names: impl IntoIterator<Item = &'a str>,
    args: &[Arg],
) -> Option<(&'a str, usize, f64)> {
    fn first<F: Float>(data: &[F]) -> Option<(usize, f64)> {
        data.iter().map(|value| value.wide()).enumerate().find(|(_, value)| !value.is_finite())
    }
    names.into_iter().zip(args).find_map(|(name, arg)| {
        let (position, value) = match &arg.data {
            Data::F16(data) | Data::BF16(data) | Data::F32(data) => first(data),
            Data::F64(data) => first(data),
            _ => None,
        }?;
        Some((name, position, value))
    })
}

/// The largest difference. The error describes the first number outside its tolerance.
fn compare<F: Float>(found: &[F], expected: &[F], allowed: &[F]) -> Result<Agreement, String> {
    let mut worst = Agreement::SAME;
    if found.len() != expected.len() {
        return Err(String::new());
    }
    for (position, ((found, expected), allowed)) in found.iter().zip(expected).zip(allowed).enumerate() {
        if found.bits() == expected.bits() {
            continue;
        }
        // 0.0 and -0.0 differ in their bits and by 0. A tolerance above 0 allows that.
        let (apart, allowed) = ((found.wide() - expected.wide()).abs(), allowed.wide());
        if !(allowed > 0.0 && apart.is_finite() && apart <= allowed) {
            let asked = match allowed > 0.0 {
                true => format!("may differ by {allowed:e}"),
                false => "must have the same bits".to_owned(),
            };
            return Err(format!(" at position {position}: {found:?} and {expected:?}, which {asked}"));
        }
        let larger = found.wide().abs().max(expected.wide().abs());
        worst = worst.and(Agreement {
            bit_equal: false,
            worst_absolute: apart,
            worst_relative: if larger > 0.0 { apart / larger } else { 0.0 },
            worst_ulp: found.distance(*expected),
            allowed_ulp: 0,
        });
    }
    Ok(worst)
}

/// The float types.
trait Float: Copy + Debug {
    fn bits(self) -> u64;
    fn wide(self) -> f64;
    fn plus(self, other: Self) -> Self;
    /// The rank of the float among all floats of its type. Both zeros have the rank 0.
    fn place(self) -> i64;

    /// The number of floats between the two, at most `i64::MAX`, the largest value of an integer column.
    fn distance(self, other: Self) -> u64 {
        self.place().abs_diff(other.place()).min(i64::MAX.cast_unsigned())
    }
}

macro_rules! float {
    ($($float:ident)*) => {
        $(impl Float for $float {
            fn bits(self) -> u64 {
                self.to_bits().into()
            }

            fn wide(self) -> f64 {
                self.into()
            }

            fn plus(self, other: $float) -> $float {
                self + other
            }

            fn place(self) -> i64 {
                let size = self.abs().bits().cast_signed();
                if self.is_sign_negative() { -size } else { size }
            }
        })*
    };
}

float!(f32 f64);

/// A float of 16 bits as an `f32`, or the tolerance of one.
#[derive(Clone, Copy)]
struct Half {
    value: f32,
    format: FloatFormat,
}

fn halves(format: FloatFormat, data: &[f32]) -> Vec<Half> {
    data.iter().map(|value| Half { value: *value, format }).collect()
}

impl Debug for Half {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl Float for Half {
    fn bits(self) -> u64 {
        self.value.to_bits().into()
    }

    fn wide(self) -> f64 {
        self.value.into()
    }

    fn plus(self, other: Half) -> Half {
        Half { value: self.format.round(self.wide() + other.wide()) as f32, ..self }
    }

    fn place(self) -> i64 {
        let size = i64::from(self.format.to_bits(self.value.abs()));
        if self.value.is_sign_negative() { -size } else { size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel_ir::ir::Type;

    fn compare(found: f32, expected: f32, allowed: f32) -> Result<Agreement, String> {
        let arg = |value| [Arg { ty: Type::F32, shape: vec![1], data: Data::F32(vec![value]) }];
        agreement(["y"], &arg(found), &arg(expected), &arg(allowed))
    }

    #[test]
    fn distances_are_compared_and_counted_in_floats() {
        let next = f32::from_bits(1.0_f32.to_bits() + 3);
        let unit = f32::EPSILON;
        let apart = 3.0 * f64::from(unit);
        let agreement = Agreement {
            bit_equal: false,
            worst_absolute: apart,
            worst_relative: apart / (1.0 + apart),
            worst_ulp: 3,
            allowed_ulp: 4,
        };
        assert_eq!(compare(next, 1.0, 4.0 * unit), Ok(agreement));
        let wrong = compare(next, 1.0, 2.0 * unit).unwrap_err();
        assert_eq!(wrong, "`y` differs at position 0: 1.0000004 and 1.0, which may differ by 2.384185791015625e-7");
        let wrong = compare(next, 1.0, 0.0).unwrap_err();
        assert_eq!(wrong, "`y` differs at position 0: 1.0000004 and 1.0, which must have the same bits");
        let tiny = f32::from_bits(1);
        assert_eq!(compare(-tiny, tiny, 1e-40).map(|a| a.worst_ulp), Ok(2));
        assert_eq!(Float::distance(-3.0_f64, 3.0), i64::MAX as u64);
    }

    #[test]
    fn nan_is_no_wildcard() {
        for (found, expected) in [(f32::NAN, 1.0), (1.0, f32::NAN), (f32::NAN, -f32::NAN), (f32::INFINITY, f32::NAN)] {
            for allowed in [0.0, 1e30, f32::INFINITY, f32::NAN] {
                assert!(compare(found, expected, allowed).is_err(), "{found} {expected} {allowed}");
            }
        }
        assert_eq!(compare(f32::NAN, f32::NAN, 0.0), Ok(Agreement::SAME));
        assert!(compare(f32::INFINITY, 1.0, f32::INFINITY).is_err());
    }

    #[test]
    fn an_exact_number_must_have_the_same_bits() {
        assert!(compare(0.0, -0.0, 0.0).is_err());
        assert_eq!(compare(0.0, -0.0, 1e-9).map(|a| (a.bit_equal, a.worst_ulp)), Ok((false, 0)));
        assert_eq!(compare(2.5, 2.5, 0.0).map(|a| a.bit_equal), Ok(true));
    }

    #[test]
    fn integers_must_be_equal() {
        let arg = |value| [Arg { ty: Type::I32, shape: vec![1], data: Data::I32(vec![value]) }];
        assert_eq!(agreement(["n"], &arg(1), &arg(2), &arg(0)), Err("`n` differs".to_owned()));
    }
}

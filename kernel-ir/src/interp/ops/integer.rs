//! Integers. Sums, differences and products use the checked operations of the type. All others are computed in `i128`,
//! which holds every result of a 64-bit operation except large powers, and are converted back with a range check.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "an operation that these operands do not have is an error, and a test runs every row of the table"
)]

use super::operands::{Outcome, undefined};
use crate::ops::{Op, Syntax};
use std::fmt::Display;

/// An integer type of the language.
pub(in crate::interp) trait Integer: Copy + Ord + Display {
    const NAME: &'static str;
    const BITS: u32;
    const MIN: Self;
    const MAX: Self;

    fn wide(self) -> i128;
    /// The wrapped sum, and whether it overflowed.
    fn overflowing_add(self, b: Self) -> (Self, bool);
    /// The wrapped difference, and whether it overflowed.
    fn overflowing_sub(self, b: Self) -> (Self, bool);
    /// The wrapped product, and whether it overflowed.
    fn overflowing_mul(self, b: Self) -> (Self, bool);
    /// The quotient; `None` for a zero divisor or on overflow.
    fn quotient(self, b: Self) -> Option<Self>;
    /// The remainder; `None` for a zero divisor or on overflow.
    fn remainder(self, b: Self) -> Option<Self>;
    fn and(self, b: Self) -> Self;
    fn or(self, b: Self) -> Self;
    fn xor(self, b: Self) -> Self;
    /// The value modulo 2 to the width.
    fn wrap(value: i128) -> Self;
}

macro_rules! integer {
    ($($int:ident)*) => {
        $(impl Integer for $int {
            const NAME: &'static str = stringify!($int);
            const BITS: u32 = $int::BITS;
            const MIN: $int = $int::MIN;
            const MAX: $int = $int::MAX;

            fn wide(self) -> i128 {
                self as i128
            }

            fn overflowing_add(self, b: $int) -> ($int, bool) {
                self.overflowing_add(b)
            }

            fn overflowing_sub(self, b: $int) -> ($int, bool) {
                self.overflowing_sub(b)
            }

            fn overflowing_mul(self, b: $int) -> ($int, bool) {
                self.overflowing_mul(b)
            }

            fn quotient(self, b: $int) -> Option<$int> {
                self.checked_div(b)
            }

            fn remainder(self, b: $int) -> Option<$int> {
                self.checked_rem(b)
            }

            fn and(self, b: $int) -> $int {
                self & b
            }

            fn or(self, b: $int) -> $int {
                self | b
            }

            fn xor(self, b: $int) -> $int {
                self ^ b
            }

            fn wrap(value: i128) -> $int {
                value as $int
            }
        })*
    };
}

integer!(i8 u8 i16 u16 i32 u32 i64 u64 usize);

/// The value in the type, if it fits.
fn narrow<T: Integer>(value: i128) -> Option<T> {
    (T::MIN.wide()..=T::MAX.wide()).contains(&value).then(|| T::wrap(value))
}

/// The bit pattern of the value, zero-extended.
fn pattern<T: Integer>(value: T) -> u128 {
    value.wide() as u128 & (u128::MAX >> (128 - T::BITS))
}

pub(in crate::interp) fn bits<T: Integer>(op: Op, a: T) -> Outcome<u32> {
    let a = pattern(a);
    match op {
        Op::CountOnes => Ok(a.count_ones()),
        Op::LeadingZeros => Ok(a.leading_zeros() - (128 - T::BITS)),
        Op::TrailingZeros => Ok(a.trailing_zeros().min(T::BITS)),
        _ => Err(undefined(op)),
    }
}

/// Computes `op` of scalars. `number` is the second operand if it has its own type.
pub(in crate::interp) fn arithmetic<T: Integer>(op: Op, [a, b, c]: [T; 3], number: Option<i128>) -> Outcome<T> {
    let (wide_a, wide_b) = (a.wide(), b.wide());
    let number = number.unwrap_or(wide_b);
    let in_type = |(value, overflows): (T, bool)| match overflows {
        false => Ok(value),
        true => Err(overflow::<T>(op, wide_a, number)),
    };
    let exact = match op {
        Op::Add => return in_type(a.overflowing_add(b)),
        Op::Sub => return in_type(a.overflowing_sub(b)),
        Op::Mul => return in_type(a.overflowing_mul(b)),
        Op::Div | Op::Rem | Op::RemEuclid => divide::<T>(op, wide_a, wide_b)?,
        Op::Neg => Some(-wide_a),
        Op::Abs => Some(wide_a.abs()),
        Op::Pow => wide_a.checked_pow(number as u32),
        Op::Signum => Some(wide_a.signum()),
        Op::AbsDiff => Some((wide_a - wide_b).abs()),
        Op::SaturatingSub => Some((wide_a - wide_b).clamp(T::MIN.wide(), T::MAX.wide())),
        Op::Below if a >= b => return Err(format!("index out of bounds: the index is {a}, but it must be below {b}")),
        Op::Below => return Ok(a),
        Op::Min => return Ok(a.min(b)),
        Op::Max => return Ok(a.max(b)),
        Op::Clamp if b > c => return Err(format!("`clamp` to bounds that are not in order: {b} and {c}")),
        Op::Clamp => return Ok(a.clamp(b, c)),
        _ => return on_bits(op, a, b, number),
    };
    exact.and_then(narrow).ok_or_else(|| overflow::<T>(op, wide_a, number))
}

fn overflow<T: Integer>(op: Op, a: i128, b: i128) -> String {
    format!("integer overflow: `{}` does not fit {}", written(op, a, b), T::NAME)
}

/// The operation in Rust syntax, with its numbers.
fn written(op: Op, a: impl Display, b: impl Display) -> String {
    let is_unary = op.def().overloads.iter().all(|row| row.args.len() == 1);
    match op.def().rust {
        Syntax::Infix(sign) => format!("{a} {sign} {b}"),
        Syntax::Prefix(sign) => format!("{sign}({a})"),
        syntax if is_unary => format!("({a}).{}()", syntax.word()),
        syntax => format!("({a}).{}({b})", syntax.word()),
    }
}

/// The quotient or a remainder; `None` on overflow. As in Rust, `MIN % -1` overflows because its quotient does.
fn divide<T: Integer>(op: Op, a: i128, b: i128) -> Outcome<Option<i128>> {
    if b == 0 {
        return Err(format!("division by zero: `{}`", written(op, a, b)));
    }
    if narrow::<T>(a / b).is_none() {
        return Ok(None);
    }
    Ok(Some(match op {
        Op::Rem => a % b,
        Op::RemEuclid => a.rem_euclid(b),
        _ => a / b,
    }))
}

/// Bitwise, shift and wrapping operations.
fn on_bits<T: Integer>(op: Op, a: T, b: T, number: i128) -> Outcome<T> {
    let (wide_a, wide_b) = (a.wide(), b.wide());
    let rotate = |up: u32| {
        let bits = pattern(a);
        T::wrap((bits << up | bits >> (T::BITS - up)) as i128)
    };
    let distance = number.rem_euclid(T::BITS.into()) as u32;
    Ok(match op {
        Op::Not => T::wrap(!wide_a),
        Op::BitAnd => a.and(b),
        Op::BitOr => a.or(b),
        Op::BitXor => a.xor(b),
        Op::Shl | Op::Shr if i128::from(distance) != wide_b => {
            return Err(format!("shift by the width or more: `{}` in {}", written(op, a, b), T::NAME));
        }
        Op::Shl => T::wrap(wide_a << distance),
        Op::Shr => T::wrap(wide_a >> distance),
        Op::RotateLeft => rotate(distance),
        Op::RotateRight => rotate((T::BITS - distance) % T::BITS),
        Op::WrappingAdd => a.overflowing_add(b).0,
        Op::WrappingSub => a.overflowing_sub(b).0,
        Op::WrappingMul => a.overflowing_mul(b).0,
        _ => return Err(undefined(op)),
    })
}

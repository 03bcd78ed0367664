//! The numbers that vectors and matrices consist of.

use std::fmt::{Debug, Display};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A number of the kernel language.
pub trait Number:
    Copy
    + Default
    + PartialEq
    + PartialOrd
    + Debug
    + Display
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + Send
    + Sync
    + sealed::Sealed
    + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
}

/// A number with a sign.
pub trait SignedNumber: Number + Neg<Output = Self> {
    /// -1.
    const NEG_ONE: Self;

    #[doc(hidden)]
    fn magnitude(self) -> Self;
}

/// A float.
pub trait Float: SignedNumber {
    #[doc(hidden)]
    const TWO: Self;
    #[doc(hidden)]
    const HALF: Self;
    /// Not a number.
    const NAN: Self;

    #[doc(hidden)]
    fn root(self) -> Self;
    #[doc(hidden)]
    fn sine_and_cosine(self) -> (Self, Self);
    #[doc(hidden)]
    fn is_regular(self) -> bool;
    /// The bits of `value`, or 0 if `self` is 0. A bit mask, because the compiler turns a select into a branch here, and
    /// then does not vectorise the loop.
    #[doc(hidden)]
    fn unless_zero(self, value: Self) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! numbers {
    ($($number:ident: $zero:literal, $one:literal;)*) => {$(
        impl sealed::Sealed for $number {}

        impl Number for $number {
            const ZERO: $number = $zero;
            const ONE: $number = $one;
        }
    )*};
}

numbers! {
    f32: 0.0, 1.0;
    f64: 0.0, 1.0;
    i8: 0, 1;
    u8: 0, 1;
    i16: 0, 1;
    u16: 0, 1;
    i32: 0, 1;
    u32: 0, 1;
    i64: 0, 1;
    u64: 0, 1;
}

macro_rules! signed {
    ($($number:ident: $one:literal;)*) => {$(
        impl SignedNumber for $number {
            const NEG_ONE: $number = -$one;

            #[inline]
            fn magnitude(self) -> $number {
                self.abs()
            }
        }
    )*};
}

signed! {
    f32: 1.0;
    f64: 1.0;
    i8: 1;
    i16: 1;
    i32: 1;
    i64: 1;
}

macro_rules! floats {
    ($($float:ident $bits:ident;)*) => {$(
        impl Float for $float {
            const TWO: $float = 2.0;
            const HALF: $float = 0.5;
            const NAN: $float = $float::NAN;

            #[inline]
            fn root(self) -> $float {
                self.sqrt()
            }

            #[inline]
            fn sine_and_cosine(self) -> ($float, $float) {
                self.sin_cos()
            }

            #[inline]
            fn is_regular(self) -> bool {
                self.is_finite()
            }

            #[inline(always)]
            fn unless_zero(self, value: $float) -> $float {
                $float::from_bits(value.to_bits() & $bits::from(self != 0.0).wrapping_neg())
            }
        }
    )*};
}

floats! {
    f32 u32;
    f64 u64;
}

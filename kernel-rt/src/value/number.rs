//! The numbers that vectors and matrices consist of. The traits are also the bounds of generic device functions and
//! kernels.

use super::operations::{
    Cast, Castable, FloatOperations, IntegerOperations, Literal, NumberOperations, SignedOperations,
};
use std::fmt::{Debug, Display};
use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign, Mul, MulAssign,
    Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

/// A number of the kernel language: `f32`, `f64`, or an integer of a fixed width.
///
/// A device function or kernel that is generic over numbers writes a number as `T::lit(0.5)`, and converts with
/// `T::cast(x)`. The operations of the language come with the bound.
///
/// ```
/// use kernel_rt::prelude::*;
///
/// /// a + (b - a)·t
/// #[device]
/// fn mix<T: Float>(a: T, b: T, t: T) -> T {
///     a + (b - a) * t.clamp(T::ZERO, T::ONE)
/// }
///
/// assert_eq!((mix(1.0f32, 3.0, 0.5), mix(1.0, 3.0, 2.0)), (2.0f32, 3.0f64));
/// ```
pub trait Number:
    Copy
    + Cast
    + Castable
    + NumberOperations
    + Default
    + PartialEq
    + PartialOrd
    + Debug
    + Display
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + RemAssign
    + Send
    + Sync
    + sealed::Sealed
    + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The largest finite number.
    const MAX: Self;
    /// The smallest finite number.
    const MIN: Self;

    /// The number that a literal stands for, such as `T::lit(0.5)` or `T::lit(3)`. A literal with a fraction is an `f64`
    /// that is rounded to the type.
    ///
    /// # Panics
    /// If the type does not have the number, as in `i32::lit(0.5)`. Kernels do not compile then.
    fn lit<L: Literal>(value: L) -> Self;
}

/// A number with a sign.
pub trait SignedNumber: Number + SignedOperations + Neg<Output = Self> {
    /// -1.
    const NEG_ONE: Self;

    #[doc(hidden)]
    fn magnitude(self) -> Self;
}

/// An integer of a fixed width.
pub trait Integer:
    Number
    + IntegerOperations
    + Eq
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + ShlAssign<u32>
    + ShrAssign<u32>
{
}

/// A float: `f32` or `f64`.
pub trait Float: SignedNumber + FloatOperations {
    #[doc(hidden)]
    const TWO: Self;
    #[doc(hidden)]
    const HALF: Self;
    /// Not a number.
    const NAN: Self;
    /// Infinity.
    const INFINITY: Self;
    /// Minus infinity.
    const NEG_INFINITY: Self;
    /// The difference between 1 and the next larger number.
    const EPSILON: Self;
    /// The smallest positive number that is not subnormal.
    const MIN_POSITIVE: Self;

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
            const MAX: $number = $number::MAX;
            const MIN: $number = $number::MIN;

            #[inline]
            fn lit<L: Literal>(value: L) -> $number {
                value.$number()
            }
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

macro_rules! integers {
    ($($integer:ident)*) => {$(
        impl Integer for $integer {}
    )*};
}

integers!(i8 u8 i16 u16 i32 u32 i64 u64);

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
            const INFINITY: $float = $float::INFINITY;
            const NEG_INFINITY: $float = $float::NEG_INFINITY;
            const EPSILON: $float = $float::EPSILON;
            const MIN_POSITIVE: $float = $float::MIN_POSITIVE;

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

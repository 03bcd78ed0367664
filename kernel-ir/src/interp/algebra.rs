//! The operations on scalars that vectors, matrices and quaternions are built from.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A float, as far as operations on vectors, matrices and quaternions use it. Implementations are numbers, dual
/// numbers, and the recorder that turns such operations into instructions.
pub trait Algebra:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The number nearest to `value`.
    fn constant(value: f64) -> Self;
    /// As `f64::sqrt`.
    fn sqrt(self) -> Self;
    /// The square root of a sum of squares. At 0 its derivative is 0.
    fn root(self) -> Self;
    /// The product; 0 if `self` is 0, whatever `other` is.
    fn strong_mul(self, other: Self) -> Self;
    /// The quotient; 0 if `self` is 0, whatever `other` is.
    fn strong_div(self, other: Self) -> Self;
    /// `self < other ? self : other`, as vectors compute it. If either is NaN, the result is `other`.
    fn lesser(self, other: Self) -> Self;
    /// `self > other ? self : other`, as vectors compute it. If either is NaN, the result is `other`.
    fn greater(self, other: Self) -> Self;
}

macro_rules! algebra {
    ($($float:ident)*) => {
        $(impl Algebra for $float {
            fn constant(value: f64) -> $float {
                value as $float
            }

            fn sqrt(self) -> $float {
                $float::sqrt(self)
            }

            fn root(self) -> $float {
                if self == 0.0 { 0.0 } else { self.sqrt() }
            }

            fn strong_mul(self, other: $float) -> $float {
                if self == 0.0 { 0.0 } else { self * other }
            }

            fn strong_div(self, other: $float) -> $float {
                if self == 0.0 { 0.0 } else { self / other }
            }

            fn lesser(self, other: $float) -> $float {
                if self < other { self } else { other }
            }

            fn greater(self, other: $float) -> $float {
                if self > other { self } else { other }
            }
        })*
    };
}

algebra!(f32 f64);

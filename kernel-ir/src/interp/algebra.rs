//! What vectors, matrices and quaternions need of the numbers that they are made of.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// What operations of vectors, matrices and quaternions do to floats.
pub trait Algebra:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The number nearest to `value`.
    fn constant(value: f64) -> Self;
    /// As `f64::sqrt`.
    fn sqrt(self) -> Self;
    /// The square root of a sum of squares. Where it is 0 its derivative is, too.
    fn root(self) -> Self;
    /// The product; zero if this is zero, whatever `other` is.
    fn strong_mul(self, other: Self) -> Self;
    /// The quotient; zero if this is zero, whatever `other` is.
    fn strong_div(self, other: Self) -> Self;
    /// `self < other ? self : other`: glam's choice for vectors.
    fn lesser(self, other: Self) -> Self;
    /// `self > other ? self : other`: glam's choice for vectors.
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

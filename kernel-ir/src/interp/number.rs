//! The number types that floats may have during a run.

use super::dual::Dual;
use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

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

macro_rules! number {
    (unary: $($unary:ident)*; binary: $($binary:ident)*;) => {
        /// What a float of a kernel is during a run: `f32` and `f64` themselves, with std's arithmetic and functions, or
        /// [`Dual`]. Numbers compare by value.
        pub trait Number: Algebra + Debug + Default + PartialOrd + Rem<Output = Self> {
            /// The nearest number to an integer.
            fn from_integer(value: i128) -> Self;
            /// The nearest number of this type.
            fn from_dual(value: Dual) -> Self;
            /// The value, with its tangent if the type has one.
            fn to_dual(self) -> Dual;
            /// The product plus `c`, rounded once.
            fn mul_add(self, b: Self, c: Self) -> Self;
            /// The power `n`.
            fn powi(self, n: i32) -> Self;
            $(
                #[doc = concat!("As `f64::", stringify!($unary), "`.")]
                fn $unary(self) -> Self;
            )*
            $(
                #[doc = concat!("As `f64::", stringify!($binary), "`.")]
                fn $binary(self, other: Self) -> Self;
            )*

            /// The value, without a tangent.
            fn value(self) -> f64 {
                self.to_dual().value
            }
        }

        number!(impl f32: $($unary)*; $($binary)*;);
        number!(impl f64: $($unary)*; $($binary)*;);
    };
    (impl $float:ident: $($unary:ident)*; $($binary:ident)*;) => {
        impl Number for $float {
            fn from_integer(value: i128) -> $float {
                value as $float
            }

            fn from_dual(value: Dual) -> $float {
                value.value as $float
            }

            fn to_dual(self) -> Dual {
                Dual::constant(f64::from(self))
            }

            fn mul_add(self, b: $float, c: $float) -> $float {
                $float::mul_add(self, b, c)
            }

            fn powi(self, n: i32) -> $float {
                $float::powi(self, n)
            }

            $(fn $unary(self) -> $float {
                $float::$unary(self)
            })*

            $(fn $binary(self, other: $float) -> $float {
                $float::$binary(self, other)
            })*
        }
    };
}

number! {
    unary: abs signum floor ceil round trunc fract cbrt recip exp exp2 exp_m1 ln ln_1p log2 log10
        sin cos tan asin acos atan sinh cosh tanh to_radians to_degrees;
    binary: min max copysign rem_euclid powf hypot atan2;
}

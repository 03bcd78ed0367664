//! Dual numbers with `f32` values.

use super::algebra::Algebra;
use super::dual::Dual;
use super::number::Number;
use crate::ir::FloatFormat;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// A dual number whose value is rounded to `f32` after every operation, so that it branches and overflows as an `f32`
/// does. The tangent is an `f64`. Rounding a sum, product, quotient or square root first to `f64` and then to `f32`
/// equals rounding it once (Figueroa, "When is double rounding innocuous?", 1995).
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Single(Dual);

impl From<Dual> for Single {
    fn from(exact: Dual) -> Single {
        Single(Dual { value: f64::from(exact.value as f32), ..exact })
    }
}

macro_rules! infix {
    ($($operator:ident $method:ident,)*) => {$(
        impl $operator for Single {
            type Output = Single;

            fn $method(self, other: Single) -> Single {
                self.0.$method(other.0).into()
            }
        }
    )*};
}

infix! { Add add, Sub sub, Mul mul, Div div, Rem rem, }

impl Neg for Single {
    type Output = Single;

    fn neg(self) -> Single {
        Single(-self.0)
    }
}

impl Algebra for Single {
    fn constant(value: f64) -> Single {
        Dual::constant(value).into()
    }

    fn sqrt(self) -> Single {
        Algebra::sqrt(self.0).into()
    }

    fn root(self) -> Single {
        self.0.root().into()
    }

    fn strong_mul(self, other: Single) -> Single {
        self.0.strong_mul(other.0).into()
    }

    fn strong_div(self, other: Single) -> Single {
        self.0.strong_div(other.0).into()
    }

    fn lesser(self, other: Single) -> Single {
        Single(self.0.lesser(other.0))
    }

    fn greater(self, other: Single) -> Single {
        Single(self.0.greater(other.0))
    }
}

macro_rules! functions {
    (of one: $($unary:ident)*; of two: $($binary:ident)*;) => {
        impl Number for Single {
            const EPSILON: f64 = f32::EPSILON as f64;

            fn from_integer(value: i128) -> Single {
                Single(Dual::constant(f64::from(value as f32)))
            }

            fn from_dual(value: Dual) -> Single {
                value.into()
            }

            fn rounded_to(self, format: FloatFormat) -> Single {
                Single(Dual { value: format.round(self.0.value), ..self.0 })
            }

            fn to_dual(self) -> Dual {
                self.0
            }

            fn mul_add(self, b: Single, c: Single) -> Single {
                let value = f64::from((self.0.value as f32).mul_add(b.0.value as f32, c.0.value as f32));
                Single(Dual { value, ..self.0.mul_add(b.0, c.0) })
            }

            fn powi(self, n: i32) -> Single {
                self.0.powi(n).into()
            }

            $(fn $unary(self) -> Single {
                Number::$unary(self.0).into()
            })*

            $(fn $binary(self, other: Single) -> Single {
                Number::$binary(self.0, other.0).into()
            })*
        }
    };
}

functions! {
    of one:
        abs signum floor ceil round trunc fract recip to_radians to_degrees cbrt exp exp2 exp_m1 ln ln_1p log2 log10
        sin cos tan asin acos atan sinh cosh tanh;
    of two: min max copysign rem_euclid powf hypot atan2;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_f32_and_tangents_stay_exact() {
        let moving = |value: f32| Single::from_dual(Dual { value: value.into(), tangent: 1.0 });
        let square = moving(1e20) * moving(1e20);
        assert!(square.to_dual().value.is_infinite());
        let sum = moving(16_777_216.0) + Single::constant(1.0);
        assert_eq!(sum.to_dual().value, 16_777_216.0);
        assert_eq!((moving(0.1) * moving(3.0)).to_dual().value, f64::from(0.1f32 * 3.0));
        let tangent = (moving(0.1) * moving(3.0)).to_dual().tangent;
        assert_eq!(tangent, f64::from(0.1f32) + 3.0);
    }
}

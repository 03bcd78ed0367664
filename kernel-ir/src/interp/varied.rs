//! Floats that track whether they depend on the inputs of a launch.

use super::algebra::Algebra;
use super::dual::Dual;
use super::number::Number;
use crate::data::Share;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// A float, and whether it varies with a float input of the launch while branches, choices and integers are fixed.
/// These are the *varied* values of activity analysis, found at run time. A choice takes the flag of the chosen side. A
/// zero that does not vary is *structural*: a product with it does not vary, whatever the other factor is. A zero that
/// varies is a *computed* one. Comparisons use the value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Varied<F> {
    /// The value.
    pub value: F,
    /// Whether it varies.
    pub varied: bool,
}

impl<F> Varied<F> {
    /// A number that does not vary: a constant, or a seed of the adjoint.
    pub const fn constant(value: F) -> Varied<F> {
        Varied { value, varied: false }
    }

    /// An input of the launch.
    pub const fn input(value: F) -> Varied<F> {
        Varied { value, varied: true }
    }
}

impl<F: Number> Varied<F> {
    /// `value`, which depends on this number alone.
    fn same(self, value: F) -> Varied<F> {
        Varied { value, varied: self.varied }
    }

    /// `value`, which depends on both numbers.
    fn both(self, other: Varied<F>, value: F) -> Varied<F> {
        Varied { value, varied: self.varied || other.varied }
    }

    /// `value`, the product or quotient of both numbers.
    fn product(self, other: Varied<F>, value: F) -> Varied<F> {
        let is_structural = value == F::constant(0.0) && (self.is_structural_zero() || other.is_structural_zero());
        Varied { value, varied: (self.varied || other.varied) && !is_structural }
    }

    fn is_structural_zero(self) -> bool {
        self.value == F::constant(0.0) && !self.varied
    }

    /// The one of the two numbers that `value` equals.
    fn chosen(self, other: Varied<F>, value: F) -> Varied<F> {
        if value == self.value { self } else { other }
    }
}

impl<F: PartialEq> PartialEq for Varied<F> {
    fn eq(&self, other: &Varied<F>) -> bool {
        self.value == other.value
    }
}

impl<F: PartialOrd> PartialOrd for Varied<F> {
    fn partial_cmp(&self, other: &Varied<F>) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

macro_rules! infix {
    ($($operator:ident $method:ident $flag:ident,)*) => {$(
        impl<F: Number> $operator for Varied<F> {
            type Output = Varied<F>;

            fn $method(self, other: Varied<F>) -> Varied<F> {
                self.$flag(other, self.value.$method(other.value))
            }
        }
    )*};
}

infix! { Add add both, Sub sub both, Mul mul product, Div div product, Rem rem both, }

impl<F: Number> Neg for Varied<F> {
    type Output = Varied<F>;

    fn neg(self) -> Varied<F> {
        self.same(-self.value)
    }
}

impl<F: Number> Algebra for Varied<F> {
    fn constant(value: f64) -> Varied<F> {
        Varied::constant(F::constant(value))
    }

    fn sqrt(self) -> Varied<F> {
        self.same(Algebra::sqrt(self.value))
    }

    fn root(self) -> Varied<F> {
        self.same(self.value.root())
    }

    fn strong_mul(self, other: Varied<F>) -> Varied<F> {
        self.product(other, self.value.strong_mul(other.value))
    }

    fn strong_div(self, other: Varied<F>) -> Varied<F> {
        self.product(other, self.value.strong_div(other.value))
    }

    fn lesser(self, other: Varied<F>) -> Varied<F> {
        if self < other { self } else { other }
    }

    fn greater(self, other: Varied<F>) -> Varied<F> {
        if self > other { self } else { other }
    }
}

impl<F: Share> Share for Varied<F> {
    fn share(self, winners: u32) -> Varied<F> {
        Varied { value: self.value.share(winners), ..self }
    }
}

macro_rules! functions {
    (of one: $($unary:ident)*; held: $($held:ident)*; of two: $($binary:ident)*; choices: $($choice:ident)*;) => {
        impl<F: Number> Number for Varied<F> {
            const KNOWS_INPUTS: bool = true;

            fn from_integer(value: i128) -> Varied<F> {
                Varied::constant(F::from_integer(value))
            }

            /// Interprets the tangent as the flag: a number that moves varies.
            fn from_dual(dual: Dual) -> Varied<F> {
                Varied { value: F::from_dual(Dual::constant(dual.value)), varied: dual.tangent != 0.0 }
            }

            fn to_dual(self) -> Dual {
                Dual { value: self.value.value(), tangent: if self.varied { 1.0 } else { 0.0 } }
            }

            fn is_varied(self) -> bool {
                self.varied
            }

            fn marked(self) -> Varied<F> {
                Varied::input(self.value)
            }

            fn mul_add(self, b: Varied<F>, c: Varied<F>) -> Varied<F> {
                (self * b).both(c, self.value.mul_add(b.value, c.value))
            }

            fn powi(self, n: i32) -> Varied<F> {
                self.same(self.value.powi(n))
            }

            fn copysign(self, sign: Varied<F>) -> Varied<F> {
                self.same(self.value.copysign(sign.value))
            }

            $(fn $unary(self) -> Varied<F> {
                self.same(self.value.$unary())
            })*

            // These functions are piecewise constant, so like a cast to an integer they do not vary.
            $(fn $held(self) -> Varied<F> {
                Varied::constant(self.value.$held())
            })*

            $(fn $binary(self, other: Varied<F>) -> Varied<F> {
                self.both(other, self.value.$binary(other.value))
            })*

            $(fn $choice(self, other: Varied<F>) -> Varied<F> {
                self.chosen(other, self.value.$choice(other.value))
            })*
        }
    };
}

functions! {
    of one:
        abs fract recip to_radians to_degrees cbrt exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan asin acos atan sinh cosh tanh;
    held: signum floor ceil round trunc;
    of two: rem_euclid powf hypot atan2;
    choices: min max;
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZERO: Varied<f64> = Varied::constant(0.0);
    const INPUT: Varied<f64> = Varied::input(0.0);

    #[test]
    fn a_structural_zero_makes_products_structural() {
        assert!(!(ZERO * Varied::input(3.0)).varied);
        assert!(!(Varied::input(3.0) * ZERO).varied);
        assert!((INPUT * Varied::constant(3.0)).varied);
        // 0 · ∞ is not zero.
        assert!((ZERO * Varied::input(f64::INFINITY)).varied);
        assert!(!ZERO.strong_mul(Varied::input(f64::INFINITY)).varied);
        assert!(INPUT.strong_div(INPUT).varied);
    }

    #[test]
    fn a_choice_has_the_flag_of_what_is_taken() {
        let (one, two) = (Varied::constant(1.0), Varied::input(2.0));
        assert!(!one.min(two).varied && one.max(two).varied);
        assert!(!one.max(Varied::input(f64::NAN)).varied);
        assert!(!two.floor().varied && two.sqrt().varied);
    }

    #[test]
    fn flags_go_through_casts() {
        assert!(Varied::<f32>::from_dual(Varied::input(2.0).to_dual()).varied);
        assert!(!Varied::<f32>::from_dual(Varied::constant(2.0).to_dual()).varied);
    }
}

//! Floats that track whether they depend on the inputs of a launch.

use super::algebra::Algebra;
use super::dual::Dual;
use super::hash::mix;
use super::number::Number;
use crate::data::Share;
use crate::ir::FloatFormat;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// A float, and whether it varies with a float input of the launch while branches, choices and integers are fixed.
/// These are the *varied* values of activity analysis, found at run time. A choice takes the flag of the chosen side. A
/// zero that does not vary is *structural*: a product with it does not vary, whatever the other factor is. A zero that
/// varies is a *computed* one. Comparisons use the value.
///
/// A number can also depend on a function that other machines round otherwise; the perturbed models
/// [mark](Number::marked) the results of such functions. Then the operations on it round otherwise, too: by a unit in
/// the last place, up or down, as a hash of mark and result says. A component of a result may hardly depend on the
/// function, and still move by the roundings behind it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Varied<F> {
    /// The value.
    pub value: F,
    /// Whether it varies.
    pub varied: bool,
    /// The mark of the numbers that it depends on; 0 if none of them is marked.
    pub mark: u8,
}

/// The tangent of a number that varies, in a cast. That of a marked number is greater by the mark.
const VARIED: f64 = 1.0;

impl<F> Varied<F> {
    /// A number that does not vary: a constant, or a seed of the adjoint.
    pub const fn constant(value: F) -> Varied<F> {
        Varied { value, varied: false, mark: 0 }
    }

    /// An input of the launch.
    pub const fn input(value: F) -> Varied<F> {
        Varied { value, varied: true, mark: 0 }
    }
}

impl<F: Number> Varied<F> {
    /// `value`, which depends on this number alone.
    fn same(self, value: F) -> Varied<F> {
        Varied { value, ..self }
    }

    /// `value`, which depends on both numbers.
    fn both(self, other: Varied<F>, value: F) -> Varied<F> {
        Varied { value, varied: self.varied || other.varied, mark: self.mark.max(other.mark) }
    }

    /// `value`, a rounded result that depends on both numbers.
    fn rounded(self, other: Varied<F>, value: F) -> Varied<F> {
        let is_exact = value == self.value || value == other.value;
        let result = self.both(other, value);
        if is_exact { result } else { result.rounded_otherwise() }
    }

    /// The number as another machine may round it.
    fn rounded_otherwise(self) -> Varied<F> {
        self.rounded_otherwise_by(F::EPSILON)
    }

    /// The number as another machine may round it to a type with this epsilon.
    fn rounded_otherwise_by(self, epsilon: f64) -> Varied<F> {
        if self.mark == 0 {
            return self;
        }
        let hash = mix(self.mark.into(), self.value.value().to_bits());
        let error = if hash >> 63 == 0 { epsilon } else { -epsilon };
        Varied { value: self.value * F::constant(1.0 + error), ..self }
    }

    /// `value`, the product or quotient of both numbers.
    fn product(self, other: Varied<F>, value: F) -> Varied<F> {
        let is_structural = value == F::constant(0.0) && (self.is_structural_zero() || other.is_structural_zero());
        if is_structural { Varied::constant(value) } else { self.rounded(other, value) }
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

infix! { Add add rounded, Sub sub rounded, Mul mul product, Div div product, Rem rem both, }

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
        self.rounded(self, Algebra::sqrt(self.value))
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
            const EPSILON: f64 = F::EPSILON;
            const KNOWS_INPUTS: bool = true;

            fn from_integer(value: i128) -> Varied<F> {
                Varied::constant(F::from_integer(value))
            }

            /// Interprets the tangent as the flags: a number that moves varies.
            fn from_dual(dual: Dual) -> Varied<F> {
                let value = F::from_dual(Dual::constant(dual.value));
                Varied { value, varied: dual.tangent != 0.0, mark: (dual.tangent - VARIED) as u8 }
            }

            fn to_dual(self) -> Dual {
                let tangent = if self.varied { VARIED + f64::from(self.mark) } else { 0.0 };
                Dual { value: self.value.value(), tangent }
            }

            fn rounded_to(self, format: FloatFormat) -> Varied<F> {
                let value = self.value.rounded_to(format);
                if value == self.value || value.value().is_nan() {
                    return self.same(value);
                }
                let moved = self.same(value).rounded_otherwise_by(format.epsilon());
                Varied { value: moved.value.rounded_to(format), ..moved }
            }

            fn is_varied(self) -> bool {
                self.varied
            }

            fn marked(self, mark: u8) -> Varied<F> {
                Varied { value: self.value, varied: true, mark }
            }

            fn mul_add(self, b: Varied<F>, c: Varied<F>) -> Varied<F> {
                (self * b).rounded(c, self.value.mul_add(b.value, c.value))
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
    use std::collections::BTreeSet;

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
    fn what_depends_on_a_mark_rounds_otherwise() {
        let third = Varied::constant(1.0 / 3.0);
        let marked = Varied::constant(0.7f64).marked(2);
        for result in [marked * third, marked + third, marked / third, marked.sqrt()] {
            assert_eq!(result.mark, 2);
        }
        let off = ((marked * third).value - 0.7 / 3.0).abs();
        assert!(off > 0.0 && off <= 2.0 * f64::EPSILON * 0.7 / 3.0, "{off}");
        assert_eq!((marked + ZERO).value, 0.7);
        assert_eq!((third * third).value, 1.0 / 3.0 * (1.0 / 3.0));
        assert_eq!(Varied::<f32>::from_dual(marked.to_dual()).mark, 2);
        // Another mark is another draw of roundings.
        let products = (1..9).map(|mark| (marked.marked(mark) * third).value.to_bits());
        assert_eq!(products.collect::<BTreeSet<_>>().len(), 2);
    }

    #[test]
    fn flags_go_through_casts() {
        assert!(Varied::<f32>::from_dual(Varied::input(2.0).to_dual()).varied);
        assert!(!Varied::<f32>::from_dual(Varied::constant(2.0).to_dual()).varied);
    }
}

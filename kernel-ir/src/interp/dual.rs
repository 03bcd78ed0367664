//! Dual numbers: values with a derivative along one direction (forward-mode differentiation).

use super::algebra::Algebra;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// A value and its derivative along the direction in which the arguments of a run are seeded. Comparisons use the
/// value.
///
/// A tangent of 0 is strong: it stays 0 even if the derivative is infinite. A zero that does not move is strong, too: a
/// product with it does not move, whatever the other factor does.
///
#[doc = include_str!("../ops/gradient/non_smooth.md")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Dual {
    /// The value.
    pub value: f64,
    /// The derivative.
    pub tangent: f64,
}

impl Dual {
    /// A number with the tangent 0.
    pub const fn constant(value: f64) -> Dual {
        Dual { value, tangent: 0.0 }
    }

    /// `value`, if the derivative of the function at this number is `slope`: the chain rule.
    pub(super) fn chain(self, value: f64, slope: f64) -> Dual {
        Dual { value, tangent: self.tangent.strong_mul(slope) }
    }

    /// The tangent of a product with this number if the other factor moves by `tangent`.
    pub(super) fn scale(self, tangent: f64) -> f64 {
        if self.value == 0.0 && self.tangent == 0.0 { 0.0 } else { tangent.strong_mul(self.value) }
    }
}

impl PartialEq for Dual {
    fn eq(&self, other: &Dual) -> bool {
        self.value == other.value
    }
}

impl PartialOrd for Dual {
    fn partial_cmp(&self, other: &Dual) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl Add for Dual {
    type Output = Dual;

    fn add(self, b: Dual) -> Dual {
        Dual { value: self.value + b.value, tangent: self.tangent + b.tangent }
    }
}

impl Sub for Dual {
    type Output = Dual;

    fn sub(self, b: Dual) -> Dual {
        Dual { value: self.value - b.value, tangent: self.tangent - b.tangent }
    }
}

impl Mul for Dual {
    type Output = Dual;

    fn mul(self, b: Dual) -> Dual {
        Dual { value: self.value * b.value, tangent: b.scale(self.tangent) + self.scale(b.tangent) }
    }
}

impl Div for Dual {
    type Output = Dual;

    fn div(self, b: Dual) -> Dual {
        let value = self.value / b.value;
        let by_divisor = Dual { value, ..self }.scale(b.tangent);
        Dual { value, tangent: (self.tangent - by_divisor).strong_div(b.value) }
    }
}

impl Rem for Dual {
    type Output = Dual;

    fn rem(self, b: Dual) -> Dual {
        let whole = (self.value / b.value).trunc();
        Dual { value: self.value % b.value, tangent: self.tangent - b.tangent.strong_mul(whole) }
    }
}

impl Neg for Dual {
    type Output = Dual;

    fn neg(self) -> Dual {
        Dual { value: -self.value, tangent: -self.tangent }
    }
}

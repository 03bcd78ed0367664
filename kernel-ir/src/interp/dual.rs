//! Dual numbers: values with a derivative along one direction.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// A value and its derivative along the direction in which the arguments of a run are seeded. Compares by value.
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
    /// A number that does not change along the direction.
    pub const fn constant(value: f64) -> Dual {
        Dual { value, tangent: 0.0 }
    }

    /// `value`, where the function has the given slope at this number.
    pub(super) fn chain(self, value: f64, slope: f64) -> Dual {
        Dual { value, tangent: slope * self.tangent }
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
        Dual { value: self.value * b.value, tangent: self.tangent * b.value + self.value * b.tangent }
    }
}

impl Div for Dual {
    type Output = Dual;

    fn div(self, b: Dual) -> Dual {
        let value = self.value / b.value;
        Dual { value, tangent: (self.tangent - value * b.tangent) / b.value }
    }
}

impl Rem for Dual {
    type Output = Dual;

    fn rem(self, b: Dual) -> Dual {
        let whole = (self.value / b.value).trunc();
        Dual { value: self.value % b.value, tangent: self.tangent - whole * b.tangent }
    }
}

impl Neg for Dual {
    type Output = Dual;

    fn neg(self) -> Dual {
        Dual { value: -self.value, tangent: -self.tangent }
    }
}

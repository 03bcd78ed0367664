//! Functions of dual numbers. The tangent of f(x) is f′(x) times the tangent of x.

use super::algebra::Algebra;
use super::dual::Dual;
use super::number::Number;
use std::f64::consts::{LN_2, LN_10};

/// The sign of `x`, or 0 at 0.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

impl Algebra for Dual {
    fn constant(value: f64) -> Dual {
        Dual::constant(value)
    }

    fn sqrt(self) -> Dual {
        let root = self.value.sqrt();
        self.chain(root, 0.5 / root)
    }

    fn root(self) -> Dual {
        if self.value == 0.0 { Dual::constant(0.0) } else { self.sqrt() }
    }

    fn strong_mul(self, other: Dual) -> Dual {
        let tangent = self.tangent.strong_mul(other.value) + self.value.strong_mul(other.tangent);
        Dual { value: self.value.strong_mul(other.value), tangent }
    }

    fn strong_div(self, other: Dual) -> Dual {
        let value = self.value.strong_div(other.value);
        let tangent = self.tangent.strong_div(other.value) - value.strong_mul(other.tangent).strong_div(other.value);
        Dual { value, tangent }
    }

    fn lesser(self, other: Dual) -> Dual {
        if self <= other { self } else { other }
    }

    fn greater(self, other: Dual) -> Dual {
        if self >= other { self } else { other }
    }
}

impl Number for Dual {
    const EPSILON: f64 = f64::EPSILON;

    fn from_integer(value: i128) -> Dual {
        Dual::constant(value as f64)
    }

    fn from_dual(value: Dual) -> Dual {
        value
    }

    fn rounded_to(self, _: crate::ir::FloatFormat) -> Dual {
        self
    }

    fn to_dual(self) -> Dual {
        self
    }

    fn mul_add(self, b: Dual, c: Dual) -> Dual {
        let tangent = b.scale(self.tangent) + self.scale(b.tangent) + c.tangent;
        Dual { value: self.value.mul_add(b.value, c.value), tangent }
    }

    fn powi(self, n: i32) -> Dual {
        let slope = if n == 0 { 0.0 } else { f64::from(n) * Number::powi(self.value, n.saturating_sub(1)) };
        self.chain(Number::powi(self.value, n), slope)
    }

    fn abs(self) -> Dual {
        self.chain(self.value.abs(), sign(self.value))
    }

    fn signum(self) -> Dual {
        Dual::constant(self.value.signum())
    }

    fn floor(self) -> Dual {
        Dual::constant(self.value.floor())
    }

    fn ceil(self) -> Dual {
        Dual::constant(self.value.ceil())
    }

    fn round(self) -> Dual {
        Dual::constant(self.value.round())
    }

    fn trunc(self) -> Dual {
        Dual::constant(self.value.trunc())
    }

    fn fract(self) -> Dual {
        self.chain(self.value.fract(), 1.0)
    }

    fn cbrt(self) -> Dual {
        let root = Number::cbrt(self.value);
        self.chain(root, 1.0 / (3.0 * root * root))
    }

    fn recip(self) -> Dual {
        let value = self.value.recip();
        self.chain(value, -value * value)
    }

    fn exp(self) -> Dual {
        let value = Number::exp(self.value);
        self.chain(value, value)
    }

    fn exp2(self) -> Dual {
        let value = Number::exp2(self.value);
        self.chain(value, value * LN_2)
    }

    fn exp_m1(self) -> Dual {
        self.chain(Number::exp_m1(self.value), Number::exp(self.value))
    }

    fn ln(self) -> Dual {
        self.chain(Number::ln(self.value), self.value.recip())
    }

    fn ln_1p(self) -> Dual {
        self.chain(Number::ln_1p(self.value), (1.0 + self.value).recip())
    }

    fn log2(self) -> Dual {
        self.chain(Number::log2(self.value), (self.value * LN_2).recip())
    }

    fn log10(self) -> Dual {
        self.chain(Number::log10(self.value), (self.value * LN_10).recip())
    }

    fn sin(self) -> Dual {
        self.chain(Number::sin(self.value), Number::cos(self.value))
    }

    fn cos(self) -> Dual {
        self.chain(Number::cos(self.value), -Number::sin(self.value))
    }

    fn tan(self) -> Dual {
        let value = Number::tan(self.value);
        self.chain(value, 1.0 + value * value)
    }

    fn asin(self) -> Dual {
        self.chain(Number::asin(self.value), (1.0 - self.value * self.value).sqrt().recip())
    }

    fn acos(self) -> Dual {
        self.chain(Number::acos(self.value), -(1.0 - self.value * self.value).sqrt().recip())
    }

    fn atan(self) -> Dual {
        self.chain(Number::atan(self.value), (1.0 + self.value * self.value).recip())
    }

    fn sinh(self) -> Dual {
        self.chain(Number::sinh(self.value), Number::cosh(self.value))
    }

    fn cosh(self) -> Dual {
        self.chain(Number::cosh(self.value), Number::sinh(self.value))
    }

    fn tanh(self) -> Dual {
        let value = Number::tanh(self.value);
        self.chain(value, 1.0 - value * value)
    }

    fn to_radians(self) -> Dual {
        self.chain(self.value.to_radians(), 1f64.to_radians())
    }

    fn to_degrees(self) -> Dual {
        self.chain(self.value.to_degrees(), 1f64.to_degrees())
    }

    fn min(self, b: Dual) -> Dual {
        if b < self || self.value.is_nan() { b } else { self }
    }

    fn max(self, b: Dual) -> Dual {
        if b > self || self.value.is_nan() { b } else { self }
    }

    fn copysign(self, b: Dual) -> Dual {
        self.chain(self.value.copysign(b.value), sign(self.value) * b.value.signum())
    }

    fn rem_euclid(self, b: Dual) -> Dual {
        let whole = self.value.div_euclid(b.value);
        Dual { value: self.value.rem_euclid(b.value), tangent: self.tangent - b.tangent.strong_mul(whole) }
    }

    fn powf(self, b: Dual) -> Dual {
        let value = Number::powf(self.value, b.value);
        let by_base = if b.value == 0.0 { 0.0 } else { b.value * Number::powf(self.value, b.value - 1.0) };
        let by_exponent = if self.value > 0.0 { value * Number::ln(self.value) } else { 0.0 };
        Dual { value, tangent: self.tangent.strong_mul(by_base) + b.tangent.strong_mul(by_exponent) }
    }

    fn hypot(self, b: Dual) -> Dual {
        let value = Number::hypot(self.value, b.value);
        let part = |of: Dual| if value == 0.0 { 0.0 } else { of.tangent.strong_mul(of.value / value) };
        Dual { value, tangent: part(self) + part(b) }
    }

    fn atan2(self, b: Dual) -> Dual {
        // The square of the distance may underflow or overflow where the derivative does not.
        let distance = Number::hypot(self.value, b.value);
        let part = |tangent: f64, of: f64| tangent.strong_mul(of / distance);
        let moved = part(self.tangent, b.value) - part(b.tangent, self.value);
        let tangent = if distance == 0.0 { 0.0 } else { moved / distance };
        Dual { value: Number::atan2(self.value, b.value), tangent }
    }
}

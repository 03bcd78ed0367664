//! Arithmetic of other kinds of numbers: jets, which carry derivatives, and intervals.

use kernel_rt::prelude::*;

#[device]
mod jet {
    use std::ops::{Add, Div, Mul, Sub};

    /// A number with its first and second derivative by a parameter.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Jet {
        /// The value.
        pub value: f64,
        /// The first derivative.
        pub first: f64,
        /// The second derivative.
        pub second: f64,
    }

    impl Jet {
        /// A number that does not depend on the parameter.
        pub fn constant(value: f64) -> Jet {
            Jet { value, first: 0.0, second: 0.0 }
        }

        /// The parameter.
        pub fn parameter(value: f64) -> Jet {
            Jet { value, first: 1.0, second: 0.0 }
        }
    }

    impl Add for Jet {
        type Output = Jet;

        fn add(self, other: Jet) -> Jet {
            Jet { value: self.value + other.value, first: self.first + other.first, second: self.second + other.second }
        }
    }

    impl Sub for Jet {
        type Output = Jet;

        fn sub(self, other: Jet) -> Jet {
            Jet { value: self.value - other.value, first: self.first - other.first, second: self.second - other.second }
        }
    }

    impl Mul for Jet {
        type Output = Jet;

        fn mul(self, other: Jet) -> Jet {
            let first = self.first * other.value + self.value * other.first;
            let curved = self.second * other.value + self.value * other.second;
            Jet { value: self.value * other.value, first, second: curved + 2.0 * self.first * other.first }
        }
    }

    impl Div for Jet {
        type Output = Jet;

        fn div(self, other: Jet) -> Jet {
            let value = self.value / other.value;
            let first = (self.first - value * other.first) / other.value;
            let second = (self.second - value * other.second - 2.0 * first * other.first) / other.value;
            Jet { value, first, second }
        }
    }
}

pub use jet::Jet;

/// Curvature of rational curves (x(t), y(t)) of the third degree, in Bézier form with weights: the points and their first and
/// second derivatives in t by arithmetic with jets, then κ = (x'·y'' − y'·x'')/(x'² + y'²)^1.5. `speed` is |(x', y')|.
#[kernel(family = "arithmetic")]
pub fn curve_curvature(
    #[domain(0.5..2.0)] weights: DVec4,
    #[domain(-1.0..1.0)] start: &[DVec2],
    #[domain(1.5..2.5)] handle: &[DVec2],
    #[domain(-1.0..1.0)] other_handle: &[DVec2],
    #[domain(4.0..5.0)] end: &[DVec2],
    #[domain(0.0..1.0)] t: &[f64],
    point: &mut [DVec2],
    speed: &mut [f64],
    curvature: &mut [f64],
) {
    let i = tid();
    let u = Jet::parameter(t[i]);
    let rest = Jet::constant(1.0) - u;
    let three = Jet::constant(3.0);
    let a = rest * rest * rest * Jet::constant(weights.x);
    let b = three * rest * rest * u * Jet::constant(weights.y);
    let c = three * rest * u * u * Jet::constant(weights.z);
    let d = u * u * u * Jet::constant(weights.w);
    let bottom = a + b + c + d;
    let across = a * Jet::constant(start[i].x)
        + b * Jet::constant(handle[i].x)
        + c * Jet::constant(other_handle[i].x)
        + d * Jet::constant(end[i].x);
    let upwards = a * Jet::constant(start[i].y)
        + b * Jet::constant(handle[i].y)
        + c * Jet::constant(other_handle[i].y)
        + d * Jet::constant(end[i].y);
    let x = across / bottom;
    let y = upwards / bottom;
    let square = x.first * x.first + y.first * y.first + 0.01;
    let length = square.sqrt();
    point[i] = DVec2::new(x.value, y.value);
    speed[i] = length;
    curvature[i] = (x.first * y.second - y.first * x.second) / (square * length);
}

#[device]
mod interval {
    use std::ops::{Add, Mul, Sub};

    /// The numbers from `low` to `high`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Interval {
        /// The smallest number.
        pub low: f64,
        /// The largest number.
        pub high: f64,
    }

    impl Interval {
        /// The squares of the numbers.
        pub fn square(self) -> Interval {
            let low = self.low * self.low;
            let high = self.high * self.high;
            let least = if self.low * self.high < 0.0 { 0.0 } else { low.min(high) };
            Interval { low: least, high: low.max(high) }
        }

        /// The distance between both ends.
        pub fn width(self) -> f64 {
            self.high - self.low
        }
    }

    impl Add for Interval {
        type Output = Interval;

        fn add(self, other: Interval) -> Interval {
            Interval { low: self.low + other.low, high: self.high + other.high }
        }
    }

    impl Sub for Interval {
        type Output = Interval;

        fn sub(self, other: Interval) -> Interval {
            Interval { low: self.low - other.high, high: self.high - other.low }
        }
    }

    impl Mul for Interval {
        type Output = Interval;

        fn mul(self, other: Interval) -> Interval {
            let a = self.low * other.low;
            let b = self.low * other.high;
            let c = self.high * other.low;
            let d = self.high * other.high;
            Interval { low: a.min(b).min(c.min(d)), high: a.max(b).max(c.max(d)) }
        }
    }
}

pub use interval::Interval;

/// Bounds of the function of Rosenbrock and of its slope, (1 − x)² + 100·(y − x²)², over boxes: interval arithmetic without
/// rounding to the outside. `wider` is how much wider the bounds are than the values at the middle of the sides suggest.
#[kernel(family = "arithmetic")]
pub fn bound_boxes(
    #[domain(0.01..0.5)] radius: f64,
    #[domain(-2.0..2.0)] x: &[f64],
    #[domain(-1.0..3.0)] y: &[f64],
    bounds: &mut [DVec2],
    slope_x: &mut [DVec2],
    slope_y: &mut [DVec2],
    wider: &mut [f64],
) {
    let i = tid();
    let one = Interval { low: 1.0, high: 1.0 };
    let two = Interval { low: 2.0, high: 2.0 };
    let hundred = Interval { low: 100.0, high: 100.0 };
    let across = Interval { low: x[i] - radius, high: x[i] + radius };
    let upwards = Interval { low: y[i] - radius, high: y[i] + radius };
    let miss = one - across;
    let bend = upwards - across.square();
    let value = miss.square() + hundred * bend.square();
    let by_y = two * hundred * bend;
    let by_x = Interval { low: 0.0, high: 0.0 } - two * miss - two * by_y * across;
    bounds[i] = DVec2::new(value.low, value.high);
    slope_x[i] = DVec2::new(by_x.low, by_x.high);
    slope_y[i] = DVec2::new(by_y.low, by_y.high);

    let middle = y[i] - x[i] * x[i];
    let steep_y = 200.0 * middle;
    let steep_x = -2.0 * (1.0 - x[i]) - 2.0 * steep_y * x[i];
    let linear = 2.0 * radius * (steep_x.abs() + steep_y.abs());
    wider[i] = value.width() - linear;
}

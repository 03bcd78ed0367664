//! Methods, operators and constants of device structs, through every stage: the CPU and its adjoint against the
//! interpreter and dual numbers, the emitted C++ and CUDA, and Warp.

use kernel_rt::prelude::*;

/// Complex numbers.
#[device]
pub mod curves {
    use std::ops::{Add, Mul, Neg, Sub};

    /// A complex number.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Complex {
        /// The real part.
        pub re: f32,
        /// The imaginary part.
        pub im: f32,
    }

    /// The number of the circle at an angle in turns.
    pub(super) fn turned(turns: f32) -> Complex {
        let angle = turns * FULL;
        Complex::new(angle.cos(), angle.sin())
    }

    const FULL: f32 = 2.0 * std::f32::consts::PI;

    impl Complex {
        /// Zero.
        pub const ZERO: Complex = Complex { re: 0.0, im: 0.0 };

        /// The number of these parts.
        pub fn new(re: f32, im: f32) -> Self {
            Self { re, im }
        }

        /// The square of the absolute value.
        pub fn norm_squared(&self) -> f32 {
            self.re * self.re + self.im * self.im
        }

        /// The number with the opposite imaginary part, which no kernel needs.
        pub fn conjugate(self) -> Complex {
            Complex { im: -self.im, ..self }
        }

        /// The number to the power of `n`.
        pub fn powi(self, n: u32) -> Complex {
            let mut product = Complex::new(1.0, 0.0);
            for _ in 0..n {
                product = product * self;
            }
            product
        }

        /// The polynomial with these coefficients.
        pub fn polynomial(self, coefficients: &[f32]) -> Complex {
            let mut sum = Self::ZERO;
            for k in (0..coefficients.len()).rev() {
                sum = sum * self + coefficients[k];
            }
            sum
        }
    }

    impl Add for Complex {
        type Output = Complex;

        fn add(self, other: Complex) -> Complex {
            Complex::new(self.re + other.re, self.im + other.im)
        }
    }

    impl Add<f32> for Complex {
        type Output = Complex;

        fn add(self, real: f32) -> Complex {
            Complex { re: self.re + real, ..self }
        }
    }

    impl Sub for Complex {
        type Output = Complex;

        fn sub(self, other: Complex) -> Complex {
            self + -other
        }
    }

    impl Mul for Complex {
        type Output = Complex;

        fn mul(self, other: Complex) -> Complex {
            Complex::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
        }
    }

    impl Mul<Complex> for f32 {
        type Output = Complex;

        fn mul(self, other: Complex) -> Complex {
            Complex::new(self * other.re, self * other.im)
        }
    }

    impl Neg for Complex {
        type Output = Complex;

        fn neg(self) -> Complex {
            Complex::new(-self.re, -self.im)
        }
    }
}

use curves::{Complex, turned};

/// Newton's method in the complex plane, and a polynomial.
#[kernel(family = "test")]
pub fn newton_fractal(
    #[domain(-1.0..1.0)] start: &[Complex],
    #[domain(0..6)] steps: u32,
    #[shape(4)]
    #[domain(-1.0..1.0)]
    coefficients: &[f32],
    ends: &mut [Complex],
    values: &mut [f32],
) {
    let i = tid();
    let mut z = start[i];
    for _ in 0..steps {
        let square = z * z;
        let step = (z * square - turned(0.25)).powi(2);
        z = z - 0.05 * step;
    }
    ends[i] = -z + 0.5;
    values[i] = z.polynomial(coefficients).norm_squared() + start[i].norm_squared() * Complex::ZERO.re.cos();
}

#[test]
fn the_rust_text_has_what_the_kernel_needs() {
    let text = newton_fractal::RUST_SOURCE;
    assert!(text.contains("use std::ops::{Add, Mul, Neg, Sub};"), "{text}");
    assert!(text.contains("pub fn powi(self, n: u32) -> Complex {"), "{text}");
    assert!(!text.contains("fn conjugate"), "{text}");
}

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

/// Oscillators, and bodies that hold one.
#[device]
pub(crate) mod oscillators {
    use kernel_rt::prelude::*;
    use std::ops::{AddAssign, MulAssign};

    /// A place on a spring, and its speed.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(crate) struct State {
        /// The distance from rest.
        pub(crate) x: f32,
        /// The speed.
        pub(crate) v: f32,
    }

    /// An oscillator that turns.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(crate) struct Body {
        /// The oscillator.
        pub(crate) state: State,
        /// The angles.
        pub(crate) angles: Vec3,
        /// The number of hits.
        pub(crate) hits: u32,
    }

    impl State {
        /// Moves for a time.
        pub(crate) fn advance(&mut self, dt: f32) {
            self.v -= self.x * dt;
            self.x += self.v * dt;
        }

        /// Reflects it at a wall, and says whether it was there.
        pub(crate) fn reflect(&mut self, wall: f32) -> bool {
            let hits = self.x > wall;
            if hits {
                *self = State { x: 2.0 * wall - self.x, v: -self.v };
            }
            hits
        }

        /// Moves, and reflects.
        pub(crate) fn bounce(&mut self, dt: f32, wall: f32) -> bool {
            self.advance(dt);
            self.reflect(wall)
        }
    }

    impl AddAssign for State {
        fn add_assign(&mut self, other: State) {
            self.x += other.x;
            self.v += other.v;
        }
    }

    impl MulAssign<f32> for State {
        fn mul_assign(&mut self, factor: f32) {
            self.x *= factor;
            self.v *= factor;
        }
    }
}

use oscillators::{Body, State};

/// Turns an angle.
#[device]
fn turn(angle: &mut f32, by: f32) -> f32 {
    let before = *angle;
    *angle += by * before.cos();
    before
}

/// Methods and functions that change locals, elements, fields and components.
#[kernel(family = "test")]
pub fn bouncing_bodies(
    #[domain(0.01..0.2)] dt: f32,
    #[domain(-1.0..1.0)] start: &[State],
    #[domain(-1.0..1.0)] bodies: &mut [Body],
    #[domain(-1.0..1.0)] sums: &mut [State],
) {
    let i = tid();
    let mut state = start[i];
    for _ in 0..4 {
        if state.bounce(dt, 0.5) {
            bodies[i].hits += 1;
        }
        state *= 0.9;
    }
    bodies[i].state.advance(dt);
    bodies[i].state += state;
    let before = turn(&mut bodies[i].angles.y, dt);
    turn(&mut bodies[i].angles[2], before);
    sums[i] += bodies[i].state;
    sums[i] += sums[i];
}

#[test]
fn a_method_changes_what_it_is_called_on() {
    let start = [State { x: 0.6, v: 0.5 }];
    let mut bodies = [Body { state: start[0], angles: Vec3::new(0.1, 0.2, 0.3), hits: 0 }];
    let mut sums = start;
    bouncing_bodies::cpu(1, 0.1, &start, &mut bodies, &mut sums).unwrap();

    let mut body = Body { state: start[0], angles: Vec3::new(0.1, 0.2, 0.3), hits: 0 };
    let (mut state, mut sum) = (start[0], start[0]);
    for _ in 0..4 {
        body.hits += u32::from(state.bounce(0.1, 0.5));
        state *= 0.9;
    }
    body.state.advance(0.1);
    body.state += state;
    let before = turn(&mut body.angles.y, 0.1);
    turn(&mut body.angles.z, before);
    sum += body.state;
    sum += sum;
    assert_eq!((bodies[0], sums[0], body.hits), (body, sum, 1));
}

#[test]
fn the_rust_text_has_what_the_kernel_needs() {
    let text = newton_fractal::RUST_SOURCE;
    assert!(text.contains("use std::ops::{Add, Mul, Neg, Sub};"), "{text}");
    assert!(text.contains("pub fn powi(self, n: u32) -> Complex {"), "{text}");
    assert!(!text.contains("fn conjugate"), "{text}");
}

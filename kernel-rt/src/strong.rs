//! Strong products and quotients, for adjoints.
//!
//! Reverse mode multiplies the adjoint of a result by the derivative of an operation. A zero adjoint means that nothing
//! depends on the result, so the product must be 0 even if the derivative is infinite or NaN. The plain product would
//! be NaN. The adjoints that `#[kernel]` generates use these methods. Kernels may call them too; derivatives in
//! `#[device(grad = …)]` should.

use crate::value::{Float, Matrix, Quaternion, Vector};
use half::{bf16, f16};

/// The product of an adjoint and a derivative.
pub trait StrongMul<Derivative = Self> {
    /// The type of the product.
    type Output;

    /// The strong product: componentwise for vectors, row vector times matrix, and the own products of matrices and
    /// quaternions. A component of `self` that is 0 contributes 0, whatever the derivative is.
    fn strong_mul(self, derivative: Derivative) -> Self::Output;
}

/// The quotient of an adjoint and a divisor.
pub trait StrongDiv<Divisor = Self> {
    /// The componentwise strong quotient. A component of `self` that is 0 gives 0, whatever the divisor is.
    fn strong_div(self, divisor: Divisor) -> Self;
}

/// The dot product of an adjoint and a derivative.
pub trait StrongDot {
    /// The type of the components.
    type Scalar;

    /// The strong dot product. A component of `self` that is 0 contributes 0, whatever the derivative is.
    fn strong_dot(self, derivative: Self) -> Self::Scalar;
}

/// The cross product of an adjoint and a derivative.
pub trait StrongCross {
    /// The strong cross product. A component of `self` that is 0 contributes 0, whatever the derivative is.
    fn strong_cross(self, derivative: Self) -> Self;
}

/// The strong product of two numbers.
#[inline(always)]
fn times<T: Float>(adjoint: T, derivative: T) -> T {
    adjoint.unless_zero(adjoint * derivative)
}

/// The strong quotient of two numbers.
#[inline(always)]
fn over<T: Float>(adjoint: T, divisor: T) -> T {
    adjoint.unless_zero(adjoint / divisor)
}

/// The strong dot product of the components `adjoint(i)` and `derivative(i)`.
#[inline(always)]
fn dot<T: Float, const N: usize>(adjoint: [T; N], derivative: [T; N]) -> T {
    (1..N).fold(times(adjoint[0], derivative[0]), |sum, i| sum + times(adjoint[i], derivative[i]))
}

macro_rules! halves {
    ($($half:ident)*) => {$(
        impl StrongMul for $half {
            type Output = $half;

            #[inline(always)]
            fn strong_mul(self, derivative: $half) -> $half {
                if self == $half::ZERO { $half::ZERO } else { self * derivative }
            }
        }

        impl StrongDiv for $half {
            #[inline(always)]
            fn strong_div(self, divisor: $half) -> $half {
                if self == $half::ZERO { $half::ZERO } else { self / divisor }
            }
        }
    )*};
}

halves!(f16 bf16);

impl<T: Float, const N: usize> StrongMul<T> for Vector<T, N> {
    type Output = Vector<T, N>;

    #[inline(always)]
    fn strong_mul(self, derivative: T) -> Vector<T, N> {
        self.map(|adjoint| times(adjoint, derivative))
    }
}

impl<T: Float, const N: usize> StrongMul for Vector<T, N> {
    type Output = Vector<T, N>;

    #[inline(always)]
    fn strong_mul(self, derivative: Vector<T, N>) -> Vector<T, N> {
        let derivative = derivative.to_array();
        Vector::from_fn(|i| times(self.to_array()[i], derivative[i]))
    }
}

impl<T: Float, const N: usize> StrongDiv<T> for Vector<T, N> {
    #[inline(always)]
    fn strong_div(self, divisor: T) -> Vector<T, N> {
        self.map(|adjoint| over(adjoint, divisor))
    }
}

impl<T: Float, const N: usize> StrongDiv for Vector<T, N> {
    #[inline(always)]
    fn strong_div(self, divisor: Vector<T, N>) -> Vector<T, N> {
        let divisor = divisor.to_array();
        Vector::from_fn(|i| over(self.to_array()[i], divisor[i]))
    }
}

impl<T: Float, const N: usize> StrongDot for Vector<T, N> {
    type Scalar = T;

    #[inline(always)]
    fn strong_dot(self, derivative: Vector<T, N>) -> T {
        dot(self.to_array(), derivative.to_array())
    }
}

impl<T: Float> StrongCross for Vector<T, 3> {
    #[inline(always)]
    fn strong_cross(self, derivative: Vector<T, 3>) -> Vector<T, 3> {
        let (g, d) = (self.to_array(), derivative.to_array());
        Vector::from_array([
            times(g[1], d[2]) - times(g[2], d[1]),
            times(g[2], d[0]) - times(g[0], d[2]),
            times(g[0], d[1]) - times(g[1], d[0]),
        ])
    }
}

impl<T: Float, const R: usize, const C: usize> StrongMul<T> for Matrix<T, R, C> {
    type Output = Matrix<T, R, C>;

    #[inline(always)]
    fn strong_mul(self, derivative: T) -> Matrix<T, R, C> {
        Matrix::from_fn(|column| self.col(column).strong_mul(derivative))
    }
}

/// The row vector times the matrix.
impl<T: Float, const R: usize, const C: usize> StrongMul<Matrix<T, R, C>> for Vector<T, R> {
    type Output = Vector<T, C>;

    #[inline(always)]
    fn strong_mul(self, derivative: Matrix<T, R, C>) -> Vector<T, C> {
        Vector::from_fn(|column| self.strong_dot(derivative.col(column)))
    }
}

impl<T: Float, const R: usize, const K: usize, const C: usize> StrongMul<Matrix<T, K, C>> for Matrix<T, R, K> {
    type Output = Matrix<T, R, C>;

    #[inline(always)]
    fn strong_mul(self, derivative: Matrix<T, K, C>) -> Matrix<T, R, C> {
        Matrix::from_fn(|column| {
            let factors = derivative.col(column).to_array();
            let term = |k: usize| self.col(k).strong_mul(factors[k]);
            (1..K).fold(term(0), |sum, k| sum + term(k))
        })
    }
}

impl<T: Float> StrongMul<T> for Quaternion<T> {
    type Output = Quaternion<T>;

    #[inline(always)]
    fn strong_mul(self, derivative: T) -> Quaternion<T> {
        Quaternion::from_array(self.to_array().map(|adjoint| times(adjoint, derivative)))
    }
}

impl<T: Float> StrongMul for Quaternion<T> {
    type Output = Quaternion<T>;

    #[inline(always)]
    fn strong_mul(self, d: Quaternion<T>) -> Quaternion<T> {
        let [x, y, z, w] = self.to_array().map(|g| move |d| times(g, d));
        Quaternion::from_xyzw(
            w(d.x) + x(d.w) + y(d.z) - z(d.y),
            w(d.y) - x(d.z) + y(d.w) + z(d.x),
            w(d.z) + x(d.y) - y(d.x) + z(d.w),
            w(d.w) - x(d.x) - y(d.y) - z(d.z),
        )
    }
}

impl<T: Float> StrongDiv<T> for Quaternion<T> {
    #[inline(always)]
    fn strong_div(self, divisor: T) -> Quaternion<T> {
        Quaternion::from_array(self.to_array().map(|adjoint| over(adjoint, divisor)))
    }
}

impl<T: Float> StrongDot for Quaternion<T> {
    type Scalar = T;

    #[inline(always)]
    fn strong_dot(self, derivative: Quaternion<T>) -> T {
        dot(self.to_array(), derivative.to_array())
    }
}

/// Numbers in the first operand.
macro_rules! numbers {
    ($($number:ident)*) => {$(
        impl StrongMul for $number {
            type Output = $number;

            #[inline(always)]
            fn strong_mul(self, derivative: $number) -> $number {
                times(self, derivative)
            }
        }

        impl StrongDiv for $number {
            #[inline(always)]
            fn strong_div(self, divisor: $number) -> $number {
                over(self, divisor)
            }
        }

        impl<const N: usize> StrongMul<Vector<$number, N>> for $number {
            type Output = Vector<$number, N>;

            #[inline(always)]
            fn strong_mul(self, derivative: Vector<$number, N>) -> Vector<$number, N> {
                derivative.map(|derivative| times(self, derivative))
            }
        }

        impl<const R: usize, const C: usize> StrongMul<Matrix<$number, R, C>> for $number {
            type Output = Matrix<$number, R, C>;

            #[inline(always)]
            fn strong_mul(self, derivative: Matrix<$number, R, C>) -> Matrix<$number, R, C> {
                Matrix::from_fn(|column| self.strong_mul(derivative.col(column)))
            }
        }

        impl StrongMul<Quaternion<$number>> for $number {
            type Output = Quaternion<$number>;

            #[inline(always)]
            fn strong_mul(self, derivative: Quaternion<$number>) -> Quaternion<$number> {
                Quaternion::from_array(derivative.to_array().map(|derivative| times(self, derivative)))
            }
        }
    )*};
}

numbers!(f32 f64);

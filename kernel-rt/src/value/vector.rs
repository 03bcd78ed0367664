//! Vectors.

use super::parts::{fold, list, of_each_size, out_of_bounds};
use super::{Float, Number, SignedNumber};
use bytemuck::{Pod, Zeroable};
use std::array;
use std::fmt::{self, Debug, Display, Formatter};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, DivAssign, Index, IndexMut, Mul, MulAssign, Neg, Sub, SubAssign};

/// A vector of `N` components. Its layout is that of `[T; N]`.
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
#[repr(transparent)]
pub struct Vector<T, const N: usize>([T; N]);

// SAFETY: the vector is transparent over an array, which is zeroable if its elements are.
unsafe impl<T: Zeroable, const N: usize> Zeroable for Vector<T, N> {}
// SAFETY: the vector is transparent over an array, which is plain data if its elements are.
unsafe impl<T: Pod, const N: usize> Pod for Vector<T, N> {}

impl<T, const N: usize> Vector<T, N> {
    /// The vector of these components.
    #[inline]
    pub const fn from_array(components: [T; N]) -> Vector<T, N> {
        Vector(components)
    }

    /// The vector of the components `component(0)` to `component(N - 1)`.
    #[inline]
    pub fn from_fn(component: impl FnMut(usize) -> T) -> Vector<T, N> {
        Vector(array::from_fn(component))
    }

    /// The components.
    #[inline]
    pub const fn to_array(self) -> [T; N]
    where
        T: Copy,
    {
        self.0
    }
}

impl<T: Copy, const N: usize> Vector<T, N> {
    /// The vector with this value in each component.
    #[inline]
    pub const fn splat(value: T) -> Vector<T, N> {
        Vector([value; N])
    }

    /// The vector of `f` of each component.
    #[inline]
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> Vector<U, N> {
        Vector(self.0.map(f))
    }

    #[inline(always)]
    pub(super) fn zip<U: Copy, V>(self, other: Vector<U, N>, f: impl Fn(T, U) -> V) -> Vector<V, N> {
        Vector::from_fn(|i| f(self.0[i], other.0[i]))
    }
}

/// Constructors that take the components one by one.
macro_rules! constructors {
    ($($count:literal: $($component:ident)*;)*) => {$(
        impl<T> Vector<T, $count> {
            /// The vector of these components.
            #[inline]
            #[allow(clippy::too_many_arguments, reason = "as many as the vector has components")]
            pub const fn new($($component: T),*) -> Vector<T, $count> {
                Vector([$($component),*])
            }
        }
    )*};
}

of_each_size!(constructors);

impl<T: Number, const N: usize> Vector<T, N> {
    /// All components are 0.
    pub const ZERO: Vector<T, N> = Vector([T::ZERO; N]);
    /// All components are 1.
    pub const ONE: Vector<T, N> = Vector([T::ONE; N]);

    /// The dot product.
    #[inline]
    pub fn dot(self, other: Vector<T, N>) -> T {
        fold(|i| self.0[i] * other.0[i], N, |sum, product| sum + product)
    }

    /// The smaller component of each pair. If one of them is NaN, the component of `other`.
    #[inline]
    pub fn min(self, other: Vector<T, N>) -> Vector<T, N> {
        self.zip(other, lesser)
    }

    /// The larger component of each pair. If one of them is NaN, the component of `other`.
    #[inline]
    pub fn max(self, other: Vector<T, N>) -> Vector<T, N> {
        self.zip(other, greater)
    }

    /// The smallest component.
    #[inline]
    pub fn min_element(self) -> T {
        self.0[..N - 1].iter().rev().fold(self.0[N - 1], |least, component| lesser(*component, least))
    }

    /// The largest component.
    #[inline]
    pub fn max_element(self) -> T {
        self.0[..N - 1].iter().rev().fold(self.0[N - 1], |most, component| greater(*component, most))
    }

    /// The sum of the components.
    #[inline]
    pub fn element_sum(self) -> T {
        fold(|i| self.0[i], N, |sum, component| sum + component)
    }

    /// The product of the components.
    #[inline]
    pub fn element_product(self) -> T {
        fold(|i| self.0[i], N, |product, component| product * component)
    }
}

impl<T: SignedNumber, const N: usize> Vector<T, N> {
    /// All components are -1.
    pub const NEG_ONE: Vector<T, N> = Vector([T::NEG_ONE; N]);

    /// The absolute value of each component.
    ///
    /// # Panics
    /// If a component is the smallest integer, in a build with overflow checks.
    #[inline]
    pub fn abs(self) -> Vector<T, N> {
        self.map(T::magnitude)
    }
}

impl<T: Float, const N: usize> Vector<T, N> {
    /// All components are NaN.
    pub const NAN: Vector<T, N> = Vector([T::NAN; N]);

    /// The Euclidean length.
    #[inline]
    pub fn length(self) -> T {
        self.dot(self).root()
    }

    /// The square of the Euclidean length.
    #[inline]
    pub fn length_squared(self) -> T {
        self.dot(self)
    }

    /// The Euclidean distance between two points.
    #[inline]
    pub fn distance(self, other: Vector<T, N>) -> T {
        (self - other).length()
    }

    /// The square of the Euclidean distance between two points.
    #[inline]
    pub fn distance_squared(self, other: Vector<T, N>) -> T {
        (self - other).length_squared()
    }

    /// The vector divided by its length, which is not zero.
    #[inline]
    pub fn normalize(self) -> Vector<T, N> {
        self * (T::ONE / self.length())
    }

    /// The vector divided by its length; zero if the length is zero or NaN.
    #[inline]
    pub fn normalize_or_zero(self) -> Vector<T, N> {
        let length = self.length();
        if length > T::ZERO { self / length } else { Vector::ZERO }
    }

    /// The linear interpolation `self * (1 - s) + other * s`.
    #[inline]
    pub fn lerp(self, other: Vector<T, N>, s: T) -> Vector<T, N> {
        self * (T::ONE - s) + other * s
    }

    /// The vector reflected at the plane with a unit normal.
    #[inline]
    pub fn reflect(self, normal: Vector<T, N>) -> Vector<T, N> {
        let twice = T::TWO * self.dot(normal);
        self - normal.map(|component| twice * component)
    }

    /// Whether no component is infinite or NaN.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.0.into_iter().all(T::is_regular)
    }
}

impl<T: Number> Vector<T, 1> {
    /// The unit vector of the axis.
    pub const X: Vector<T, 1> = Vector([T::ONE]);
}

impl<T: Number> Vector<T, 2> {
    /// The unit vector of the first axis.
    pub const X: Vector<T, 2> = Vector([T::ONE, T::ZERO]);
    /// The unit vector of the second axis.
    pub const Y: Vector<T, 2> = Vector([T::ZERO, T::ONE]);

    /// The vector with a third component.
    #[inline]
    pub const fn extend(self, z: T) -> Vector<T, 3> {
        let Vector([x, y]) = self;
        Vector([x, y, z])
    }
}

impl<T: Number> Vector<T, 3> {
    /// The unit vector of the first axis.
    pub const X: Vector<T, 3> = Vector([T::ONE, T::ZERO, T::ZERO]);
    /// The unit vector of the second axis.
    pub const Y: Vector<T, 3> = Vector([T::ZERO, T::ONE, T::ZERO]);
    /// The unit vector of the third axis.
    pub const Z: Vector<T, 3> = Vector([T::ZERO, T::ZERO, T::ONE]);

    /// The vector with a fourth component.
    #[inline]
    pub const fn extend(self, w: T) -> Vector<T, 4> {
        let Vector([x, y, z]) = self;
        Vector([x, y, z, w])
    }

    /// The first two components.
    #[inline]
    pub const fn truncate(self) -> Vector<T, 2> {
        let Vector([x, y, _]) = self;
        Vector([x, y])
    }

    /// The cross product.
    #[inline]
    pub fn cross(self, other: Vector<T, 3>) -> Vector<T, 3> {
        let (Vector([ax, ay, az]), Vector([bx, by, bz])) = (self, other);
        Vector([ay * bz - by * az, az * bx - bz * ax, ax * by - bx * ay])
    }
}

impl<T: Number> Vector<T, 4> {
    /// The unit vector of the first axis.
    pub const X: Vector<T, 4> = Vector([T::ONE, T::ZERO, T::ZERO, T::ZERO]);
    /// The unit vector of the second axis.
    pub const Y: Vector<T, 4> = Vector([T::ZERO, T::ONE, T::ZERO, T::ZERO]);
    /// The unit vector of the third axis.
    pub const Z: Vector<T, 4> = Vector([T::ZERO, T::ZERO, T::ONE, T::ZERO]);
    /// The unit vector of the fourth axis.
    pub const W: Vector<T, 4> = Vector([T::ZERO, T::ZERO, T::ZERO, T::ONE]);

    /// The first three components.
    #[inline]
    pub const fn truncate(self) -> Vector<T, 3> {
        let Vector([x, y, z, _]) = self;
        Vector([x, y, z])
    }
}

impl<T: SignedNumber> Vector<T, 2> {
    /// The opposite of the first unit vector.
    pub const NEG_X: Vector<T, 2> = Vector([T::NEG_ONE, T::ZERO]);
    /// The opposite of the second unit vector.
    pub const NEG_Y: Vector<T, 2> = Vector([T::ZERO, T::NEG_ONE]);
}

impl<T: SignedNumber> Vector<T, 3> {
    /// The opposite of the first unit vector.
    pub const NEG_X: Vector<T, 3> = Vector([T::NEG_ONE, T::ZERO, T::ZERO]);
    /// The opposite of the second unit vector.
    pub const NEG_Y: Vector<T, 3> = Vector([T::ZERO, T::NEG_ONE, T::ZERO]);
    /// The opposite of the third unit vector.
    pub const NEG_Z: Vector<T, 3> = Vector([T::ZERO, T::ZERO, T::NEG_ONE]);
}

impl<T: SignedNumber> Vector<T, 4> {
    /// The opposite of the first unit vector.
    pub const NEG_X: Vector<T, 4> = Vector([T::NEG_ONE, T::ZERO, T::ZERO, T::ZERO]);
    /// The opposite of the second unit vector.
    pub const NEG_Y: Vector<T, 4> = Vector([T::ZERO, T::NEG_ONE, T::ZERO, T::ZERO]);
    /// The opposite of the third unit vector.
    pub const NEG_Z: Vector<T, 4> = Vector([T::ZERO, T::ZERO, T::NEG_ONE, T::ZERO]);
    /// The opposite of the fourth unit vector.
    pub const NEG_W: Vector<T, 4> = Vector([T::ZERO, T::ZERO, T::ZERO, T::NEG_ONE]);
}

impl<T: Float> Vector<T, 2> {
    /// The unit vector at `angle` radians from the first axis.
    #[inline]
    pub fn from_angle(angle: T) -> Vector<T, 2> {
        let (sine, cosine) = angle.sine_and_cosine();
        Vector([cosine, sine])
    }

    /// The z component of the cross product of two plane vectors.
    #[inline]
    pub fn perp_dot(self, other: Vector<T, 2>) -> T {
        let (Vector([ax, ay]), Vector([bx, by])) = (self, other);
        ax * by - ay * bx
    }
}

#[inline(always)]
fn lesser<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

#[inline(always)]
fn greater<T: PartialOrd>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

impl<T: Default, const N: usize> Default for Vector<T, N> {
    fn default() -> Vector<T, N> {
        Vector::from_fn(|_| T::default())
    }
}

/// Operators of two vectors, and of a vector and a number, each with its assignment.
macro_rules! operators {
    ($($op:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl<T: Number, const N: usize> $op for Vector<T, N> {
            type Output = Vector<T, N>;

            #[inline]
            fn $method(self, other: Vector<T, N>) -> Vector<T, N> {
                self.zip(other, T::$method)
            }
        }

        impl<T: Number, const N: usize> $assign for Vector<T, N> {
            #[inline]
            fn $assign_method(&mut self, other: Vector<T, N>) {
                *self = (*self).$method(other);
            }
        }
    )*};
}

operators! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
}

macro_rules! scaling {
    ($($op:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl<T: Number, const N: usize> $op<T> for Vector<T, N> {
            type Output = Vector<T, N>;

            #[inline]
            fn $method(self, number: T) -> Vector<T, N> {
                self.map(|component| component.$method(number))
            }
        }

        impl<T: Number, const N: usize> $assign<T> for Vector<T, N> {
            #[inline]
            fn $assign_method(&mut self, number: T) {
                *self = (*self).$method(number);
            }
        }
    )*};
}

scaling! {
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
}

macro_rules! scaled {
    ($($number:ident)*) => {$(
        impl<const N: usize> Mul<Vector<$number, N>> for $number {
            type Output = Vector<$number, N>;

            #[inline]
            fn mul(self, vector: Vector<$number, N>) -> Vector<$number, N> {
                vector.map(|component| self * component)
            }
        }
    )*};
}

scaled!(f32 f64 i8 u8 i16 u16 i32 u32 i64 u64);

impl<T: SignedNumber, const N: usize> Neg for Vector<T, N> {
    type Output = Vector<T, N>;

    #[inline]
    fn neg(self) -> Vector<T, N> {
        self.map(T::neg)
    }
}

impl<T, const N: usize> Index<usize> for Vector<T, N> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        match self.0.get(index) {
            Some(component) => component,
            None => out_of_bounds(N, index),
        }
    }
}

impl<T, const N: usize> IndexMut<usize> for Vector<T, N> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        match self.0.get_mut(index) {
            Some(component) => component,
            None => out_of_bounds(N, index),
        }
    }
}

impl<T, const N: usize> AsRef<[T; N]> for Vector<T, N> {
    fn as_ref(&self) -> &[T; N] {
        &self.0
    }
}

impl<T, const N: usize> AsMut<[T; N]> for Vector<T, N> {
    fn as_mut(&mut self) -> &mut [T; N] {
        &mut self.0
    }
}

impl<T, const N: usize> From<[T; N]> for Vector<T, N> {
    #[inline]
    fn from(components: [T; N]) -> Vector<T, N> {
        Vector(components)
    }
}

impl<T, const N: usize> From<Vector<T, N>> for [T; N] {
    #[inline]
    fn from(vector: Vector<T, N>) -> [T; N] {
        vector.0
    }
}

impl<T: Number, const N: usize> Sum for Vector<T, N> {
    fn sum<I: Iterator<Item = Vector<T, N>>>(vectors: I) -> Vector<T, N> {
        vectors.fold(Vector::ZERO, Add::add)
    }
}

impl<'a, T: Number, const N: usize> Sum<&'a Vector<T, N>> for Vector<T, N> {
    fn sum<I: Iterator<Item = &'a Vector<T, N>>>(vectors: I) -> Vector<T, N> {
        vectors.copied().sum()
    }
}

/// As a list of the components: `[1.0, 2.0, 3.0]`.
impl<T: Debug, const N: usize> Debug for Vector<T, N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// As a list of the components: `[1, 2, 3]`.
impl<T: Display, const N: usize> Display for Vector<T, N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        list(f, &self.0)
    }
}

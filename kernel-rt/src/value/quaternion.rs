//! Quaternions.

use super::{Float, Vector};
use bytemuck::{Pod, Zeroable};
use std::fmt::{self, Display, Formatter};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A quaternion x·i + y·j + z·k + w. One of length 1 is a rotation. Its layout is that of `[T; 4]`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Quaternion<T> {
    /// The coefficient of i.
    pub x: T,
    /// The coefficient of j.
    pub y: T,
    /// The coefficient of k.
    pub z: T,
    /// The real part.
    pub w: T,
}

// SAFETY: the quaternion consists of four numbers of one type.
unsafe impl<T: Zeroable> Zeroable for Quaternion<T> {}
// SAFETY: the quaternion consists of four numbers of one type, so it has no padding.
unsafe impl<T: Pod> Pod for Quaternion<T> {}

impl<T> Quaternion<T> {
    /// The quaternion of these components.
    #[inline]
    pub const fn from_xyzw(x: T, y: T, z: T, w: T) -> Quaternion<T> {
        Quaternion { x, y, z, w }
    }
}

impl<T: Copy> Quaternion<T> {
    /// The quaternion of these components: x, y, z, w.
    #[inline]
    pub const fn from_array([x, y, z, w]: [T; 4]) -> Quaternion<T> {
        Quaternion { x, y, z, w }
    }

    /// The components: x, y, z, w.
    #[inline]
    pub const fn to_array(self) -> [T; 4] {
        [self.x, self.y, self.z, self.w]
    }

    #[inline(always)]
    fn map(self, f: impl Fn(T) -> T) -> Quaternion<T> {
        Quaternion { x: f(self.x), y: f(self.y), z: f(self.z), w: f(self.w) }
    }
}

impl<T: Float> Quaternion<T> {
    /// The identity rotation.
    pub const IDENTITY: Quaternion<T> = Quaternion { x: T::ZERO, y: T::ZERO, z: T::ZERO, w: T::ONE };

    /// The rotation by `angle` radians around the unit vector `axis`.
    #[inline]
    pub fn from_axis_angle(axis: Vector<T, 3>, angle: T) -> Quaternion<T> {
        let (sine, cosine) = (angle * T::HALF).sine_and_cosine();
        let v = axis * sine;
        Quaternion { x: v.x, y: v.y, z: v.z, w: cosine }
    }

    /// The rotation by `angle` radians around the first axis.
    #[inline]
    pub fn from_rotation_x(angle: T) -> Quaternion<T> {
        Quaternion::from_axis_angle(Vector::<T, 3>::X, angle)
    }

    /// The rotation by `angle` radians around the second axis.
    #[inline]
    pub fn from_rotation_y(angle: T) -> Quaternion<T> {
        Quaternion::from_axis_angle(Vector::<T, 3>::Y, angle)
    }

    /// The rotation by `angle` radians around the third axis.
    #[inline]
    pub fn from_rotation_z(angle: T) -> Quaternion<T> {
        Quaternion::from_axis_angle(Vector::<T, 3>::Z, angle)
    }

    /// The dot product.
    #[inline]
    pub fn dot(self, other: Quaternion<T>) -> T {
        self.x * other.x + self.y * other.y + self.z * other.z + self.w * other.w
    }

    /// The length.
    #[inline]
    pub fn length(self) -> T {
        self.dot(self).root()
    }

    /// The square of the length.
    #[inline]
    pub fn length_squared(self) -> T {
        self.dot(self)
    }

    /// The quaternion divided by its length, which is not zero.
    #[inline]
    pub fn normalize(self) -> Quaternion<T> {
        self * (T::ONE / self.length())
    }

    /// The quaternion with x, y and z negated.
    #[inline]
    pub fn conjugate(self) -> Quaternion<T> {
        Quaternion { x: -self.x, y: -self.y, z: -self.z, w: self.w }
    }

    /// The inverse rotation: the conjugate. The length is 1.
    #[inline]
    pub fn inverse(self) -> Quaternion<T> {
        self.conjugate()
    }

    /// The rotated vector; the same as `self * vector`. The length of the quaternion is 1.
    #[inline]
    pub fn mul_vec3(self, vector: Vector<T, 3>) -> Vector<T, 3> {
        self * vector
    }
}

/// The identity rotation.
impl<T: Float> Default for Quaternion<T> {
    fn default() -> Quaternion<T> {
        Quaternion::<T>::IDENTITY
    }
}

macro_rules! operators {
    ($($op:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl<T: Float> $op for Quaternion<T> {
            type Output = Quaternion<T>;

            #[inline]
            fn $method(self, other: Quaternion<T>) -> Quaternion<T> {
                Quaternion {
                    x: self.x.$method(other.x),
                    y: self.y.$method(other.y),
                    z: self.z.$method(other.z),
                    w: self.w.$method(other.w),
                }
            }
        }

        impl<T: Float> $assign for Quaternion<T> {
            #[inline]
            fn $assign_method(&mut self, other: Quaternion<T>) {
                *self = (*self).$method(other);
            }
        }
    )*};
}

operators! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
}

macro_rules! scaling {
    ($($op:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl<T: Float> $op<T> for Quaternion<T> {
            type Output = Quaternion<T>;

            #[inline]
            fn $method(self, number: T) -> Quaternion<T> {
                self.map(|component| component.$method(number))
            }
        }

        impl<T: Float> $assign<T> for Quaternion<T> {
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

impl<T: Float> Neg for Quaternion<T> {
    type Output = Quaternion<T>;

    #[inline]
    fn neg(self) -> Quaternion<T> {
        self.map(T::neg)
    }
}

/// Hamilton's product.
impl<T: Float> Mul for Quaternion<T> {
    type Output = Quaternion<T>;

    #[inline]
    fn mul(self, b: Quaternion<T>) -> Quaternion<T> {
        let a = self;
        Quaternion {
            x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        }
    }
}

impl<T: Float> MulAssign for Quaternion<T> {
    #[inline]
    fn mul_assign(&mut self, other: Quaternion<T>) {
        *self = *self * other;
    }
}

/// The rotated vector: v (w² − b²) + 2 b (v·b) + 2 w (b × v), where b is the vector part. The length is 1.
impl<T: Float> Mul<Vector<T, 3>> for Quaternion<T> {
    type Output = Vector<T, 3>;

    #[inline]
    fn mul(self, v: Vector<T, 3>) -> Vector<T, 3> {
        let (w, b) = (self.w, Vector::<T, 3>::new(self.x, self.y, self.z));
        v * (w * w - b.dot(b)) + b * (v.dot(b) * T::TWO) + b.cross(v) * (w * T::TWO)
    }
}

/// As a list of the components: `[0, 0, 0, 1]`.
impl<T: Display> Display for Quaternion<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}, {}, {}]", self.x, self.y, self.z, self.w)
    }
}

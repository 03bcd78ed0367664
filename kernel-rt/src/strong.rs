//! Strong products and quotients, for adjoints.
//!
//! Reverse mode multiplies the adjoint of a result by the derivative of an operation. A zero adjoint means that nothing
//! depends on the result, so the product must be 0 even if the derivative is infinite or NaN. The plain product would
//! be NaN. The adjoints that `#[kernel]` generates use these methods. Kernels may call them too; derivatives in
//! `#[device(grad = …)]` should.

use glam::{DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, Mat2, Mat3, Mat4, Quat, Vec2, Vec3, Vec4};

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

/// `$value`, or 0 if `$adjoint` is 0. A bit mask, because the compiler turns a select into a branch here, and then does
/// not vectorise the loop.
macro_rules! unless_zero {
    ($adjoint:expr, $value:expr, $scalar:ident, $bits:ident) => {
        $scalar::from_bits(($value).to_bits() & $bits::from($adjoint != 0.0).wrapping_neg())
    };
}

macro_rules! scalars {
    ($($scalar:ident $bits:ident;)*) => {$(
        impl StrongMul for $scalar {
            type Output = $scalar;

            #[inline(always)]
            fn strong_mul(self, derivative: $scalar) -> $scalar {
                unless_zero!(self, self * derivative, $scalar, $bits)
            }
        }

        impl StrongDiv for $scalar {
            #[inline(always)]
            fn strong_div(self, divisor: $scalar) -> $scalar {
                unless_zero!(self, self / divisor, $scalar, $bits)
            }
        }
    )*};
}

scalars! {
    f32 u32;
    f64 u64;
}

/// The impls that vectors and quaternions share: type, scalar, constructor, fields.
macro_rules! components {
    ($($ty:ident $scalar:ident $new:ident $first:ident $($rest:ident)*;)*) => {$(
        impl StrongMul<$scalar> for $ty {
            type Output = $ty;

            #[inline(always)]
            fn strong_mul(self, derivative: $scalar) -> $ty {
                $ty::$new(self.$first.strong_mul(derivative), $(self.$rest.strong_mul(derivative)),*)
            }
        }

        impl StrongMul<$ty> for $scalar {
            type Output = $ty;

            #[inline(always)]
            fn strong_mul(self, derivative: $ty) -> $ty {
                $ty::$new(self.strong_mul(derivative.$first), $(self.strong_mul(derivative.$rest)),*)
            }
        }

        impl StrongDiv<$scalar> for $ty {
            #[inline(always)]
            fn strong_div(self, divisor: $scalar) -> $ty {
                $ty::$new(self.$first.strong_div(divisor), $(self.$rest.strong_div(divisor)),*)
            }
        }

        impl StrongDot for $ty {
            type Scalar = $scalar;

            #[inline(always)]
            fn strong_dot(self, derivative: $ty) -> $scalar {
                self.$first.strong_mul(derivative.$first) $(+ self.$rest.strong_mul(derivative.$rest))*
            }
        }
    )*};
}

components! {
    Vec2 f32 new x y; Vec3 f32 new x y z; Vec4 f32 new x y z w; Quat f32 from_xyzw x y z w;
    DVec2 f64 new x y; DVec3 f64 new x y z; DVec4 f64 new x y z w; DQuat f64 from_xyzw x y z w;
}

macro_rules! vectors {
    ($($ty:ident $($field:ident)*;)*) => {$(
        impl StrongMul for $ty {
            type Output = $ty;

            #[inline(always)]
            fn strong_mul(self, derivative: $ty) -> $ty {
                $ty::new($(self.$field.strong_mul(derivative.$field)),*)
            }
        }

        impl StrongDiv for $ty {
            #[inline(always)]
            fn strong_div(self, divisor: $ty) -> $ty {
                $ty::new($(self.$field.strong_div(divisor.$field)),*)
            }
        }
    )*};
}

vectors! { Vec2 x y; Vec3 x y z; Vec4 x y z w; DVec2 x y; DVec3 x y z; DVec4 x y z w; }

macro_rules! space {
    ($($ty:ident)*) => {$(
        impl StrongCross for $ty {
            #[inline(always)]
            fn strong_cross(self, derivative: $ty) -> $ty {
                $ty::new(
                    self.y.strong_mul(derivative.z) - self.z.strong_mul(derivative.y),
                    self.z.strong_mul(derivative.x) - self.x.strong_mul(derivative.z),
                    self.x.strong_mul(derivative.y) - self.y.strong_mul(derivative.x),
                )
            }
        }
    )*};
}

space!(Vec3 DVec3);

/// For each matrix: its type, column type and scalar, and pairs of a column's field and the matrix's axis.
macro_rules! matrices {
    ($($ty:ident $column:ident $scalar:ident $first:ident $first_axis:ident $($field:ident $axis:ident)*;)*) => {$(
        impl StrongMul<$scalar> for $ty {
            type Output = $ty;

            #[inline(always)]
            fn strong_mul(self, derivative: $scalar) -> $ty {
                $ty::from_cols(self.$first_axis.strong_mul(derivative), $(self.$axis.strong_mul(derivative)),*)
            }
        }

        impl StrongMul<$ty> for $scalar {
            type Output = $ty;

            #[inline(always)]
            fn strong_mul(self, derivative: $ty) -> $ty {
                $ty::from_cols(self.strong_mul(derivative.$first_axis), $(self.strong_mul(derivative.$axis)),*)
            }
        }

        impl StrongMul<$ty> for $column {
            type Output = $column;

            #[inline(always)]
            fn strong_mul(self, derivative: $ty) -> $column {
                $column::new(self.strong_dot(derivative.$first_axis), $(self.strong_dot(derivative.$axis)),*)
            }
        }

        impl StrongMul for $ty {
            type Output = $ty;

            #[inline(always)]
            fn strong_mul(self, derivative: $ty) -> $ty {
                let column = |of: $column| self.$first_axis.strong_mul(of.$first) $(+ self.$axis.strong_mul(of.$field))*;
                $ty::from_cols(column(derivative.$first_axis), $(column(derivative.$axis)),*)
            }
        }
    )*};
}

matrices! {
    Mat2 Vec2 f32 x x_axis y y_axis; DMat2 DVec2 f64 x x_axis y y_axis;
    Mat3 Vec3 f32 x x_axis y y_axis z z_axis; DMat3 DVec3 f64 x x_axis y y_axis z z_axis;
    Mat4 Vec4 f32 x x_axis y y_axis z z_axis w w_axis; DMat4 DVec4 f64 x x_axis y y_axis z z_axis w w_axis;
}

macro_rules! quaternions {
    ($($ty:ident)*) => {$(
        impl StrongMul for $ty {
            type Output = $ty;

            #[inline(always)]
            fn strong_mul(self, d: $ty) -> $ty {
                let [x, y, z, w] = [self.x, self.y, self.z, self.w].map(|g| move |d| g.strong_mul(d));
                $ty::from_xyzw(
                    w(d.x) + x(d.w) + y(d.z) - z(d.y),
                    w(d.y) - x(d.z) + y(d.w) + z(d.x),
                    w(d.z) + x(d.y) - y(d.x) + z(d.w),
                    w(d.w) - x(d.x) - y(d.y) - z(d.z),
                )
            }
        }
    )*};
}

quaternions!(Quat DQuat);

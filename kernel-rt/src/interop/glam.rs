//! Conversions between the values of the language and those of the crate `glam`, by `From` and `Into`.
//!
//! ```
//! use kernel_rt::value::Vec3;
//!
//! let p: Vec3 = glam::Vec3::new(1.0, 2.0, 3.0).into();
//! assert_eq!(glam::Vec3::from(2.0_f32 * p), glam::Vec3::new(2.0, 4.0, 6.0));
//! ```

use crate::value::{
    DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, I64Vec2, I64Vec3, I64Vec4, IVec2, IVec3, IVec4, Mat2, Mat3, Mat4,
    Quat, U64Vec2, U64Vec3, U64Vec4, UVec2, UVec3, UVec4, Vec2, Vec3, Vec4,
};

/// The conversions by way of an array that both types are made of.
macro_rules! conversions {
    ($to:ident $from:ident: $($name:ident)*) => {$(
        impl From<::glam::$name> for $name {
            #[inline]
            fn from(value: ::glam::$name) -> $name {
                $name::$from(value.$to())
            }
        }

        impl From<$name> for ::glam::$name {
            #[inline]
            fn from(value: $name) -> ::glam::$name {
                ::glam::$name::$from(value.$to())
            }
        }
    )*};
}

conversions!(to_array from_array: Vec2 Vec3 Vec4 DVec2 DVec3 DVec4 IVec2 IVec3 IVec4 UVec2 UVec3 UVec4);
conversions!(to_array from_array: I64Vec2 I64Vec3 I64Vec4 U64Vec2 U64Vec3 U64Vec4 Quat DQuat);

macro_rules! matrices {
    ($($name:ident)*) => {$(
        impl From<::glam::$name> for $name {
            #[inline]
            fn from(value: ::glam::$name) -> $name {
                $name::from_cols_array_2d(value.to_cols_array_2d())
            }
        }

        impl From<$name> for ::glam::$name {
            #[inline]
            fn from(value: $name) -> ::glam::$name {
                ::glam::$name::from_cols_array_2d(&value.to_cols_array_2d())
            }
        }
    )*};
}

matrices!(Mat2 Mat3 Mat4 DMat2 DMat3 DMat4);

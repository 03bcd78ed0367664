//! Conversions between the values of the language and those of the crate `mint`, by `From` and `Into`.
//!
//! `mint` is the common denominator of the crates for linear algebra, so a program can go through it to any of them.

use crate::value::{Matrix, Quaternion, Vector};
use ::mint::{
    ColumnMatrix2, ColumnMatrix2x3, ColumnMatrix2x4, ColumnMatrix3, ColumnMatrix3x2, ColumnMatrix3x4, ColumnMatrix4,
    ColumnMatrix4x2, ColumnMatrix4x3, Point2, Point3, Vector2, Vector3, Vector4,
};

macro_rules! vectors {
    ($($name:ident $count:literal;)*) => {$(
        impl<T> From<$name<T>> for Vector<T, $count> {
            #[inline]
            fn from(value: $name<T>) -> Vector<T, $count> {
                Vector::from_array(value.into())
            }
        }

        impl<T> From<Vector<T, $count>> for $name<T> {
            #[inline]
            fn from(value: Vector<T, $count>) -> $name<T> {
                $name::from(<[T; $count]>::from(value))
            }
        }
    )*};
}

vectors! {
    Vector2 2;
    Vector3 3;
    Vector4 4;
    Point2 2;
    Point3 3;
}

macro_rules! matrices {
    ($($name:ident $rows:literal $columns:literal;)*) => {$(
        impl<T: Copy> From<$name<T>> for Matrix<T, $rows, $columns> {
            #[inline]
            fn from(value: $name<T>) -> Matrix<T, $rows, $columns> {
                Matrix::from_cols_array_2d(value.into())
            }
        }

        impl<T: Copy> From<Matrix<T, $rows, $columns>> for $name<T> {
            #[inline]
            fn from(value: Matrix<T, $rows, $columns>) -> $name<T> {
                $name::from(value.to_cols_array_2d())
            }
        }
    )*};
}

matrices! {
    ColumnMatrix2 2 2;
    ColumnMatrix3 3 3;
    ColumnMatrix4 4 4;
    ColumnMatrix2x3 2 3;
    ColumnMatrix2x4 2 4;
    ColumnMatrix3x2 3 2;
    ColumnMatrix3x4 3 4;
    ColumnMatrix4x2 4 2;
    ColumnMatrix4x3 4 3;
}

impl<T> From<::mint::Quaternion<T>> for Quaternion<T> {
    #[inline]
    fn from(value: ::mint::Quaternion<T>) -> Quaternion<T> {
        Quaternion::from_xyzw(value.v.x, value.v.y, value.v.z, value.s)
    }
}

impl<T> From<Quaternion<T>> for ::mint::Quaternion<T> {
    #[inline]
    fn from(value: Quaternion<T>) -> ::mint::Quaternion<T> {
        ::mint::Quaternion { v: Vector3 { x: value.x, y: value.y, z: value.z }, s: value.w }
    }
}

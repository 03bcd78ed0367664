//! Conversions between the values of the language and the static ones of the crate `nalgebra`, by `From` and `Into`.

use crate::value::{Matrix, Quaternion, Vector};
use ::nalgebra::{SMatrix, SVector, Scalar};

impl<T: Scalar, const N: usize> From<SVector<T, N>> for Vector<T, N> {
    #[inline]
    fn from(value: SVector<T, N>) -> Vector<T, N> {
        let [components] = value.data.0;
        Vector::from_array(components)
    }
}

impl<T: Scalar, const N: usize> From<Vector<T, N>> for SVector<T, N> {
    #[inline]
    fn from(value: Vector<T, N>) -> SVector<T, N> {
        SVector::from(<[T; N]>::from(value))
    }
}

impl<T: Scalar + Copy, const R: usize, const C: usize> From<SMatrix<T, R, C>> for Matrix<T, R, C> {
    #[inline]
    fn from(value: SMatrix<T, R, C>) -> Matrix<T, R, C> {
        Matrix::from_cols_array_2d(value.data.0)
    }
}

impl<T: Scalar + Copy, const R: usize, const C: usize> From<Matrix<T, R, C>> for SMatrix<T, R, C> {
    #[inline]
    fn from(value: Matrix<T, R, C>) -> SMatrix<T, R, C> {
        SMatrix::from(value.to_cols_array_2d())
    }
}

impl<T: Scalar + Copy> From<::nalgebra::Quaternion<T>> for Quaternion<T> {
    #[inline]
    fn from(value: ::nalgebra::Quaternion<T>) -> Quaternion<T> {
        let [[x, y, z, w]] = value.coords.data.0;
        Quaternion::from_xyzw(x, y, z, w)
    }
}

impl<T: Scalar + Copy> From<Quaternion<T>> for ::nalgebra::Quaternion<T> {
    #[inline]
    fn from(value: Quaternion<T>) -> ::nalgebra::Quaternion<T> {
        ::nalgebra::Quaternion { coords: SVector::from(value.to_array()) }
    }
}

//! Matrices.

use super::parts::{fold, list, of_each_size, out_of_bounds};
use super::{Float, Number, SignedNumber, Vector};
use bytemuck::{Pod, Zeroable};
use std::array;
use std::fmt::{self, Debug, Display, Formatter};
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A matrix of `R` rows and `C` columns. Its layout is that of `[[T; R]; C]`: column by column.
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
#[repr(transparent)]
pub struct Matrix<T, const R: usize, const C: usize>([Vector<T, R>; C]);

// SAFETY: the matrix is transparent over an array, which is zeroable if its elements are.
unsafe impl<T: Zeroable, const R: usize, const C: usize> Zeroable for Matrix<T, R, C> {}
// SAFETY: the matrix is transparent over an array, which is plain data if its elements are.
unsafe impl<T: Pod, const R: usize, const C: usize> Pod for Matrix<T, R, C> {}

impl<T, const R: usize, const C: usize> Matrix<T, R, C> {
    /// The matrix of these columns.
    #[inline]
    pub const fn from_cols_array_2d(columns: [[T; R]; C]) -> Matrix<T, R, C>
    where
        T: Copy,
    {
        let mut made = [Vector::from_array(columns[0]); C];
        let mut column = 1;
        while column < C {
            made[column] = Vector::from_array(columns[column]);
            column += 1;
        }
        Matrix(made)
    }

    /// The matrix of the columns `column(0)` to `column(C - 1)`.
    #[inline]
    pub fn from_fn(column: impl FnMut(usize) -> Vector<T, R>) -> Matrix<T, R, C> {
        Matrix(array::from_fn(column))
    }
}

impl<T: Copy, const R: usize, const C: usize> Matrix<T, R, C> {
    /// The entries by columns.
    #[inline]
    pub fn to_cols_array_2d(self) -> [[T; R]; C] {
        self.0.map(Vector::to_array)
    }

    /// The column number `index`.
    ///
    /// # Panics
    /// If there is no such column.
    #[inline]
    #[track_caller]
    pub fn col(&self, index: usize) -> Vector<T, R> {
        match self.0.get(index) {
            Some(column) => *column,
            None => out_of_bounds(C, index),
        }
    }

    /// The column number `index`, to be changed.
    ///
    /// # Panics
    /// If there is no such column.
    #[inline]
    #[track_caller]
    pub fn col_mut(&mut self, index: usize) -> &mut Vector<T, R> {
        match self.0.get_mut(index) {
            Some(column) => column,
            None => out_of_bounds(C, index),
        }
    }

    /// The row number `index`.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    #[track_caller]
    pub fn row(&self, index: usize) -> Vector<T, C> {
        if index >= R {
            out_of_bounds(R, index);
        }
        Vector::from_fn(|column| self.0[column].to_array()[index])
    }

    /// The matrix with rows and columns exchanged.
    #[inline]
    pub fn transpose(self) -> Matrix<T, C, R> {
        Matrix(array::from_fn(|row| Vector::from_fn(|column| self.0[column].to_array()[row])))
    }

    #[inline(always)]
    fn map(self, f: impl FnMut(Vector<T, R>) -> Vector<T, R>) -> Matrix<T, R, C> {
        Matrix(self.0.map(f))
    }
}

/// Constructors that take the columns one by one.
macro_rules! constructors {
    ($($count:literal: $($column:ident)*;)*) => {$(
        impl<T, const R: usize> Matrix<T, R, $count> {
            /// The matrix of these columns.
            #[inline]
            #[allow(clippy::too_many_arguments, reason = "as many as the matrix has columns")]
            pub const fn from_cols($($column: Vector<T, R>),*) -> Matrix<T, R, $count> {
                Matrix([$($column),*])
            }
        }
    )*};
}

of_each_size!(constructors);

/// The conversions from and to all entries as one array, column by column.
macro_rules! flat {
    ($($size:literal $entries:literal;)*) => {$(
        impl<T: Copy> Matrix<T, $size, $size> {
            /// The matrix of these entries, column by column.
            #[inline]
            pub fn from_cols_array(entries: &[T; $entries]) -> Matrix<T, $size, $size> {
                Matrix::from_fn(|column| Vector::from_fn(|row| entries[column * $size + row]))
            }

            /// The entries, column by column.
            #[inline]
            pub fn to_cols_array(self) -> [T; $entries] {
                let columns = self.to_cols_array_2d();
                array::from_fn(|entry| columns[entry / $size][entry % $size])
            }
        }
    )*};
}

flat! {
    2 4;
    3 9;
    4 16;
}

impl<T: Number, const R: usize, const C: usize> Matrix<T, R, C> {
    /// All entries are 0.
    pub const ZERO: Matrix<T, R, C> = Matrix([Vector::ZERO; C]);
}

impl<T: Number, const N: usize> Matrix<T, N, N> {
    /// The identity.
    pub const IDENTITY: Matrix<T, N, N> = Matrix::from_diagonal(Vector::ONE);

    /// The matrix with this diagonal and zeros elsewhere.
    #[inline]
    pub const fn from_diagonal(diagonal: Vector<T, N>) -> Matrix<T, N, N> {
        let diagonal = diagonal.to_array();
        let mut columns = [[T::ZERO; N]; N];
        let mut at = 0;
        while at < N {
            columns[at][at] = diagonal[at];
            at += 1;
        }
        Matrix::from_cols_array_2d(columns)
    }
}

/// The products of vectors that are matrices. They stand here, because vectors do not depend on matrices.
impl<T: Number, const R: usize> Vector<T, R> {
    /// The outer product: the matrix whose column `j` is this vector times the component `j` of `other`.
    #[inline]
    pub fn outer<const C: usize>(self, other: Vector<T, C>) -> Matrix<T, R, C> {
        Matrix(other.to_array().map(|component| self * component))
    }
}

impl<T: SignedNumber> Vector<T, 3> {
    /// The skew-symmetric matrix whose product with a vector is the cross product with that vector.
    #[inline]
    pub fn skew(self) -> Matrix<T, 3, 3> {
        let [x, y, z] = self.to_array();
        Matrix::from_cols_array_2d([[T::ZERO, z, -y], [-z, T::ZERO, x], [y, -x, T::ZERO]])
    }
}

impl<T: Number, const N: usize> Matrix<T, N, N> {
    /// The sum of the diagonal.
    #[inline]
    pub fn trace(&self) -> T {
        fold(|k| self.0[k].to_array()[k], N, |sum, entry| sum + entry)
    }
}

impl<T: Float> Matrix<T, 2, 2> {
    /// The determinant.
    #[inline]
    pub fn determinant(&self) -> T {
        self.x_axis.x * self.y_axis.y - self.x_axis.y * self.y_axis.x
    }

    /// The inverse. The determinant is not zero.
    #[inline]
    pub fn inverse(&self) -> Matrix<T, 2, 2> {
        let recip = T::ONE / self.determinant();
        Matrix([
            Vector::from_array([self.y_axis.y * recip, self.x_axis.y * -recip]),
            Vector::from_array([self.y_axis.x * -recip, self.x_axis.x * recip]),
        ])
    }
}

impl<T: Float> Matrix<T, 3, 3> {
    /// The determinant.
    #[inline]
    pub fn determinant(&self) -> T {
        self.x_axis.dot(self.y_axis.cross(self.z_axis))
    }

    /// The inverse. The determinant is not zero.
    #[inline]
    pub fn inverse(&self) -> Matrix<T, 3, 3> {
        let yz = self.y_axis.cross(self.z_axis);
        let zx = self.z_axis.cross(self.x_axis);
        let xy = self.x_axis.cross(self.y_axis);
        let recip = T::ONE / self.x_axis.dot(yz);
        Matrix([yz * recip, zx * recip, xy * recip]).transpose()
    }
}

impl<T: Float> Matrix<T, 4, 4> {
    /// The determinant, expanded along the first column.
    #[inline]
    pub fn determinant(&self) -> T {
        let [a, b, c, d] = self.0;
        // The minors of the last two columns, named for their rows.
        let minor = |i: usize, k: usize| c[i] * d[k] - c[k] * d[i];
        let (zw, yw, yz) = (minor(2, 3), minor(1, 3), minor(1, 2));
        let (xw, xz, xy) = (minor(0, 3), minor(0, 2), minor(0, 1));
        a.x * (b.y * zw - b.z * yw + b.w * yz) - a.y * (b.x * zw - b.z * xw + b.w * xz)
            + a.z * (b.x * yw - b.y * xw + b.w * xy)
            - a.w * (b.x * yz - b.y * xz + b.z * xy)
    }

    /// The inverse: the adjugate divided by the determinant, which is not zero.
    #[inline]
    pub fn inverse(&self) -> Matrix<T, 4, 4> {
        let [a, b, c, d] = self.0;
        // The minors of two columns at a time, for a pair of rows: one for each column of the adjugate.
        let minors = |i: usize, k: usize| {
            let minor = |p: Vector<T, 4>, q: Vector<T, 4>| p[i] * q[k] - q[i] * p[k];
            Vector::from_array([minor(c, d), minor(c, d), minor(b, d), minor(b, c)])
        };
        let (zw, yw, yz) = (minors(2, 3), minors(1, 3), minors(1, 2));
        let (xw, xz, xy) = (minors(0, 3), minors(0, 2), minors(0, 1));
        // A row without the column that the minor leaves out.
        let row = |i: usize| Vector::from_array([b[i], a[i], a[i], a[i]]);
        let (x, y, z, w) = (row(0), row(1), row(2), row(3));
        let even = Vector::from_array([T::ONE, T::NEG_ONE, T::ONE, T::NEG_ONE]);
        let odd = Vector::from_array([T::NEG_ONE, T::ONE, T::NEG_ONE, T::ONE]);
        let adjugate = Matrix([
            (y * zw - z * yw + w * yz) * even,
            (x * zw - z * xw + w * xz) * odd,
            (x * yw - y * xw + w * xy) * even,
            (x * yz - y * xz + z * xy) * odd,
        ]);
        adjugate * (T::ONE / (a * adjugate.row(0)).element_sum())
    }
}

impl<T: Default, const R: usize, const C: usize> Default for Matrix<T, R, C> {
    /// All entries are the default.
    fn default() -> Matrix<T, R, C> {
        Matrix::from_fn(|_| Vector::default())
    }
}

macro_rules! operators {
    ($($op:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl<T: Number, const R: usize, const C: usize> $op for Matrix<T, R, C> {
            type Output = Matrix<T, R, C>;

            #[inline]
            fn $method(self, other: Matrix<T, R, C>) -> Matrix<T, R, C> {
                Matrix::from_fn(|column| self.0[column].$method(other.0[column]))
            }
        }

        impl<T: Number, const R: usize, const C: usize> $assign for Matrix<T, R, C> {
            #[inline]
            fn $assign_method(&mut self, other: Matrix<T, R, C>) {
                *self = (*self).$method(other);
            }
        }
    )*};
}

operators! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
}

impl<T: SignedNumber, const R: usize, const C: usize> Neg for Matrix<T, R, C> {
    type Output = Matrix<T, R, C>;

    #[inline]
    fn neg(self) -> Matrix<T, R, C> {
        self.map(Neg::neg)
    }
}

impl<T: Number, const R: usize, const C: usize> Mul<T> for Matrix<T, R, C> {
    type Output = Matrix<T, R, C>;

    #[inline]
    fn mul(self, number: T) -> Matrix<T, R, C> {
        self.map(|column| column * number)
    }
}

impl<T: Number, const R: usize, const C: usize> MulAssign<T> for Matrix<T, R, C> {
    #[inline]
    fn mul_assign(&mut self, number: T) {
        *self = *self * number;
    }
}

macro_rules! scaled {
    ($($number:ident)*) => {$(
        impl<const R: usize, const C: usize> Mul<Matrix<$number, R, C>> for $number {
            type Output = Matrix<$number, R, C>;

            #[inline]
            fn mul(self, matrix: Matrix<$number, R, C>) -> Matrix<$number, R, C> {
                matrix.map(|column| self * column)
            }
        }
    )*};
}

scaled!(f32 f64);

/// The sum of the columns, each times its component of the vector, from the first to the last.
impl<T: Number, const R: usize, const C: usize> Mul<Vector<T, C>> for Matrix<T, R, C> {
    type Output = Vector<T, R>;

    #[inline]
    fn mul(self, vector: Vector<T, C>) -> Vector<T, R> {
        let components = vector.to_array();
        fold(|column| self.0[column] * components[column], C, |sum, product| sum + product)
    }
}

impl<T: Number, const R: usize, const K: usize, const C: usize> Mul<Matrix<T, K, C>> for Matrix<T, R, K> {
    type Output = Matrix<T, R, C>;

    #[inline]
    fn mul(self, other: Matrix<T, K, C>) -> Matrix<T, R, C> {
        Matrix::from_fn(|column| self * other.0[column])
    }
}

impl<T: Number, const N: usize> MulAssign for Matrix<T, N, N> {
    #[inline]
    fn mul_assign(&mut self, other: Matrix<T, N, N>) {
        *self = *self * other;
    }
}

/// As a list of the columns: `[[1.0, 2.0], [3.0, 4.0]]`.
impl<T: Debug, const R: usize, const C: usize> Debug for Matrix<T, R, C> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// As a list of the columns: `[[1, 2], [3, 4]]`.
impl<T: Display, const R: usize, const C: usize> Display for Matrix<T, R, C> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        list(f, &self.0)
    }
}

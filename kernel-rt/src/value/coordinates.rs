//! The named components of vectors and the named columns of matrices: `v.x`, `m.y_axis`.
//!
//! A vector derefs to a struct with one field for each component, so that a component can be read and assigned as a
//! field. Vectors of more than four components have indices only.

use super::{Matrix, Vector};
use std::ops::{Deref, DerefMut};

/// Declares a struct of parts, and the deref of vectors or matrices with as many parts.
macro_rules! parts {
    ($($(#[$doc:meta])* $parts:ident [$($part:ident)*] $count:literal $of:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[repr(C)]
        pub struct $parts<T> {
            $(
                #[doc = concat!("The part `", stringify!($part), "`.")]
                pub $part: T,
            )*
        }

        parts!(deref $of $parts $count);
    )*};
    (deref vector $parts:ident $count:literal) => {
        impl<T> Deref for Vector<T, $count> {
            type Target = $parts<T>;

            #[inline(always)]
            fn deref(&self) -> &$parts<T> {
                // SAFETY: the vector is transparent over an array of as many `T` as the `repr(C)` struct has fields, so
                // both have the same layout.
                unsafe { &*(&raw const *self).cast() }
            }
        }

        impl<T> DerefMut for Vector<T, $count> {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut $parts<T> {
                // SAFETY: as in `deref`; the exclusive borrow of the vector passes to the struct.
                unsafe { &mut *(&raw mut *self).cast() }
            }
        }
    };
    (deref matrix $parts:ident $count:literal) => {
        impl<T, const R: usize> Deref for Matrix<T, R, $count> {
            type Target = $parts<Vector<T, R>>;

            #[inline(always)]
            fn deref(&self) -> &Self::Target {
                // SAFETY: the matrix is transparent over an array of as many columns as the `repr(C)` struct has fields,
                // so both have the same layout.
                unsafe { &*(&raw const *self).cast() }
            }
        }

        impl<T, const R: usize> DerefMut for Matrix<T, R, $count> {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut Self::Target {
                // SAFETY: as in `deref`; the exclusive borrow of the matrix passes to the struct.
                unsafe { &mut *(&raw mut *self).cast() }
            }
        }
    };
}

parts! {
    /// The component of a vector of one.
    X [x] 1 vector;
    /// The components of a vector of two.
    XY [x y] 2 vector;
    /// The components of a vector of three.
    XYZ [x y z] 3 vector;
    /// The components of a vector of four.
    XYZW [x y z w] 4 vector;
    /// The column of a matrix of one.
    ColumnsX [x_axis] 1 matrix;
    /// The columns of a matrix of two.
    ColumnsXY [x_axis y_axis] 2 matrix;
    /// The columns of a matrix of three.
    ColumnsXYZ [x_axis y_axis z_axis] 3 matrix;
    /// The columns of a matrix of four.
    ColumnsXYZW [x_axis y_axis z_axis w_axis] 4 matrix;
}

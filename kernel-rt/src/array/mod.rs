//! N-dimensional arrays on the host.

mod element;
mod half;
mod show;
mod storage;
pub(crate) mod structure;

pub(crate) use element::AnyValue;
pub(crate) use element::value_of;
pub use element::{Bits, Columns, ColumnsMut, sealed};
pub use element::{DataElement, Element, FloatElement, NumberElement, UniformElement, Value};
pub(crate) use show::ElementList;
pub(crate) use storage::Storage;

use std::fmt;
use std::ops::{Index, IndexMut};

/// A row-major, contiguous array of `N` axes, at most four, indexed `a[[i, j]]`.
///
/// `Debug` shows the elements as nested lists. Of each axis of a large array it shows the first and the last entries.
#[derive(Clone, PartialEq)]
pub struct Array<T, const N: usize> {
    shape: [usize; N],
    data: Storage<T>,
}

/// An array of two axes.
pub type Array2<T> = Array<T, 2>;
/// An array of three axes.
pub type Array3<T> = Array<T, 3>;
/// An array of four axes.
pub type Array4<T> = Array<T, 4>;

/// The error of [`Array::from_vec`] and [`Array::reshape`]: the number of elements does not fit the shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an array of shape {shape:?} cannot have {len} elements")]
pub struct ShapeError {
    /// The extents, outermost first.
    pub shape: Vec<usize>,
    /// The number of elements.
    pub len: usize,
}

impl<T, const N: usize> Array<T, N> {
    /// An array with these extents, outermost first, and these elements in row-major order.
    ///
    /// # Errors
    /// [`ShapeError`] if the number of elements is not the product of the extents.
    pub fn from_vec(shape: [usize; N], data: Vec<T>) -> Result<Array<T, N>, ShapeError> {
        Array::from_storage(shape, data.into())
    }

    /// The same elements with other extents, in the same order. Nothing is copied.
    ///
    /// ```
    /// # use kernel_rt::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let m = Array::from(vec![1, 2, 3, 4, 5, 6]).reshape([2, 3])?;
    /// assert_eq!(m[[1, 0]], 4);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ShapeError`] if the number of elements is not the product of the extents.
    pub fn reshape<const M: usize>(self, shape: [usize; M]) -> Result<Array<T, M>, ShapeError> {
        Array::from_storage(shape, self.data)
    }

    /// An array of these elements. If the caller of this function gives away mutable access to the array, the storage
    /// must be writable.
    pub(crate) fn from_storage(shape: [usize; N], data: Storage<T>) -> Result<Array<T, N>, ShapeError> {
        if volume(&shape) == Some(data.len()) {
            Ok(Array { shape, data })
        } else {
            Err(ShapeError { shape: shape.to_vec(), len: data.len() })
        }
    }

    pub(crate) fn into_storage(self) -> Storage<T> {
        self.data
    }

    /// The extents, outermost first.
    #[inline]
    pub fn shape(&self) -> [usize; N] {
        self.shape
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements in row-major order.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        self.data.as_slice()
    }

    /// The elements in row-major order, to be changed.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.data.as_mut_slice()
    }
}

impl<T: Clone, const N: usize> Array<T, N> {
    /// The elements in row-major order, without the shape. They are copied only if another library owns their memory.
    pub fn into_vec(self) -> Vec<T> {
        self.data.into_vec()
    }
}

impl<T: Element, const N: usize> Array<T, N> {
    /// An array of zeros.
    ///
    /// # Panics
    /// The number of elements overflows `usize`, or the allocation fails.
    pub fn zeros(shape: [usize; N]) -> Array<T, N> {
        let len = volume(&shape).expect("the number of elements fits in `usize`");
        Array { shape, data: vec![T::zero(); len].into() }
    }
}

/// A 1-D array of the elements of a vector.
impl<T> From<Vec<T>> for Array<T, 1> {
    fn from(data: Vec<T>) -> Array<T, 1> {
        Array { shape: [data.len()], data: data.into() }
    }
}

/// A copy.
impl<T: Clone, const N: usize> From<&Array<T, N>> for Array<T, N> {
    fn from(array: &Array<T, N>) -> Array<T, N> {
        array.clone()
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for Array<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Array")
            .field("shape", &self.shape)
            .field("elements", &ElementList::new(&self.shape, self.as_slice()))
            .finish()
    }
}

impl<T, const N: usize> Index<[usize; N]> for Array<T, N> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, index: [usize; N]) -> &T {
        let offset = offset(&self.shape, index);
        // SAFETY: `offset` has checked every index against its extent, so the offset is below the product of the
        // extents. Every constructor makes that product the number of elements.
        unsafe { &*self.data.as_ptr().add(offset) }
    }
}

impl<T, const N: usize> IndexMut<[usize; N]> for Array<T, N> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: [usize; N]) -> &mut T {
        let offset = offset(&self.shape, index);
        // SAFETY: as for `index`.
        unsafe { &mut *self.data.as_mut_ptr().add(offset) }
    }
}

macro_rules! rows {
    ($($n:literal, $($axis:ident),+;)*) => {$(
        impl<T> Array<T, $n> {
            /// A row: the elements along the last axis.
            ///
            /// # Panics
            /// An index is out of bounds.
            #[inline]
            #[track_caller]
            pub fn row(&self, $($axis: usize),+) -> &[T] {
                let (start, len) = row_of(&self.shape, [$($axis),+]);
                &self.as_slice()[start..start + len]
            }

            /// As [`row`](Array::row), to be changed.
            ///
            /// # Panics
            /// An index is out of bounds.
            #[inline]
            #[track_caller]
            pub fn row_mut(&mut self, $($axis: usize),+) -> &mut [T] {
                let (start, len) = row_of(&self.shape, [$($axis),+]);
                &mut self.as_mut_slice()[start..start + len]
            }
        }
    )*};
}

rows! {
    2, i;
    3, i, j;
    4, i, j, k;
}

/// The first element of a row, and the number of elements. An index out of bounds panics.
#[inline]
#[track_caller]
fn row_of<const N: usize, const M: usize>(shape: &[usize; N], index: [usize; M]) -> (usize, usize) {
    let mut start = 0;
    // No iterator, because `track_caller` does not pass through a closure.
    let mut axis = 0;
    while axis < M {
        if index[axis] >= shape[axis] {
            out_of_bounds(axis, index[axis], shape[axis]);
        }
        start = start * shape[axis] + index[axis];
        axis += 1;
    }
    (start * shape[M], shape[M])
}

/// The number of elements of an array of that shape, if it fits.
pub(crate) fn volume(shape: &[usize]) -> Option<usize> {
    // A zero extent makes the array empty, however large the others are.
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1usize, |len, &extent| len.checked_mul(extent))
}

/// The row-major element number of an index. An index out of bounds panics.
#[inline]
#[track_caller]
pub(crate) fn offset<const N: usize>(shape: &[usize; N], index: [usize; N]) -> usize {
    // The unsafe accesses rely on checked indices, and `step!` below covers four axes only.
    const { assert!(N <= 4, "an array has at most four axes") };
    let mut offset = 0;
    // Unrolled by hand: the compiler unrolls a loop too late to remove redundant bounds checks. A macro, because
    // `track_caller` does not pass through a closure.
    macro_rules! step {
        ($($axis:literal)*) => {$(
            if $axis < N {
                if index[$axis] >= shape[$axis] {
                    out_of_bounds($axis, index[$axis], shape[$axis]);
                }
                offset = offset * shape[$axis] + index[$axis];
            }
        )*};
    }
    step!(0 1 2 3);
    offset
}

#[cold]
#[inline(never)]
#[track_caller]
fn out_of_bounds(axis: usize, index: usize, extent: usize) -> ! {
    panic!("index out of bounds: the index is {index} along axis {axis}, whose extent is {extent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_axis_is_contiguous() {
        let a = Array::from_vec([2, 3], vec![0, 1, 2, 10, 11, 12]).unwrap();
        assert_eq!(a[[0, 2]], 2);
        assert_eq!(a[[1, 0]], 10);
        assert_eq!(a.shape(), [2, 3]);
    }

    #[test]
    fn writing_an_element_changes_that_one() {
        let mut a = Array3::<f32>::zeros([2, 2, 2]);
        a[[1, 0, 1]] = 3.0;
        assert_eq!(a.into_vec(), [0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
    }

    #[test]
    fn elements_must_fit_the_shape() {
        let error = Array::from_vec([2, 3], vec![0; 5]).unwrap_err();
        assert_eq!(error, ShapeError { shape: vec![2, 3], len: 5 });
        assert!(Array::from_vec([usize::MAX, 2], vec![0; 5]).is_err());
        assert!(Array::<i32, 3>::from_vec([usize::MAX, 2, 0], vec![]).is_ok());
    }

    #[test]
    fn another_shape_has_the_same_elements() {
        let a = Array::from_vec([2, 3], vec![0, 1, 2, 10, 11, 12]).unwrap();
        let address = a.as_slice().as_ptr();
        let b = a.reshape([3, 1, 2]).unwrap();
        assert_eq!((b.as_slice().as_ptr(), b[[1, 0, 1]], b.shape()), (address, 10, [3, 1, 2]));
        assert_eq!(b.reshape([5]).unwrap_err(), ShapeError { shape: vec![5], len: 6 });
        assert!(Array::<i32, 1>::from(vec![]).reshape([usize::MAX, 0, 2]).is_ok());
    }

    #[test]
    fn a_row_is_along_the_last_axis() {
        let mut m = Array::from_vec([2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
        m.row_mut(1).reverse();
        assert_eq!((m.row(0), m.row(1)), (&[1, 2, 3][..], &[6, 5, 4][..]));
        let a = Array::from((0..24).collect::<Vec<i32>>()).reshape([2, 3, 4]).unwrap();
        assert_eq!(a.row(1, 2), [20, 21, 22, 23]);
        assert!(Array2::<f32>::zeros([3, 0]).row(2).is_empty());
    }

    #[test]
    #[should_panic(expected = "the index is 2 along axis 0, whose extent is 2")]
    fn a_row_out_of_bounds_panics() {
        let _ = Array2::<f32>::zeros([2, 3]).row(2);
    }

    #[test]
    fn debug_shows_the_elements() {
        let a = Array::from_vec([2, 2], vec![0.5f32, 1.0, 2.0, -3.0]).unwrap();
        assert_eq!(format!("{a:?}"), "Array { shape: [2, 2], elements: [[0.5, 1.0], [2.0, -3.0]] }");
    }

    #[test]
    #[should_panic(expected = "the index is 3 along axis 1, whose extent is 3")]
    fn an_index_past_its_axis_panics_even_where_the_element_exists() {
        let a = Array2::<f32>::zeros([2, 3]);
        let _ = a[[0, 3]];
    }
}

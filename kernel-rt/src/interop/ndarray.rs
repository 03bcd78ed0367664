//! Arrays and views of the crate `ndarray`.
//!
//! Arrays go in and out without a copy: they give their vector of elements away. Views of an [`Array`] are views of its
//! memory. The slices of 1-D views are arguments of a kernel's `cpu` as they are.
//!
//! ```
//! use kernel_rt::prelude::*;
//! use ndarray::array;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let a = Array::from_ndarray(array![[1.0, 2.0], [3.0, 4.0]])?;
//! assert_eq!(a.as_ndarray().sum(), 10.0);
//! assert_eq!(a.into_ndarray(), array![[1.0, 2.0], [3.0, 4.0]]);
//! # Ok(())
//! # }
//! ```

use super::InteropError;
use super::layout::{scalar_shape, scalar_strides};
use crate::array::{Array, UniformElement};
use ::ndarray::{
    ArrayBase, ArrayD, ArrayView, ArrayViewD, ArrayViewMut, Data, Dim, Dimension, Ix, IxDyn, OwnedRepr, ShapeBuilder,
};

/// The name of the function that copies, in errors.
const COPY: &str = "Array::copy_from_ndarray";

impl<T: UniformElement, const N: usize> Array<T, N>
where
    Dim<[Ix; N]>: Dimension,
    [Ix; N]: ::ndarray::IntoDimension<Dim = Dim<[Ix; N]>>,
{
    /// The array as a view of `ndarray`.
    pub fn as_ndarray(&self) -> ArrayView<'_, T, Dim<[Ix; N]>> {
        ArrayView::from_shape(self.shape(), self.as_slice()).expect("an array fits its shape")
    }

    /// The array as a view of `ndarray` that can be written to.
    pub fn as_ndarray_mut(&mut self) -> ArrayViewMut<'_, T, Dim<[Ix; N]>> {
        ArrayViewMut::from_shape(self.shape(), self.as_mut_slice()).expect("an array fits its shape")
    }

    /// The array as one of `ndarray`. The elements are copied only if another library owns their memory.
    pub fn into_ndarray(self) -> ::ndarray::Array<T, Dim<[Ix; N]>> {
        ::ndarray::Array::from_shape_vec(self.shape(), self.into_vec()).expect("an array fits its shape")
    }

    /// An array with the elements of one of `ndarray`, without a copy.
    ///
    /// # Errors
    /// [`InteropError::Layout`] if the elements are not in row-major order or are a part of a larger array;
    /// [`Array::copy_from_ndarray`] copies them.
    pub fn from_ndarray(array: ArrayBase<OwnedRepr<T>, Dim<[Ix; N]>>) -> Result<Array<T, N>, InteropError> {
        let shape = shape_of(array.shape());
        if !array.is_standard_layout() {
            return Err(InteropError::Layout { copy: COPY });
        }
        match array.into_raw_vec_and_offset() {
            (elements, None | Some(0)) => {
                // The shape has fewer elements than the vector if the array is the start of a larger one.
                Array::from_vec(shape, elements).map_err(|_| InteropError::Layout { copy: COPY })
            }
            _ => Err(InteropError::Layout { copy: COPY }),
        }
    }

    /// An array with a copy of the elements of an array or a view of `ndarray`, in any layout.
    pub fn copy_from_ndarray<S: Data<Elem = T>>(array: &ArrayBase<S, Dim<[Ix; N]>>) -> Array<T, N> {
        let elements = array.iter().copied().collect();
        Array::from_vec(shape_of(array.shape()), elements).expect("an array has the elements of its shape")
    }
}

impl<T: UniformElement, const N: usize> Array<T, N> {
    /// The scalars of the array as a view of `ndarray`: an element with several scalars is one or two more axes. A matrix
    /// is indexed by row and column.
    ///
    /// ```
    /// # use kernel_rt::prelude::*;
    /// let a = Array::from(vec![Vec2::new(1.0, 2.0), Vec2::new(3.0, 4.0)]);
    /// assert_eq!(a.as_ndarray_scalars(), ndarray::array![[1.0, 2.0], [3.0, 4.0]].into_dyn());
    /// ```
    pub fn as_ndarray_scalars(&self) -> ArrayViewD<'_, T::Scalar> {
        let strides = scalar_strides::<T>(&self.shape()).into_iter().map(|stride| stride as usize);
        let shape = IxDyn(&scalar_shape::<T>(&self.shape())).strides(IxDyn(&strides.collect::<Vec<_>>()));
        // Without elements, `ndarray` takes no strides beyond its memory.
        if self.is_empty() {
            let shape = IxDyn(&scalar_shape::<T>(&self.shape()));
            return ArrayViewD::from_shape(shape, &[]).expect("an array without elements needs no memory");
        }
        ArrayViewD::from_shape(shape, T::scalars_of(self.as_slice())).expect("an array fits its shape")
    }

    /// An array with a copy of the scalars of an array or a view of `ndarray`, in any layout. Its last axes are those of
    /// the elements, as [`Array::as_ndarray_scalars`] has them.
    ///
    /// # Errors
    /// [`InteropError::Shape`] if the number of axes is another, or the last axes are not those of the elements.
    pub fn copy_from_ndarray_scalars<S: Data<Elem = T::Scalar>, D: Dimension>(
        array: &ArrayBase<S, D>,
    ) -> Result<Array<T, N>, InteropError> {
        let shape = super::layout::array_shape::<T, N>(array.shape())?;
        let scalars: Vec<T::Scalar> = array.iter().copied().collect();
        let stored = T::Scalar::to_stored(&scalars);
        super::layout::gather(shape, &super::layout::row_major(array.shape()), |offset| stored[offset as usize])
    }

    /// A copy of the scalars of the array, in row-major order.
    pub fn to_ndarray_scalars(&self) -> ArrayD<T::Scalar> {
        self.as_ndarray_scalars().as_standard_layout().into_owned()
    }
}

impl<T: UniformElement, const N: usize> From<Array<T, N>> for ::ndarray::Array<T, Dim<[Ix; N]>>
where
    Dim<[Ix; N]>: Dimension,
    [Ix; N]: ::ndarray::IntoDimension<Dim = Dim<[Ix; N]>>,
{
    fn from(array: Array<T, N>) -> Self {
        array.into_ndarray()
    }
}

impl<T: UniformElement, const N: usize> TryFrom<::ndarray::Array<T, Dim<[Ix; N]>>> for Array<T, N>
where
    Dim<[Ix; N]>: Dimension,
    [Ix; N]: ::ndarray::IntoDimension<Dim = Dim<[Ix; N]>>,
{
    type Error = InteropError;

    fn try_from(array: ::ndarray::Array<T, Dim<[Ix; N]>>) -> Result<Array<T, N>, InteropError> {
        Array::from_ndarray(array)
    }
}

/// The dimension type says that there are `N` axes.
fn shape_of<const N: usize>(shape: &[usize]) -> [usize; N] {
    shape.try_into().expect("an array has as many extents as axes")
}

//! Arrays and views of the crate `ndarray`.

use crate::samples::{sample, with_all};
use kernel_rt::interop::InteropError;
use kernel_rt::prelude::*;
use ndarray::{Axis, array, s};

fn goes_in_and_out<T: UniformElement>() {
    let a = sample::<T>();
    let address = a.as_slice().as_ptr();
    assert_eq!(a.as_ndarray().as_ptr(), address);
    let there = a.clone().into_ndarray();
    assert_eq!(there.shape(), a.shape());
    let address = there.as_ptr();
    let back = Array2::from_ndarray(there).unwrap();
    assert_eq!((&back, back.as_slice().as_ptr()), (&a, address), "nothing is copied");
    // Scalars, row by row, go back by columns.
    let scalars = a.to_ndarray_scalars();
    assert!(scalars.is_standard_layout());
    assert_eq!(Array2::<T>::copy_from_ndarray_scalars(&scalars).unwrap(), a);
    assert_eq!(Array2::<T>::copy_from_ndarray_scalars(&a.as_ndarray_scalars()).unwrap(), a);
}

#[test]
fn every_element_type_goes_in_and_out_without_a_copy() {
    with_all!(goes_in_and_out());
}

#[test]
fn scalars_of_matrices_are_indexed_by_row_and_column() {
    let m = Mat2::from_cols(Vec2::new(1.0, 2.0), Vec2::new(3.0, 4.0));
    let a = Array::from(vec![Mat2::IDENTITY, m]);
    let view = a.as_ndarray_scalars();
    assert_eq!(view.index_axis(Axis(0), 1), array![[1.0, 3.0], [2.0, 4.0]].into_dyn());
    assert_eq!(view.as_ptr().cast(), a.as_slice().as_ptr());
}

#[test]
fn other_layouts_are_refused_and_copied() {
    let base = array![[1, 2, 3], [4, 5, 6]];
    let refused = |a: ndarray::Array2<i32>| {
        let copied = Array::copy_from_ndarray(&a);
        assert_eq!(copied.as_slice(), a.iter().copied().collect::<Vec<_>>());
        let error = Array::from_ndarray(a).unwrap_err();
        assert!(matches!(error, InteropError::Layout { .. }), "{error}");
        assert!(error.to_string().contains("`Array::copy_from_ndarray` copies them"), "{error}");
    };
    refused(base.clone().reversed_axes());
    refused(base.clone().slice_move(s![.., 1..]));
    refused(base.clone().slice_move(s![1.., ..]));
    refused(base.clone().slice_move(s![..1, ..]));
    refused(base.clone().slice_move(s![..;-1, ..]));
    assert_eq!(Array::copy_from_ndarray(&base.slice(s![.., 1])).as_slice(), [2, 5]);
}

#[test]
fn views_are_written_through() {
    let mut a = Array2::<f32>::zeros([2, 2]);
    a.as_ndarray_mut().row_mut(1).fill(3.0);
    assert_eq!(a.as_slice(), [0.0, 0.0, 3.0, 3.0]);
    let back: Array2<f32> = ndarray::Array::from(a).try_into().unwrap();
    assert_eq!(back.shape(), [2, 2]);
}

#[test]
fn arrays_without_elements_have_shapes() {
    let a = Array::<Mat3, 2>::zeros([0, 5]);
    assert_eq!(a.as_ndarray_scalars().shape(), [0, 5, 3, 3]);
    assert_eq!(Array::<Mat3, 2>::copy_from_ndarray_scalars(&a.to_ndarray_scalars()).unwrap(), a);
    assert_eq!(Array::from_ndarray(a.clone().into_ndarray()).unwrap(), a);
    let error = Array::<Mat3, 1>::copy_from_ndarray_scalars(&a.to_ndarray_scalars()).unwrap_err();
    let words = "the array has 1 axis and elements of shape [3, 3], and the data have the shape [0, 5, 3, 3]";
    assert_eq!(error.to_string(), words);
}

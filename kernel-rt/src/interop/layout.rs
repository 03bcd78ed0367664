//! The axes of an array of elements as an array of scalars, and scalars in any layout.
//!
//! Shapes are outermost first, strides count scalars.

use super::InteropError;
use crate::array::{Array, UniformElement, volume};
use crate::error::DeviceError;
use kernel_ir::ir::{Scalar, Shape};

/// The axes that an element adds: none for a scalar, one for a vector or a quaternion, row and column for a matrix.
pub(super) fn element_axes<T: UniformElement>() -> Vec<usize> {
    match T::ir_type().shape {
        Shape::Scalar => vec![],
        Shape::Vector(n) => vec![n.into()],
        Shape::Matrix(rows, columns) => vec![rows.into(), columns.into()],
        Shape::Quat => vec![4],
        Shape::Struct(_) | Shape::Tile(..) => Vec::new(),
    }
}

/// The shape of an array as one of scalars.
pub(super) fn scalar_shape<T: UniformElement>(shape: &[usize]) -> Vec<usize> {
    [shape, &element_axes::<T>()].concat()
}

/// The strides of an array as one of scalars, where its elements lie in memory. The array is in memory, so they do not
/// overflow; for one without elements they do not matter.
pub(super) fn scalar_strides<T: UniformElement>(shape: &[usize]) -> Vec<isize> {
    let mut strides = row_major(shape);
    strides.iter_mut().for_each(|stride| *stride = stride.wrapping_mul(T::ir_type().components() as isize));
    match T::ir_type().shape {
        Shape::Scalar => {}
        Shape::Vector(_) | Shape::Quat => strides.push(1),
        Shape::Struct(_) | Shape::Tile(..) => {}
        Shape::Matrix(rows, _) => strides.extend([1, rows.into()]),
    }
    strides
}

/// The strides of an array whose last axis is contiguous.
pub(super) fn row_major(shape: &[usize]) -> Vec<isize> {
    let mut strides = vec![1isize; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis].wrapping_mul(shape[axis] as isize);
    }
    strides
}

/// The strides of an array whose first axis is contiguous.
#[cfg(feature = "npy")]
pub(super) fn column_major(shape: &[usize]) -> Vec<isize> {
    let mut strides = vec![1isize; shape.len()];
    for axis in 1..shape.len() {
        strides[axis] = strides[axis - 1].wrapping_mul(shape[axis - 1] as isize);
    }
    strides
}

/// Splits the shape of scalars into that of an array of `N` axes and the axes of its elements.
///
/// # Errors
/// [`InteropError::Shape`] if there are other axes; [`InteropError::TooLarge`] if the array could not be in memory.
pub(super) fn array_shape<T: UniformElement, const N: usize>(scalars: &[usize]) -> Result<[usize; N], InteropError> {
    let element = element_axes::<T>();
    let shape = match scalars.split_at_checked(N) {
        Some((shape, inner)) if inner == element => shape.try_into().ok(),
        _ => None,
    };
    let shape: [usize; N] = shape.ok_or_else(|| InteropError::Shape { axes: N, element, found: scalars.to_vec() })?;
    let bytes = volume(&shape).and_then(|len| len.checked_mul(size_of::<T>()));
    match bytes {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(shape),
        _ => Err(InteropError::TooLarge { shape: scalars.to_vec() }),
    }
}

/// Whether scalars with these strides lie as those of an array of `T` do. The stride of an axis of one entry does not
/// matter, and no stride does where there is no element.
#[cfg(any(feature = "dlpack", test))]
pub(super) fn lies_as_array<T: UniformElement>(shape: &[usize], strides: &[isize]) -> bool {
    let scalars = scalar_shape::<T>(shape);
    let expected = scalar_strides::<T>(shape);
    let mut axes = scalars.iter().zip(strides).zip(&expected);
    volume(&scalars) == Some(0) || axes.all(|((&extent, found), expected)| extent == 1 || found == expected)
}

/// A scalar as other libraries store it.
pub(super) type Stored<T> = <<T as UniformElement>::Scalar as UniformElement>::Stored;

/// An array of scalars in any layout: `read` returns the scalar at an offset. `strides` are those of
/// [`scalar_shape`], one for each axis.
///
/// # Errors
/// After [`array_shape`] has accepted the shape only [`DeviceError::NotBool`], if a byte is no `bool`.
pub(super) fn gather<T: UniformElement, const N: usize>(
    shape: [usize; N],
    strides: &[isize],
    read: impl FnMut(isize) -> Stored<T>,
) -> Result<Array<T, N>, InteropError> {
    let (mut axes, mut strides) = (scalar_shape::<T>(&shape), strides.to_vec());
    // The order of the scalars in memory: a matrix lies column by column.
    if let Shape::Matrix(..) = T::ir_type().shape {
        axes.swap(N, N + 1);
        strides.swap(N, N + 1);
    }
    let scalars = T::Scalar::from_stored(in_order(&axes, &strides, read)).ok_or(DeviceError::NotBool)?;
    Ok(Array::from_vec(shape, T::from_scalars(scalars))?)
}

/// What `read` returns for the offsets of all indices, the last axis fastest.
pub(super) fn in_order<S>(shape: &[usize], strides: &[isize], mut read: impl FnMut(isize) -> S) -> Vec<S> {
    let len = volume(shape).unwrap_or(0);
    let mut found = Vec::with_capacity(len);
    let (mut index, mut offset) = (vec![0; shape.len()], 0isize);
    for _ in 0..len {
        found.push(read(offset));
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            offset = offset.wrapping_add(strides[axis]);
            if index[axis] < shape[axis] {
                break;
            }
            offset = offset.wrapping_sub(strides[axis].wrapping_mul(shape[axis] as isize));
            index[axis] = 0;
        }
    }
    found
}

/// The name of a scalar type in NumPy, as in `float32`.
pub(super) fn numpy_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 => "int8",
        Scalar::U8 => "uint8",
        Scalar::I16 => "int16",
        Scalar::U16 => "uint16",
        Scalar::I32 => "int32",
        Scalar::U32 => "uint32",
        Scalar::I64 => "int64",
        Scalar::U64 => "uint64",
        Scalar::Index => "uintp",
        Scalar::F16 => "float16",
        Scalar::BF16 => "bfloat16",
        Scalar::F32 => "float32",
        Scalar::F64 => "float64",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Mat2, Quat, Vec3};

    #[test]
    fn elements_are_further_axes() {
        assert_eq!(scalar_shape::<f32>(&[2, 5]), [2, 5]);
        assert_eq!(scalar_shape::<Vec3>(&[2, 5]), [2, 5, 3]);
        assert_eq!(scalar_shape::<Quat>(&[5]), [5, 4]);
        assert_eq!((scalar_shape::<Mat2>(&[5]), scalar_strides::<Mat2>(&[5])), (vec![5, 2, 2], vec![4, 1, 2]));
        assert_eq!(scalar_strides::<Vec3>(&[2, 5]), [15, 3, 1]);
    }

    #[test]
    fn the_shape_of_an_array_is_checked() {
        assert_eq!(array_shape::<Vec3, 1>(&[7, 3]).unwrap(), [7]);
        for shape in [&[][..], &[7], &[7, 4], &[7, 3, 1]] {
            assert!(matches!(array_shape::<Vec3, 1>(shape), Err(InteropError::Shape { .. })), "{shape:?}");
        }
        for shape in [[usize::MAX, 2], [1 << 60, 1 << 3], [isize::MAX as usize, 1]] {
            let error = array_shape::<f32, 2>(&shape).unwrap_err();
            assert!(matches!(error, InteropError::TooLarge { .. }), "{shape:?}");
        }
        assert_eq!(array_shape::<f32, 2>(&[usize::MAX, 0]).unwrap(), [usize::MAX, 0]);
    }

    /// Every small shape, with the axes in every order: what is gathered is what lies there.
    #[test]
    fn any_layout_is_gathered() {
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        for case in 0..64 * orders.len() {
            let shape = [case % 4, case / 4 % 4, case / 16 % 4];
            let order = orders[case / 64];
            let permuted = order.map(|axis| shape[axis]);
            let mut strides = [0; 3];
            for (axis, stride) in order.into_iter().zip(row_major(&permuted)) {
                strides[axis] = stride;
            }
            let array: Array<i32, 3> = gather(shape, &strides, |offset| offset as i32).unwrap();
            for (at, &found) in array.as_slice().iter().enumerate() {
                let index = [at / (shape[1] * shape[2]), at / shape[2] % shape[1], at % shape[2]];
                let expected: isize = index.iter().zip(strides).map(|(&index, stride)| index as isize * stride).sum();
                assert_eq!(found as isize, expected, "{shape:?} {strides:?} {index:?}");
            }
            let in_row = array.as_slice().iter().enumerate().all(|(at, &found)| at == found as usize);
            assert_eq!(lies_as_array::<i32>(&shape, &strides), in_row, "{shape:?} {strides:?}");
        }
    }

    #[test]
    fn negative_strides_count_backwards() {
        let array: Array<i32, 1> = gather([3], &[-2], |offset| offset as i32).unwrap();
        assert_eq!(array.as_slice(), [0, -2, -4]);
    }

    #[test]
    fn matrices_are_gathered_by_column() {
        // [[0, 1], [2, 3]], row by row.
        let array: Array<Mat2, 1> = gather([1], &[4, 2, 1], |offset| offset as f32).unwrap();
        assert_eq!(array[[0]], Mat2::from_cols_array(&[0.0, 2.0, 1.0, 3.0]));
        assert!(lies_as_array::<Mat2>(&[1], &[4, 1, 2]) && !lies_as_array::<Mat2>(&[1], &[4, 2, 1]));
    }
}

//! Arguments as data: checks, and conversion to the Rust types of a kernel's parameters. Each error is a
//! [`LaunchError`] that names kernel and parameter.

use crate::array::{Array, DataElement, Element, Value, value_of, volume};
use crate::error::LaunchError;
use kernel_ir::columns::number_of_no_variant;
use kernel_ir::data::{Arg, Data};

/// Converts `dim` to a launch size of `N` axes.
pub fn launch_dim<const N: usize>(kernel: &'static str, dim: &[usize]) -> Result<[usize; N], LaunchError> {
    dim.try_into().map_err(|_| LaunchError::DimCount { kernel, expected: N, found: dim.len() })
}

/// Converts `args` to an array with one argument for each of `N` parameters.
pub fn each_arg<'a, const N: usize>(
    kernel: &'static str,
    args: &'a mut [Arg],
) -> Result<&'a mut [Arg; N], LaunchError> {
    let found = args.len();
    args.try_into().map_err(|_| LaunchError::ArgCount { kernel, expected: N, found })
}

/// The argument of a by-value parameter, with a column for each value in it.
pub fn value<T: Value, const C: usize>(
    kernel: &'static str,
    param: &'static str,
    columns: [&Arg; C],
) -> Result<T, LaunchError> {
    check::<T>(kernel, param, &columns, 0)?;
    check_variants::<T>(kernel, param, &columns)?;
    value_of(&columns.map(|column| &column.data), 0).ok_or_else(|| wrong_data(kernel, param, columns[0]))
}

/// The argument of a parameter `&[T]`.
pub fn slice<'a, T: DataElement>(
    kernel: &'static str,
    param: &'static str,
    arg: &'a Arg,
) -> Result<&'a [T], LaunchError> {
    check::<T>(kernel, param, &[arg], 1)?;
    T::slice_of(&arg.data)
        .filter(|elements| volume(&arg.shape) == Some(elements.len()))
        .ok_or_else(|| wrong_data(kernel, param, arg))
}

/// The argument of a parameter `&mut [T]`.
pub fn slice_mut<'a, T: DataElement>(
    kernel: &'static str,
    param: &'static str,
    arg: &'a mut Arg,
) -> Result<&'a mut [T], LaunchError> {
    slice::<T>(kernel, param, arg)?;
    let wrong = wrong_data(kernel, param, arg);
    T::slice_of_mut(&mut arg.data).ok_or(wrong)
}

/// A copy of the argument of an array parameter, with a column for each value in an element. [`store`] copies it back.
pub fn array<T: Element, const N: usize, const C: usize>(
    kernel: &'static str,
    param: &'static str,
    columns: [&Arg; C],
) -> Result<Array<T, N>, LaunchError> {
    check::<T>(kernel, param, &columns, N)?;
    let wrong = || wrong_data(kernel, param, columns[0]);
    let len = volume(&columns[0].shape).ok_or_else(wrong)?;
    let fits = |column: &Arg| {
        column.shape == columns[0].shape && len.checked_mul(column.ty.components()) == Some(column.data.len())
    };
    if !columns.iter().all(|column| fits(column)) {
        return Err(wrong());
    }
    check_variants::<T>(kernel, param, &columns)?;
    let elements = T::from_columns(&columns.map(|column| &column.data), len).ok_or_else(wrong)?;
    let shape = columns[0].shape.as_slice().try_into().map_err(|_| wrong())?;
    Array::from_vec(shape, elements).map_err(|_| wrong())
}

/// Copies the elements that a kernel has written back into its argument.
pub fn store<T: Element, const N: usize, const C: usize>(columns: [&mut Arg; C], array: &Array<T, N>) {
    for (column, data) in columns.into_iter().zip(T::columns(array.as_slice())) {
        column.data = data;
    }
}

/// Checks the types and the numbers of axes of the columns of an argument.
fn check<T: Value>(
    kernel: &'static str,
    param: &'static str,
    columns: &[&Arg],
    rank: usize,
) -> Result<(), LaunchError> {
    for (column, expected) in columns.iter().zip(T::ir_type().leaves()) {
        if column.ty != expected {
            return Err(LaunchError::ArgType { kernel, param, expected, found: column.ty });
        }
        if column.shape.len() != rank {
            return Err(LaunchError::ArgRank { kernel, param, expected: rank, found: column.shape.len() });
        }
    }
    Ok(())
}

/// Checks that the numbers of enums are those of variants.
fn check_variants<T: Value>(kernel: &'static str, param: &'static str, columns: &[&Arg]) -> Result<(), LaunchError> {
    let columns: Vec<&Data> = columns.iter().map(|column| &column.data).collect();
    match number_of_no_variant(T::ir_type(), &columns) {
        Some((of, number)) => {
            Err(LaunchError::NotVariant { kernel, param: param.to_owned(), name: of.name.clone(), number })
        }
        None => Ok(()),
    }
}

fn wrong_data(kernel: &'static str, param: &'static str, arg: &Arg) -> LaunchError {
    LaunchError::ArgData { kernel, param, shape: arg.shape.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Vec2;
    use kernel_ir::ir::Type;

    fn floats(ty: Type, shape: &[usize], scalars: &[f32]) -> Arg {
        Arg { ty, shape: shape.to_vec(), data: Data::F32(scalars.to_vec()) }
    }

    #[test]
    fn well_formed_arguments_are_read() {
        let point = floats(Vec2::ir_type(), &[], &[1.0, 2.0]);
        assert_eq!(value::<Vec2, 1>("k", "p", [&point]), Ok(Vec2::new(1.0, 2.0)));

        let mut points = floats(Vec2::ir_type(), &[1], &[1.0, 2.0]);
        slice_mut::<Vec2>("k", "p", &mut points).unwrap()[0].y = 5.0;
        assert_eq!(points.data, Data::F32(vec![1.0, 5.0]));

        let mut grid = floats(Type::F32, &[2, 1], &[1.0, 2.0]);
        let mut copy = array::<f32, 2, 1>("k", "g", [&grid]).unwrap();
        copy[[1, 0]] = 7.0;
        store([&mut grid], &copy);
        assert_eq!(grid, floats(Type::F32, &[2, 1], &[1.0, 7.0]));
    }

    #[test]
    fn ill_formed_arguments_are_refused() {
        let kernel = "k";
        let param = "x";
        let line = floats(Type::F32, &[2], &[1.0, 2.0]);
        assert_eq!(
            slice::<f64>(kernel, param, &line),
            Err(LaunchError::ArgType { kernel, param, expected: Type::F64, found: Type::F32 })
        );
        assert_eq!(
            value::<f32, 1>(kernel, param, [&line]),
            Err(LaunchError::ArgRank { kernel, param, expected: 0, found: 1 })
        );
        let short = floats(Type::F32, &[3], &[1.0, 2.0]);
        let wrong = LaunchError::ArgData { kernel, param, shape: vec![3] };
        assert_eq!(slice::<f32>(kernel, param, &short), Err(wrong));
        let mixed = Arg { data: Data::I32(vec![1, 2]), ..line };
        let wrong = LaunchError::ArgData { kernel, param, shape: vec![2] };
        assert_eq!(slice::<f32>(kernel, param, &mixed), Err(wrong));
        assert_eq!(launch_dim::<1>(kernel, &[1, 2]), Err(LaunchError::DimCount { kernel, expected: 1, found: 2 }));
        assert_eq!(each_arg::<2>(kernel, &mut []), Err(LaunchError::ArgCount { kernel, expected: 2, found: 0 }));
    }
}

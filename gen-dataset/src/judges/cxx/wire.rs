//! Encodes arguments as the bytes that an emitted C function expects, and decodes them.

use kernel_ir::columns::{pack, unpack};
use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::{AbiArg, Kernel, ParamId};

/// The bytes of one argument of `kernel`, where `args` are its columns; `None` for a null pointer, which stands for an
/// absent array. The emitted function has 32-bit indices.
///
/// # Errors
/// An index that does not fit 32 bits.
pub(crate) fn encode(arg: AbiArg, kernel: &Kernel, dim: &[usize], args: &[Arg]) -> Result<Option<Vec<u8>>, String> {
    let columns = |id: ParamId| &args[kernel.columns()[id.0 as usize].clone()];
    let bytes = match arg {
        AbiArg::Pointer(id) if kernel.param(id).is_optional() && columns(id)[0].is_empty() => return Ok(None),
        AbiArg::Value(id) | AbiArg::Pointer(id) => match columns(id) {
            [plain] if !kernel.param(id).elem().is_struct() => bytes_of(&plain.data),
            columns => Ok(pack(kernel.param(id).elem(), &columns.iter().map(|arg| &arg.data).collect::<Vec<_>>())),
        },
        AbiArg::Extent(id, axis) => index(columns(id)[0].shape[usize::from(axis)]),
        AbiArg::Dim(axis) => index(dim[usize::from(axis)]),
    };
    bytes.map(Some)
}

fn bytes_of(data: &Data) -> Result<Vec<u8>, String> {
    match data {
        Data::Index(values) => Ok(values.iter().map(|value| index(*value)).collect::<Result<Vec<_>, _>>()?.concat()),
        data => Ok(data.to_bytes().expect("only indices have no bytes of their own")),
    }
}

fn index(value: usize) -> Result<Vec<u8>, String> {
    let narrow = u32::try_from(value).map_err(|_| "an index does not fit 32 bits")?;
    Ok(narrow.to_le_bytes().to_vec())
}

/// Replaces the elements of the array `id` of `kernel` by decoded bytes, in its columns.
///
/// # Errors
/// A byte of a `bool` that is neither 0 nor 1. C++ stores no other one through a `bool*`.
pub(crate) fn decode(kernel: &Kernel, id: ParamId, args: &mut [Arg], bytes: &[u8]) -> Result<(), String> {
    let columns = &mut args[kernel.columns()[id.0 as usize].clone()];
    let found =
        unpack(kernel.param(id).elem(), bytes).ok_or("an element of type `bool` has a byte that is neither 0 nor 1")?;
    columns.iter_mut().zip(found).for_each(|(arg, data)| arg.data = data);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel_ir::ir::Type;

    #[test]
    fn a_byte_that_is_no_bool_is_an_error() {
        let kernel =
            kernel_ir::text::parse("#[kernel(family = \"f\", dim = 1)] fn k(flags: &mut [bool; 2],) {}").unwrap();
        let mut flags = [Arg::zeros(Type::BOOL, &[2])];
        assert_eq!(decode(&kernel, ParamId(0), &mut flags, &[1, 0]), Ok(()));
        assert_eq!(flags[0].data, Data::Bool(vec![true, false]));
        assert!(decode(&kernel, ParamId(0), &mut flags, &[0, 2]).is_err_and(|why| why.contains("neither 0 nor 1")));
    }
}

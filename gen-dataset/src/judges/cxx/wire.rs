//! Encodes arguments as the bytes that an emitted C function expects, and decodes them.

use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::AbiArg;

/// The bytes of one argument. The emitted function has 32-bit indices.
///
/// # Errors
/// An index that does not fit 32 bits.
pub(crate) fn encode(arg: AbiArg, dim: &[usize], args: &[Arg]) -> Result<Vec<u8>, String> {
    match arg {
        AbiArg::Value(id) | AbiArg::Pointer(id) => bytes_of(&args[id.0 as usize].data),
        AbiArg::Extent(id, axis) => bytes_of(&Data::Index(vec![args[id.0 as usize].shape[usize::from(axis)]])),
        AbiArg::Dim(axis) => bytes_of(&Data::Index(vec![dim[usize::from(axis)]])),
    }
}

fn bytes_of(data: &Data) -> Result<Vec<u8>, String> {
    fn each<const N: usize, T: Copy>(values: &[T], to: fn(T) -> [u8; N]) -> Vec<u8> {
        values.iter().flat_map(|value| to(*value)).collect()
    }
    Ok(match data {
        Data::Bool(v) => each(v, |value| [u8::from(value)]),
        Data::I32(v) => each(v, i32::to_le_bytes),
        Data::U32(v) => each(v, u32::to_le_bytes),
        Data::I64(v) => each(v, i64::to_le_bytes),
        Data::U64(v) => each(v, u64::to_le_bytes),
        Data::F32(v) => each(v, f32::to_le_bytes),
        Data::F64(v) => each(v, f64::to_le_bytes),
        Data::Index(v) => {
            let narrow: Result<Vec<u32>, _> = v.iter().map(|&value| u32::try_from(value)).collect();
            each(&narrow.map_err(|_| "an index does not fit 32 bits")?, u32::to_le_bytes)
        }
    })
}

/// Replaces the elements of an array by decoded bytes.
///
/// # Errors
/// A byte of a `bool` that is neither 0 nor 1. C++ stores no other one through a `bool*`.
pub(crate) fn decode(data: &mut Data, bytes: &[u8]) -> Result<(), String> {
    fn each<const N: usize, T>(values: &mut [T], bytes: &[u8], from: fn([u8; N]) -> T) {
        for (value, bytes) in values.iter_mut().zip(bytes.as_chunks::<N>().0) {
            *value = from(*bytes);
        }
    }
    match data {
        Data::Bool(_) if bytes.iter().any(|byte| *byte > 1) => {
            return Err("an element of type `bool` has a byte that is neither 0 nor 1".to_owned());
        }
        Data::Bool(v) => each(v, bytes, |[byte]| byte == 1),
        Data::I32(v) => each(v, bytes, i32::from_le_bytes),
        Data::U32(v) => each(v, bytes, u32::from_le_bytes),
        Data::I64(v) => each(v, bytes, i64::from_le_bytes),
        Data::U64(v) => each(v, bytes, u64::from_le_bytes),
        Data::F32(v) => each(v, bytes, f32::from_le_bytes),
        Data::F64(v) => each(v, bytes, f64::from_le_bytes),
        Data::Index(v) => each(v, bytes, |bytes| u32::from_le_bytes(bytes) as usize),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_that_is_no_bool_is_an_error() {
        let mut flags = Data::Bool(vec![false; 2]);
        assert_eq!((decode(&mut flags, &[1, 0]), &flags), (Ok(()), &Data::Bool(vec![true, false])));
        assert!(decode(&mut flags, &[0, 2]).is_err_and(|why| why.contains("neither 0 nor 1")));
    }
}

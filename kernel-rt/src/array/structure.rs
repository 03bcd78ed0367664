//! The parts of [`Value`] and [`Element`] that are the same for every device struct and enum. `#[device]` writes the rest, which
//! goes through the fields.

use super::element::{Bits, Element, Value, columns_of, value_of};
use crate::error::DeviceError;
use kernel_ir::columns::{number_of_no_variant, pack, unpack};
use kernel_ir::data::Data;
use kernel_ir::ir::{Field, Scalar, Struct, Type};
use std::borrow::Cow;

/// The type of a struct with this name, the lines of its doc comment, its fields, and its name in Warp.
pub fn struct_type(name: &str, doc: &[&str], fields: &[(&str, Type)], warp: Option<&str>) -> Type {
    let fields = fields.iter().map(|(name, ty)| Field { name: (*name).to_owned(), ty: *ty }).collect();
    let doc = doc.iter().map(|line| (*line).to_owned()).collect();
    let warp = warp.map(str::to_owned);
    Type::of_struct(Struct { name: name.to_owned(), doc, fields, variants: Vec::new(), warp }.intern())
}

/// The type of an enum with this name, the lines of its doc comment, the type of its numbers, and its variants.
pub fn enum_type(name: &str, doc: &[&str], repr: Type, variants: &[(&str, i64)]) -> Type {
    let doc = doc.iter().map(|line| (*line).to_owned()).collect();
    let variants = variants.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect();
    Type::of_struct(Struct::of_variants(name.to_owned(), doc, repr.scalar(), variants).intern())
}

/// An enum under `#[device]`.
pub trait DeviceEnum: Copy {
    /// The type of its numbers.
    type Number;

    /// The first variant.
    const FIRST: Self;

    /// The variant with this number.
    fn of_number(number: Self::Number) -> Option<Self>;
}

/// The variant with this number. An adjoint has the numbers of variants only, and others where it does not use the value.
pub fn variant<E: DeviceEnum>(number: E::Number) -> E {
    E::of_number(number).unwrap_or(E::FIRST)
}

/// [`Value::bits`] of a struct.
pub fn struct_bits<S: Value>(value: &S) -> Bits {
    Bits::Plain(to_bytes(std::slice::from_ref(value)).into())
}

/// [`Element::zero`] of a struct.
pub fn struct_zero<S: Value>() -> S {
    let zeros: Vec<Data> =
        S::ir_type().leaves().iter().map(|leaf| Data::zeros(leaf.scalar(), leaf.components())).collect();
    value_of(&zeros.iter().collect::<Vec<_>>(), 0).expect("the columns are those of the type")
}

/// [`Element::to_memory`] of structs.
pub fn struct_memory<S: Value>(elements: &[S]) -> Cow<'_, [u8]> {
    to_bytes(elements).into()
}

/// [`Element::from_memory`] of structs.
///
/// # Errors
/// Those of `read`; [`DeviceError::NotBool`] if a byte of a `bool` is neither 0 nor 1; [`DeviceError::NotVariant`] if a
/// number of an enum is that of no variant.
pub fn structs_in_memory<S: Element>(
    len: usize,
    read: impl FnOnce(&mut [u8]) -> Result<(), DeviceError>,
) -> Result<Vec<S>, DeviceError> {
    let mut memory = vec![0; len * size_of::<S>()];
    read(&mut memory)?;
    let columns = unpack(S::ir_type(), &memory).ok_or(DeviceError::NotBool)?;
    let columns: Vec<&Data> = columns.iter().collect();
    if let Some((of, number)) = number_of_no_variant(S::ir_type(), &columns) {
        return Err(DeviceError::NotVariant { name: of.name.clone(), number });
    }
    Ok(S::from_columns(&columns, len).expect("the columns are those of the type"))
}

/// [`FloatElement::add_all`](super::FloatElement::add_all) of structs.
pub fn add_structs<S: Element>(sums: &mut [S], more: &[S]) {
    let len = sums.len().min(more.len());
    let mut columns = columns_of(&sums[..len]);
    columns.iter_mut().zip(columns_of(&more[..len])).for_each(|(sums, more)| add_floats(sums, &more));
    let added = S::from_columns(&columns.iter().collect::<Vec<_>>(), len).expect("the columns are those of the type");
    sums[..len].copy_from_slice(&added);
}

/// [`FloatElement::are_zero`](super::FloatElement::are_zero) of structs.
pub fn are_zero_structs<S: Value>(elements: &[S]) -> bool {
    columns_of(elements).iter().all(are_zero_floats)
}

/// Adds the floats of a column. Other scalars have no derivative and stay.
pub(crate) fn add_floats(sums: &mut Data, more: &Data) {
    match (sums, more) {
        (Data::F16(sums), Data::F16(more)) => *sums = rounded_sums(Scalar::F16, sums, more),
        (Data::BF16(sums), Data::BF16(more)) => *sums = rounded_sums(Scalar::BF16, sums, more),
        (Data::F32(sums), Data::F32(more)) => sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more),
        (Data::F64(sums), Data::F64(more)) => sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more),
        _ => {}
    }
}

/// The sums of floats of the type `scalar`, which has 16 bits.
fn rounded_sums(scalar: Scalar, sums: &[f32], more: &[f32]) -> Vec<f32> {
    let sums = Data::rounded(scalar, sums.iter().zip(more).map(|(sum, more)| sum + more).collect());
    sums.singles().cloned().unwrap_or_default()
}

/// Whether a column has no float other than 0.
pub(crate) fn are_zero_floats(column: &Data) -> bool {
    match column {
        Data::F16(floats) | Data::BF16(floats) | Data::F32(floats) => floats.iter().all(|float| *float == 0.0),
        Data::F64(floats) => floats.iter().all(|float| *float == 0.0),
        _ => true,
    }
}

fn to_bytes<S: Value>(values: &[S]) -> Vec<u8> {
    pack(S::ir_type(), &columns_of(values).iter().collect::<Vec<_>>())
}

//! The spelling of types, and the field names of vectors, matrices and quaternions.

use crate::back::parts::{COLUMNS, COMPONENTS};
use crate::ir::{Scalar, Shape, Type};

/// The name of a scalar type.
pub(super) fn scalar_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        // `char` is another type, whose sign differs between machines.
        Scalar::I8 => "signed char",
        Scalar::U8 => "unsigned char",
        Scalar::I16 => "short",
        Scalar::U16 => "unsigned short",
        Scalar::I32 => "int",
        Scalar::U32 => "unsigned int",
        Scalar::I64 => "long long",
        Scalar::U64 => "unsigned long long",
        Scalar::Index => "index_t",
        // The names of CUDA. The host prelude defines types of the same names.
        Scalar::F16 => "__half",
        Scalar::BF16 => "__nv_bfloat16",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

/// The name of a type.
pub(super) fn type_name(ty: Type) -> &'static str {
    if ty.is_scalar() { scalar_name(ty.scalar) } else { ty.name() }
}

/// The unsigned integer type with the width of `scalar`.
pub(super) fn unsigned(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::I8 => Scalar::U8,
        Scalar::I16 => Scalar::U16,
        Scalar::I32 => Scalar::U32,
        Scalar::I64 => Scalar::U64,
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => scalar,
        Scalar::Bool | Scalar::Index => scalar,
        Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::F64 => scalar,
    }
}

/// The largest value of an integer type, as an expression of that type, or of `int` for a narrow one.
pub(super) fn max_value(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I8 => "127",
        Scalar::U8 => "255",
        Scalar::I16 => "32767",
        Scalar::U16 => "65535",
        Scalar::I32 => "2147483647",
        Scalar::U32 => "4294967295u",
        Scalar::I64 => "9223372036854775807LL",
        Scalar::U64 => "18446744073709551615ULL",
        Scalar::Bool | Scalar::Index => "(index_t)-1",
        Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::F64 => "(index_t)-1",
    }
}

/// The smallest value of an integer type, as an expression of that type, or of `int` for a narrow one.
pub(super) fn min_value(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I8 => "-128",
        Scalar::I16 => "-32768",
        Scalar::I32 => "(-2147483647 - 1)",
        Scalar::I64 => "(-9223372036854775807LL - 1)",
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => "0",
        Scalar::Bool | Scalar::Index => "0",
        Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::F64 => "0",
    }
}

/// The suffix of `<cmath>` functions and of literals for a float type.
pub(super) fn float_suffix(scalar: Scalar) -> &'static str {
    if scalar == Scalar::F32 { "f" } else { "" }
}

/// The line that sets the width of indices to 32 bits.
pub(super) const NARROW: &str = "using index_t = unsigned int;\n";
/// The line that sets it to 64 bits.
const WIDE: &str = "using index_t = unsigned long long;\n";

/// The text `text` of [`write()`](super::write()) with 64-bit indices, for launches with 2³¹ or more elements.
pub fn with_wide_indices(text: &str) -> String {
    text.replacen(NARROW, WIDE, 1)
}

/// The components of vectors without named components.
const NUMBERED_COMPONENTS: [&str; 16] = [
    "v[0]", "v[1]", "v[2]", "v[3]", "v[4]", "v[5]", "v[6]", "v[7]", "v[8]", "v[9]", "v[10]", "v[11]", "v[12]", "v[13]",
    "v[14]", "v[15]",
];

/// The columns of matrices without named columns.
const NUMBERED_COLUMNS: [&str; 16] = [
    "c[0]", "c[1]", "c[2]", "c[3]", "c[4]", "c[5]", "c[6]", "c[7]", "c[8]", "c[9]", "c[10]", "c[11]", "c[12]", "c[13]",
    "c[14]", "c[15]",
];

/// The fields of an aggregate; empty for scalars. Those with more than four parts have an array.
pub(super) fn fields(ty: Type) -> &'static [&'static str] {
    let n = usize::from(ty.parts());
    match ty.shape {
        Shape::Scalar | Shape::Struct(_) | Shape::Tile(..) => &[],
        Shape::Vector(..=4) => &COMPONENTS[..n],
        Shape::Vector(_) => &NUMBERED_COMPONENTS[..n],
        Shape::Matrix(_, ..=4) => &COLUMNS[..n],
        Shape::Matrix(..) => &NUMBERED_COLUMNS[..n],
        Shape::Quat => &COMPONENTS,
    }
}

/// The declaration of the fields in the struct.
pub(super) fn declared_fields(ty: Type) -> String {
    match (ty.shape, ty.parts()) {
        (Shape::Matrix(..), n @ 5..) => format!("c[{n}]"),
        (_, n @ 5..) => format!("v[{n}]"),
        _ => fields(ty).join(", "),
    }
}

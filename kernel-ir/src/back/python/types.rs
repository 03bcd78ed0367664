//! How types are spelled.

use crate::ir::{Scalar, Type};

/// The type in Warp.
pub(super) fn type_name(ty: Type) -> String {
    let name = match ty {
        Type::Scalar(scalar) => match scalar {
            Scalar::Bool => "bool",
            Scalar::I32 | Scalar::Index => "int32",
            Scalar::U32 => "uint32",
            Scalar::I64 => "int64",
            Scalar::U64 => "uint64",
            Scalar::F32 => "float32",
            Scalar::F64 => "float64",
        },
        Type::Vector(..) | Type::Matrix(..) | Type::Quat(_) => ty.name(),
    };
    ["wp.", name].concat()
}

/// The type in Warp, by Python's own name where there is one. Called, it converts and constructs.
pub(super) fn short_name(ty: Type) -> String {
    match ty {
        Type::Scalar(Scalar::Bool) => "bool".to_owned(),
        Type::Scalar(Scalar::I32 | Scalar::Index) => "int".to_owned(),
        Type::Scalar(Scalar::F32) => "float".to_owned(),
        Type::Scalar(_) | Type::Vector(..) | Type::Matrix(..) | Type::Quat(_) => type_name(ty),
    }
}

/// Zero, as a call.
pub(super) fn zero(ty: Type) -> String {
    let value = match ty {
        Type::Scalar(Scalar::Bool) => "False",
        Type::Scalar(Scalar::F32 | Scalar::F64) => "0.0",
        Type::Scalar(_) => "0",
        Type::Vector(..) | Type::Matrix(..) | Type::Quat(_) => "",
    };
    format!("{}({value})", short_name(ty))
}

/// Whether Warp has one type for both.
pub(super) fn same_in_warp(a: Scalar, b: Scalar) -> bool {
    let is_int = |scalar| matches!(scalar, Scalar::I32 | Scalar::Index);
    a == b || (is_int(a) && is_int(b))
}

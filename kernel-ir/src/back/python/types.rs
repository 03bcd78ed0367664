//! The spelling of types.

use crate::ir::{Scalar, Shape, Type};

/// The name of the type in Warp.
pub(super) fn type_name(ty: Type) -> String {
    if definition(ty).is_some() {
        return ty.name().to_owned();
    }
    let name = match (ty.shape, ty.scalar) {
        (Shape::Vector(_) | Shape::Matrix(..) | Shape::Quat | Shape::Struct(_) | Shape::Tile(..), _) => ty.name(),
        (Shape::Scalar, Scalar::Bool) => "bool",
        (Shape::Scalar, Scalar::I8) => "int8",
        (Shape::Scalar, Scalar::U8) => "uint8",
        (Shape::Scalar, Scalar::I16) => "int16",
        (Shape::Scalar, Scalar::U16) => "uint16",
        (Shape::Scalar, Scalar::I32 | Scalar::Index) => "int32",
        (Shape::Scalar, Scalar::U32) => "uint32",
        (Shape::Scalar, Scalar::I64) => "int64",
        (Shape::Scalar, Scalar::U64) => "uint64",
        (Shape::Scalar, Scalar::F16) => "float16",
        (Shape::Scalar, Scalar::BF16) => "bfloat16",
        (Shape::Scalar, Scalar::F32) => "float32",
        (Shape::Scalar, Scalar::F64) => "float64",
    };
    ["wp.", name].concat()
}

/// The definition of a type that has no name in Warp: `vec6 = wp.types.vector(length=6, dtype=wp.float32)`.
pub(super) fn definition(ty: Type) -> Option<String> {
    let scalar = || type_name(Type::of(ty.scalar()));
    match ty.shape {
        Shape::Vector(2..=4) | Shape::Scalar | Shape::Quat | Shape::Struct(_) | Shape::Tile(..) => None,
        Shape::Matrix(rows @ 2..=4, columns) if rows == columns => None,
        Shape::Vector(n) => Some(format!("{} = wp.types.vector(length={n}, dtype={})", ty.name(), scalar())),
        Shape::Matrix(rows, columns) => {
            Some(format!("{} = wp.types.matrix(shape=({rows}, {columns}), dtype={})", ty.name(), scalar()))
        }
    }
}

/// The name of the type in Warp; Python's own name if there is one. As a function, it converts and constructs.
pub(super) fn short_name(ty: Type) -> String {
    match ty {
        Type::BOOL => "bool".to_owned(),
        Type::I32 | Type::INDEX => "int".to_owned(),
        Type::F32 => "float".to_owned(),
        _ => type_name(ty),
    }
}

/// A zero, as a call.
pub(super) fn zero(ty: Type) -> String {
    let value = match ty.shape {
        Shape::Vector(_) | Shape::Matrix(..) | Shape::Quat | Shape::Struct(_) | Shape::Tile(..) => "",
        Shape::Scalar if ty == Type::BOOL => "False",
        Shape::Scalar if ty.is_float() => "0.0",
        Shape::Scalar => "0",
    };
    format!("{}({value})", short_name(ty))
}

/// Whether both types are the same type in Warp.
pub(super) fn same_in_warp(a: Scalar, b: Scalar) -> bool {
    let is_int = |scalar| matches!(scalar, Scalar::I32 | Scalar::Index);
    a == b || (is_int(a) && is_int(b))
}

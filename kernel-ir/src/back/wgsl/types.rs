//! The spelling of types, literals and parts of values.
//!
//! | type | in WGSL |
//! |---|---|
//! | integers of 8 and 16 bits | `i32`, `u32`; results are kept in range where an operation may leave it |
//! | `usize` | `u32` |
//! | vectors of 2 to 4 components, quaternions | `vec3f` and the like |
//! | other vectors | an alias of an array |
//! | matrices | an alias of an array of columns, because those of WGSL have other operations |
//! | `f16`, `bf16` | `f32`; results are rounded |

use super::text::{Level, Text};
use crate::back::numbers::{push_f32, push_f64, push_integer, push_unsigned};
use crate::back::parts::{COMPONENTS, constant_index};
use crate::ir::{Expr, Literal, Scalar, Shape, Type};

/// The name of a scalar type, and of the type that a wider one stands for.
pub(super) fn scalar_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 | Scalar::I16 | Scalar::I32 => "i32",
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::Index => "u32",
        Scalar::I64 => "i64",
        Scalar::U64 => "u64",
        Scalar::F16 | Scalar::BF16 | Scalar::F32 => "f32",
        Scalar::F64 => "f64",
    }
}

/// The scalar that computes in the place of `scalar`.
pub(super) fn computed(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::I8 | Scalar::I16 => Scalar::I32,
        Scalar::U8 | Scalar::U16 | Scalar::Index => Scalar::U32,
        Scalar::Bool
        | Scalar::I32
        | Scalar::U32
        | Scalar::I64
        | Scalar::U64
        | Scalar::F16
        | Scalar::BF16
        | Scalar::F32
        | Scalar::F64 => scalar,
    }
}

/// Whether WGSL has the type, with operators by component.
pub(super) fn is_native(ty: Type) -> bool {
    match ty.shape {
        Shape::Scalar | Shape::Quat | Shape::Vector(2..=4) => true,
        Shape::Vector(_) | Shape::Matrix(..) | Shape::Struct(_) | Shape::Tile(..) => false,
    }
}

/// The name of a type; of a struct, the author's name.
pub(super) fn type_name(ty: Type) -> String {
    let n = ty.parts();
    match ty.shape {
        Shape::Scalar => scalar_name(ty.scalar).to_owned(),
        Shape::Quat | Shape::Vector(2..=4) => match scalar_name(ty.scalar) {
            "f32" => format!("vec{n}f"),
            "i32" => format!("vec{n}i"),
            "u32" => format!("vec{n}u"),
            other => format!("vec{n}<{other}>"),
        },
        Shape::Vector(_) | Shape::Matrix(..) | Shape::Struct(_) | Shape::Tile(..) => ty.name().to_owned(),
    }
}

/// The array that a type without a name in WGSL is an alias of; `None` for other types.
pub(super) fn aliased(ty: Type) -> Option<String> {
    (!is_native(ty) && !ty.is_struct()).then(|| format!("array<{}, {}>", type_name(ty.part()), ty.parts()))
}

/// The suffix of literals of a float type.
pub(super) fn float_suffix(scalar: Scalar) -> &'static str {
    if scalar == Scalar::F64 { "lf" } else { "f" }
}

/// The suffix of literals of an integer type.
pub(super) fn integer_suffix(scalar: Scalar) -> &'static str {
    match scalar_name(scalar) {
        "u32" => "u",
        "i64" => "li",
        "u64" => "lu",
        _ => "",
    }
}

/// The smallest and the largest value of an integer type.
pub(super) fn limits(scalar: Scalar) -> (String, String) {
    let (min, max) = scalar.limits().unwrap_or((0, u32::MAX.into()));
    let suffix = integer_suffix(scalar);
    let least = match scalar {
        // The negated literal would be out of range.
        Scalar::I64 => "(-9223372036854775807li - 1li)".to_owned(),
        Scalar::I32 => "i32(-2147483648)".to_owned(),
        Scalar::Bool | Scalar::I8 | Scalar::U8 | Scalar::I16 | Scalar::U16 | Scalar::U32 | Scalar::U64 => {
            format!("{min}{suffix}")
        }
        Scalar::Index | Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::F64 => format!("{min}{suffix}"),
    };
    (least, format!("{max}{suffix}"))
}

/// A literal; `None` for a float that is not finite, which WGSL has no literal for.
pub(super) fn literal(value: Literal) -> Option<Text> {
    let mut out = String::new();
    match value {
        Literal::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        Literal::I32(i32::MIN) | Literal::I64(i64::MIN) => return Some(Text::primary(limits(value.scalar()).0)),
        Literal::I8(value) => push_integer(&mut out, value.into()),
        Literal::I16(value) => push_integer(&mut out, value.into()),
        Literal::I32(value) => push_integer(&mut out, value.into()),
        Literal::I64(value) => push_integer(&mut out, value),
        Literal::U8(value) => push_unsigned(&mut out, value.into()),
        Literal::U16(value) => push_unsigned(&mut out, value.into()),
        Literal::U32(value) | Literal::Index(value) => push_unsigned(&mut out, value.into()),
        Literal::U64(value) => push_unsigned(&mut out, value),
        Literal::F16(bits) | Literal::BF16(bits) | Literal::F32(bits) => {
            let value = f32::from_bits(bits);
            if !value.is_finite() {
                return None;
            }
            push_f32(&mut out, value);
        }
        Literal::F64(bits) => {
            let value = f64::from_bits(bits);
            if !value.is_finite() {
                return None;
            }
            push_f64(&mut out, value);
        }
    }
    let scalar = value.scalar();
    out.push_str(if scalar.is_float() { float_suffix(scalar) } else { integer_suffix(scalar) });
    let level = if out.starts_with('-') { Level::Unary } else { Level::Primary };
    Some(Text { text: out, level })
}

/// The part of a value with a constant number: `.x` of a vector, else `[2]`.
pub(super) fn part_suffix(ty: Type, number: usize) -> String {
    match COMPONENTS.get(number) {
        Some(name) if is_native(ty) => format!(".{name}"),
        _ => format!("[{number}]"),
    }
}

/// The part of a value of type `ty`.
pub(super) fn part(base: Text, ty: Type, index: &Expr, at: Text) -> Text {
    match constant_index(index) {
        Some(number) => Text::primary([base.at(Level::Primary), part_suffix(ty, number)].concat()),
        None => base.subscript(at),
    }
}

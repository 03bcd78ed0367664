//! Literals and named constants.

use super::names::spelled;
use crate::back::numbers::{push_f32, push_f64, push_integer, push_unsigned};
use crate::ir::{Expr, ExprKind, Literal, Shape, Type};
use crate::ops::{Op, Syntax};

/// The text of a literal. `suffixed`: with its type, unless the text determines it.
pub(super) fn text(value: Literal, suffixed: bool) -> String {
    let ty = value.scalar().name();
    if let Some(name) = named(value) {
        return [ty, "::", &name].concat();
    }
    let mut text = String::with_capacity(32);
    match value {
        Literal::Bool(value) => return value.to_string(),
        Literal::I8(value) => push_integer(&mut text, value.into()),
        Literal::I16(value) => push_integer(&mut text, value.into()),
        Literal::I32(value) => push_integer(&mut text, value.into()),
        Literal::U8(value) => push_unsigned(&mut text, value.into()),
        Literal::U16(value) => push_unsigned(&mut text, value.into()),
        Literal::U32(value) | Literal::Index(value) => push_unsigned(&mut text, value.into()),
        Literal::I64(value) => push_integer(&mut text, value),
        Literal::U64(value) => push_unsigned(&mut text, value),
        Literal::F16(bits) | Literal::BF16(bits) => {
            text.extend([ty, "::from_f32("]);
            push_f32(&mut text, f32::from_bits(bits));
            text.push(')');
            return text;
        }
        Literal::F32(bits) => push_f32(&mut text, f32::from_bits(bits)),
        Literal::F64(bits) => push_f64(&mut text, f64::from_bits(bits)),
    }
    text.push_str(if suffixed { ty } else { "" });
    text
}

/// Whether the text without a suffix leaves the type open.
pub(super) fn is_open(value: Literal) -> bool {
    !matches!(value, Literal::Bool(_) | Literal::F16(_) | Literal::BF16(_)) && named(value).is_none()
}

/// The associated constant that equals the value, where digits could not express it or would be unreadable.
fn named(value: Literal) -> Option<String> {
    let name = match value {
        Literal::F16(bits) | Literal::BF16(bits) => {
            let (value, format) = (f32::from_bits(bits), value.scalar().format()?);
            return match value {
                _ if bits == 0 => Some("ZERO".to_owned()),
                1.0 => Some("ONE".to_owned()),
                _ => {
                    let (max, epsilon) =
                        (f64::from(value.abs()) == format.largest(), f64::from(value) == format.epsilon());
                    float_name(value.into(), max, epsilon, true, 0)
                }
            };
        }
        Literal::F32(bits) => {
            let value = f32::from_bits(bits);
            let (max, epsilon) = (value.abs() == f32::MAX, value == f32::EPSILON);
            return float_name(value.into(), max, epsilon, bits == f32::NAN.to_bits(), bits.into());
        }
        Literal::F64(bits) => {
            let value = f64::from_bits(bits);
            let (max, epsilon) = (value.abs() == f64::MAX, value == f64::EPSILON);
            return float_name(value, max, epsilon, bits == f64::NAN.to_bits(), bits);
        }
        Literal::I8(i8::MIN) | Literal::I16(i16::MIN) | Literal::I32(i32::MIN) | Literal::I64(i64::MIN) => "MIN",
        Literal::I32(i32::MAX) | Literal::U32(u32::MAX) | Literal::I64(i64::MAX) | Literal::U64(u64::MAX) => "MAX",
        Literal::Bool(_)
        | Literal::I8(_)
        | Literal::U8(_)
        | Literal::I16(_)
        | Literal::U16(_)
        | Literal::I32(_)
        | Literal::U32(_)
        | Literal::I64(_)
        | Literal::U64(_)
        | Literal::Index(_) => return None,
    };
    Some(name.to_owned())
}

fn float_name(value: f64, is_extreme: bool, is_epsilon: bool, is_usual_nan: bool, bits: u64) -> Option<String> {
    let name = match value {
        f64::INFINITY => "INFINITY",
        f64::NEG_INFINITY => "NEG_INFINITY",
        value if value.is_nan() && is_usual_nan => "NAN",
        value if value.is_nan() => return Some(format!("from_bits({bits:#x})")),
        value if is_extreme => {
            if value > 0.0 {
                "MAX"
            } else {
                "MIN"
            }
        }
        _ if is_epsilon => "EPSILON",
        _ => return None,
    };
    Some(name.to_owned())
}

/// The associated constant that equals a vector, matrix or quaternion, such as `Vec3::ZERO` or `Mat3::IDENTITY`.
pub(super) fn constant(op: Op, args: &[Expr], ty: Type) -> Option<String> {
    let Syntax::Assoc(function) = op.def().rust else { return None };
    let name = match (function, args) {
        ("splat", [part]) if is_number(part, 0) => "ZERO",
        ("splat", [part]) if is_number(part, 1) => "ONE",
        ("from_diagonal", [Expr { kind: ExprKind::Op(Op::Splat, parts), .. }]) if is_number(&parts[0], 0) => "ZERO",
        ("from_diagonal", [Expr { kind: ExprKind::Op(Op::Splat, parts), .. }]) if is_number(&parts[0], 1) => "IDENTITY",
        // The zero of a square matrix is a diagonal matrix.
        ("from_cols", parts) if !is_square(ty) && parts.iter().all(is_zero_vector) => "ZERO",
        ("new", parts) if parts.len() <= 4 => ["X", "Y", "Z", "W"][unit(parts)?],
        ("from_xyzw", parts) if unit(parts) == Some(3) => "IDENTITY",
        _ => return None,
    };
    Some(format!("{}::{name}", ty.rust_path()))
}

fn is_square(ty: Type) -> bool {
    matches!(ty.shape, Shape::Matrix(rows, columns) if rows == columns)
}

fn is_zero_vector(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Op(Op::Splat, parts) if is_number(&parts[0], 0))
}

/// The position of the part that is 1, if all others are 0.
fn unit(parts: &[Expr]) -> Option<usize> {
    let one = parts.iter().position(|part| is_number(part, 1))?;
    parts.iter().enumerate().all(|(place, part)| place == one || is_number(part, 0)).then_some(one)
}

/// Whether the expression is the constant `number`. A negative zero is not 0.
fn is_number(expr: &Expr, number: u8) -> bool {
    let (f32, f64) = (Literal::f32(number.into()), Literal::f64(number.into()));
    matches!(expr.kind, ExprKind::Literal(value) if value == f32 || value == f64)
        || expr.as_integer() == Some(number.into())
}

/// The zero with which the elements of a local array start.
pub(super) fn zero(ty: Type) -> String {
    let name = ty.rust_path();
    match ty {
        Type { shape: Shape::Scalar, .. } if ty == Type::BOOL => "false".to_owned(),
        Type { shape: Shape::Scalar, .. } if ty.scalar.is_half() => format!("{name}::ZERO"),
        Type { shape: Shape::Scalar, .. } if ty.is_float() => format!("0.0{name}"),
        Type { shape: Shape::Scalar, .. } => format!("0{name}"),
        Type { shape: Shape::Vector(_), .. } | Type { shape: Shape::Matrix(..), .. } => format!("{name}::ZERO"),
        Type { shape: Shape::Quat, .. } => format!("{name}::from_xyzw(0.0, 0.0, 0.0, 0.0)"),
        Type { shape: Shape::Tile(..), .. } => unreachable!("{}", Type::NO_TILES),
        Type { shape: Shape::Struct(id), .. } => {
            let fields = id.fields.iter().map(|field| format!("{}: {}", spelled(&field.name), zero(field.ty)));
            format!("{name} {{ {} }}", fields.collect::<Vec<String>>().join(", "))
        }
    }
}

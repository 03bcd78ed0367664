//! Named constants of the standard library: `f32::MAX`, `std::f32::consts::PI`.

use crate::ir::Scalar;

/// The value of a named constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Const {
    /// A value of an integer type.
    Int(i128),
    /// A value of a float type, as `f32` and as `f64`. The second is not the first converted: each is rounded from the
    /// exact value.
    Float(f32, f64),
}

macro_rules! float_consts {
    ($name:expr; $($module:ident::{$($item:ident)*})*) => {
        match $name {
            $($(stringify!($item) => Some(Const::Float(std::f32::$module::$item, std::f64::$module::$item)),)*)*
            _ => None,
        }
    };
}

/// A mathematical constant from the module `consts` of a float type.
pub(super) fn mathematical(name: &str) -> Option<Const> {
    float_consts!(name; consts::{
        PI TAU E FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6 FRAC_PI_8 FRAC_1_PI FRAC_2_PI FRAC_2_SQRT_PI
        SQRT_2 FRAC_1_SQRT_2 LN_2 LN_10 LOG2_E LOG10_E LOG2_10 LOG10_2
    })
}

/// An associated constant of a scalar type.
pub(super) fn associated(scalar: Scalar, name: &str) -> Option<Const> {
    let limits = |min: i128, max: i128| match name {
        "MIN" => Some(Const::Int(min)),
        "MAX" => Some(Const::Int(max)),
        _ => None,
    };
    match (name, scalar.is_float()) {
        ("ZERO", true) => return Some(Const::Float(0.0, 0.0)),
        ("ONE", true) => return Some(Const::Float(1.0, 1.0)),
        ("ZERO", false) if scalar.is_integer() => return Some(Const::Int(0)),
        ("ONE", false) if scalar.is_integer() => return Some(Const::Int(1)),
        _ => {}
    }
    match scalar {
        Scalar::Bool | Scalar::Index => None,
        Scalar::I32 => limits(i32::MIN.into(), i32::MAX.into()),
        Scalar::U32 => limits(0, u32::MAX.into()),
        Scalar::I64 => limits(i64::MIN.into(), i64::MAX.into()),
        Scalar::U64 => limits(0, u64::MAX.into()),
        Scalar::F32 | Scalar::F64 => match name {
            "EPSILON" => Some(Const::Float(f32::EPSILON, f64::EPSILON)),
            "MAX" => Some(Const::Float(f32::MAX, f64::MAX)),
            "MIN" => Some(Const::Float(f32::MIN, f64::MIN)),
            "MIN_POSITIVE" => Some(Const::Float(f32::MIN_POSITIVE, f64::MIN_POSITIVE)),
            "INFINITY" => Some(Const::Float(f32::INFINITY, f64::INFINITY)),
            "NEG_INFINITY" => Some(Const::Float(f32::NEG_INFINITY, f64::NEG_INFINITY)),
            "NAN" => Some(Const::Float(f32::NAN, f64::NAN)),
            _ => None,
        },
    }
}

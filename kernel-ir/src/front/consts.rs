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

/// An associated constant of a float of 16 bits.
fn of_half(scalar: Scalar, name: &str) -> Option<Const> {
    let format = scalar.format()?;
    let value = match name {
        "ZERO" => 0.0,
        "ONE" => 1.0,
        "EPSILON" => format.epsilon(),
        "MAX" => format.largest(),
        "MIN" => -format.largest(),
        "MIN_POSITIVE" => format.least_normal(),
        "INFINITY" => f64::INFINITY,
        "NEG_INFINITY" => f64::NEG_INFINITY,
        "NAN" => f64::NAN,
        _ => return None,
    };
    Some(Const::Float(value as f32, value))
}

/// An associated constant of a scalar type.
pub(super) fn associated(scalar: Scalar, name: &str) -> Option<Const> {
    Some(match (name, scalar.limits()) {
        ("MIN", Some((min, _))) => Const::Int(min),
        ("MAX", Some((_, max))) => Const::Int(max),
        ("ZERO", _) if scalar.is_integer() => Const::Int(0),
        ("ONE", _) if scalar.is_integer() => Const::Int(1),
        _ if !scalar.is_float() => return None,
        _ if scalar.is_half() => return of_half(scalar, name),
        ("ZERO", _) => Const::Float(0.0, 0.0),
        ("ONE", _) => Const::Float(1.0, 1.0),
        ("EPSILON", _) => Const::Float(f32::EPSILON, f64::EPSILON),
        ("MAX", _) => Const::Float(f32::MAX, f64::MAX),
        ("MIN", _) => Const::Float(f32::MIN, f64::MIN),
        ("MIN_POSITIVE", _) => Const::Float(f32::MIN_POSITIVE, f64::MIN_POSITIVE),
        ("INFINITY", _) => Const::Float(f32::INFINITY, f64::INFINITY),
        ("NEG_INFINITY", _) => Const::Float(f32::NEG_INFINITY, f64::NEG_INFINITY),
        ("NAN", _) => Const::Float(f32::NAN, f64::NAN),
        _ => return None,
    })
}

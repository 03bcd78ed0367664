//! How types are spelled, and what the fields of vectors, matrices and quaternions are called.

use crate::ir::{Scalar, Shape, Type};

/// The name of a scalar type.
pub(super) fn scalar_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I32 => "int",
        Scalar::U32 => "unsigned int",
        Scalar::I64 => "long long",
        Scalar::U64 => "unsigned long long",
        Scalar::Index => "index_t",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

/// The name of a type.
pub(super) fn type_name(ty: Type) -> &'static str {
    if ty.is_scalar() { scalar_name(ty.scalar) } else { ty.name() }
}

/// The unsigned integer as wide as `scalar`.
pub(super) fn unsigned(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::I32 => Scalar::U32,
        Scalar::I64 => Scalar::U64,
        other => other,
    }
}

/// The largest value of an integer type, as an expression of that type.
pub(super) fn max_value(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I32 => "2147483647",
        Scalar::U32 => "4294967295u",
        Scalar::I64 => "9223372036854775807LL",
        Scalar::U64 => "18446744073709551615ULL",
        _ => "(index_t)-1",
    }
}

/// The smallest value of an integer type, as an expression of that type.
pub(super) fn min_value(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I32 => "(-2147483647 - 1)",
        Scalar::I64 => "(-9223372036854775807LL - 1)",
        _ => "0",
    }
}

/// The suffix of `<cmath>` functions and of literals of a float type.
pub(super) fn float_suffix(scalar: Scalar) -> &'static str {
    if scalar == Scalar::F32 { "f" } else { "" }
}

/// The names of components.
pub(super) const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// The names of columns.
pub(super) const COLUMNS: [&str; 4] = ["x_axis", "y_axis", "z_axis", "w_axis"];

/// The names of the fields of an aggregate; none for scalars.
pub(super) fn fields(ty: Type) -> &'static [&'static str] {
    match ty.shape {
        Shape::Scalar => &[],
        Shape::Vector(n) => &COMPONENTS[..usize::from(n)],
        Shape::Matrix(_, n) => &COLUMNS[..usize::from(n)],
        Shape::Quat => &COMPONENTS,
    }
}

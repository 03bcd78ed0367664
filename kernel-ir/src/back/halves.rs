//! Operations on floats of 16 bits, as texts compute them.

use crate::ir::{Expr, ExprKind, Literal, Op, Type};
use crate::ops::build::Operand;

/// The operation on floats of 16 bits as what it means: its operands converted to `f32`, the operation on these, and the
/// result rounded to `ret`. `None` for other operations.
///
/// CUDA and Warp have operators for these types, but their compilers may fuse a product and a sum, and on devices
/// without instructions for a type the operators are functions of other roundings. Explicit conversions have one meaning
/// everywhere. That of `f32` to 16 bits between two operations keeps compilers from fusing them.
pub(super) fn in_f32(op: Op, args: &[Expr], ret: Type) -> Option<Expr> {
    if !args.iter().any(|arg| arg.ty.scalar().is_half()) {
        return None;
    }
    let args = args.iter().map(widened).collect();
    let computed = Type { scalar: ret.scalar().computed_in(), ..ret };
    Some(Expr::new(ExprKind::Op(op, args), computed).cast(ret))
}

/// The value of a float of 16 bits as an `f32`; another value as it is.
fn widened(value: &Expr) -> Expr {
    if let ExprKind::Literal(Literal::F16(bits) | Literal::BF16(bits)) = value.kind {
        return Expr::literal(Literal::F32(bits));
    }
    value.cast(Type { scalar: value.ty.scalar().computed_in(), ..value.ty })
}

//! The derivative rules of operations on tiles.
//!
//! - A reduction by addition and a broadcast are each other's derivative.
//! - The elements that are the largest share the adjoint of a maximum equally, as the winners of `atomic_max` do, and as JAX
//!   and PyTorch (`amax`) have it.
//! - Elements that a load takes from its padding value pass their adjoints to that value.
//! - A sum up to an element has read all before it, so the adjoints are added from the end.
//! - For C = A·B, the adjoint of A is Ċ·Bᵀ, and that of B is Aᵀ·Ċ. Elements of Ċ that are 0 contribute 0.

use crate::ir::{Expr, ExprKind, Scan, Shape, TileOp, Type};
use crate::ops::Op;
use crate::rewrite::build::expr;
use crate::verify::tile_phases::present;

/// Whether the rules of an operation read its operands, and its result.
pub(super) fn reads(op: TileOp) -> (bool, bool) {
    match op {
        TileOp::Matmul | TileOp::StrongMatmul(_) => (true, false),
        TileOp::Max | TileOp::Min => (true, true),
        TileOp::Broadcast
        | TileOp::Pad
        | TileOp::Sum
        | TileOp::Transpose
        | TileOp::Reshape
        | TileOp::Scan(_)
        | TileOp::ArgMax
        | TileOp::ArgMin
        | TileOp::Index(_) => (false, false),
    }
}

/// The adjoint of the operand at `place`, of type `ty`, from that of the result. `values` are the operands, and the result.
pub(super) fn vjp(op: TileOp, place: usize, ty: Type, values: &[Expr], g: Expr) -> Expr {
    match (op, values) {
        (TileOp::Broadcast, _) => tile(TileOp::Sum, [g], ty),
        (TileOp::Sum, _) => tile(TileOp::Broadcast, [g], ty),
        (TileOp::Transpose, _) => tile(TileOp::Transpose, [g], ty),
        (TileOp::Reshape, _) => tile(TileOp::Reshape, [g], ty),
        (TileOp::Scan(Scan { exclusive, backward }), _) => {
            tile(TileOp::Scan(Scan { exclusive, backward: !backward }), [g], ty)
        }
        (TileOp::Matmul | TileOp::StrongMatmul(_), [_, b]) if place == 0 => {
            tile(TileOp::StrongMatmul(0), [g, transposed(b.clone())], ty)
        }
        (TileOp::Matmul | TileOp::StrongMatmul(_), [a, _]) => {
            tile(TileOp::StrongMatmul(1), [transposed(a.clone()), g], ty)
        }
        (TileOp::Max | TileOp::Min, [of, result]) => {
            let bool_of = Type::BOOL.over([ty]);
            let wins = expr(ExprKind::Op(Op::Eq, vec![of.clone(), spread(result.clone(), ty)]), bool_of);
            let (one, none) = (Expr::number(1, ty.element()), Expr::zero(ty.element()));
            let count = tile(TileOp::Sum, [chosen(wins.clone(), one, none.clone(), ty)], result.ty);
            let share = lifted(Op::Div, g, count);
            chosen(wins, spread(share, ty), none, ty)
        }
        // The padding value stands where the array has no element.
        (TileOp::Pad, [load, _]) if place == 1 => {
            let outside = chosen(present(load), Expr::zero(g.ty.element()), g.clone(), g.ty);
            tile(TileOp::Sum, [outside], ty)
        }
        (
            TileOp::Pad
            | TileOp::Index(_)
            | TileOp::Matmul
            | TileOp::StrongMatmul(_)
            | TileOp::Max
            | TileOp::Min
            | TileOp::ArgMax
            | TileOp::ArgMin,
            _,
        ) => g,
    }
}

/// The adjoint of an operand of a pointwise operation: all elements of the result have read an operand that is one number.
pub(super) fn as_operand(vjp: Expr, ty: Type) -> Expr {
    match (vjp.ty.is_tile(), ty.is_tile()) {
        (true, false) => tile(TileOp::Sum, [vjp], ty),
        (false, true) => tile(TileOp::Broadcast, [vjp], ty),
        _ => vjp,
    }
}

fn tile<const N: usize>(op: TileOp, args: [Expr; N], ty: Type) -> Expr {
    expr(ExprKind::Tile(op, args.into()), ty)
}

/// The value, repeated to a tile of type `ty`.
fn spread(value: Expr, ty: Type) -> Expr {
    if value.ty == ty { value } else { tile(TileOp::Broadcast, [value], ty) }
}

fn transposed(value: Expr) -> Expr {
    let (rows, columns) = value.ty.as_tile().unwrap_or((1, 1));
    let ty = Type::new(value.ty.scalar, Shape::Tile(columns, rows));
    tile(TileOp::Transpose, [value], ty)
}

fn lifted(op: Op, a: Expr, b: Expr) -> Expr {
    let ty = a.ty.element().over([a.ty, b.ty]);
    Expr::op_to(op, [a, b], ty)
}

/// `then` where the elements of `cond` are true, else `other`.
pub(super) fn chosen(cond: Expr, then: Expr, other: Expr, ty: Type) -> Expr {
    let [cond, then, other] = [cond, then, other].map(Box::new);
    expr(ExprKind::Select { cond, then, other }, ty)
}

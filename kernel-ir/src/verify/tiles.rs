//! The rules of tiles.

use crate::diag::Diagnostic;
use crate::ir::{Expr, ExprKind, Kernel, Param, Span, Stmt, TileOp, Type};

/// Whether a pointwise operation with a result of type `ty` may have these operands: tiles of one size, and single numbers.
pub(super) fn fit(args: impl IntoIterator<Item = Type>, ty: Type) -> bool {
    let mut tiles = args.into_iter().filter_map(Type::as_tile);
    let first = tiles.next();
    tiles.all(|tile| Some(tile) == first) && ty.as_tile() == first
}

/// Checks the size of a tile: of one that no block could keep, nothing more is computed.
pub(super) fn check_size(ty: Type, span: Span, mistakes: &mut Vec<Diagnostic>) {
    let Some((rows, columns)) = ty.as_tile() else { return };
    if !(1..=Kernel::MOST_SHARED).contains(&ty.components()) {
        let most = Kernel::MOST_SHARED;
        let message = format!("a tile has 1 to {most} elements, and one of {rows} × {columns} has not");
        mistakes.push(Diagnostic::new(span, message));
    }
}

/// Checks that the elements of an array, from an index on, can be those of a tile of type `ty`.
pub(super) fn check_part(array: &Param, ty: Type, span: Span, mistakes: &mut Vec<Diagnostic>) {
    let Some((rows, columns)) = ty.as_tile() else { return };
    if !array.elem().is_scalar() {
        let message = format!("the elements of a tile are numbers, and those of `{}` are {}", array.name, array.elem());
        mistakes.push(Diagnostic::new(span, message).help("keep each component in an array of its own"));
    }
    let is_line = rows == 1 || columns == 1;
    if !(array.rank() == 2 || (array.rank() == 1 && is_line)) {
        let message = format!("`{}` has {} axes, and no part of the type {}", array.name, array.rank(), ty.rust_name());
        mistakes.push(Diagnostic::new(span, message));
    }
}

/// Reports tiles where there is no block that computes them.
pub(super) fn check_absent(stmt: &Stmt, message: &str, help: &str, mistakes: &mut Vec<Diagnostic>) {
    let is_tile = stmt.place().is_some_and(|place| place.ty.is_tile())
        || stmt.exprs().any(|expr| expr.any(&mut |part| part.ty.is_tile()));
    if is_tile {
        mistakes.push(Diagnostic::new(stmt.span, message).help(help));
    }
}

/// Checks an `if` expression with a tile in it.
pub(super) fn check_select(expr: &Expr, mistakes: &mut Vec<Diagnostic>) {
    let parts: Vec<Expr> = expr.children().cloned().collect();
    let [cond, then, other] = parts.as_slice() else { return };
    let is_right = cond.ty.element() == Type::BOOL
        && then.ty.element() == other.ty.element()
        && then.ty.element() == expr.ty.element()
        && fit(parts.iter().map(|part| part.ty), expr.ty);
    if !is_right {
        let (then, other) = (then.ty.rust_name(), other.ty.rust_name());
        let message = format!("the two sides of the `if` do not fit: {then} and {other}");
        mistakes.push(Diagnostic::new(expr.span, message));
    }
}

/// Checks an operation on tiles.
pub(super) fn check(op: TileOp, args: &[Expr], expr: &Expr, mistakes: &mut Vec<Diagnostic>) {
    let types: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
    let sizes: Vec<Option<(u16, u16)>> = types.iter().map(|ty| ty.as_tile()).collect();
    let (ty, of) = (expr.ty, expr.ty.as_tile());
    let is_same = types.iter().all(|arg| arg.scalar == ty.scalar && arg.element().is_scalar());
    let is_right = match (op, sizes.as_slice()) {
        (TileOp::Broadcast, [from]) => {
            is_same
                && of.is_some_and(|(rows, columns)| match from {
                    None => true,
                    Some((1, n)) => *n == columns && rows > 1,
                    Some((n, 1)) => *n == rows && columns > 1,
                    Some(_) => false,
                })
        }
        (TileOp::Pad, [from, None]) => is_same && *from == of && matches!(args[0].kind, ExprKind::Load { .. }),
        (TileOp::Sum | TileOp::Max | TileOp::Min, [Some((rows, columns))]) => {
            is_same && [None, Some((*rows, 1)), Some((1, *columns))].contains(&of)
        }
        (TileOp::Matmul | TileOp::StrongMatmul(_), [Some((rows, inner)), Some((other, columns))]) => {
            is_same && ty.is_float() && inner == other && of == Some((*rows, *columns))
        }
        (TileOp::ArgMax | TileOp::ArgMin, [Some((rows, columns))]) => {
            let is_line = *rows == 1 || *columns == 1;
            let is_over = if is_line { of.is_none() } else { [Some((*rows, 1)), Some((1, *columns))].contains(&of) };
            ty.element() == Type::U32 && is_over && types[0].element().is_scalar() && types[0].element() != Type::BOOL
        }
        (TileOp::Scan(_), [Some((1, _) | (_, 1))]) => is_same && of == sizes[0] && ty.element() != Type::BOOL,
        (TileOp::Reshape, [Some(_)]) => is_same && of.is_some() && types[0].components() == ty.components(),
        (TileOp::Transpose, [Some((rows, columns))]) => is_same && of == Some((*columns, *rows)),
        (TileOp::Index(_), []) => of.is_some() && ty.element() == Type::INDEX,
        _ => false,
    };
    if !is_right {
        let names: Vec<String> = types.iter().map(|ty| ty.rust_name()).collect();
        let message = format!("`{}` does not make {} of {}", op.name(), ty.rust_name(), names.join(" and "));
        mistakes.push(Diagnostic::new(expr.span, message));
    }
}

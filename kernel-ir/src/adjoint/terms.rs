//! Helpers over the terms of adjoints: negation without double negation, decomposition into scalars, and whether a term
//! may be duplicated.

use crate::ir::{Expr, ExprKind, Projection, Shape, Type};
use crate::ops::Op;
use crate::rewrite::build::{expr, index};

pub(super) fn neg(value: Expr) -> Expr {
    let ty = value.ty;
    negated(value).unwrap_or_else(|value| expr(ExprKind::Op(Op::Neg, vec![value]), ty))
}

/// The operand of a negation.
///
/// # Errors
/// `value` itself, if it is not a negation.
pub(super) fn negated(mut value: Expr) -> Result<Expr, Expr> {
    if let ExprKind::Op(Op::Neg, args) = &mut value.kind
        && args.len() == 1
    {
        return Ok(args.remove(0));
    }
    Err(value)
}

/// The scalars of a value, each with its projection path from the value.
pub(super) fn parts(value: Expr) -> Vec<(Vec<Projection>, Expr)> {
    let at = |k: u8| index(k.into());
    let component = |base: &Expr, k: u8| {
        expr(ExprKind::Component(Box::new(base.clone()), Box::new(at(k))), Type::of(base.ty.scalar()))
    };
    match value.ty {
        // Tiles are added as they are.
        Type { shape: Shape::Scalar | Shape::Tile(..), .. } => vec![(Vec::new(), value)],
        Type { shape: Shape::Vector(n), .. } => {
            (0..n).map(|k| (vec![Projection::Component(at(k))], component(&value, k))).collect()
        }
        Type { shape: Shape::Quat, .. } => {
            (0..4).map(|k| (vec![Projection::Component(at(k))], component(&value, k))).collect()
        }
        Type { shape: Shape::Matrix(rows, columns), .. } => {
            let column = |j| expr(ExprKind::Column(Box::new(value.clone()), Box::new(at(j))), value.ty.part());
            let all = (0..columns).flat_map(|j| (0..rows).map(move |k| (j, k)));
            all.map(|(j, k)| (vec![Projection::Column(at(j)), Projection::Component(at(k))], component(&column(j), k)))
                .collect()
        }
        Type { shape: Shape::Struct(id), .. } => {
            let fields = (0..id.fields.len() as u8).map(|number| (number, value.clone().field(number)));
            let all = fields.flat_map(|(number, field)| {
                let inside = move |path: Vec<Projection>| [vec![Projection::Field(number)], path].concat();
                parts(field).into_iter().map(move |(path, part)| (inside(path), part))
            });
            all.collect()
        }
    }
}

/// Whether the value may be duplicated without repeated computation. A load counts: arrays that the adjoint only reads
/// do not change during its launch, and an adjoint element that will change is bound to a local first.
pub(super) fn is_plain(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Literal(_)
        | ExprKind::Local(_)
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Present(_) => true,
        ExprKind::Component(base, index) | ExprKind::Column(base, index) => is_plain(base) && is_plain(index),
        ExprKind::Field(base, _) => is_plain(base),
        // That of a tile is a phase.
        ExprKind::Load { index, .. } => !value.ty.is_tile() && index.iter().all(is_plain),
        ExprKind::LocalElement { .. }
        | ExprKind::Tile(..)
        | ExprKind::Struct(_)
        | ExprKind::Op(..)
        | ExprKind::Call(..)
        | ExprKind::Cast(_)
        | ExprKind::Select { .. } => false,
    }
}

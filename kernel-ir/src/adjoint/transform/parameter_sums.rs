//! Accumulates the adjoints of by-value parameters. Each thread adds its terms in a local, and adds the local to the
//! shared adjoint once, atomically.

use super::context::{Adjoint, adjoint_param};
use crate::adjoint::terms::{negated, parts};
use crate::ir::{AtomicOp, Block, Expr, ExprKind, Kernel, LocalId, Place, PlaceRoot, Span, Stmt, StmtKind};
use crate::rewrite::build::{declare, expr, index, stmt, zero};

/// Declares the locals of `adjoint.sums` before their first use, and adds each to the adjoint of its parameter after
/// its last use.
pub(crate) fn declare_sums(source: &Kernel, adjoint: &mut Adjoint) {
    for (param, local) in &adjoint.sums {
        let ty = source.param(*param).elem();
        let root = PlaceRoot::Element { array: adjoint_param(source, *param), index: vec![index(0)] };
        let place = Place { root, path: Vec::new(), ty, span: Span::NONE };
        let mut close = Block::new();
        add_atomically(&place, expr(ExprKind::Local(*local), ty), &mut close);
        enclose(&mut adjoint.body, *local, declare(*local, zero(ty)), close);
    }
}

/// `place += value`, by one atomic operation for each scalar. `value` must be cheap to duplicate.
pub(super) fn add_atomically(place: &Place, value: Expr, out: &mut Block) {
    for (steps, part) in parts(value) {
        // `x += -g` becomes `x -= g`, which needs no negation.
        let (op, part) = match negated(part) {
            Ok(part) => (AtomicOp::Sub, part),
            Err(part) => (AtomicOp::Add, part),
        };
        let mut target = Place { ty: part.ty, ..place.clone() };
        target.path.extend(steps);
        out.push(stmt(StmtKind::Atomic { op, place: target, compare: None, value: part, result: None }));
    }
}

/// Inserts `open` before the first statement that names `local`, and `close` after the last one, in the innermost
/// branch that contains them all. A thread that does not take the branch then makes no atomic addition.
fn enclose(body: &mut Block, local: LocalId, open: Stmt, close: Block) {
    let names_it = |stmt: &Stmt| stmt.mentions(local);
    let Some(first) = body.iter().position(names_it) else { return };
    let last = body.iter().rposition(names_it).unwrap_or(first);
    if first == last
        && let StmtKind::If { then, other, .. } = &mut body[first].kind
    {
        let named = |block: &Block| block.iter().any(|stmt| stmt.mentions(local));
        match (named(then), named(other)) {
            (true, false) => return enclose(then, local, open, close),
            (false, true) => return enclose(other, local, open, close),
            _ => {}
        }
    }
    body.splice(last + 1..last + 1, close);
    body.insert(first, open);
}

//! Replaces atomic operations on the arrays that the threads of a block share by plain updates, for code in which these threads
//! run one after the other.

use super::build::{binary, compare};
use crate::ir::{AtomicOp, Block, Expr, ExprKind, Kernel, Local, LocalId, Place, PlaceRoot, Span, Stmt, StmtKind};
use crate::ops::Op;
use std::borrow::Cow;

/// The kernel without such operations.
pub(crate) fn as_updates(kernel: &Kernel) -> Cow<'_, Kernel> {
    let mut any = false;
    kernel.walk_stmts(&mut |stmt| any |= is_on_shared(stmt));
    if !any {
        return Cow::Borrowed(kernel);
    }
    let mut serial = kernel.clone();
    let mut body = std::mem::take(&mut serial.body);
    block(&mut body, &mut serial);
    serial.body = body;
    Cow::Owned(serial)
}

/// Whether the statement itself is an atomic operation on an array of the block.
pub(crate) fn is_on_shared(stmt: &Stmt) -> bool {
    stmt.atomic().is_some_and(|(_, place)| matches!(place.root, PlaceRoot::LocalElement { .. }))
}

fn block(stmts: &mut Block, kernel: &mut Kernel) {
    for mut stmt in std::mem::take(stmts) {
        stmt.blocks_mut().for_each(|inner| block(inner, kernel));
        match stmt.kind {
            StmtKind::Atomic { op, place, compare, value, result }
                if matches!(place.root, PlaceRoot::LocalElement { .. }) =>
            {
                let made = update(op, place, compare, value, result, kernel);
                stmts.extend(made.into_iter().map(|kind| Stmt { kind, span: stmt.span }));
            }
            kind => stmts.push(Stmt { kind, span: stmt.span }),
        }
    }
}

/// The statements of an update. The result is assigned last, because the place and the operands may mention it.
fn update(
    op: AtomicOp,
    place: Place,
    compared: Option<Expr>,
    value: Expr,
    result: Option<LocalId>,
    kernel: &mut Kernel,
) -> Vec<StmtKind> {
    let ty = place.ty;
    let held = result.map(|result| (result, Local::fresh(&mut kernel.locals, "old", ty)));
    let old = match held {
        Some((_, local)) => Expr::new(ExprKind::Local(local), ty),
        None => place.read(kernel),
    };
    let mut made = Vec::new();
    if let Some((_, local)) = held {
        made.push(StmtKind::Let { local, init: Some(place.read(kernel)) });
    }
    made.push(match (op.op(), compared) {
        (Some(op @ (Op::Min | Op::Max)), _) => StmtKind::Assign { value: binary(op, old, value), place },
        (Some(op), _) => match held {
            Some(_) => StmtKind::Assign { value: binary(op, old, value), place },
            None => StmtKind::Update { place, op, value },
        },
        (None, None) => StmtKind::Assign { place, value },
        (None, Some(compared)) => {
            let then = vec![Stmt::new(StmtKind::Assign { place, value })];
            StmtKind::If { cond: compare(Op::Eq, old, compared), then, other: Vec::new() }
        }
    });
    if let Some((result, local)) = held {
        let place = Place { root: PlaceRoot::Local(result), path: Vec::new(), ty, span: Span::NONE };
        made.push(StmtKind::Assign { place, value: Expr::new(ExprKind::Local(local), ty) });
    }
    made
}

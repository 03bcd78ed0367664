//! What of tiles Rust can write: operators, and closures over the elements of at most two tiles.

#![expect(clippy::wildcard_enum_match_arm, reason = "what is not about tiles is written elsewhere")]

use crate::ir::{Expr, ExprKind, Kernel, LocalId, Place, PlaceRoot, StmtKind, TileOp};
use crate::ops::Op;

/// Whether the tiles of a kernel can be written as an author writes them. Else its phases are.
pub(super) fn can_be_written(kernel: &Kernel) -> bool {
    let mut can = true;
    kernel.walk_stmts(&mut |stmt| {
        let is_update = matches!(stmt.kind, StmtKind::Update { .. });
        let is_of_array = stmt.place().is_some_and(|place| place.ty.is_tile() && is_element(place));
        can &= !(is_update && is_of_array) && stmt.exprs().all(|expr| is_written(expr, false));
    });
    can
}

fn is_element(place: &Place) -> bool {
    matches!(place.root, PlaceRoot::Element { .. })
}

/// Whether an expression can be written. `is_operand`: as an operand of an operator on tiles.
fn is_written(expr: &Expr, is_operand: bool) -> bool {
    let parts = |is_operand| expr.children().all(|part| is_written(part, is_operand));
    match &expr.kind {
        ExprKind::LocalElement { .. } => !expr.ty.is_tile() && parts(false),
        ExprKind::Tile(TileOp::Broadcast, args) => (is_operand || !args[0].ty.is_tile()) && parts(false),
        ExprKind::Tile(TileOp::StrongMatmul(_) | TileOp::Index(_), _) => false,
        ExprKind::Tile(TileOp::Scan(scan), _) if scan.backward => false,
        _ if !expr.ty.is_tile() || !expr.is_pointwise() => parts(false),
        _ if has_operator(expr) => parts(true),
        _ => Elements::of(expr).is_some_and(|elements| elements.can_be_written()),
    }
}

/// Whether the operation on tiles is an operator of Rust.
pub(super) fn has_operator(expr: &Expr) -> bool {
    let ExprKind::Op(op, args) = &expr.kind else { return false };
    matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg) && args.iter().any(|arg| arg.ty.is_tile())
}

/// What the closure of an expression reads.
#[derive(Default)]
pub(super) struct Elements {
    pub(super) locals: Vec<LocalId>,
    pub(super) has_index: bool,
}

impl Elements {
    /// `None` if it reads tiles that have no name.
    pub(super) fn of(expr: &Expr) -> Option<Elements> {
        let mut found = Elements::default();
        found.add(expr).then_some(found)
    }

    fn add(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            _ if !expr.ty.is_tile() => is_written(expr, false),
            ExprKind::Local(local) => {
                if !self.locals.contains(local) {
                    self.locals.push(*local);
                }
                true
            }
            ExprKind::Tile(TileOp::Index(_), _) => {
                self.has_index = true;
                true
            }
            _ => expr.is_pointwise() && expr.children().all(|part| self.add(part)),
        }
    }

    fn can_be_written(&self) -> bool {
        self.locals.len() <= if self.has_index { 1 } else { 2 }
    }
}

//! Local arrays: a declaration with values becomes a declaration, whose elements are zeros, and assignments.

use super::super::hir::Elements;
use super::{Lower, Target};
use crate::ir::{Direction, Expr, ExprKind, ForRange, Literal, LocalId, Place, PlaceRoot, Span, Stmt, StmtKind, Type};
use crate::ops::Op;

impl Lower<'_> {
    pub(super) fn let_array(&mut self, local: LocalId, init: &Elements, span: Span) {
        match init {
            Elements::List(values) => {
                self.push(StmtKind::Let { local, init: None }, span);
                for (place, value) in (0..).zip(values) {
                    let place = self.element(local, Literal::Index(place).into(), value.span);
                    self.store(&Target::Assign(place), value, span);
                }
            }
            Elements::Repeat(value) => {
                let at = value.span;
                let mut value = self.expr(value);
                self.push(StmtKind::Let { local, init: None }, span);
                if is_zero(&value) {
                    return;
                }
                if !matches!(value.kind, ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Param(_)) {
                    let (ty, saved) = (value.ty, self.new_local("value", value.ty, false, at));
                    self.push(StmtKind::Let { local: saved, init: Some(value) }, at);
                    value = Expr { kind: ExprKind::Local(saved), ty, span: at };
                }
                let len = self.locals[local.0 as usize].len.unwrap_or_default();
                let counter = self.new_local("k", Type::INDEX, false, span);
                let index = Expr { kind: ExprKind::Local(counter), ty: Type::INDEX, span };
                let place = self.element(local, index, at);
                let (start, end) = (Literal::Index(0).into(), Literal::Index(len).into());
                let range = ForRange { start, end, inclusive: false, direction: Direction::Up, step: None };
                let body = vec![Stmt { kind: StmtKind::Assign { place, value }, span }];
                self.push(StmtKind::For { local: counter, range, body }, span);
            }
        }
    }

    fn element(&self, local: LocalId, index: Expr, span: Span) -> Place {
        let ty = self.locals[local.0 as usize].ty;
        Place { root: PlaceRoot::LocalElement { local, index }, path: Vec::new(), ty, span }
    }
}

/// Whether the value is, bit for bit, the zero with which elements start.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a written zero")]
fn is_zero(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Literal(_) => *value == Expr::zero(value.ty),
        ExprKind::Op(Op::VecNew | Op::Splat | Op::FromDiagonal | Op::MatFromCols | Op::QuatNew, parts) => {
            parts.iter().all(is_zero)
        }
        _ => false,
    }
}

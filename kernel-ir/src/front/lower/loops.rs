//! Loops, and jumps out of them. The IR jumps out of the innermost loop only; flags carry a jump further.

use super::super::hir;
use super::{Jump, Loop, Lower};
use crate::ir::{Expr, ExprKind, ForRange, Literal, LocalId, Place, PlaceRoot, Span, Stmt, StmtKind, Type};
use crate::ops::Op;

impl Lower<'_> {
    pub(super) fn for_loop(&mut self, local: LocalId, range: &hir::Range, body: &hir::Block, span: Span) {
        let ends: Vec<&hir::Expr> = [&range.start, &range.end].into_iter().chain(&range.step).collect();
        let mut ends = self.operands(&ends).into_iter();
        let (Some(start), Some(end)) = (ends.next(), ends.next()) else { return };
        let range = ForRange { start, end, inclusive: range.inclusive, direction: range.direction, step: ends.next() };
        self.looped(span, |lower| {
            let (body, ()) = lower.nested(|lower| lower.block(body));
            StmtKind::For { local, range, body }
        });
    }

    pub(super) fn while_loop(&mut self, cond: &hir::Expr, body: &hir::Block, span: Span) {
        self.looped(span, |lower| {
            let (mut effects, cond) = lower.nested(|lower| lower.expr(cond));
            let (body, ()) = lower.nested(|lower| lower.block(body));
            if effects.is_empty() {
                return StmtKind::While { cond, body };
            }
            // A condition with effects moves into the body, as `if !cond { break }`.
            let cond_span = cond.span;
            let stop = Expr { kind: ExprKind::Op(Op::Not, vec![cond]), ty: Type::BOOL, span: cond_span };
            let then = vec![Stmt { kind: StmtKind::Break, span: cond_span }];
            effects.push(Stmt { kind: StmtKind::If { cond: stop, then, other: Vec::new() }, span: cond_span });
            effects.extend(body);
            StmtKind::While { cond: Literal::Bool(true).into(), body: effects }
        });
    }

    /// Appends the loop that `lower` makes, with the flags for jumps out of loops inside of it.
    pub(super) fn looped(&mut self, span: Span, lower: impl FnOnce(&mut Self) -> StmtKind) {
        self.loops.push(Loop::default());
        let mut kind = lower(self);
        let Loop { ends, continues, tests } = self.loops.pop().unwrap_or_default();
        let unset = |local| Stmt { kind: StmtKind::Let { local, init: Some(Literal::Bool(false).into()) }, span };
        if let StmtKind::For { body, .. } | StmtKind::While { body, .. } = &mut kind {
            body.splice(0..0, continues.map(unset));
        }
        self.out.extend(ends.map(unset));
        self.push(kind, span);
        for (flag, jump) in tests {
            let cond = Expr { kind: ExprKind::Local(flag), ty: Type::BOOL, span };
            self.push(StmtKind::If { cond, then: vec![Stmt { kind: jump.stmt(), span }], other: Vec::new() }, span);
        }
    }

    /// Lowers a `break` or `continue`. One of an outer loop, which the IR does not have, sets a flag and leaves the
    /// innermost loop. Behind each loop that it leaves, the flag is tested.
    pub(super) fn jump(&mut self, jump: Jump, outer: Option<&hir::Outer>, span: Span) {
        let Some(outer) = outer else { return self.push(jump.stmt(), span) };
        let Some(target) = self.loops.len().checked_sub(1 + outer.inside) else { return };
        let flag = self.flag(target, jump, &outer.label, span);
        for (place, left) in self.loops.iter_mut().enumerate().skip(target + 1) {
            let next = if place == target + 1 { jump } else { Jump::Break };
            if left.tests.iter().all(|(known, _)| *known != flag) {
                left.tests.push((flag, next));
            }
        }
        let place = Place { root: PlaceRoot::Local(flag), path: Vec::new(), ty: Type::BOOL, span };
        self.push(StmtKind::Assign { place, value: Literal::Bool(true).into() }, span);
        self.push(StmtKind::Break, span);
    }

    /// The flag for jumps to the loop at position `target`.
    fn flag(&mut self, target: usize, jump: Jump, label: &str, span: Span) -> LocalId {
        if let Some(flag) = *self.loops[target].flag(jump) {
            return flag;
        }
        let name = match jump {
            Jump::Break => format!("{label}_ends"),
            Jump::Continue => format!("{label}_continues"),
        };
        let flag = self.new_local(&name, Type::BOOL, true, span);
        *self.loops[target].flag(jump) = Some(flag);
        flag
    }
}

//! Optional arrays. A test whose branch uses the array unwraps it under its own name, which then hides the parameter.

use super::code::{Code, Level};
use super::writer::Writer;
use crate::ir::{Expr, ExprKind, ParamId, PlaceRoot, Stmt, StmtKind};
use crate::ops::Op;

/// A condition as written.
pub(super) struct Test {
    pub(super) code: Code,
    /// The arrays that it unwraps for the block behind it.
    pub(super) unwrapped: Vec<ParamId>,
}

impl Writer<'_> {
    /// The condition of a branch. It unwraps the arrays that it tests if the rest of it, or the branch, `uses` them.
    pub(super) fn test(&mut self, cond: &Expr, uses: impl Fn(ParamId) -> bool) -> Test {
        let mut parts = Vec::new();
        conjuncts(cond, &mut parts);
        let unwraps = |place: usize| {
            let ExprKind::Present(array) = parts[place].kind else { return None };
            let is_used = uses(array) || parts[place + 1..].iter().any(|part| accesses(part, array));
            (is_used && self.may_unwrap(array)).then_some(array)
        };
        let unwrapped: Vec<Option<ParamId>> = (0..parts.len()).map(unwraps).collect();
        if unwrapped.iter().all(Option::is_none) {
            return Test { code: self.open_expr(cond), unwrapped: Vec::new() };
        }
        let outside = self.unwrapped.len();
        let mut codes = Vec::new();
        for (part, unwrapped) in parts.into_iter().zip(&unwrapped) {
            codes.push(match unwrapped {
                Some(array) => self.unwrapping(*array),
                None => self.open_expr(part).at(Level::Compare),
            });
            self.unwrapped.extend(unwrapped);
        }
        self.unwrapped.truncate(outside);
        Test { code: Code::atom(codes.join(" && ")), unwrapped: unwrapped.into_iter().flatten().collect() }
    }

    /// Writes what stands where `unwrapped`, besides the arrays so far, is an array.
    pub(super) fn where_unwrapped<T>(&mut self, unwrapped: Vec<ParamId>, write: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.unwrapped.len();
        self.unwrapped.extend(unwrapped);
        let written = write(self);
        self.unwrapped.truncate(outside);
        written
    }

    /// The array that the statement unwraps for the statements `after` it: it is left where the array is absent.
    pub(super) fn unwrapped_below(&self, stmt: &Stmt, after: &[Stmt]) -> Option<ParamId> {
        let StmtKind::If { cond, then, other } = &stmt.kind else { return None };
        let ExprKind::Op(Op::Not, operands) = &cond.kind else { return None };
        let [Expr { kind: ExprKind::Present(array), .. }] = operands.as_slice() else { return None };
        let leaves = other.is_empty() && then.last().is_some_and(Stmt::is_jump);
        (leaves && self.may_unwrap(*array) && accesses_in(after, *array)).then_some(*array)
    }

    /// Writes `let Some(z) = z else { … };` for the statement, which leaves if the array is absent.
    pub(super) fn let_else(&mut self, array: ParamId, stmt: &Stmt) {
        let StmtKind::If { then, .. } = &stmt.kind else { return };
        let head = [&self.unwrapping(array), " else {"].concat();
        self.open(&head);
        self.where_unwrapped(Vec::new(), |w| w.block(then));
        self.close("};");
        self.unwrapped.push(array);
    }

    /// Whether the array is present, or absent.
    pub(super) fn presence(&self, array: ParamId, present: bool) -> Code {
        let name = self.param(array);
        if self.has_views {
            let is_none = match self.kernel.param(array).rank() {
                1 => format!("{name}.is_empty()"),
                _ => format!("{name}.shape().contains(&0)"),
            };
            return if present { Code::prefix("!", Code::atom(is_none)) } else { Code::atom(is_none) };
        }
        if self.unwrapped.contains(&array) {
            return Code::atom(present.to_string());
        }
        Code::atom([name, if present { ".is_some()" } else { ".is_none()" }].concat())
    }

    /// Whether the body borrows a mutable optional array, and so needs it declared `mut`.
    pub(super) fn needs_mut(&self, array: ParamId) -> bool {
        let param = self.kernel.param(array);
        param.is_optional() && param.is_mutable() && accesses_in(&self.kernel.body, array)
    }

    fn may_unwrap(&self, array: ParamId) -> bool {
        !self.has_views && !self.unwrapped.contains(&array)
    }

    /// `let Some(z) = z`. A writable array is borrowed, so that it can be unwrapped again.
    fn unwrapping(&self, array: ParamId) -> String {
        let (name, borrow) = (self.param(array), if self.kernel.param(array).is_mutable() { "&mut " } else { "" });
        format!("let Some({name}) = {borrow}{name}")
    }
}

/// The operands of a chain of `&&`.
fn conjuncts<'e>(cond: &'e Expr, parts: &mut Vec<&'e Expr>) {
    if let ExprKind::Op(Op::And, operands) = &cond.kind {
        operands.iter().for_each(|operand| conjuncts(operand, parts));
    } else {
        parts.push(cond);
    }
}

/// Whether the expression reads an element or an extent of the array, or passes it to a function.
pub(super) fn accesses(expr: &Expr, array: ParamId) -> bool {
    expr.any(&mut |expr| !matches!(expr.kind, ExprKind::Present(_)) && expr.params().contains(&array))
}

/// Whether the statements use elements of the array in another way than by testing its presence.
pub(super) fn accesses_in(block: &[Stmt], array: ParamId) -> bool {
    let writes = |stmt: &Stmt| {
        stmt.place().is_some_and(|place| matches!(place.root, PlaceRoot::Element { array: of, .. } if of == array))
    };
    block.iter().any(|stmt| stmt.any(&mut |stmt| writes(stmt) || stmt.any_expr(|expr| accesses(expr, array))))
}

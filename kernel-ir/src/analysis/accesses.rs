//! Every access of a kernel to its arrays.

use crate::ir::{AtomicOp, Expr, ExprKind, Kernel, ParamId, PlaceRoot, Span, Stmt, StmtKind};
use crate::ops::Op;
use std::collections::BTreeMap;

/// How a statement or expression touches an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// An element is loaded.
    Read,
    /// An element, or a part of it, is assigned.
    Write,
    /// `+=` or `-=`.
    Accumulate,
    /// Another update, which reads and writes.
    Change,
    /// An atomic update.
    Atomic(AtomicOp),
}

/// One place in a kernel that touches an array.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// What it does.
    pub kind: AccessKind,
    /// The indices, one an axis.
    pub index: &'a [Expr],
    /// Where it stands.
    pub span: Span,
    /// The statement that it is part of.
    pub stmt: &'a Stmt,
}

impl Access<'_> {
    /// Whether it leaves the array as it is.
    pub(super) fn is_read(&self) -> bool {
        self.kind == AccessKind::Read
    }
}

/// The accesses to each array that has any, in source order.
pub fn accesses(kernel: &Kernel) -> BTreeMap<ParamId, Vec<Access<'_>>> {
    accesses_to(kernel, &|_| true)
}

/// The same for the arrays that are `wanted`.
pub(super) fn accesses_to<'a>(
    kernel: &'a Kernel,
    wanted: &dyn Fn(ParamId) -> bool,
) -> BTreeMap<ParamId, Vec<Access<'a>>> {
    let mut found: BTreeMap<ParamId, Vec<Access<'_>>> = BTreeMap::new();
    kernel.walk_stmts(&mut |stmt| {
        stmt.walk_exprs(&mut |expr| {
            if let ExprKind::Load { array, index } = &expr.kind
                && wanted(*array)
            {
                let access = Access { kind: AccessKind::Read, index, span: expr.span, stmt };
                found.entry(*array).or_default().push(access);
            }
        });
        if let Some((array, access)) = written(stmt).filter(|(array, _)| wanted(*array)) {
            found.entry(array).or_default().push(access);
        }
    });
    found
}

/// The array that a statement itself writes to, and how.
pub fn written(stmt: &Stmt) -> Option<(ParamId, Access<'_>)> {
    let (kind, place) = match &stmt.kind {
        StmtKind::Assign { place, .. } => (AccessKind::Write, place),
        StmtKind::Update { place, op: Op::Add | Op::Sub, .. } => (AccessKind::Accumulate, place),
        StmtKind::Update { place, .. } => (AccessKind::Change, place),
        StmtKind::Atomic { op, place, .. } => (AccessKind::Atomic(*op), place),
        StmtKind::Let { .. }
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::While { .. }
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_) => return None,
    };
    let PlaceRoot::Element { array, index } = &place.root else { return None };
    Some((*array, Access { kind, index, span: place.span, stmt }))
}

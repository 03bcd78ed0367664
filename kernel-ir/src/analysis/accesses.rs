//! Collects the accesses of a kernel to its arrays.

use crate::ir::{AtomicOp, Expr, ExprKind, Kernel, ParamId, PlaceRoot, Span, Stmt, StmtKind};
use crate::ops::Op;
use std::collections::BTreeMap;

/// The kind of an access to an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// An element is loaded.
    Read,
    /// An element, or a part of an element, is assigned.
    Write,
    /// `+=` or `-=`.
    Accumulate,
    /// Any other update that reads and writes.
    Change,
    /// An atomic update.
    Atomic(AtomicOp),
}

/// One access to an array.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// The kind of access.
    pub kind: AccessKind,
    /// The indices, one for each axis; none if a function takes the array, and may read any element.
    pub index: &'a [Expr],
    /// The source position.
    pub span: Span,
    /// The statement that contains the access.
    pub stmt: &'a Stmt,
}

impl Access<'_> {
    /// Whether the access leaves the array unchanged.
    pub(super) fn is_read(&self) -> bool {
        self.kind == AccessKind::Read
    }
}

/// The accesses to each array that has any, in source order.
pub fn accesses(kernel: &Kernel) -> BTreeMap<ParamId, Vec<Access<'_>>> {
    accesses_to(kernel, &|_| true)
}

/// As [`accesses`], for the arrays for which `wanted` is true.
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
            } else if let ExprKind::Call(callee, _) = &expr.kind {
                for array in callee.arrays.iter().filter(|array| wanted(**array)) {
                    let access = Access { kind: AccessKind::Read, index: &[], span: expr.span, stmt };
                    found.entry(*array).or_default().push(access);
                }
            }
        });
        if let Some((array, access)) = written(stmt).filter(|(array, _)| wanted(*array)) {
            found.entry(array).or_default().push(access);
        }
    });
    found
}

/// The array that a statement itself writes to, with the access. Nested statements do not count.
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
        | StmtKind::Return(_)
        | StmtKind::Print(_) => return None,
    };
    let PlaceRoot::Element { array, index } = &place.root else { return None };
    Some((*array, Access { kind, index, span: place.span, stmt }))
}

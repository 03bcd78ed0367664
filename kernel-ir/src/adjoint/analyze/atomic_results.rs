//! Refuses gradients that depend on the result of an atomic operation. The result depends on the order of the threads,
//! and the reverse sweep runs the threads in another order.
//!
//! There are two checks. `check_active` runs before the reverse sweep and refuses derivatives through a result.
//! `check_unavailable` runs on the adjoint and refuses any other use, such as a condition or an index.

use super::activity::Activity;
use crate::diag::Diagnostic;
use crate::ir::{Block, ExprKind, Kernel, LocalId, LocalMap, Span, Stmt, StmtKind};
use std::collections::BTreeMap;

/// The locals that receive the results of atomic operations.
#[derive(Debug, Default)]
pub(crate) struct AtomicResults {
    /// The place of the atomic operation, and the place of the first read of its result.
    places: BTreeMap<LocalId, (Span, Span)>,
}

impl AtomicResults {
    pub(crate) fn of(kernel: &Kernel) -> AtomicResults {
        let mut places = BTreeMap::new();
        kernel.walk_stmts(&mut |stmt| {
            if let StmtKind::Atomic { result: Some(result), .. } = stmt.kind {
                places.entry(result).or_insert((stmt.span, None));
            }
        });
        if places.is_empty() {
            return AtomicResults::default();
        }
        kernel.walk_stmts(&mut |stmt| {
            for whole in stmt.exprs() {
                whole.walk(&mut |expr| {
                    if let ExprKind::Local(local) = expr.kind
                        && let Some((atomic, read @ None)) = places.get_mut(&local)
                    {
                        // A call that is an operand of another expression has the same span as its first read. A larger
                        // span around it points at the use.
                        let around = [expr.span, whole.span, assigned(stmt)];
                        *read = around.into_iter().find(|span| !span.is(*atomic));
                    }
                });
            }
        });
        let read =
            |(result, (atomic, read)): (LocalId, (Span, Option<Span>))| (result, (atomic, read.unwrap_or(atomic)));
        AtomicResults { places: places.into_iter().map(read).collect() }
    }

    /// Checks that no derivative goes through an atomic result.
    pub(crate) fn check_active(&self, activity: &Activity) -> Result<(), Vec<Diagnostic>> {
        self.report(|result| activity.is_active(result))
    }

    /// Checks that the adjoint `body` reads no atomic result. `unavailable` maps locals of the adjoint to the locals of
    /// the source that received the results.
    pub(crate) fn check_unavailable(
        &self,
        body: &Block,
        unavailable: &LocalMap<LocalId>,
    ) -> Result<(), Vec<Diagnostic>> {
        if unavailable.is_empty() {
            return Ok(());
        }
        let mut needed = Vec::new();
        for stmt in body {
            stmt.walk(&mut |stmt| {
                stmt.walk_exprs(&mut |expr| {
                    if let ExprKind::Local(local) = &expr.kind {
                        needed.extend(unavailable.get(*local));
                    }
                });
            });
        }
        self.report(|result| needed.contains(&result))
    }

    fn report(&self, is_needed: impl Fn(LocalId) -> bool) -> Result<(), Vec<Diagnostic>> {
        let mistake = |(atomic, read): &(Span, Span)| {
            let message = "no exact gradient: the result of this atomic operation depends on the order of the threads";
            Diagnostic::new(*atomic, message)
                .related(*read, "the gradient depends on it here")
                .help("read the array in a later launch, or take an index from `tid()`, or mark the kernel `no_grad`")
        };
        let needed = self.places.iter().filter(|(result, _)| is_needed(**result));
        let mistakes: Vec<Diagnostic> = needed.map(|(_, places)| mistake(places)).collect();
        if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
    }
}

/// The span of the place that a statement assigns; the span of the statement if it assigns none.
fn assigned(stmt: &Stmt) -> Span {
    match &stmt.kind {
        StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => place.span,
        StmtKind::Let { .. }
        | StmtKind::Atomic { .. }
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::While { .. }
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Print(_) => stmt.span,
    }
}

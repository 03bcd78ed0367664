//! What atomic operations return depends on the order of the threads, so no gradient may depend on it.

use super::activity::Activity;
use crate::diag::Diagnostic;
use crate::ir::{Block, ExprKind, Kernel, LocalId, LocalMap, Span, Stmt, StmtKind};
use std::collections::BTreeMap;

/// The locals of a kernel that receive what atomic operations return.
#[derive(Debug, Default)]
pub(crate) struct AtomicResults {
    /// Where each is received, and where it is read first.
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
                        // A call in an expression is read where it stands; what is around it says more.
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

    /// No derivative goes through what an atomic operation returns.
    pub(crate) fn check_active(&self, activity: &Activity) -> Result<(), Vec<Diagnostic>> {
        self.report(|result| activity.is_active(result))
    }

    /// Nothing that the adjoint `body` computes needs it. `unavailable`: the locals that stand for results there, and the results.
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
            let message = "no exact gradient: what this atomic operation returns depends on the order of the threads";
            Diagnostic::new(*atomic, message)
                .related(*read, "and the gradient depends on it here")
                .help("read the array in a later launch, or take an index from `tid()`, or mark the kernel `no_grad`")
        };
        let needed = self.places.iter().filter(|(result, _)| is_needed(**result));
        let mistakes: Vec<Diagnostic> = needed.map(|(_, places)| mistake(places)).collect();
        if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
    }
}

/// What a statement assigns, or the statement.
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
        | StmtKind::Return(_) => stmt.span,
    }
}

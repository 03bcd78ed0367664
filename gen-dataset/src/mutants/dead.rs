//! Removes code that a mistake made dead. Someone who makes a mistake does not write the code that would only have
//! served the right version.

use crate::synth::{jumps, live, number_locals};
use kernel_ir::ir::{Block, ExprKind, Kernel, LocalId, Place, PlaceRoot, Stmt, StmtKind};
use kernel_ir::verify::{self, VerifiedKernel};
use std::collections::HashSet;

/// The mutant without the locals that `kernel` needs and the mutant does not. `None` if the result breaks a rule or has
/// a shape that nobody writes.
///
/// Locals that are dead in `kernel` already stay. A local that is no longer assigned becomes immutable, and a loop
/// variable that is no longer read becomes `_`, as in other kernels.
pub(super) fn without_dead(kernel: &Kernel, mutant: VerifiedKernel) -> Option<VerifiedKernel> {
    let dead: HashSet<LocalId> = live(kernel).difference(&live(mutant.with_tiles())).copied().collect();
    let mut bare = mutant.with_tiles().clone();
    drop_dead(&mut bare.body, &dead);
    // `if c {} else { … }` tells a reader that something was deleted.
    let mut is_odd = false;
    bare.walk_stmts(&mut |stmt| {
        is_odd |= matches!(&stmt.kind, StmtKind::If { then, other, .. } if then.is_empty() && !other.is_empty());
    });
    if is_odd {
        return None;
    }
    let (reads, changes) = (read(&kernel.body), changed(&kernel.body));
    let (still_read, still_changed) = (read(&bare.body), changed(&bare.body));
    let mut loops = HashSet::new();
    let mut begun = HashSet::new();
    bare.walk_stmts(&mut |stmt| match stmt.kind {
        StmtKind::For { local, .. } => drop(loops.insert(local)),
        StmtKind::Let { local, init: Some(_) } => drop(begun.insert(local)),
        _ => {}
    });
    for (id, local) in (0..).map(LocalId).zip(&mut bare.locals) {
        if begun.contains(&id) && changes.contains(&id) && !still_changed.contains(&id) {
            local.mutable = false;
        }
        if loops.contains(&id) && reads.contains(&id) && !still_read.contains(&id) {
            local.name = "_".to_owned();
        }
    }
    if bare == *mutant.with_tiles() {
        return Some(mutant);
    }
    number_locals(&mut bare);
    verify::verify(bare).ok()
}

/// Removes the statements that only serve dead locals.
fn drop_dead(block: &mut Block, dead: &HashSet<LocalId>) {
    block.retain(|stmt| !serves(stmt, dead));
    for stmt in block {
        stmt.blocks_mut().for_each(|block| drop_dead(block, dead));
    }
}

/// Whether the statement only serves dead locals.
fn serves(stmt: &Stmt, dead: &HashSet<LocalId>) -> bool {
    let is_dead = |place: &Place| match place.root {
        PlaceRoot::Local(local) | PlaceRoot::LocalElement { local, .. } => dead.contains(&local),
        PlaceRoot::Element { .. } => false,
    };
    match &stmt.kind {
        StmtKind::Let { local, .. } => dead.contains(local),
        StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => is_dead(place),
        StmtKind::If { .. } | StmtKind::For { .. } | StmtKind::While { .. } => {
            // A `break` or `continue` ends a trip of the enclosing loop, so it goes only together with that loop.
            !jumps(stmt) && changes_dead(stmt, dead) && stmt.blocks().flatten().all(|stmt| serves_or_jumps(stmt, dead))
        }
        StmtKind::Atomic { .. } | StmtKind::Return(_) | StmtKind::Print(_) | StmtKind::Break | StmtKind::Continue => {
            false
        }
    }
}

/// Whether the statement only serves dead locals or ends a trip of the enclosing loop.
fn serves_or_jumps(stmt: &Stmt, dead: &HashSet<LocalId>) -> bool {
    match &stmt.kind {
        StmtKind::Break | StmtKind::Continue => true,
        StmtKind::If { .. } if jumps(stmt) => stmt.blocks().flatten().all(|stmt| serves_or_jumps(stmt, dead)),
        _ => serves(stmt, dead),
    }
}

/// Whether a statement inside `stmt` assigns a dead local.
fn changes_dead(stmt: &Stmt, dead: &HashSet<LocalId>) -> bool {
    let mut changes = false;
    stmt.walk(&mut |stmt| {
        let declared = match &stmt.kind {
            StmtKind::Let { local, .. } => Some(*local),
            _ => None,
        };
        changes |= declared.or(stmt.assigned_local()).is_some_and(|local| dead.contains(&local));
    });
    changes
}

/// The locals that the body reads.
fn read(body: &Block) -> HashSet<LocalId> {
    let mut found = HashSet::new();
    for stmt in body {
        stmt.walk_exprs(&mut |expr| {
            if let ExprKind::Local(local) | ExprKind::LocalElement { local, .. } = expr.kind {
                found.insert(local);
            }
        });
    }
    found
}

/// The locals that are assigned after their declaration.
fn changed(body: &Block) -> HashSet<LocalId> {
    let mut found = HashSet::new();
    for stmt in body {
        stmt.walk(&mut |stmt| found.extend(stmt.assigned_local()));
    }
    found
}

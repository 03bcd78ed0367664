//! What a mistake makes dead: who makes one does not leave behind what only served the place where it is.

use crate::synth::{jumps, live, number_locals};
use kernel_ir::ir::{Block, ExprKind, Kernel, LocalId, Place, PlaceRoot, Stmt, StmtKind};
use kernel_ir::verify::{self, VerifiedKernel};
use std::collections::HashSet;

/// The mutant without the locals that nothing needs any more, and that `kernel` needs; none if it then breaks a rule, or looks
/// as nobody writes.
///
/// What the kernel itself has for nothing stays. A local that is not changed any more is declared so, and the variable of
/// a loop that is not read any more is `_`, as in other kernels.
pub(super) fn without_dead(kernel: &Kernel, mutant: VerifiedKernel) -> Option<VerifiedKernel> {
    let dead: HashSet<LocalId> = live(kernel).difference(&live(&mutant)).copied().collect();
    let mut bare = (*mutant).clone();
    drop_dead(&mut bare.body, &dead);
    // Nobody writes a branch that does something only where its condition does not hold.
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
    if bare == *mutant {
        return Some(mutant);
    }
    number_locals(&mut bare);
    verify::verify(bare).ok()
}

/// Drops what serves dead locals alone.
fn drop_dead(block: &mut Block, dead: &HashSet<LocalId>) {
    block.retain(|stmt| !serves(stmt, dead));
    for stmt in block {
        stmt.blocks_mut().for_each(|block| drop_dead(block, dead));
    }
}

/// Whether the statement serves dead locals, and nothing else.
fn serves(stmt: &Stmt, dead: &HashSet<LocalId>) -> bool {
    let is_dead = |place: &Place| match place.root {
        PlaceRoot::Local(local) | PlaceRoot::LocalElement { local, .. } => dead.contains(&local),
        PlaceRoot::Element { .. } => false,
    };
    match &stmt.kind {
        StmtKind::Let { local, .. } => dead.contains(local),
        StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => is_dead(place),
        StmtKind::If { .. } | StmtKind::For { .. } | StmtKind::While { .. } => {
            // A branch that leaves the loop goes with the loop, not before.
            !jumps(stmt) && changes_dead(stmt, dead) && stmt.blocks().flatten().all(|stmt| serves_or_jumps(stmt, dead))
        }
        StmtKind::Atomic { .. } | StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => false,
    }
}

/// Whether the statement serves dead locals or leaves a trip of the loop around it, and nothing else.
fn serves_or_jumps(stmt: &Stmt, dead: &HashSet<LocalId>) -> bool {
    match &stmt.kind {
        StmtKind::Break | StmtKind::Continue => true,
        StmtKind::If { .. } if jumps(stmt) => stmt.blocks().flatten().all(|stmt| serves_or_jumps(stmt, dead)),
        _ => serves(stmt, dead),
    }
}

/// Whether something in the statement changes a dead local.
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

/// The locals that are read anywhere.
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

/// The locals that are assigned after they are declared.
fn changed(body: &Block) -> HashSet<LocalId> {
    let mut found = HashSet::new();
    for stmt in body {
        stmt.walk(&mut |stmt| found.extend(stmt.assigned_local()));
    }
    found
}

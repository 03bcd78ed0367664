//! Liveness: what is read later, and the removal of what is not.
//!
//! Writes to array parameters are what a kernel is for; a statement stays only if it leads to one.

use crate::ir::{Block, Expr, ExprKind, LocalSet, Place, PlaceRoot, Stmt, StmtKind};

/// The locals whose values are read later.
pub(super) type Live = LocalSet;

/// Removes from `block` what nobody needs who reads the locals `live` after it. Afterwards `live` holds those whose
/// values before the block matter.
pub(super) fn sweep(block: &mut Block, live: &mut Live) {
    Liveness { at_exit: None }.block(block, live);
    drop_declarations(block);
}

/// As [`sweep`], for the body of a loop: its `break` and `continue` lead to where `live` holds.
pub(super) fn sweep_trip(block: &mut Block, live: &mut Live) {
    Liveness { at_exit: Some(live.clone()) }.block(block, live);
    drop_declarations(block);
}

/// Removes the declarations of locals that nothing names.
fn drop_declarations(block: &mut Block) {
    let mut named = Live::default();
    for stmt in block.iter() {
        stmt.walk(&mut |stmt| {
            stmt.walk_exprs(&mut |expr| note(expr, &mut named));
            named.extend(stmt.assigned_local());
        });
    }
    drop_unless(block, &named);
}

fn drop_unless(block: &mut Block, named: &Live) {
    block.retain(|stmt| !matches!(stmt.kind, StmtKind::Let { local, .. } if !named.contains(local)));
    for stmt in block {
        stmt.blocks_mut().for_each(|block| drop_unless(block, named));
    }
}

struct Liveness {
    /// What is read after a `break` or `continue` of the innermost loop.
    at_exit: Option<Live>,
}

impl Liveness {
    fn block(&mut self, block: &mut Block, live: &mut Live) {
        let mut stays: Vec<bool> = block.iter_mut().rev().map(|stmt| self.stmt(stmt, live)).collect();
        block.retain(|_| stays.pop() == Some(true));
    }

    /// Whether the statement stays.
    fn stmt(&mut self, stmt: &mut Stmt, live: &mut Live) -> bool {
        match &mut stmt.kind {
            StmtKind::Let { local, init } => {
                match init {
                    Some(value) if live.remove(*local) => read(value, live),
                    // The value is not read, but another may be assigned later.
                    _ => *init = None,
                }
            }
            StmtKind::Assign { place, value } => {
                if !self.write(place, true, live) {
                    return false;
                }
                read(value, live);
            }
            StmtKind::Update { place, value, .. } => {
                if !self.write(place, false, live) {
                    return false;
                }
                read(value, live);
            }
            StmtKind::Atomic { place, value, result, .. } => {
                *result = result.filter(|local| live.remove(*local));
                self.write(place, false, live);
                read(value, live);
            }
            StmtKind::If { cond, then, other } => {
                let mut after_other = live.clone();
                self.block(then, live);
                self.block(other, &mut after_other);
                if then.iter().chain(other.iter()).all(is_declaration) {
                    return false;
                }
                live.add(&after_other);
                read(cond, live);
            }
            StmtKind::For { local, range, body } => {
                if !self.repeat(None, body, live) {
                    return false;
                }
                live.remove(*local);
                for bound in [&range.start, &range.end].into_iter().chain(&range.step) {
                    read(bound, live);
                }
            }
            StmtKind::While { cond, body } => return self.repeat(Some(cond), body, live),
            StmtKind::Break | StmtKind::Continue => {
                if let Some(at_exit) = &self.at_exit {
                    live.clone_from(at_exit);
                }
            }
            StmtKind::Return(_) => live.clear(),
        }
        true
    }

    /// Whether the loop stays.
    fn repeat(&mut self, cond: Option<&Expr>, body: &mut Block, live: &mut Live) -> bool {
        // What is read after a trip: after the loop, or in the next trip.
        let mut around = live.clone();
        cond.iter().for_each(|cond| read(cond, &mut around));
        loop {
            let (mut trial, mut before) = (body.clone(), around.clone());
            self.body(&mut trial, &mut before, &around);
            if !around.add(&before) {
                *body = trial;
                break;
            }
        }
        if !body.iter().any(has_effect) {
            return false;
        }
        *live = around;
        true
    }

    fn body(&mut self, body: &mut Block, live: &mut Live, at_exit: &Live) {
        let outer = self.at_exit.replace(at_exit.clone());
        self.block(body, live);
        self.at_exit = outer;
    }

    /// Whether a write to `place` matters.
    fn write(&self, place: &Place, replaces: bool, live: &mut Live) -> bool {
        match &place.root {
            PlaceRoot::Local(local) if replaces && place.path.is_empty() => {
                if !live.remove(*local) {
                    return false;
                }
            }
            PlaceRoot::Local(local) | PlaceRoot::Slot { local, .. } => {
                if !live.contains(*local) {
                    return false;
                }
            }
            PlaceRoot::Element { .. } => {}
        }
        place.exprs().for_each(|index| read(index, live));
        true
    }
}

fn read(expr: &Expr, live: &mut Live) {
    expr.walk(&mut |expr| note(expr, live));
}

/// Adds what `expr` itself reads.
fn note(expr: &Expr, live: &mut Live) {
    if let ExprKind::Local(local) | ExprKind::Slot { local, .. } = expr.kind {
        live.insert(local);
    }
}

/// Whether the statement does more than to decide where a loop goes on.
fn has_effect(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Break | StmtKind::Continue | StmtKind::Let { .. } => false,
        StmtKind::If { then, other, .. } => then.iter().chain(other).any(has_effect),
        _ => true,
    }
}

fn is_declaration(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Let { .. })
}

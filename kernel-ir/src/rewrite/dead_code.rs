//! Dead-code elimination by backward liveness.
//!
//! The writes to array parameters are the roots. A statement stays only if it is such a write, or if a staying
//! statement depends on its effect or its control flow. Reverse loops use the pass, too, to find the state that a trip
//! needs: the locals that are live at its start.

use super::build;
use crate::ir::{Block, Expr, LocalSet, Place, PlaceRoot, Stmt, StmtKind};

/// The locals that are live: their current values are read later.
pub(crate) type Live = LocalSet;

/// Removes dead statements from `block`, and declarations of locals that nothing names. On entry `live` holds the
/// locals that are read after the block; on exit it holds the locals that are live before the block.
pub(crate) fn eliminate(block: &mut Block, live: &mut Live) {
    Liveness { at_exit: None, named: Live::default(), is_trial: false }.block(block, live);
}

/// As [`eliminate`], for the body of a loop. A `break` or `continue` leads to a point where `live` holds.
pub(crate) fn eliminate_in_trip(block: &mut Block, live: &mut Live) {
    Liveness { at_exit: Some(live.clone()), named: Live::default(), is_trial: false }.block(block, live);
}

/// The state of a backward walk.
struct Liveness {
    /// The locals that are live after a `break` or `continue` of the innermost loop.
    at_exit: Option<Live>,
    /// The locals that the kept statements name.
    named: Live,
    /// Whether the walk only computes liveness and removes nothing. A loop needs such walks until its fixpoint is
    /// reached.
    is_trial: bool,
}

/// The strongest effect of the kept statements of a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rest {
    /// Only declarations.
    Declarations,
    /// Also `break` or `continue` of a surrounding loop.
    Exits,
    /// Also writes.
    Effects,
}

impl Liveness {
    fn block(&mut self, block: &mut Block, live: &mut Live) -> Rest {
        // The walk is backward: each statement sees the locals that are live after it.
        let mut rest = Rest::Declarations;
        let mut stays: Vec<bool> = Vec::with_capacity(block.len());
        for stmt in block.iter_mut().rev() {
            let of_stmt = self.stmt(stmt, live);
            stays.push(of_stmt.is_some());
            rest = rest.max(of_stmt.unwrap_or(rest));
        }
        if !self.is_trial {
            block.retain(|_| stays.pop() == Some(true));
        }
        rest
    }

    /// The effect of the statement; `None` if it is dead.
    fn stmt(&mut self, stmt: &mut Stmt, live: &mut Live) -> Option<Rest> {
        match &mut stmt.kind {
            StmtKind::Let { local, init } => {
                match init {
                    Some(value) if live.remove(*local) => self.read(value, live),
                    // The initial value is dead. The declaration may still be needed for a later assignment.
                    _ if !self.is_trial => *init = None,
                    _ => {}
                }
                return self.named.contains(*local).then_some(Rest::Declarations);
            }
            StmtKind::Assign { place, value } => {
                if !self.write(place, true, live) {
                    return None;
                }
                self.read(value, live);
            }
            StmtKind::Update { place, value, .. } => {
                if !self.write(place, false, live) {
                    return None;
                }
                self.read(value, live);
            }
            StmtKind::Atomic { place, compare, value, result, .. } => {
                // An atomic is a write to an array, so it stays, but its result may be dead.
                let read = result.filter(|local| live.remove(*local));
                self.named.extend(read);
                if !self.is_trial {
                    *result = read;
                }
                self.write(place, false, live);
                self.read(value, live);
                compare.iter_mut().for_each(|compare| self.read(compare, live));
            }
            StmtKind::If { cond, then, other } => {
                let mut after_other = live.clone();
                let rest = self.block(then, live).max(self.block(other, &mut after_other));
                // Declarations are visible in their branch only, so a branch that only declares has no effect.
                if rest == Rest::Declarations {
                    return None;
                }
                live.add(&after_other);
                self.read(cond, live);
                // As in `build::branch`, the first branch is not left empty: the condition is inverted instead.
                if !self.is_trial && then.is_empty() {
                    let holds = std::mem::replace(cond, build::bool(true));
                    (*cond, *then) = (build::not(holds), std::mem::take(other));
                }
                return Some(rest);
            }
            StmtKind::For { local, range, body } => {
                if !self.repeat(None, body, live) {
                    return None;
                }
                // The loop variable is declared by the loop, so it is not live before it.
                live.remove(*local);
                for bound in [&range.start, &range.end].into_iter().chain(&range.step) {
                    self.read(bound, live);
                }
            }
            StmtKind::While { cond, body } => return self.repeat(Some(cond), body, live).then_some(Rest::Effects),
            StmtKind::Break | StmtKind::Continue => {
                if let Some(at_exit) = &self.at_exit {
                    live.clone_from(at_exit);
                }
                return Some(Rest::Exits);
            }
            StmtKind::Print(message) => message.args.iter().for_each(|arg| self.read(arg, live)),
            // Nothing after a `return` runs.
            StmtKind::Return(value) => {
                live.clear();
                value.iter().for_each(|value| self.read(value, live));
            }
        }
        Some(Rest::Effects)
    }

    /// The liveness of a loop; returns whether the loop stays.
    fn repeat(&mut self, cond: Option<&Expr>, body: &mut Block, live: &mut Live) -> bool {
        let (named, is_trial) = (self.named.clone(), self.is_trial);
        // The locals that are live after a trip: after the loop, or at the start of the next trip. The set grows to a
        // fixpoint.
        let mut around = live.clone();
        if let Some(cond) = cond {
            self.read(cond, &mut around);
        }
        self.is_trial = true;
        let rest = loop {
            let mut before = around.clone();
            let rest = self.trip(body, &mut before, &around);
            if !around.add(&before) {
                break rest;
            }
        };
        self.is_trial = is_trial;
        if rest < Rest::Effects {
            // The walk of a dead body has marked locals as named.
            self.named = named;
            return false;
        }
        if !is_trial {
            self.trip(body, &mut around.clone(), &around);
        }
        // The loop may have no trips, so the locals that are live after it are live before it, too.
        *live = around;
        true
    }

    fn trip(&mut self, body: &mut Block, live: &mut Live, at_exit: &Live) -> Rest {
        let outer = self.at_exit.replace(at_exit.clone());
        let rest = self.block(body, live);
        self.at_exit = outer;
        rest
    }

    /// Whether a write to `place` is live. `replaces`: the write does not read the old value. A write to a whole local
    /// ends the liveness of its old value; a write to a part of it, or to an element, does not.
    fn write(&mut self, place: &Place, replaces: bool, live: &mut Live) -> bool {
        if let Some(local) = place.root.local() {
            let is_whole = matches!(place.root, PlaceRoot::Local(_)) && replaces && place.path.is_empty();
            if !(if is_whole { live.remove(local) } else { live.contains(local) }) {
                return false;
            }
            self.named.insert(local);
        }
        place.any_expr(|index| {
            self.read(index, live);
            false
        });
        true
    }

    fn read(&mut self, expr: &Expr, live: &mut Live) {
        expr.walk(&mut |expr| {
            if let Some(local) = expr.local_read() {
                live.insert(local);
                self.named.insert(local);
            }
        });
    }
}

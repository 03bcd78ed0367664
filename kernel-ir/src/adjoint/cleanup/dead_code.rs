//! Dead-code elimination: liveness, and the removal of what is not read later.
//!
//! Writes to array parameters are what a kernel is for; a statement stays only if it leads to one.

use crate::adjoint::build;
use crate::ir::{Block, Expr, LocalSet, Place, PlaceRoot, Stmt, StmtKind};

/// The locals whose values are read later.
pub(crate) type Live = LocalSet;

/// Removes from `block` what nobody needs who reads the locals `live` after it, and the declarations of locals that
/// nothing names. Afterwards `live` holds those whose values before the block matter.
pub(crate) fn eliminate(block: &mut Block, live: &mut Live) {
    Liveness { at_exit: None, named: Live::default(), is_trial: false }.block(block, live);
}

/// As [`eliminate`], for the body of a loop: its `break` and `continue` lead to where `live` holds.
pub(crate) fn eliminate_in_trip(block: &mut Block, live: &mut Live) {
    Liveness { at_exit: Some(live.clone()), named: Live::default(), is_trial: false }.block(block, live);
}

/// A walk through statements from the last to the first.
struct Liveness {
    /// What is read after a `break` or `continue` of the innermost loop.
    at_exit: Option<Live>,
    /// The locals that statements name which stay.
    named: Live,
    /// Whether nothing is removed yet: what is read after a trip of a loop shows only when the loop has been gone through.
    is_trial: bool,
}

/// What the statements of a block that stay do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rest {
    /// They declare locals.
    Declarations,
    /// They decide where a loop goes on, too.
    Exits,
    /// They do more than that.
    Effects,
}

impl Liveness {
    fn block(&mut self, block: &mut Block, live: &mut Live) -> Rest {
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

    /// What the statement does; `None` if it does not stay.
    fn stmt(&mut self, stmt: &mut Stmt, live: &mut Live) -> Option<Rest> {
        match &mut stmt.kind {
            StmtKind::Let { local, init } => {
                match init {
                    Some(value) if live.remove(*local) => self.read(value, live),
                    // The value is not read, but another may be assigned later.
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
            StmtKind::Atomic { place, value, result, .. } => {
                let read = result.filter(|local| live.remove(*local));
                self.named.extend(read);
                if !self.is_trial {
                    *result = read;
                }
                self.write(place, false, live);
                self.read(value, live);
            }
            StmtKind::If { cond, then, other } => {
                let mut after_other = live.clone();
                let rest = self.block(then, live).max(self.block(other, &mut after_other));
                if rest == Rest::Declarations {
                    return None;
                }
                live.add(&after_other);
                self.read(cond, live);
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
            StmtKind::Return(_) => live.clear(),
        }
        Some(Rest::Effects)
    }

    /// Whether the loop stays.
    fn repeat(&mut self, cond: Option<&Expr>, body: &mut Block, live: &mut Live) -> bool {
        let (named, is_trial) = (self.named.clone(), self.is_trial);
        // What is read after a trip: after the loop, or in the next trip.
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
            self.named = named;
            return false;
        }
        if !is_trial {
            self.trip(body, &mut around.clone(), &around);
        }
        *live = around;
        true
    }

    fn trip(&mut self, body: &mut Block, live: &mut Live, at_exit: &Live) -> Rest {
        let outer = self.at_exit.replace(at_exit.clone());
        let rest = self.block(body, live);
        self.at_exit = outer;
        rest
    }

    /// Whether a write to `place` matters.
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

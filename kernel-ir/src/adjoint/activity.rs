//! Which values a derivative goes through: those that depend on a float input (*varied*) and reach an output (*useful*).
//!
//! Every float parameter is an input, the elements of mutable arrays before the launch among them; the elements of
//! mutable arrays after it are the outputs. The analysis does not look at the order of statements: a local is varied if
//! one of its values is.

use crate::ir::{Expr, ExprKind, Kernel, LocalId, ParamId, PlaceRoot, Stmt, StmtKind, Type};
use crate::ops;
use std::collections::HashSet;

/// What the analysis found.
#[derive(Debug)]
pub(super) struct Activity {
    varied: HashSet<LocalId>,
    useful: HashSet<LocalId>,
}

impl Activity {
    pub(super) fn of(kernel: &Kernel) -> Activity {
        let mut found = Activity { varied: HashSet::new(), useful: HashSet::new() };
        // Both sets only grow, so this ends.
        loop {
            let before = (found.varied.len(), found.useful.len());
            kernel.walk_stmts(&mut |stmt| found.visit(stmt));
            if before == (found.varied.len(), found.useful.len()) {
                return found;
            }
        }
    }

    fn visit(&mut self, stmt: &Stmt) {
        let (root, value) = match &stmt.kind {
            StmtKind::Let { local, init: Some(init) } => (PlaceRoot::Local(*local), init),
            StmtKind::Assign { place, value }
            | StmtKind::Update { place, value, .. }
            | StmtKind::Atomic { place, value, .. } => (place.root.clone(), value),
            _ => return,
        };
        let useful = match root {
            PlaceRoot::Local(local) | PlaceRoot::Slot { local, .. } => {
                if self.is_varied(value) {
                    self.varied.insert(local);
                }
                self.useful.contains(&local)
            }
            PlaceRoot::Element { .. } => true,
        };
        if useful {
            smooth_leaves(value, &mut |leaf| {
                if let ExprKind::Local(local) = leaf.kind {
                    self.useful.insert(local);
                }
            });
        }
    }

    /// Whether the value of `expr` has a derivative by some input.
    pub(super) fn is_varied(&self, expr: &Expr) -> bool {
        let mut varied = false;
        smooth_leaves(expr, &mut |leaf| {
            varied |= match &leaf.kind {
                ExprKind::Local(local) => self.varied.contains(local),
                _ => true,
            };
        });
        varied
    }

    /// Whether a derivative goes through the local.
    pub(super) fn is_active(&self, local: LocalId) -> bool {
        self.varied.contains(&local) && self.useful.contains(&local)
    }
}

/// Calls `visit` on the locals, parameters and loads that `expr` depends on smoothly.
pub(super) fn smooth_leaves<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    if !expr.ty.is_float() {
        return;
    }
    match &expr.kind {
        ExprKind::Local(_) | ExprKind::Param(_) | ExprKind::Load { .. } => visit(expr),
        ExprKind::Literal(_) | ExprKind::Tid(_) | ExprKind::Extent { .. } | ExprKind::Slot { .. } => {}
        ExprKind::Op(op, args) => {
            let types: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
            for (arg, rule) in args.iter().zip(ops::pullback(*op, &types, expr.ty)) {
                if rule.is_some() {
                    smooth_leaves(arg, visit);
                }
            }
        }
        ExprKind::Cast(inner) | ExprKind::Component(inner, _) | ExprKind::Column(inner, _) => {
            smooth_leaves(inner, visit);
        }
        ExprKind::Select { then, other, .. } => {
            smooth_leaves(then, visit);
            smooth_leaves(other, visit);
        }
    }
}

/// The arrays that `expr` reads where its value depends on them smoothly.
pub(super) fn smooth_loads(expr: &Expr) -> Vec<(&Expr, ParamId)> {
    let mut loads = Vec::new();
    smooth_leaves(expr, &mut |leaf| {
        if let ExprKind::Load { array, .. } = leaf.kind {
            loads.push((leaf, array));
        }
    });
    loads
}

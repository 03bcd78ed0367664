//! Activity analysis: a value is *varied* if it depends on a float input, *useful* if a float output depends on it, and
//! *active* if it is both. Only active values get adjoints.
//!
//! Inputs are the float parameters, including the elements of mutable arrays before the launch. Outputs are the
//! elements of mutable arrays after the launch. The analysis is flow-insensitive: a local is varied if one of its
//! values is varied. That may make more locals active than necessary, which costs work but is never wrong.

use crate::ir::{Expr, ExprKind, Kernel, LocalId, LocalSet, Stmt, StmtKind};
use crate::ops;
use std::ops::Range;

/// The result of the analysis.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    varied: LocalSet,
    useful: LocalSet,
}

impl Activity {
    pub(crate) fn of(kernel: &Kernel) -> Activity {
        let mut found = Activity::default();
        let mut values = Values::default();
        kernel.walk_stmts(&mut |stmt| {
            if let Some((target, value)) = found.value(stmt) {
                values.add(target, value);
            }
        });
        // Varied propagates forward and useful propagates backward, each to a fixpoint. The sets only grow, so both
        // loops end.
        while values.all.iter().fold(false, |grew, value| found.forward(value, &values) | grew) {}
        while values.all.iter().rev().fold(false, |grew, value| found.back(value, &values) | grew) {}
        found
    }

    /// The value that the statement computes, with its target: a local, or `None` for an array.
    fn value<'a>(&mut self, stmt: &'a Stmt) -> Option<(Option<LocalId>, &'a Expr)> {
        if let StmtKind::Atomic { result: Some(result), place, .. } = &stmt.kind
            && place.ty.is_float()
        {
            // The result depends on the values that other threads have added.
            self.varied.insert(*result);
        }
        match &stmt.kind {
            StmtKind::Let { local, init } => Some((Some(*local), init.as_ref()?)),
            StmtKind::Assign { place, value }
            | StmtKind::Update { place, value, .. }
            | StmtKind::Atomic { place, value, .. } => Some((place.root.local(), value)),
            StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Print(_) => None,
        }
    }

    /// Marks the target of a value as varied if the value is; returns whether the set grew.
    fn forward(&mut self, value: &Value, values: &Values) -> bool {
        let Some(local) = value.target else { return false };
        let is_varied = value.has_input || values.leaves(value).any(|leaf| self.varied.contains(leaf));
        is_varied && self.varied.insert(local)
    }

    /// Marks the operands of a value as useful if its target is; returns whether the set grew.
    fn back(&mut self, value: &Value, values: &Values) -> bool {
        let is_useful = value.target.is_none_or(|local| self.useful.contains(local));
        is_useful && values.leaves(value).fold(false, |grew, leaf| self.useful.insert(leaf) | grew)
    }

    /// Whether `expr` has a nonzero derivative by some input.
    pub(crate) fn is_varied(&self, expr: &Expr) -> bool {
        any_smooth_leaf(expr, &mut |leaf| leaf.local_read().is_none_or(|local| self.varied.contains(local)))
    }

    /// Whether a derivative goes through the local.
    pub(crate) fn is_active(&self, local: LocalId) -> bool {
        self.varied.contains(local) && self.useful.contains(local)
    }
}

/// A value, reduced to what the fixpoints need, so that its expression is walked once.
struct Value {
    /// The local that receives the value; `None` for an array.
    target: Option<LocalId>,
    /// Whether the value depends smoothly on a parameter or an array element.
    has_input: bool,
    /// The range in [`Values::locals`] of the locals that the value depends on smoothly.
    leaves: Range<usize>,
}

/// The values that the statements of a kernel compute.
#[derive(Default)]
struct Values {
    all: Vec<Value>,
    locals: Vec<LocalId>,
}

impl Values {
    fn add(&mut self, target: Option<LocalId>, expr: &Expr) {
        let (mut has_input, start) = (false, self.locals.len());
        smooth_leaves(expr, &mut |leaf| match leaf.local_read() {
            Some(local) => self.locals.push(local),
            None => has_input = true,
        });
        self.all.push(Value { target, has_input, leaves: start..self.locals.len() });
    }

    fn leaves(&self, value: &Value) -> impl Iterator<Item = LocalId> {
        self.locals[value.leaves.clone()].iter().copied()
    }
}

/// Calls `visit` on the locals, parameters and loads that `expr` depends on smoothly: through differentiable operands
/// and both sides of a `Select`, but not through conditions, indices or casts to integers.
pub(crate) fn smooth_leaves<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    any_smooth_leaf(expr, &mut |leaf| {
        visit(leaf);
        false
    });
}

/// Whether `holds` is true for some local, parameter or load that `expr` depends on smoothly. Stops at the first one.
fn any_smooth_leaf<'a>(expr: &'a Expr, holds: &mut dyn FnMut(&'a Expr) -> bool) -> bool {
    if !expr.ty.is_float() {
        return false;
    }
    match &expr.kind {
        ExprKind::Local(_) | ExprKind::Param(_) | ExprKind::Load { .. } => holds(expr),
        // Local arrays have been split into vectors.
        ExprKind::Literal(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Present(_)
        | ExprKind::LocalElement { .. } => false,
        ExprKind::Op(op, args) => {
            args[..ops::differentiable(*op, args, expr.ty)].iter().any(|arg| any_smooth_leaf(arg, holds))
        }
        ExprKind::Call(callee, args) => {
            let mut parts = callee.function.gradient.iter().flat_map(|gradient| &gradient.parts);
            parts.any(|(param, _)| any_smooth_leaf(&args[param.0 as usize], holds))
        }
        ExprKind::Cast(inner)
        | ExprKind::Component(inner, _)
        | ExprKind::Column(inner, _)
        | ExprKind::Field(inner, _) => any_smooth_leaf(inner, holds),
        ExprKind::Struct(fields) | ExprKind::Tile(_, fields) => {
            fields.iter().any(|field| any_smooth_leaf(field, holds))
        }
        ExprKind::Select { then, other, .. } => any_smooth_leaf(then, holds) || any_smooth_leaf(other, holds),
    }
}

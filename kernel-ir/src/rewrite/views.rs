//! Arrays that the code of a function takes, when the code is inserted: each becomes an array of the caller, a part of
//! one, or a variable.

use super::build;
use crate::ir::{Block, Expr, ExprKind, Local, LocalId, ParamId, Place, PlaceRoot, Stmt, StmtKind, Type};
use crate::ops::Op;
use std::collections::HashMap;

/// An array of the caller, or a part of one. Its indices are names or constants.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) root: ViewRoot,
    /// The first indices: those of a row, or of an element.
    pub(crate) index: Vec<Expr>,
    /// The start of a range along the last axis; `None` for 0.
    pub(crate) start: Option<Expr>,
    /// The length of a range along the last axis.
    pub(crate) len: Option<Expr>,
}

/// The variable that a view is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ViewRoot {
    /// An array parameter.
    Array(ParamId),
    /// A local array of this length.
    LocalArray(LocalId, u32),
    /// A variable that is no array.
    Variable(LocalId),
}

impl View {
    /// A whole array parameter.
    pub(crate) fn whole(array: ParamId) -> View {
        View { root: ViewRoot::Array(array), index: Vec::new(), start: None, len: None }
    }

    /// The array parameter, if the view is all of it.
    pub(crate) fn as_param(&self) -> Option<ParamId> {
        match self.root {
            ViewRoot::Array(array) if self.index.is_empty() && self.len.is_none() => Some(array),
            ViewRoot::Array(_) | ViewRoot::LocalArray(..) | ViewRoot::Variable(_) => None,
        }
    }

    /// The local, if the view is of one.
    pub(crate) fn local(&self) -> Option<LocalId> {
        match self.root {
            ViewRoot::LocalArray(local, _) | ViewRoot::Variable(local) => Some(local),
            ViewRoot::Array(_) => None,
        }
    }

    /// The extent along an axis of the view.
    fn extent(&self, axis: u8) -> ExprKind {
        match (&self.len, self.root) {
            (Some(len), _) => len.kind.clone(),
            (None, ViewRoot::Array(array)) => ExprKind::Extent { array, axis: axis + self.index.len() as u8 },
            (None, ViewRoot::LocalArray(_, len)) => build::index(len).kind,
            // A variable has no axes.
            (None, ViewRoot::Variable(_)) => build::index(1).kind,
        }
    }

    /// The place of the element with these indices.
    fn element(&self, mut index: Vec<Expr>) -> PlaceRoot {
        if let (Some(len), Some(last)) = (&self.len, index.last_mut()) {
            let within = Expr::op(Op::Below, [last.clone(), len.clone()]);
            *last = match &self.start {
                Some(start) => Expr::op(Op::Add, [start.clone(), within]),
                None => within,
            };
        }
        let index = self.index.iter().cloned().chain(index);
        match self.root {
            ViewRoot::Array(array) => PlaceRoot::Element { array, index: index.collect() },
            ViewRoot::LocalArray(local, _) => {
                let index = index.last().unwrap_or_else(|| build::index(0));
                PlaceRoot::LocalElement { local, index }
            }
            ViewRoot::Variable(local) => PlaceRoot::Local(local),
        }
    }
}

/// The arguments of a call, by the parameters of the function.
pub(super) struct Arguments {
    pub(super) values: HashMap<ParamId, Expr>,
    pub(super) views: HashMap<ParamId, View>,
}

impl Arguments {
    /// Replaces the parameters of the function in a statement and in nested statements.
    pub(super) fn replace_in(&self, stmt: &mut Stmt) {
        stmt.walk_mut(&mut |stmt| {
            stmt.exprs_mut().for_each(|expr| self.replace_in_expr(expr));
            if let Some(Place { root, .. }) = stmt.place_mut()
                && let PlaceRoot::Element { array, index } = root
                && let Some(view) = self.views.get(array)
            {
                *root = view.element(std::mem::take(index));
            }
        });
    }

    /// Replaces the parameters of the function in an expression. Children come first, because an argument mentions
    /// parameters of the caller.
    pub(super) fn replace_in_expr(&self, expr: &mut Expr) {
        expr.children_mut().for_each(|child| self.replace_in_expr(child));
        match &mut expr.kind {
            ExprKind::Param(param) => {
                if let Some(value) = self.values.get(param) {
                    *expr = value.clone();
                }
            }
            ExprKind::Load { array, index } => {
                let Some(view) = self.views.get(array) else { return };
                expr.kind = match view.element(std::mem::take(index)) {
                    PlaceRoot::Element { array, index } => ExprKind::Load { array, index },
                    PlaceRoot::LocalElement { local, index } => {
                        ExprKind::LocalElement { local, index: Box::new(index) }
                    }
                    PlaceRoot::Local(local) => ExprKind::Local(local),
                };
            }
            ExprKind::Extent { array, axis } => {
                if let Some(view) = self.views.get(array) {
                    expr.kind = view.extent(*axis);
                }
            }
            // Calls that take a part of an array are inlined before.
            ExprKind::Call(callee, _) => callee.arrays.iter_mut().for_each(|array| self.rename(array)),
            ExprKind::Present(array) => self.rename(array),
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::LocalElement { .. }
            | ExprKind::Tid(_)
            | ExprKind::Op(..)
            | ExprKind::Cast(_)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Field(..)
            | ExprKind::Tile(..)
            | ExprKind::Struct(_)
            | ExprKind::Select { .. } => {}
        }
    }

    fn rename(&self, array: &mut ParamId) {
        *array = self.views.get(array).and_then(View::as_param).unwrap_or(*array);
    }
}

/// Removes the checks of indices that hold by construction: those of the variable of a loop that ends at the bound, and
/// those of constants.
pub(crate) fn drop_proven(block: &mut Block, locals: &[Local]) {
    drop_in(block, locals, &mut Vec::new());
}

fn drop_in(block: &mut Block, locals: &[Local], below: &mut Vec<(LocalId, Expr)>) {
    for stmt in block {
        stmt.exprs_mut().for_each(|expr| drop_in_expr(expr, below));
        let known = below.len();
        if let StmtKind::For { local, range, .. } = &stmt.kind
            && !range.inclusive
            && is_fixed(&range.end, locals)
        {
            below.push((*local, range.end.clone()));
        }
        stmt.blocks_mut().for_each(|block| drop_in(block, locals, below));
        below.truncate(known);
    }
}

fn drop_in_expr(expr: &mut Expr, below: &[(LocalId, Expr)]) {
    expr.children_mut().for_each(|child| drop_in_expr(child, below));
    let ExprKind::Op(Op::Below, args) = &mut expr.kind else { return };
    let [index, bound] = args.as_slice() else { return };
    let of_loop = below.iter().any(|(local, end)| index.kind == ExprKind::Local(*local) && bound == end);
    if of_loop || is_below(index, bound) {
        *expr = args.swap_remove(0);
    }
}

/// Whether a bound is the index and a number more, or both are numbers.
fn is_below(index: &Expr, bound: &Expr) -> bool {
    match (index.as_integer(), number(bound)) {
        (Some(index), Some(bound)) => index < bound,
        _ => match &bound.kind {
            ExprKind::Op(Op::Add, terms) => {
                let [first, second] = terms.as_slice() else { return false };
                first == index && number(second) > Some(0) || is_below(index, first)
            }
            _ => false,
        },
    }
}

/// The value of a number, or of a sum of numbers.
fn number(value: &Expr) -> Option<i128> {
    match &value.kind {
        ExprKind::Op(Op::Add, terms) => terms.iter().map(number).sum(),
        _ => value.as_integer(),
    }
}

/// Whether the value stays the same wherever its locals are visible.
fn is_fixed(value: &Expr, locals: &[Local]) -> bool {
    let changes = |expr: &Expr| match &expr.kind {
        ExprKind::Local(local) => locals[local.0 as usize].mutable,
        ExprKind::Load { .. } | ExprKind::LocalElement { .. } => true,
        ExprKind::Literal(_)
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Present(_)
        | ExprKind::Op(..)
        | ExprKind::Call(..)
        | ExprKind::Cast(_)
        | ExprKind::Component(..)
        | ExprKind::Column(..)
        | ExprKind::Field(..)
        | ExprKind::Tile(..)
        | ExprKind::Struct(_)
        | ExprKind::Select { .. } => false,
    };
    value.ty == Type::INDEX && !value.any(&mut |expr| changes(expr))
}

//! Facts about locals: which ones Warp would mistake for constants, and which ones are never negative.

use super::types::same_in_warp;
use crate::ir::{Block, Expr, ExprKind, Kernel, LocalId, PlaceRoot, Scalar, Stmt, StmtKind, Type};
use crate::ops::Op;
use std::collections::{HashMap, HashSet};

/// Facts about the declarations of a kernel's locals.
#[derive(Debug, Default)]
pub(super) struct Declarations<'a> {
    /// How many loops are around the declaration.
    depth: HashMap<LocalId, usize>,
    /// Locals that a loop changes which does not declare them.
    carried: HashSet<LocalId>,
    /// The first value of locals that never change.
    fixed: HashMap<LocalId, &'a Expr>,
    /// The lower bound of `for` variables.
    loops: HashMap<LocalId, &'a Expr>,
}

impl<'a> Declarations<'a> {
    pub(super) fn of(kernel: &'a Kernel) -> Declarations<'a> {
        let mut found = Declarations::default();
        found.block(kernel, &kernel.body, 0);
        found
    }

    /// Whether a loop changes `local` which does not declare it.
    pub(super) fn carried(&self, local: LocalId) -> bool {
        self.carried.contains(&local)
    }

    /// Whether `value`, given to `local`, needs a type around it. Warp refuses to change a bare constant in a loop;
    /// and where it unrolls a loop around a loop, even a declaration in the inner one is such a change.
    pub(super) fn needs_type(&self, local: LocalId, value: &Expr) -> bool {
        is_constant(value) && (self.carried(local) || self.depth.get(&local).is_some_and(|&depth| depth > 1))
    }

    /// An expression that `local` is never less than, if one is known without following its changes.
    fn lower_bound(&self, local: LocalId) -> Option<&'a Expr> {
        self.fixed.get(&local).or_else(|| self.loops.get(&local)).copied()
    }

    fn block(&mut self, kernel: &'a Kernel, block: &'a Block, depth: usize) {
        for stmt in block {
            self.stmt(kernel, stmt, depth);
        }
    }

    fn stmt(&mut self, kernel: &'a Kernel, stmt: &'a Stmt, depth: usize) {
        let mut inner = depth;
        match &stmt.kind {
            StmtKind::Let { local, init } => {
                self.depth.insert(*local, depth);
                if let Some(init) = init
                    && !kernel.local(*local).mutable
                {
                    self.fixed.insert(*local, init);
                }
            }
            StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => {
                if let PlaceRoot::Local(local) = place.root {
                    self.change(local, depth);
                }
            }
            StmtKind::Atomic { result: Some(local), .. } => self.change(*local, depth),
            StmtKind::For { local, range, .. } => {
                self.loops.insert(*local, &range.start);
                inner += 1;
            }
            StmtKind::While { .. } => inner += 1,
            StmtKind::Atomic { result: None, .. }
            | StmtKind::If { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_) => {}
        }
        for block in stmt.blocks() {
            self.block(kernel, block, inner);
        }
    }

    fn change(&mut self, local: LocalId, depth: usize) {
        if self.depth.get(&local).is_some_and(|&declared| declared < depth) {
            self.carried.insert(local);
        }
    }
}

impl Declarations<'_> {
    /// Whether the value of an integer expression is evidently not negative.
    pub(super) fn is_non_negative(&self, expr: &Expr) -> bool {
        let both = |args: &[Expr]| args.iter().all(|arg| self.is_non_negative(arg));
        if expr.ty == Type::INDEX {
            return true;
        }
        match &expr.kind {
            ExprKind::Literal(value) => value.as_integer() >= Some(0),
            ExprKind::Local(local) => self.lower_bound(*local).is_some_and(|bound| self.is_non_negative(bound)),
            ExprKind::Cast(inner) => inner.ty == Type::INDEX || inner.ty == Type::BOOL,
            ExprKind::Op(Op::Add | Op::Mul | Op::Div | Op::Min, args) => both(args),
            ExprKind::Op(Op::Rem | Op::Shr, args) => self.is_non_negative(&args[0]),
            ExprKind::Op(Op::Max | Op::BitAnd, args) => args.iter().any(|arg| self.is_non_negative(arg)),
            ExprKind::Op(Op::Clamp, args) => self.is_non_negative(&args[1]),
            ExprKind::Op(Op::RemEuclid | Op::Abs, _) => true,
            ExprKind::Select { then, other, .. } => self.is_non_negative(then) && self.is_non_negative(other),
            ExprKind::Op(..)
            | ExprKind::LocalElement { .. }
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Load { .. }
            | ExprKind::Call(..)
            | ExprKind::Component(..)
            | ExprKind::Column(..) => false,
        }
    }
}

/// Whether Warp takes the expression for a constant.
fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => matches!(expr.ty.scalar(), Scalar::Bool | Scalar::I32 | Scalar::Index | Scalar::F32),
        ExprKind::Op(Op::Neg, args) => is_constant(&args[0]),
        ExprKind::Cast(inner) => same_in_warp(inner.ty.scalar(), expr.ty.scalar()) && is_constant(inner),
        ExprKind::Op(..)
        | ExprKind::Local(_)
        | ExprKind::LocalElement { .. }
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Load { .. }
        | ExprKind::Call(..)
        | ExprKind::Component(..)
        | ExprKind::Column(..)
        | ExprKind::Select { .. } => false,
    }
}

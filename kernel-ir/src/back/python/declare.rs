//! Facts about locals: which locals Warp treats as constants, and which ones are never negative.

use super::types::same_in_warp;
use crate::ir::{Block, Expr, ExprKind, ForRange, Kernel, Literal, LocalId, PlaceRoot, Scalar, Stmt, StmtKind, Type};
use crate::ops::Op;
use std::collections::{HashMap, HashSet};

/// Facts about the locals of a kernel.
#[derive(Debug, Default)]
pub(super) struct Declarations<'a> {
    /// The number of loops around each declaration.
    depth: HashMap<LocalId, usize>,
    /// The locals that are declared outside of a loop and changed in it.
    carried: HashSet<LocalId>,
    /// The initial values of locals that never change.
    fixed: HashMap<LocalId, &'a Expr>,
    /// The lower bounds of `for` variables.
    loops: HashMap<LocalId, &'a Expr>,
    /// The variables of loops that Warp unrolls.
    unrolled: HashSet<LocalId>,
    /// The locals that are assigned an expression that Warp treats as a constant.
    constants: HashSet<LocalId>,
    /// The locals that are used outside of [widening](is_widening) casts.
    used: HashSet<LocalId>,
}

/// Warp unrolls loops with a constant number of trips up to this one.
const UNROLLED: i128 = 16;

impl<'a> Declarations<'a> {
    pub(super) fn of(kernel: &'a Kernel) -> Declarations<'a> {
        let mut found = Declarations::default();
        found.block(kernel, &kernel.body, 0);
        found
    }

    /// Whether `local` is declared outside of a loop that changes it.
    pub(super) fn carried(&self, local: LocalId) -> bool {
        self.carried.contains(&local)
    }

    /// Whether `value` needs a type around it when assigned to `local`. Warp refuses to change a bare constant in a
    /// loop. If it unrolls a loop around another loop, even a declaration in the inner loop counts as a change.
    pub(super) fn needs_type(&self, local: LocalId, value: &Expr) -> bool {
        is_constant(value) && (self.carried(local) || self.depth.get(&local).is_some_and(|&depth| depth > 1))
    }

    /// The function that must be applied to `value` below a cast to `to`, if any. Warp turns a constant in
    /// `wp.float64(k)`, `wp.int64(k)` or `wp.uint64(k)` into a variable of that type, for all uses of `k`: `k` is then
    /// no index, and has no value before the cast. It also parses the decimal digits of a 32-bit constant as those of a
    /// 64-bit one.
    pub(super) fn guard(&self, value: &Expr, to: Scalar) -> Option<&'static str> {
        let value = in_warp(value);
        let is_float = value.ty.scalar() == Scalar::F32;
        let changes = if let ExprKind::Literal(Literal::F32(bits)) = value.kind {
            let number = f32::from_bits(bits);
            number.to_string().parse() != Ok(f64::from(number))
        } else if let ExprKind::Local(local) = &value.kind {
            self.is_constant(*local) && (is_float || self.used.contains(local))
        } else {
            false
        };
        (changes && is_widening(to)).then_some(if is_float { "float" } else { "int" })
    }

    /// Whether Warp treats `local` as a constant.
    fn is_constant(&self, local: LocalId) -> bool {
        let typed = self.carried(local) || self.depth.get(&local).is_some_and(|&depth| depth > 1);
        self.unrolled.contains(&local) || (self.constants.contains(&local) && !typed)
    }

    /// The value of an integer that Warp treats as a constant.
    fn known(&self, expr: &Expr) -> Option<i128> {
        let expr = in_warp(expr);
        if let ExprKind::Local(local) = &expr.kind {
            return self.fixed.get(local).and_then(|value| self.known(value));
        }
        expr.as_integer()
    }

    /// Whether Warp unrolls the loop.
    fn unrolls(&self, range: &ForRange) -> bool {
        let step = range.step.as_ref().map_or(Some(1), |step| self.known(step));
        match (self.known(&range.start), self.known(&range.end), step) {
            (Some(start), Some(end), Some(step)) => end - start + i128::from(range.inclusive) <= UNROLLED * step,
            _ => false,
        }
    }

    /// A lower bound of `local`, as an expression, if one is known without tracking changes.
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
        stmt.exprs().for_each(|expr| self.uses(expr));
        match &stmt.kind {
            StmtKind::Let { local, init } => {
                self.depth.insert(*local, depth);
                self.constants.extend(init.as_ref().filter(|init| is_constant(init)).map(|_| *local));
                // A local that never changes has the bounds and the constant of its initial value.
                if let Some(init) = init
                    && !kernel.local(*local).mutable
                {
                    self.fixed.insert(*local, init);
                }
            }
            StmtKind::Assign { place, value } => {
                if let PlaceRoot::Local(local) = place.root {
                    self.constants.extend(is_constant(value).then_some(local));
                    self.change(local, depth);
                }
            }
            StmtKind::Update { place, .. } => {
                if let PlaceRoot::Local(local) = place.root {
                    // An update reads the local, too.
                    self.used.insert(local);
                    self.change(local, depth);
                }
            }
            StmtKind::Atomic { result: Some(local), .. } => self.change(*local, depth),
            StmtKind::For { local, range, .. } => {
                self.loops.insert(*local, &range.start);
                // Warp substitutes the variable of an unrolled loop by constants.
                self.unrolled.extend(self.unrolls(range).then_some(*local));
                inner += 1;
            }
            StmtKind::While { .. } => inner += 1,
            StmtKind::Atomic { result: None, .. }
            | StmtKind::If { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Print(_) => {}
        }
        for block in stmt.blocks() {
            self.block(kernel, block, inner);
        }
    }

    /// Records the uses of locals outside of widening casts.
    fn uses(&mut self, expr: &Expr) {
        if let ExprKind::Local(local) = expr.kind {
            self.used.insert(local);
        }
        if let ExprKind::Cast(inner) = &expr.kind
            && is_widening(expr.ty.scalar())
            && let ExprKind::Local(_) = in_warp(inner).kind
        {
            return;
        }
        expr.children().for_each(|child| self.uses(child));
    }

    fn change(&mut self, local: LocalId, depth: usize) {
        if self.depth.get(&local).is_some_and(|&declared| declared < depth) {
            self.carried.insert(local);
        }
    }
}

impl Declarations<'_> {
    /// Whether the integer expression is provably nonnegative, by syntax.
    pub(super) fn is_non_negative(&self, expr: &Expr) -> bool {
        let both = |args: &[Expr]| args.iter().all(|arg| self.is_non_negative(arg));
        // `usize` values are nonnegative in Rust, although Warp represents them as `int`.
        if expr.ty == Type::INDEX {
            return true;
        }
        match &expr.kind {
            ExprKind::Literal(value) => value.as_integer() >= Some(0),
            ExprKind::Local(local) => self.lower_bound(*local).is_some_and(|bound| self.is_non_negative(bound)),
            ExprKind::Cast(inner) => match inner.ty {
                Type::BOOL => true,
                Type::INDEX => !expr.ty.scalar().is_narrow(),
                Type::U8 | Type::U16 => expr.ty.scalar().bits() > inner.ty.scalar().bits(),
                _ => false,
            },
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
            | ExprKind::Present(_)
            | ExprKind::Load { .. }
            | ExprKind::Call(..)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Field(..)
            | ExprKind::Tile(..)
            | ExprKind::Struct(_) => false,
        }
    }
}

/// The expression without casts between types that are the same in Warp.
fn in_warp(expr: &Expr) -> &Expr {
    if let ExprKind::Cast(inner) = &expr.kind
        && same_in_warp(inner.ty.scalar(), expr.ty.scalar())
    {
        return in_warp(inner);
    }
    expr
}

/// Whether Warp turns a constant into a variable when it is cast to this type.
fn is_widening(to: Scalar) -> bool {
    matches!(to, Scalar::F64 | Scalar::I64 | Scalar::U64)
}

/// Whether Warp treats the expression as a constant.
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
        | ExprKind::Present(_)
        | ExprKind::Load { .. }
        | ExprKind::Call(..)
        | ExprKind::Component(..)
        | ExprKind::Column(..)
        | ExprKind::Field(..)
        | ExprKind::Tile(..)
        | ExprKind::Struct(_)
        | ExprKind::Select { .. } => false,
    }
}

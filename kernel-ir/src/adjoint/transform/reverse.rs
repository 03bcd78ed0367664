//! The reverse sweep over blocks.
//!
//! The adjoint of a block has a forward part and a reverse part. The forward part computes the block again. Every
//! statement that changes a local gives the new value a new name, as in SSA form, so that the reverse part can still
//! read every earlier value. Dead-code elimination later removes the values that it does not read. A branch is copied
//! into the forward part as it is. It is reversed as a block of its own, from the values before it and under the same
//! condition. Loops are in [`loops`](super::loops).
//!
//! Each active local has one adjoint local. It is declared where the reverse part of its declaring block begins. To
//! reverse `v = e`, the sweep reads the adjoint of `v`, sets it to zero, and propagates the value that it read through
//! `e` ([`expr_vjp`](super::expr_vjp)).
//!
//! If the kernel has arrays under `atomic_min` or `atomic_max`, the adjoint is the second side of a branch. The first
//! side counts [winners](crate::adjoint::backward): it runs the kernel forward and compares values with results where
//! the kernel would change such an array.

use super::context::{Adjoint, Env, Facts, ReverseSweep, counting_param, winners_param};
use crate::adjoint::analyze::array_classes::ArrayClass;
use crate::adjoint::terms::neg;
use crate::analysis::Mutations;
use crate::ir::{
    AtomicOp, Block, Expr, ExprKind, Kernel, LocalId, ParamId, Place, PlaceRoot, Scalar, Stmt, StmtKind, TileOp, Type,
};
use crate::ops::Op;
use crate::rewrite::build::{assign, binary, branch, cast, compare, declare, expr, local_place, stmt, zero};

/// Reverses the body of `kernel` into `adjoint`. Afterwards the body of `kernel` is empty.
pub(crate) fn reverse(kernel: &mut Kernel, facts: &Facts, adjoint: &mut Adjoint) {
    let body = std::mem::take(&mut kernel.body);
    let mut sweep = ReverseSweep::new(kernel, facts, adjoint);
    let mut back = sweep.reverse(&body, &Env::default());
    if facts.classes.values().any(|class| *class == ArrayClass::Extremum) {
        let is_counting = expr(ExprKind::Param(counting_param(sweep.kernel)), Type::BOOL);
        back = vec![Stmt::branch(is_counting, sweep.count_winners(&body), back)];
    }
    adjoint.body = back;
}

impl ReverseSweep<'_> {
    /// The code that counts the winners of a launch of a kernel with this body.
    fn count_winners(&mut self, body: &[Stmt]) -> Block {
        self.counts_winners = true;
        let count = self.copy(body, &mut Env::default());
        self.counts_winners = false;
        count
    }

    /// A forward copy of the block without its writes to arrays. If the sweep counts winners, the counts take the place
    /// of the writes.
    pub(super) fn copy(&mut self, block: &[Stmt], env: &mut Env) -> Block {
        let mut out = Block::new();
        for stmt in block {
            self.copy_stmt(stmt, env, &mut out);
        }
        out
    }

    fn copy_stmt(&mut self, stmt: &Stmt, env: &mut Env, out: &mut Block) {
        let kind = match &stmt.kind {
            StmtKind::Let { local, init } => {
                let init = init.as_ref().map(|init| self.rename(init, env));
                let name = self.renamed(*local);
                env.insert(*local, name);
                // The forward copy initialises every local, because a copied loop or branch may skip the first
                // assignment.
                StmtKind::Let { local: name, init: Some(init.unwrap_or_else(|| zero(self.kernel.local(*local).ty))) }
            }
            StmtKind::Assign { place, value } => match self.plain_place(place, env) {
                Some(place) => StmtKind::Assign { place, value: self.rename(value, env) },
                None => return,
            },
            StmtKind::Update { place, op, value } => match self.plain_place(place, env) {
                Some(place) => StmtKind::Update { place, op: *op, value: self.rename(value, env) },
                None => return,
            },
            StmtKind::Atomic { op, place, value, result, .. } => {
                if self.counts_winners {
                    self.count_winner(*op, place, value, env, out);
                }
                // The copy does not repeat the update, so the result is a placeholder. `check_unavailable` refuses kernels
                // whose adjoint reads it.
                let Some(result) = result else { return };
                let unavailable = self.unavailable(*result);
                let ty = self.kernel.local(*result).ty;
                let place = local_place(env.get(*result).copied().unwrap_or(*result), ty);
                StmtKind::Assign { place, value: expr(ExprKind::Local(unavailable), ty) }
            }
            StmtKind::If { cond, then, other } => StmtKind::If {
                cond: self.rename(cond, env),
                then: self.copy(then, &mut env.clone()),
                other: self.copy(other, &mut env.clone()),
            },
            StmtKind::For { local, range, body } => {
                let range = self.rename_range(range, env);
                let name = self.renamed(*local);
                let mut inner = env.clone();
                inner.insert(*local, name);
                StmtKind::For { local: name, range, body: self.copy(body, &mut inner) }
            }
            StmtKind::While { cond, body } => {
                StmtKind::While { cond: self.rename(cond, env), body: self.copy(body, &mut env.clone()) }
            }
            kind @ (StmtKind::Break | StmtKind::Continue | StmtKind::Return(_)) => kind.clone(),
            StmtKind::Print(_) => return,
        };
        out.push(Stmt { kind, span: stmt.span });
    }

    /// The place over the current names; `None` for an array element, whose write is dropped.
    fn plain_place(&self, place: &Place, env: &Env) -> Option<Place> {
        let PlaceRoot::Local(local) = place.root else { return None };
        let root = PlaceRoot::Local(env.get(local).copied().unwrap_or(local));
        Some(Place { root, path: self.rename_path(&place.path, env), ty: place.ty, span: place.span })
    }

    /// The locals declared outside of `stmt` that `stmt` changes, in the order of their ids.
    pub(super) fn changed(&self, stmt: &Stmt, env: &Env) -> Vec<LocalId> {
        let mutations = Mutations::of(std::slice::from_ref(stmt));
        env.iter().map(|(local, _)| local).filter(|local| mutations.changes(*local)).collect()
    }

    /// The adjoint of `block`: its forward part, then its reverse part.
    pub(super) fn reverse(&mut self, block: &[Stmt], env: &Env) -> Block {
        let mut env = env.clone();
        let mut forward = Block::with_capacity(2 * block.len());
        let mut back: Vec<Block> = Vec::with_capacity(block.len());
        for stmt in block {
            let mut reversed = Block::new();
            self.stmt(stmt, &mut env, &mut forward, &mut reversed);
            back.push(reversed);
        }
        // The reverse part adds to the adjoints of the block's locals from here on.
        for stmt in block {
            if let StmtKind::Let { local, .. } = stmt.kind
                && self.facts.activity.is_active(local)
            {
                let (adjoint, ty) = (self.adjoint_local(local), self.kernel.local(local).ty);
                forward.push(declare(adjoint, zero(ty)));
            }
        }
        forward.reserve(back.iter().map(Vec::len).sum());
        back.into_iter().rev().for_each(|reversed| forward.extend(reversed));
        forward
    }

    /// Appends the forward part of a statement to `forward`, and its reverse part to `back`.
    fn stmt(&mut self, stmt: &Stmt, env: &mut Env, forward: &mut Block, back: &mut Block) {
        match &stmt.kind {
            StmtKind::Let { local, init: None } => {
                let name = self.renamed(*local);
                forward.push(declare(name, zero(self.kernel.local(*local).ty)));
                env.insert(*local, name);
            }
            StmtKind::Let { local, init: Some(value) } => {
                let (value, node) = self.node(value, env, forward);
                let name = self.renamed(*local);
                forward.push(declare(name, value));
                env.insert(*local, name);
                if self.facts.activity.is_active(*local) {
                    let adjoint = self.adjoint_place(*local);
                    let g = adjoint.value(adjoint.ty);
                    self.propagate(&node, g, back);
                }
            }
            StmtKind::Assign { place, value } => self.assignment(place, value, env, forward, back),
            StmtKind::Update { place, op, value } => match &place.root {
                PlaceRoot::Element { .. } => self.accumulation(place, *op, value, env, forward, back),
                PlaceRoot::Local(local) => {
                    let old = place.value(self.kernel.local(*local).ty);
                    // `v op= e` is `v = v op e`: the rules of `op` give both partial derivatives.
                    let value = expr(ExprKind::Op(*op, vec![old, value.clone()]), place.ty);
                    self.assignment(place, &value, env, forward, back);
                }
                PlaceRoot::LocalElement { .. } => {}
            },
            StmtKind::Atomic { op, place, value, result, .. } => {
                self.atomic(*op, place, value, env, forward, back);
                if let Some(result) = result {
                    let unavailable = self.unavailable(*result);
                    // The reverse part must not repeat the atomic, so the name has no value there.
                    env.insert(*result, unavailable);
                }
            }
            StmtKind::If { cond, then, other } => {
                let cond = self.condition(cond, env, forward);
                let before = env.clone();
                // Both sides start from the same names. After the branch, each changed local has a name of its own.
                let changed = self.changed(stmt, env);
                self.new_names(&changed, env, forward);
                let (plain_then, plain_other) = (self.copy(then, &mut env.clone()), self.copy(other, &mut env.clone()));
                forward.extend(branch(cond.clone(), plain_then, plain_other));
                let (then, other) = (self.reverse(then, &before), self.reverse(other, &before));
                back.extend(branch(cond, then, other));
            }
            StmtKind::For { .. } | StmtKind::While { .. } => self.repeat(stmt, env, forward, back),
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) | StmtKind::Print(_) => {}
        }
    }

    /// Gives each of the locals a new name that holds the current value.
    pub(super) fn new_names(&mut self, locals: &[LocalId], env: &mut Env, out: &mut Block) {
        for local in locals {
            let (name, ty) = (self.renamed(*local), self.kernel.local(*local).ty);
            let old = env.get(*local).copied().unwrap_or(*local);
            out.push(declare(name, expr(ExprKind::Local(old), ty)));
            env.insert(*local, name);
        }
    }

    /// A condition that both parts can evaluate: the expression itself if it is short and cheap, else a local. A load
    /// counts as expensive.
    fn condition(&mut self, cond: &Expr, env: &Env, forward: &mut Block) -> Expr {
        let cond = self.rename(cond, env);
        let mut size = 0;
        cond.walk(&mut |expr| size += if matches!(expr.kind, ExprKind::Load { .. }) { 9 } else { 1 });
        if size <= 7 {
            return cond;
        }
        let local = self.fresh("taken", Type::BOOL);
        forward.push(declare(local, cond));
        expr(ExprKind::Local(local), Type::BOOL)
    }

    fn assignment(&mut self, place: &Place, value: &Expr, env: &mut Env, forward: &mut Block, back: &mut Block) {
        let PlaceRoot::Local(local) = place.root else {
            return self.store(place, value, env, forward, back);
        };
        let (value, node) = self.node(value, env, forward);
        let (active, adjoint) = (self.facts.activity.is_active(local), self.adjoint_place(local));
        let path = self.rename_path(&place.path, env);
        let name = self.renamed(local);
        let ty = self.kernel.local(local).ty;
        // An assignment to a part keeps the other parts, so the new name starts as a copy.
        if place.path.is_empty() {
            forward.push(declare(name, value));
        } else {
            let old = env.get(local).copied().unwrap_or(local);
            forward.push(declare(name, expr(ExprKind::Local(old), ty)));
            let part = Place { root: PlaceRoot::Local(name), path: path.clone(), ty: place.ty, span: place.span };
            forward.push(assign(part, value));
        }
        env.insert(local, name);
        if !active {
            return;
        }
        let adjoint = Place { path, ty: place.ty, ..adjoint };
        let current = adjoint.value(ty);
        match node.without(local) {
            // `v = v + e`: the adjoint of `v` keeps its value, and `e` receives it.
            Some(rest) if place.path.is_empty() => {
                for (kid, negative) in rest {
                    let g = if negative { neg(current.clone()) } else { current.clone() };
                    self.propagate(kid, g, back);
                }
            }
            // `v = f(v)`: propagation adds to the adjoint of `v`, so the old adjoint is saved and reset first.
            _ if node.mentions(local) || !place.path.is_empty() => {
                let g = self.bind("g", current, back);
                back.push(assign(adjoint, zero(place.ty)));
                self.propagate(&node, g, back);
            }
            // `e` does not read `v`, so the adjoint of `v` can be read in place and reset afterwards.
            _ => {
                self.propagate(&node, current, back);
                back.push(assign(adjoint, zero(place.ty)));
            }
        }
    }

    /// Reverses `y[k] = value`.
    fn store(&mut self, place: &Place, value: &Expr, env: &Env, forward: &mut Block, back: &mut Block) {
        let Some((array, adjoint)) = self.element_adjoint(place, env) else { return };
        let (_, node) = self.node(value, env, forward);
        let current = self.adjoint_of_element(&adjoint, array);
        // Scalar promotion has put this store after the last use, so nothing else reads the adjoint of the element
        // after it. The load reverses into an assignment (see `propagate_to_place`), so no reset to zero is needed.
        if self.facts.classes.get(&array) == Some(&ArrayClass::Owned) {
            return self.propagate(&node, current, back);
        }
        // The store overwrites the old element, so its adjoint is moved, not copied: read, reset, propagate.
        if node.is_active() {
            let g = self.bind("g", current, back);
            back.push(assign(adjoint, zero(place.ty)));
            self.propagate(&node, g, back);
        } else {
            back.push(assign(adjoint, zero(place.ty)));
        }
    }

    /// Reverses `y[k] += value` or `y[k] -= value`.
    fn accumulation(&mut self, place: &Place, op: Op, value: &Expr, env: &Env, forward: &mut Block, back: &mut Block) {
        let Some((array, adjoint)) = self.element_adjoint(place, env) else { return };
        let (_, node) = self.node(value, env, forward);
        // An addition passes the adjoint of the element on to the term, and leaves it in place for the other terms.
        if node.is_active() {
            let g = self.adjoint_of_element(&adjoint, array);
            let g = self.bind("g", g, back);
            self.propagate(&node, if op == Op::Sub { neg(g) } else { g }, back);
        }
    }

    // An addition that other threads may interleave has the same derivative as a plain one: 1 by each term.
    fn atomic(&mut self, op: AtomicOp, place: &Place, value: &Expr, env: &Env, forward: &mut Block, back: &mut Block) {
        match op {
            AtomicOp::Add => self.accumulation(place, Op::Add, value, env, forward, back),
            AtomicOp::Sub => self.accumulation(place, Op::Sub, value, env, forward, back),
            AtomicOp::Min | AtomicOp::Max => {
                let Some((array, adjoint)) = self.element_adjoint(place, env) else { return };
                let (value, node) = self.node(value, env, forward);
                if !node.is_active() {
                    return;
                }
                let value = self.bound(value, forward);
                let elem = self.kernel.param(array).elem();
                let Some(result) = self.element(place, array, env) else { return };
                let Some(winners) = self.element(place, winners_param(self.kernel, array), env) else { return };
                let count = winners.value(Type { scalar: Scalar::U32, ..elem });
                let share = binary(Op::Div, adjoint.value(elem), cast(count, place.ty));
                let mut wins = Block::new();
                self.propagate(&node, share, &mut wins);
                // `==` is false for NaN, so a NaN result has no winners, and its adjoint goes nowhere.
                back.extend(branch(compare(Op::Eq, value, result.value(elem)), wins, Vec::new()));
            }
            // Integers have no adjoint. `array_classes` refuses floats whose last value depends on the order of threads.
            AtomicOp::And | AtomicOp::Or | AtomicOp::Xor | AtomicOp::Exch | AtomicOp::Cas => {}
        }
    }

    /// Counts a winner if `value` equals the result in the element. Only `atomic_min` and `atomic_max` on floats have
    /// winners.
    fn count_winner(&mut self, op: AtomicOp, place: &Place, value: &Expr, env: &Env, out: &mut Block) {
        let (AtomicOp::Min | AtomicOp::Max, PlaceRoot::Element { array, .. }) = (op, &place.root) else { return };
        if !place.ty.is_float() {
            return;
        }
        let Some(result) = self.element(place, *array, env) else { return };
        let Some(winners) = self.element(place, winners_param(self.kernel, *array), env) else { return };
        let wins = compare(Op::Eq, self.rename(value, env), result.value(self.kernel.param(*array).elem()));
        let one = Expr::number(1, Type::U32);
        let place = Place { ty: Type::U32, ..winners };
        let count = StmtKind::Atomic { op: AtomicOp::Add, place, compare: None, value: one, result: None };
        out.push(Stmt::when(wins, [stmt(count)]));
    }

    /// The adjoint of an element, or of the elements of a tile: what the store has left out, because it lies outside of the
    /// array, has the adjoint 0.
    fn adjoint_of_element(&self, adjoint: &Place, array: ParamId) -> Expr {
        let elem = self.kernel.param(array).elem();
        if !adjoint.ty.is_tile() {
            return adjoint.value(elem);
        }
        let load = adjoint.value(adjoint.ty);
        expr(ExprKind::Tile(TileOp::Pad, vec![load, zero(elem)]), adjoint.ty)
    }

    /// The array of a float element, and the place of the adjoint of the element.
    fn element_adjoint(&self, place: &Place, env: &Env) -> Option<(ParamId, Place)> {
        let PlaceRoot::Element { array, .. } = &place.root else { return None };
        if !place.ty.is_float() {
            return None;
        }
        Some((*array, self.element(place, self.adjoint_param(*array), env)?))
    }

    /// The place in `array` with the index and path of `place`, over the current names.
    fn element(&self, place: &Place, array: ParamId, env: &Env) -> Option<Place> {
        let PlaceRoot::Element { index, .. } = &place.root else { return None };
        let index = index.iter().map(|index| self.rename(index, env)).collect();
        let root = PlaceRoot::Element { array, index };
        Some(Place { root, path: self.rename_path(&place.path, env), ty: place.ty, span: place.span })
    }
}

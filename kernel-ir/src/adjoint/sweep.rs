//! The reverse sweep over blocks.
//!
//! The adjoint of a block first runs it forward again, then goes back through its statements. Going forward, every
//! statement that changes a local gives it a new name instead, so that going back every value is still there; whatever
//! the way back does not read is removed later. A branch is copied forward as it is and reversed as a block of its own,
//! from the values before it, under the same condition; loops are in [`loops`](super::loops).
//!
//! Each active local has one adjoint local, declared where the way back through the block of its declaration begins.
//! Reversing `v = e` takes the adjoint of `v`, sets it to zero, and adds what `e` passes on ([`pull`](super::pull)).

use super::activity::Activity;
use super::arrays::Class;
use super::build::{assign, branch, declare, expr, local_place, stmt, zero};
use super::sure::{Certainty, Sure};
use crate::analysis::Mutations;
use crate::ir::{
    AtomicOp, Block, Expr, ExprKind, ForRange, Kernel, Local, LocalId, LocalMap, ParamId, Place, PlaceRoot, Projection,
    Shape, Span, Stmt, StmtKind, Type,
};
use crate::ops::Op;
use std::collections::{BTreeMap, BTreeSet};

/// What is known about the kernel whose adjoint is made.
pub(super) struct Facts {
    pub(super) activity: Activity,
    pub(super) certainty: Certainty,
    pub(super) classes: BTreeMap<ParamId, Class>,
    /// The arrays whose adjoints need no atomic additions.
    pub(super) exclusive: BTreeSet<ParamId>,
    /// Where each array is written first.
    pub(super) writes: BTreeMap<ParamId, Span>,
}

/// The names, in the adjoint kernel, of the current values of the source's locals.
pub(super) type Env = LocalMap<LocalId>;

pub(super) struct Sweep<'a> {
    /// The source, without its body.
    pub(super) kernel: Kernel,
    pub(super) facts: &'a Facts,
    /// The locals of the adjoint kernel.
    pub(super) locals: Vec<Local>,
    /// The adjoints of the source's locals.
    adjoints: LocalMap<LocalId>,
    /// The adjoints of by-value parameters.
    pub(super) sums: BTreeMap<ParamId, LocalId>,
    /// Locals of the adjoint kernel that stand for what an atomic operation returned, which nobody can know any more, and
    /// the local of the source that received it.
    pub(super) lost: LocalMap<LocalId>,
}

impl<'a> Sweep<'a> {
    pub(super) fn new(kernel: Kernel, facts: &'a Facts) -> Sweep<'a> {
        Sweep {
            kernel,
            facts,
            locals: Vec::new(),
            adjoints: LocalMap::default(),
            sums: BTreeMap::new(),
            lost: LocalMap::default(),
        }
    }

    /// A new local of the adjoint kernel.
    pub(super) fn fresh(&mut self, name: impl Into<String>, ty: Type) -> LocalId {
        super::exits::fresh(&mut self.locals, name, ty)
    }

    /// A new name for a local of the source.
    pub(super) fn renamed(&mut self, local: LocalId) -> LocalId {
        let Local { name, ty, .. } = self.kernel.local(local);
        super::exits::fresh(&mut self.locals, name, *ty)
    }

    pub(super) fn adjoint_place(&mut self, local: LocalId) -> Place {
        let ty = self.kernel.local(local).ty;
        local_place(self.adjoint_local(local), ty)
    }

    fn adjoint_local(&mut self, local: LocalId) -> LocalId {
        if let Some(adjoint) = self.adjoints.get(local) {
            return *adjoint;
        }
        let Local { name, ty, .. } = self.kernel.local(local);
        let (name, ty) = (["adj_", name.trim_start_matches("r#")].concat(), *ty);
        let adjoint = self.fresh(name, ty);
        self.adjoints.insert(local, adjoint);
        adjoint
    }

    /// The adjoints of locals and of by-value parameters that there are so far.
    pub(super) fn adjoint_locals(&self) -> super::live::Live {
        self.adjoints.iter().map(|(_, adjoint)| adjoint).chain(self.sums.values()).copied().collect()
    }

    /// `expr` over the current names.
    pub(super) fn rename(&self, expr: &Expr, env: &Env) -> Expr {
        let name = |local: LocalId| env.get(local).copied().unwrap_or(local);
        expr.copy_with(&mut |part| {
            let kind = match &part.kind {
                ExprKind::Local(local) => ExprKind::Local(name(*local)),
                ExprKind::LocalElement { local, index } => {
                    ExprKind::LocalElement { local: name(*local), index: Box::new(self.rename(index, env)) }
                }
                _ => return None,
            };
            Some(Expr { kind, ..*part })
        })
    }

    pub(super) fn rename_range(&self, range: &ForRange, env: &Env) -> ForRange {
        ForRange {
            start: self.rename(&range.start, env),
            end: self.rename(&range.end, env),
            inclusive: range.inclusive,
            direction: range.direction,
            step: range.step.as_ref().map(|step| self.rename(step, env)),
        }
    }

    pub(super) fn rename_path(&self, path: &[Projection], env: &Env) -> Vec<Projection> {
        path.iter()
            .map(|step| match step {
                Projection::Component(index) => Projection::Component(self.rename(index, env)),
                Projection::Column(index) => Projection::Column(self.rename(index, env)),
            })
            .collect()
    }

    /// The block as it is, without its writes to arrays.
    pub(super) fn plain(&mut self, block: &[Stmt], env: &mut Env) -> Block {
        let mut out = Block::new();
        for stmt in block {
            self.plain_stmt(stmt, env, &mut out);
        }
        out
    }

    fn plain_stmt(&mut self, stmt: &Stmt, env: &mut Env, out: &mut Block) {
        let kind = match &stmt.kind {
            StmtKind::Let { local, init } => {
                let init = init.as_ref().map(|init| self.rename(init, env));
                let name = self.renamed(*local);
                env.insert(*local, name);
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
            StmtKind::Atomic { result, .. } => {
                let Some(result) = result else { return };
                let lost = self.lose(*result);
                let ty = self.kernel.local(*result).ty;
                let place = local_place(env.get(*result).copied().unwrap_or(*result), ty);
                StmtKind::Assign { place, value: expr(ExprKind::Local(lost), ty) }
            }
            StmtKind::If { cond, then, other } => StmtKind::If {
                cond: self.rename(cond, env),
                then: self.plain(then, &mut env.clone()),
                other: self.plain(other, &mut env.clone()),
            },
            StmtKind::For { local, range, body } => {
                let range = self.rename_range(range, env);
                let name = self.renamed(*local);
                let mut inner = env.clone();
                inner.insert(*local, name);
                StmtKind::For { local: name, range, body: self.plain(body, &mut inner) }
            }
            StmtKind::While { cond, body } => {
                StmtKind::While { cond: self.rename(cond, env), body: self.plain(body, &mut env.clone()) }
            }
            kind @ (StmtKind::Break | StmtKind::Continue | StmtKind::Return(_)) => kind.clone(),
        };
        out.push(Stmt { kind, span: stmt.span });
    }

    /// The place over the current names; `None` for an array element.
    fn plain_place(&self, place: &Place, env: &Env) -> Option<Place> {
        let PlaceRoot::Local(local) = place.root else { return None };
        let root = PlaceRoot::Local(env.get(local).copied().unwrap_or(local));
        Some(Place { root, path: self.rename_path(&place.path, env), ty: place.ty, span: place.span })
    }

    fn lose(&mut self, local: LocalId) -> LocalId {
        let lost = self.renamed(local);
        self.lost.insert(lost, local);
        lost
    }

    /// The locals declared outside of `stmt` that it changes, in the order of their numbers.
    pub(super) fn changed(&self, stmt: &Stmt, env: &Env) -> Vec<LocalId> {
        let mutations = Mutations::of(std::slice::from_ref(stmt));
        env.iter().map(|(local, _)| local).filter(|local| mutations.changes(*local)).collect()
    }

    /// The adjoint of `block`: forward, then back.
    pub(super) fn reverse(&mut self, block: &[Stmt], env: &Env) -> Block {
        let mut env = env.clone();
        let mut forward = Block::with_capacity(2 * block.len());
        let mut back: Vec<Block> = Vec::with_capacity(block.len());
        for stmt in block {
            let mut reversed = Block::new();
            self.stmt(stmt, &mut env, &mut forward, &mut reversed);
            back.push(reversed);
        }
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

    /// Appends what a statement does to `forward`, and its reverse to `back`.
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
                    let sure = self.facts.certainty.of_local(*local, g.ty, &[], g.ty);
                    self.pull(&node, g, sure, back);
                }
            }
            StmtKind::Assign { place, value } => self.assignment(place, value, env, forward, back),
            StmtKind::Update { place, op, value } => match &place.root {
                PlaceRoot::Element { .. } => self.accumulation(place, *op, value, env, forward, back),
                PlaceRoot::Local(local) => {
                    let old = place.value(self.kernel.local(*local).ty);
                    let value = expr(ExprKind::Op(*op, vec![old, value.clone()]), place.ty);
                    self.assignment(place, &value, env, forward, back);
                }
                PlaceRoot::LocalElement { .. } => {}
            },
            StmtKind::Atomic { op, place, value, result } => {
                self.atomic(*op, place, value, env, forward, back);
                if let Some(result) = result {
                    let lost = self.lose(*result);
                    env.insert(*result, lost);
                }
            }
            StmtKind::If { cond, then, other } => {
                let cond = self.condition(cond, env, forward);
                let before = env.clone();
                let changed = self.changed(stmt, env);
                self.new_names(&changed, env, forward);
                let (plain_then, plain_other) =
                    (self.plain(then, &mut env.clone()), self.plain(other, &mut env.clone()));
                forward.extend(branch(cond.clone(), plain_then, plain_other));
                let (then, other) = (self.reverse(then, &before), self.reverse(other, &before));
                back.extend(branch(cond, then, other));
            }
            StmtKind::For { .. } | StmtKind::While { .. } => self.repeat(stmt, env, forward, back),
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) => {}
        }
    }

    /// Gives each of the locals a new name with the current value.
    pub(super) fn new_names(&mut self, locals: &[LocalId], env: &mut Env, out: &mut Block) {
        for local in locals {
            let (name, ty) = (self.renamed(*local), self.kernel.local(*local).ty);
            let old = env.get(*local).copied().unwrap_or(*local);
            out.push(declare(name, expr(ExprKind::Local(old), ty)));
            env.insert(*local, name);
        }
    }

    /// A condition that can be evaluated again: as it is if it is short and cheap, else a local.
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
        let sure = self.facts.certainty.of_local(local, ty, &place.path, place.ty);
        match node.without(local) {
            // `v = v + e`: the adjoint of `v` stays what it is.
            Some(rest) if place.path.is_empty() => {
                for (kid, negative) in rest {
                    let g = if negative { neg(current.clone()) } else { current.clone() };
                    self.pull(kid, g, sure, back);
                }
            }
            _ if node.mentions(local) || !place.path.is_empty() => {
                let g = self.bind("g", current, back);
                back.push(assign(adjoint, zero(place.ty)));
                self.pull(&node, g, sure, back);
            }
            _ => {
                self.pull(&node, current, sure, back);
                back.push(assign(adjoint, zero(place.ty)));
            }
        }
    }

    /// A value in a local, if it is not cheap to name already.
    pub(super) fn bind(&mut self, name: &str, value: Expr, out: &mut Block) -> Expr {
        let ty = value.ty;
        let local = self.fresh(name, ty);
        out.push(declare(local, value));
        expr(ExprKind::Local(local), ty)
    }

    /// `y[k] = value`.
    fn store(&mut self, place: &Place, value: &Expr, env: &Env, forward: &mut Block, back: &mut Block) {
        let Some((array, adjoint)) = self.element_adjoint(place, env) else { return };
        let (_, node) = self.node(value, env, forward);
        let current = adjoint.value(self.kernel.param(array).elem());
        if self.facts.classes.get(&array) == Some(&Class::Owned) {
            return self.pull(&node, current, Sure::all(place.ty), back);
        }
        if node.is_active() {
            let g = self.bind("g", current, back);
            back.push(assign(adjoint, zero(place.ty)));
            self.pull(&node, g, self.facts.certainty.of_store(place), back);
        } else {
            back.push(assign(adjoint, zero(place.ty)));
        }
    }

    /// `y[k] += value`, or `-=`.
    fn accumulation(&mut self, place: &Place, op: Op, value: &Expr, env: &Env, forward: &mut Block, back: &mut Block) {
        let Some((array, adjoint)) = self.element_adjoint(place, env) else { return };
        let (_, node) = self.node(value, env, forward);
        if node.is_active() {
            let g = adjoint.value(self.kernel.param(array).elem());
            let g = self.bind("g", g, back);
            let sure = self.facts.certainty.of_store(place);
            self.pull(&node, if op == Op::Sub { neg(g) } else { g }, sure, back);
        }
    }

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
                let extreme = Place { root: self.renamed_root(&place.root, env), ..place.clone() }.value(elem);
                let mut wins = Block::new();
                self.pull(&node, adjoint.value(elem), Sure::all(place.ty), &mut wins);
                let cond = super::build::compare(Op::Eq, value, extreme);
                back.extend(branch(cond, wins, Vec::new()));
            }
        }
    }

    fn renamed_root(&self, root: &PlaceRoot, env: &Env) -> PlaceRoot {
        match root {
            PlaceRoot::Element { array, index } => {
                PlaceRoot::Element { array: *array, index: index.iter().map(|index| self.rename(index, env)).collect() }
            }
            other => other.clone(),
        }
    }

    /// The array of an element of floats, and the place of its adjoint.
    fn element_adjoint(&self, place: &Place, env: &Env) -> Option<(ParamId, Place)> {
        let PlaceRoot::Element { array, index } = &place.root else { return None };
        if !place.ty.is_float() {
            return None;
        }
        let index = index.iter().map(|index| self.rename(index, env)).collect();
        let root = PlaceRoot::Element { array: self.adjoint_param(*array), index };
        Some((*array, Place { root, path: self.rename_path(&place.path, env), ty: place.ty, span: place.span }))
    }

    /// The number that the adjoint of a parameter has until the signature is made: behind those of the source.
    pub(super) fn adjoint_param(&self, param: ParamId) -> ParamId {
        ParamId(param.0 + self.kernel.params.len() as u32)
    }

    /// Declares the sums of the adjoints of by-value parameters, and adds them to those of the other threads.
    pub(super) fn flush_sums(&mut self, body: &mut Block) {
        for (param, local) in self.sums.clone() {
            let ty = self.kernel.param(param).elem();
            let root = PlaceRoot::Element { array: self.adjoint_param(param), index: vec![super::build::index(0)] };
            let place = Place { root, path: Vec::new(), ty, span: Span::NONE };
            let mut close = Block::new();
            self.add_atomically(&place, expr(ExprKind::Local(local), ty), &mut close);
            super::polish::enclose(body, local, declare(local, zero(ty)), close);
        }
    }

    /// `place += value`, part by part, whatever other threads do.
    pub(super) fn add_atomically(&mut self, place: &Place, value: Expr, out: &mut Block) {
        let value =
            if place.ty.is_scalar() || super::pull::is_plain(&value) { value } else { self.bind("g", value, out) };
        for (steps, part) in parts(value) {
            let (op, part) = match part.kind {
                ExprKind::Op(Op::Neg, mut args) if args.len() == 1 => (AtomicOp::Sub, args.remove(0)),
                kind => (AtomicOp::Add, Expr { kind, ..part }),
            };
            let mut target = Place { ty: part.ty, ..place.clone() };
            target.path.extend(steps);
            out.push(stmt(StmtKind::Atomic { op, place: target, value: part, result: None }));
        }
    }
}

pub(super) fn neg(value: Expr) -> Expr {
    match value.kind {
        ExprKind::Op(Op::Neg, mut args) if args.len() == 1 => args.remove(0),
        _ => {
            let ty = value.ty;
            expr(ExprKind::Op(Op::Neg, vec![value]), ty)
        }
    }
}

/// The scalars that a value is made of, with the ways to them.
pub(super) fn parts(value: Expr) -> Vec<(Vec<Projection>, Expr)> {
    let at = |k: u8| super::build::index(k.into());
    let component = |base: &Expr, k: u8| {
        expr(ExprKind::Component(Box::new(base.clone()), Box::new(at(k))), Type::of(base.ty.scalar()))
    };
    match value.ty {
        Type { shape: Shape::Scalar, .. } => vec![(Vec::new(), value)],
        Type { shape: Shape::Vector(n), .. } => {
            (0..n).map(|k| (vec![Projection::Component(at(k))], component(&value, k))).collect()
        }
        Type { shape: Shape::Quat, .. } => {
            (0..4).map(|k| (vec![Projection::Component(at(k))], component(&value, k))).collect()
        }
        Type { scalar, shape: Shape::Matrix(n, _) } => {
            let column = |j| expr(ExprKind::Column(Box::new(value.clone()), Box::new(at(j))), Type::vector(scalar, n));
            let all = (0..n).flat_map(|j| (0..n).map(move |k| (j, k)));
            all.map(|(j, k)| (vec![Projection::Column(at(j)), Projection::Component(at(k))], component(&column(j), k)))
                .collect()
        }
    }
}

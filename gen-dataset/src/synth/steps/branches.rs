//! Branches, guards, and chains of cases.

use super::super::generator::{Generator, Term};
use super::super::samples;
use super::super::terms::round;
use kernel_ir::ir::{Block, Stmt, StmtKind, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{Operand, Var};

impl Generator {
    pub(super) fn branch(&mut self) {
        let ty = self.working_type();
        let local = self.variable(ty);
        self.branch_on(local, 0);
    }

    pub(super) fn nested_branch(&mut self) {
        let ty = self.working_type();
        let local = self.variable(ty);
        self.branch_on(local, 1);
    }

    /// `if … { x … } else { x … }`, with `inside` more branches inside.
    fn branch_on(&mut self, local: Var, inside: usize) {
        let Some(cond) = self.condition(1) else { return };
        let Some(before) = self.item_of(local).map(|item| item.term.samples.clone()) else { return };
        let depth = self.depth.saturating_sub(1);
        let then = self.side(local, depth, inside);
        let changed = self.item_of(local).map(|item| item.term.samples.clone()).unwrap_or_else(|| before.clone());
        self.set_samples(local, before.clone());
        let other = if inside > 0 || self.rng.percent(55) { self.side(local, depth, 0) } else { Vec::new() };
        let otherwise = self.item_of(local).map(|item| item.term.samples.clone()).unwrap_or(before);
        self.set_samples(local, samples::select(&cond.samples, &changed, &otherwise));
        if !then.is_empty() {
            self.push(Stmt::branch(cond.expr, then, other));
        }
    }

    fn side(&mut self, local: Var, depth: usize, inside: usize) -> Block {
        let (block, ()) = self.nested(|generator| {
            if depth > 0 && generator.rng.percent(25) {
                generator.let_term();
            }
            if inside > 0 {
                generator.branch_on(local, inside - 1);
            } else {
                generator.change(local, depth);
            }
        });
        block
    }

    /// An early return of threads without work.
    pub(super) fn guard(&mut self) {
        if self.nesting > 0 {
            return;
        }
        let Some(cond) = self.comparison() else { return };
        self.push(Stmt::when(cond.expr, [Stmt::new(StmtKind::Return(None))]));
    }

    /// `if x < 0.2 { … } else if x < 0.7 { … } else { … }`, as a value or as statements.
    pub(super) fn cases(&mut self) {
        let number = self.number();
        let subject = self.term(number, 1);
        if !subject.samples.is_varied() {
            return;
        }
        let subject = if subject.size > 1 {
            self.bind(&["level", "key", "position_in_range", "t", "measure"], subject)
        } else {
            subject
        };
        let (low, high) = subject.samples.range();
        let count = self.rng.pick(&[2, 3, 3, 4, 5]);
        let op = self.rng.pick(&[Op::Lt, Op::Le]);
        let mut conds = Vec::new();
        for place in 0..count {
            let part = (place as f64 + self.rng.float(0.7, 1.3)) / (count as f64 + 1.0);
            let bound = Term::number(round(low + part * (high - low), high - low), number);
            let Some(cond) = self.raw(op, vec![subject.clone(), bound], Type::BOOL) else { return };
            conds.push(cond);
        }
        self.pick_case(conds);
    }

    /// `if kind == 0 { … } else if kind == 1 { … } else { … }`.
    pub(super) fn switch(&mut self) {
        let ty: Type = self.int.into();
        let count = self.rng.pick(&[3, 3, 4, 5]);
        let subject = self.leaf(ty);
        let subject = self.fit_int(subject, 0, count);
        let subject =
            if subject.size > 1 { self.bind(&["mode", "kind", "case", "phase_id", "bank"], subject) } else { subject };
        if !subject.samples.is_varied() {
            return;
        }
        let mut conds = Vec::new();
        for value in 0..count - 1 {
            let Some(cond) = self.raw(Op::Eq, vec![subject.clone(), Term::number(value as f64, ty)], Type::BOOL) else {
                return;
            };
            conds.push(cond);
        }
        self.pick_case(conds);
    }

    /// A value or a change that differs between the cases.
    pub(super) fn pick_case(&mut self, conds: Vec<Term>) {
        let ty = self.working_type();
        if self.rng.percent(55) {
            let mut chosen = self.term(ty, 1);
            for cond in conds.into_iter().rev() {
                let depth = self.rng.below(3).min(self.depth);
                let then = if ty.is_scalar() && ty != Type::BOOL && self.rng.percent(15) {
                    self.literal(ty)
                } else {
                    self.term(ty, depth)
                };
                if then.expr == chosen.expr {
                    continue;
                }
                let samples = samples::select(&cond.samples, &then.samples, &chosen.samples);
                let size = 1 + cond.size + then.size + chosen.size;
                chosen = Term { expr: cond.expr.select(then.expr, chosen.expr), samples, size };
            }
            let names = self.local_names();
            self.bind(names, chosen);
            return;
        }
        let local = self.variable(ty);
        let Some(before) = self.item_of(local).map(|item| item.term.samples.clone()) else { return };
        let depth = self.depth.saturating_sub(1);
        let mut sides = Vec::new();
        let mut found = Vec::new();
        for _ in 0..=conds.len() {
            self.set_samples(local, before.clone());
            sides.push(self.side(local, depth, 0));
            found.push(self.item_of(local).map(|item| item.term.samples.clone()).unwrap_or_else(|| before.clone()));
        }
        let (Some(mut other), Some(mut samples)) = (sides.pop(), found.pop()) else { return };
        for ((cond, then), then_samples) in conds.into_iter().zip(sides).zip(found).rev() {
            samples = samples::select(&cond.samples, &then_samples, &samples);
            other = vec![Stmt::branch(cond.expr, then, other)];
        }
        self.set_samples(local, samples);
        self.block.append(&mut other);
    }
}

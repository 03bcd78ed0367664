//! Let-bindings of terms, and updates of them, whole or by component.

use super::super::generator::{Generator, Term};
use super::super::overloads::Overload;
use kernel_ir::ir::{Expr, Shape, Stmt, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{Operand, Var};

/// Names of computed truth values.
const TRUTHS: [&str; 6] = ["inside", "active", "above", "is_valid", "triggered", "near"];

impl Generator {
    /// A type that the kernel computes with: mostly its main float type, or one of its shapes.
    pub(in super::super) fn working_type(&mut self) -> Type {
        if !self.shapes.is_empty() && self.rng.percent(45) {
            let place = self.rng.below(self.shapes.len());
            return self.shapes[place];
        }
        if self.rng.percent(12) { self.int.into() } else { self.number() }
    }

    /// Names of intermediate values.
    pub(in super::super) fn local_names(&self) -> &'static [&'static str] {
        self.theme.locals
    }

    /// Uses the operation that the kernel is built around.
    pub(in super::super) fn feature(&mut self, row: &Overload) {
        for depth in [1, 1, 0, 0] {
            if let Some(term) = self.operation(row, None, depth) {
                let names: &[&str] = if row.ret == Type::BOOL { &TRUTHS } else { self.local_names() };
                self.bind(names, term);
                return;
            }
        }
        if row.ret == Type::BOOL {
            self.question(row);
        }
    }

    /// A test with a constant answer that authors write for safety: `if x.is_nan() { 0.5 } else { x }`.
    fn question(&mut self, row: &Overload) {
        let ty = row.args[0];
        if row.args.iter().any(|arg| *arg != ty || *arg == Type::BOOL) {
            return;
        }
        let asked = self.term(ty, 1);
        let asked = self.bind(self.local_names(), asked);
        // Further operands are zeros.
        let with = row.args.iter().skip(1).map(|ty| Term::number(0.0, *ty));
        let args: Vec<Term> = std::iter::once(asked.clone()).chain(with).collect();
        let Some(answer) = self.raw(row.op, args, Type::BOOL) else { return };
        let usual = answer.samples.range().0 > 0.5;
        let spare = self.literal(ty);
        let (then, other) = if usual { (asked.clone(), spare) } else { (spare, asked.clone()) };
        let safe = Term { expr: answer.expr.select(then.expr, other.expr), samples: asked.samples, size: 4 };
        self.bind(&["safe", "checked", "sane"], safe);
    }

    pub(super) fn let_term(&mut self) {
        let ty = self.working_type();
        let depth = self.depth;
        let term = self.term(ty, depth);
        if term.size > 1 && term.samples.is_varied() {
            let names: &[&str] = self.local_names();
            self.bind(names, term);
        }
    }

    pub(super) fn choose(&mut self) {
        let ty = self.working_type();
        let depth = self.depth.saturating_sub(1);
        if let Some(term) = self.choice(ty, depth)
            && term.samples.is_varied()
        {
            let names = self.local_names();
            self.bind(names, term);
        }
    }

    /// A mutable variable: an existing one, or a new one.
    pub(super) fn variable(&mut self, ty: Type) -> Var {
        let known: Vec<Var> =
            self.items.iter().filter(|item| item.term.ty() == ty).filter_map(|item| item.target).collect();
        if !known.is_empty() && self.rng.percent(50) {
            return self.rng.pick(&known);
        }
        let depth = self.rng.below(2);
        let term = self.term(ty, depth);
        let names = self.local_names();
        self.bind_mut(names, term).0
    }

    pub(super) fn update(&mut self) {
        let ty = self.working_type();
        let local = self.variable(ty);
        let depth = self.depth.saturating_sub(1);
        self.change(local, depth);
    }

    /// One statement that changes the variable: `x += term;`, `x = term;`.
    pub(super) fn change(&mut self, local: Var, depth: usize) {
        let Some(old) = self.item_of(local).map(|item| item.term.clone()) else { return };
        let ty = old.ty();
        for _ in 0..4 {
            let term = self.term(ty, depth);
            let op = self.rng.pick(&[Op::Add, Op::Sub, Op::Mul, Op::Add]);
            let op = if ty.is_scalar() && self.rng.percent(12) { Op::Div } else { op };
            let op = if !ty.is_float() && ty.is_scalar() && self.rng.percent(35) {
                self.rng.pick(&[Op::BitXor, Op::BitAnd, Op::BitOr, Op::Rem, Op::Shl, Op::Shr])
            } else {
                op
            };
            if ty.is_quat() && op == Op::Div || term.expr == old.expr {
                continue;
            }
            let Some(new) = self.apply(op, vec![old.clone(), term.clone()], ty) else { continue };
            self.push(local.update(op, term.expr));
            self.set_samples(local, new.samples);
            if let Some(item) = self.item_of(local) {
                item.uses = 0;
            }
            return;
        }
        let term = self.term(ty, depth);
        if term.samples.is_varied() && term.expr != old.expr {
            self.push(local.set(term.expr));
            self.set_samples(local, term.samples);
            if let Some(item) = self.item_of(local) {
                item.uses = 0;
            }
        }
    }

    /// Changes components one by one, or all in a loop.
    pub(super) fn parts(&mut self) {
        if self.shapes.is_empty() {
            return self.update();
        }
        let place = self.rng.below(self.shapes.len());
        let ty = self.shapes[place];
        let local = self.variable(ty);
        if let Type { shape: Shape::Vector(n), .. } = ty
            && self.rng.percent(35)
        {
            return self.every_part(local, ty, n);
        }
        for _ in 0..self.rng.pick(&[1, 1, 2]) {
            self.change_part(local, ty);
        }
    }

    fn change_part(&mut self, local: Var, ty: Type) {
        let Some(whole) = self.item_of(local).map(|item| item.term.clone()) else { return };
        let count = match ty.shape {
            Shape::Vector(n) | Shape::Matrix(n, _) => usize::from(n),
            _ => 4,
        };
        let number = self.rng.below(count);
        let place = local.place().part(Expr::index(number));
        let Some(samples) = whole.samples.part(number) else { return };
        let part = Term { expr: whole.expr.part(Expr::index(number)), samples, size: 2 };
        let value = self.term(place.ty, 1);
        let op = self.rng.pick(&[Op::Add, Op::Sub, Op::Mul]);
        // A matrix changes by column. A product of two columns is taken component by component.
        match self.apply(op, vec![part, value.clone()], place.ty) {
            Some(_) if self.rng.percent(65) => self.push(place.update(op, value.expr)),
            _ if value.size > 1 => self.push(place.set(value.expr)),
            _ => {}
        }
        if let Some(item) = self.item_of(local) {
            item.uses = 0;
        }
    }

    /// `for axis in 0..3 { v[axis] = …; }`
    fn every_part(&mut self, local: Var, ty: Type, n: u8) {
        let scalar: Type = ty.scalar().into();
        let Some(whole) = self.item_of(local).map(|item| item.term.clone()) else { return };
        let variable = self.local("axis", Type::INDEX, false);
        let number = variable.expr();
        let Some(samples) = whole.samples.part(0) else { return };
        let part = Term { expr: whole.expr.part(&number), samples, size: 2 };
        let place = local.place().part(number);
        let (body, ()) = self.nested(|generator| {
            for _ in 0..4 {
                let value = generator.term(scalar, 1);
                let op = generator.rng.pick(&[Op::Mul, Op::Add, Op::Sub, Op::Max, Op::Min]);
                if let Some(new) = generator.apply(op, vec![part.clone(), value.clone()], scalar) {
                    let stmt = match op {
                        Op::Max | Op::Min => place.set(new.expr),
                        _ => place.update(op, value.expr),
                    };
                    generator.push(stmt);
                    return;
                }
            }
        });
        if !body.is_empty() {
            self.push(Stmt::for_loop(variable, 0, Expr::index(n.into()), body));
        }
        if let Some(item) = self.item_of(local) {
            item.uses = 0;
        }
    }
}

//! Integers, indices and conditions.

use super::rules::Range;
use super::terms::Term;
use super::{Access, Array, Axis, Generator};
use kernel_ir::ir::{Expr, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::Operand;

/// The largest magnitude of integers.
const SMALL: f64 = 500.0;

impl Generator {
    /// A small, non-negative integer of type `ty`.
    pub(super) fn integer(&mut self, ty: Type, depth: usize) -> Term {
        let leaf = self.integer_leaf(ty);
        if depth == 0 || self.rng.percent(40) {
            return leaf;
        }
        let other = self.integer_leaf(ty);
        let (a, b) = (leaf.range, other.range);
        let choice = self.rng.below(6);
        let (op, range) = match choice {
            0 | 1 => (Op::Add, a.plus(b)),
            2 => (Op::Mul, a.times(b)),
            3 => (Op::Max, a.join(b)),
            4 if ty == Type::I32 => (Op::Sub, a.minus(b)),
            4 => (Op::SaturatingSub, Range::new(0.0, a.high)),
            _ => {
                let divisor = self.rng.int(2, 5);
                let expr = leaf.expr % Expr::number(divisor, ty);
                return Term::new(expr, Range::new(0.0, divisor as f64 - 1.0), 0.0);
            }
        };
        let term = Term::new(Expr::op(op, [leaf.expr, other.expr]), range, 0.0);
        let limit = Range::new(0.0, SMALL);
        self.integer_within(term, limit)
    }

    /// Maps `term` into `range` by a remainder.
    pub(super) fn integer_within(&mut self, term: Term, range: Range) -> Term {
        if range.contains(term.range) {
            return term;
        }
        let ty = term.ty();
        let width = Expr::number((range.high - range.low) as i64 + 1, ty);
        let op = if term.range.low < 0.0 { Op::RemEuclid } else { Op::Rem };
        let mut expr = Expr::op(op, [term.expr, width]);
        if range.low != 0.0 {
            expr = expr + Expr::number(range.low as i64, ty);
        }
        Term::new(expr, range, 0.0)
    }

    fn integer_leaf(&mut self, ty: Type) -> Term {
        if self.rng.percent(20) {
            let value = self.rng.int(1, 4);
            return Term::new(Expr::number(value, ty), Range::new(value as f64, value as f64), 0.0);
        }
        let mut choices: Vec<Term> = Vec::new();
        for var in self.vars.iter().filter(|var| is_integer(var.ty)) {
            choices.push(Term::new(Expr::local(var.local, var.ty), var.range, 0.0));
        }
        for value in self.values.iter().filter(|value| is_integer(value.ty)) {
            choices.push(Term::new(Expr::param(value.id, value.ty), value.range, 0.0));
        }
        choices.push(Term::new(self.tid[0].clone(), self.axis_range(Axis::Launch(0)), 0.0));
        let arrays: Vec<Array> = self.arrays.iter().filter(|array| is_integer(array.elem)).cloned().collect();
        for array in &arrays {
            let load = self.load(array);
            choices.push(Term::new(load, array.range, 0.0));
        }
        let term = choices.swap_remove(self.rng.below(choices.len()));
        Term::new(term.expr.cast(ty), term.range, 0.0)
    }

    /// An index for each axis, all in range.
    pub(super) fn indices(&mut self, array: &Array) -> Vec<Expr> {
        array.axes.iter().enumerate().map(|(place, axis)| self.index(array, place as u8, *axis)).collect()
    }

    fn index(&mut self, array: &Array, place: u8, axis: Axis) -> Expr {
        let facts: Vec<Expr> =
            self.facts.iter().filter(|fact| fact.axis == axis).map(|fact| fact.index.clone()).collect();
        if !facts.is_empty() && self.rng.percent(60) {
            return facts[self.rng.below(facts.len())].clone();
        }
        let pointers: Vec<Array> =
            self.arrays.iter().filter(|pointer| pointer.points_to == Some(axis)).cloned().collect();
        if !pointers.is_empty() && self.rng.percent(40) {
            let pointer = &pointers[self.rng.below(pointers.len())];
            let index = self.tid.clone();
            return Expr::load(pointer.id, index, pointer.elem).cast(Type::INDEX);
        }
        if let Axis::Fixed(extent) = axis
            && self.rng.percent(50)
        {
            return Expr::number(self.rng.int(0, i64::from(extent) - 1), Type::INDEX);
        }
        let extent = match axis {
            Axis::Fixed(extent) => Expr::number(i64::from(extent), Type::INDEX),
            _ => Expr::extent(array.id, place),
        };
        match (facts.first(), self.rng.below(4)) {
            (Some(fact), 0) => fact.saturating_sub(1),
            (Some(fact), 1) => {
                let next = fact + self.rng.int(1, 2);
                let last = extent - 1;
                next.min(last)
            }
            (Some(fact), 2) => {
                let next = fact + self.rng.int(1, 3);
                next % extent
            }
            _ => {
                let number = self.integer(Type::INDEX, 1);
                number.expr % extent
            }
        }
    }

    /// A condition on data, on integers, or on a combination.
    pub(super) fn condition(&mut self, depth: usize) -> Expr {
        if depth > 0 && self.rng.percent(30) {
            return match self.rng.below(5) {
                0 => {
                    let inner = self.condition(depth - 1);
                    !inner
                }
                choice => {
                    let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                    Expr::op(if choice < 3 { Op::And } else { Op::Or }, [a, b])
                }
            };
        }
        if self.arrays.iter().any(|array| array.elem == Type::BOOL) && self.rng.percent(20) {
            return self.known_condition();
        }
        match self.rng.below(10) {
            0..6 => self.comparison(),
            6..9 => self.integer_condition(),
            _ => self.known_condition(),
        }
    }

    fn comparison(&mut self) -> Expr {
        let ty = self.number();
        let a = self.term(ty, 1);
        let b = match self.rng.below(3) {
            0 => self.term(ty, 1),
            _ => {
                let range = Range::new(a.range.low.max(-1.0), a.range.high.min(1.0));
                let range = if range.low < range.high { range } else { a.range };
                self.number_within(range, ty.scalar())
            }
        };
        Expr::op(self.rng.pick(&[Op::Lt, Op::Le, Op::Gt, Op::Ge]), [a.expr, b.expr])
    }

    fn integer_condition(&mut self) -> Expr {
        let ty = self.rng.pick(&[Type::INDEX, Type::I32]);
        let a = self.integer(ty, 1);
        if self.rng.percent(50) {
            let remainder = a.expr % Expr::number(self.rng.int(2, 3), ty);
            return Expr::op(self.rng.pick(&[Op::Eq, Op::Ne]), [remainder, Expr::number(self.rng.int(0, 1), ty)]);
        }
        let b = self.integer(ty, 0);
        Expr::op(self.rng.pick(&[Op::Lt, Op::Ge, Op::Eq]), [a.expr, b.expr])
    }

    /// A named truth value, or a comparison.
    fn known_condition(&mut self) -> Expr {
        let mut known: Vec<Expr> =
            self.vars.iter().filter(|var| var.ty == Type::BOOL).map(|var| Expr::local(var.local, var.ty)).collect();
        let values = self.values.iter().filter(|value| value.ty == Type::BOOL);
        known.extend(values.map(|value| Expr::param(value.id, value.ty)));
        let masks: Vec<Array> = self.arrays.iter().filter(|array| array.elem == Type::BOOL).cloned().collect();
        known.extend(masks.iter().map(|mask| self.load(mask)));
        if known.is_empty() { self.comparison() } else { known.swap_remove(self.rng.below(known.len())) }
    }

    /// An array and an index near the thread's own that may be out of range, with the condition that it is in range.
    pub(super) fn neighbour(&mut self) -> Option<(Expr, super::Fact)> {
        let axis = self.rng.below(self.kernel.dim.into());
        let launch = Axis::Launch(axis as u8);
        let arrays: Vec<(&Array, usize)> = self
            .arrays
            .iter()
            .filter(|array| array.access == Access::Read)
            .filter_map(|array| Some((array, array.axes.iter().position(|axis| *axis == launch)?)))
            .collect();
        let (array, place) = arrays.first().copied()?;
        let array = array.id;
        let (tid, distance) = (self.tid[axis].clone(), Expr::number(self.rng.int(1, 2), Type::INDEX));
        let (cond, index) = if self.rng.percent(50) {
            (tid.ge(&distance), tid - distance)
        } else {
            let next = tid + distance;
            let extent = Expr::extent(array, place as u8);
            (next.lt(extent), next)
        };
        Some((cond, super::Fact { axis: launch, index }))
    }
}

pub(super) fn is_integer(ty: Type) -> bool {
    ty.is_scalar() && ty.scalar().is_integer()
}

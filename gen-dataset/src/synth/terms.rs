//! Random expressions (terms), evaluated on samples while they grow.

use super::generator::{Generator, Item, Term};
use super::overloads::{self, Overload};
use super::samples;
use super::simplify::{folded, is_odd, is_settled_by_type};
use kernel_ir::ir::{Expr, ExprKind, Literal, Scalar, Shape, Type};
use kernel_ir::ops::build::Operand;
use kernel_ir::ops::{Op, Syntax};

/// A term with this many nodes gets a name before it is used further.
const LARGE: usize = 9;
/// The largest number of nodes of a term. Without a limit, terms whose operands are used twice and repaired double each
/// time.
const LARGEST: usize = 100;
/// The number of operations that are tried in one place.
const TRIES: usize = 6;
/// The limit on the recursion of the search for leaves.
const DEEPEST: usize = 4;
/// The number of repairs of the operands of an operation.
const REPAIRS: usize = 7;

impl Generator {
    /// A term of type `ty` of about `depth` levels.
    pub(super) fn term(&mut self, ty: Type, depth: usize) -> Term {
        if depth == 0 || self.rng.percent(8) {
            return self.leaf(ty);
        }
        if self.rng.percent(5)
            && !ty.is_matrix()
            && let Some(term) = self.choice(ty, depth - 1)
        {
            return term;
        }
        for _ in 0..TRIES {
            let Some(overload) = overloads::choose(&mut self.rng, self.op_class, ty) else { break };
            if !self.has_operands(overload) {
                continue;
            }
            if let Some(term) = self.operation(overload, None, depth - 1) {
                return term;
            }
        }
        self.leaf(ty)
    }

    /// Whether operands of the overload's types are available or easily made.
    fn has_operands(&self, overload: &Overload) -> bool {
        overload.args.iter().all(|arg| match arg {
            Type { scalar, shape: Shape::Scalar } => {
                *scalar == self.float
                    || *scalar == self.int
                    || matches!(scalar, Scalar::Bool | Scalar::I32 | Scalar::U32)
            }
            shaped => self.shapes.contains(shaped),
        })
    }

    /// `if cond { a } else { b }`.
    pub(super) fn choice(&mut self, ty: Type, depth: usize) -> Option<Term> {
        let cond = self.condition(1)?;
        let (then, other) = (self.term(ty, depth), self.term(ty, depth));
        if then.expr == other.expr {
            return None;
        }
        let samples = samples::select(&cond.samples, &then.samples, &other.samples);
        let size = 1 + cond.size + then.size + other.size;
        Some(Term { expr: cond.expr.select(then.expr, other.expr), samples, size })
    }

    /// A condition that is sometimes true and sometimes false.
    pub(super) fn condition(&mut self, depth: usize) -> Option<Term> {
        for _ in 0..TRIES {
            if depth > 0 && self.rng.percent(18) {
                let (a, b) = (self.comparison(), self.comparison());
                let (Some(a), Some(b)) = (a, b) else { continue };
                let op = self.rng.pick(&[Op::And, Op::Or, Op::And, Op::Or, Op::BitAnd, Op::BitOr, Op::BitXor]);
                if a.expr != b.expr
                    && let Some(term) = self.apply(op, vec![a, b], Type::BOOL)
                {
                    return Some(term);
                }
                continue;
            }
            if let Some(term) = self.comparison() {
                return Some(term);
            }
        }
        None
    }

    /// A comparison of a number with another one, or with a literal in the middle of its range.
    pub(super) fn comparison(&mut self) -> Option<Term> {
        let flags: Vec<usize> = (0..self.items.len()).filter(|k| self.items[*k].term.ty() == Type::BOOL).collect();
        if !flags.is_empty() && self.rng.percent(25) {
            let place = self.rng.pick(&flags);
            let flag = self.take(place);
            if !self.rng.percent(30) {
                return Some(flag);
            }
            return self.apply(Op::Not, vec![flag], Type::BOOL);
        }
        if !self.arrays.is_empty()
            && self.rng.percent(12)
            && let Some(flag) = self.input(Type::BOOL)
        {
            return Some(flag);
        }
        let integers = self.items.iter().any(|item| is_number(item.term.ty()) && !item.term.ty().is_float());
        let ty = if integers && self.rng.percent(40) { self.int.into() } else { self.number() };
        let depth = usize::from(self.rng.percent(40));
        let a = self.term(ty, depth);
        if !a.samples.is_varied() {
            return None;
        }
        if !ty.is_float() && self.rng.percent(40) {
            return self.divisible(a);
        }
        let b = if self.rng.percent(65) { self.within(&a) } else { self.leaf(ty) };
        let op = self.rng.pick(&[Op::Lt, Op::Gt, Op::Lt, Op::Gt, Op::Le, Op::Ge]);
        let op = if ty.is_float() || self.rng.percent(70) { op } else { self.rng.pick(&[Op::Eq, Op::Ne]) };
        if a.expr == b.expr { None } else { self.apply(op, vec![a, b], Type::BOOL) }
    }

    /// `a % 2 == 0`.
    fn divisible(&mut self, a: Term) -> Option<Term> {
        let ty = a.ty();
        let divisor = self.rng.int(2, 4);
        let rest = if a.samples.range().0 < 0.0 { Op::RemEuclid } else { Op::Rem };
        let rest = self.apply(rest, vec![a, Term::number(divisor as f64, ty)], ty)?;
        let wanted = Term::number(self.rng.int(0, divisor - 1) as f64, ty);
        let op = self.rng.pick(&[Op::Eq, Op::Eq, Op::Ne]);
        self.apply(op, vec![rest, wanted], Type::BOOL)
    }

    /// A short literal in the middle of the range of `term`.
    pub(super) fn within(&mut self, term: &Term) -> Term {
        let (low, high) = term.samples.range();
        let part = self.rng.float(0.25, 0.75);
        Term::number(round(low + part * (high - low), high - low), term.ty())
    }

    /// A number that authors write.
    pub(super) fn literal(&mut self, ty: Type) -> Term {
        if ty == Type::BOOL {
            return Term::literal(Literal::Bool(self.rng.percent(50)));
        }
        let value = if ty.is_float() {
            match self.rng.below(10) {
                0..6 => self.rng.pick(&[0.5, 2.0, 0.25, 1.5, 3.0, 0.1, 0.75, 4.0, 0.2, 1.25, 0.05, 0.8, 1.1, 0.3]),
                6..9 => (self.rng.float(0.05, 3.0) * 100.0).round() / 100.0,
                _ => (self.rng.float(0.001, 1.0) * 1000.0).round() / 1000.0,
            }
        } else {
            self.rng.pick(&[1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 8.0, 10.0, 12.0, 15.0, 16.0, 31.0, 255.0])
        };
        Term::number(value, ty)
    }

    /// Reads the item at index `place`.
    pub(super) fn take(&mut self, place: usize) -> Term {
        let item = &mut self.items[place];
        item.uses += 1;
        item.term.clone()
    }

    /// A term with few or no operations: a local, an element, a parameter, or a component or conversion of one.
    pub(super) fn leaf(&mut self, ty: Type) -> Term {
        self.descent += 1;
        let term = if self.descent > DEEPEST { self.plain(ty) } else { self.usual_leaf(ty) };
        self.descent -= 1;
        term
    }

    /// A value of type `ty` without a search: an item, or literals.
    fn plain(&mut self, ty: Type) -> Term {
        let known: Vec<usize> = (0..self.items.len()).filter(|k| self.items[*k].term.ty() == ty).collect();
        if !known.is_empty() {
            let place = self.rng.pick(&known);
            return self.take(place);
        }
        if ty == Type::INDEX { self.thread_term() } else { self.constructed(ty) }
    }

    fn usual_leaf(&mut self, ty: Type) -> Term {
        let weight = |item: &Item| match item.uses {
            0 => 9,
            1 => 3,
            _ => 1,
        };
        let mut choices: Vec<(usize, Option<usize>)> = Vec::new();
        let mut others: Vec<(usize, usize)> = Vec::new();
        for (place, item) in self.items.iter().enumerate() {
            if item.term.ty() == ty {
                choices.push((weight(item), Some(place)));
            } else if item.uses == 0 {
                others.push((weight(item), place));
            }
        }
        if self.inputs_left > 0 && ty != Type::INDEX {
            choices.push((if choices.is_empty() { 12 } else { 3 }, None));
        }
        if !others.is_empty() && (choices.is_empty() || self.rng.percent(30)) {
            let place = self.rng.weighted(&others);
            let from = self.items[place].term.clone();
            if let Some(term) = self.adapted(from, ty) {
                self.items[place].uses += 1;
                return term;
            }
        }
        if !choices.is_empty() {
            match self.rng.weighted(&choices) {
                Some(place) => return self.take(place),
                None => {
                    if let Some(term) = self.input(ty) {
                        let place = self.items.len() - 1;
                        self.items[place].uses += 1;
                        return term;
                    }
                }
            }
        }
        self.makeshift(ty)
    }

    /// A value of type `ty` when none is available.
    fn makeshift(&mut self, ty: Type) -> Term {
        if ty == Type::INDEX {
            return self.thread_term();
        }
        for _ in 0..TRIES {
            if self.items.is_empty() {
                break;
            }
            let place = self.rng.below(self.items.len());
            let from = self.items[place].term.clone();
            if let Some(term) = self.adapted(from, ty) {
                self.items[place].uses += 1;
                return term;
            }
        }
        if ty.is_scalar() && ty != Type::BOOL {
            let thread = self.thread_term();
            if let Some(term) = self.adapted(thread, ty) {
                return term;
            }
        }
        self.constructed(ty)
    }

    /// A value assembled from others, in the last resort from literals.
    fn constructed(&mut self, ty: Type) -> Term {
        match ty {
            Type { shape: Shape::Scalar | Shape::Struct(_) | Shape::Tile(..), .. } => self.literal(ty),
            Type { scalar, shape: Shape::Quat }
            | Type { scalar, shape: Shape::Vector(_) }
            | Type { scalar, shape: Shape::Matrix(..) } => {
                let part = match ty.shape {
                    Shape::Matrix(n, _) => Type::vector(scalar, n),
                    _ => scalar.into(),
                };
                let op = assembly(ty);
                let count = if ty.is_matrix() && ty.parts() > 2 && self.rng.percent(50) { 1 } else { op.1 };
                let op = if count == 1 { Op::FromDiagonal } else { op.0 };
                let parts: Vec<Term> = (0..count).map(|_| self.simple(part)).collect();
                self.assembled_of(op, parts, ty).unwrap_or_else(|| self.literal(ty.scalar().into()))
            }
        }
    }

    /// A value assembled from its components. A vector with equal components becomes a splat.
    pub(super) fn assembled_of(&mut self, op: Op, mut parts: Vec<Term>, ty: Type) -> Option<Term> {
        let are_same = parts.iter().all(|part| part.expr == parts[0].expr);
        if are_same && ty.is_vector() {
            parts.truncate(1);
            return self.raw(Op::Splat, parts, ty);
        }
        self.raw(op, parts, ty)
    }

    /// A component of an assembled value: an available one, or a literal.
    fn simple(&mut self, ty: Type) -> Term {
        let at_hand: Vec<usize> = (0..self.items.len()).filter(|k| self.items[*k].term.ty() == ty).collect();
        if !at_hand.is_empty() && self.rng.percent(75) {
            let place = self.rng.pick(&at_hand);
            return self.take(place);
        }
        if ty.is_scalar() { self.literal(ty) } else { self.constructed(ty) }
    }

    /// Applies the operation, if it is sound on the samples and an author would write it.
    pub(super) fn apply(&mut self, op: Op, args: Vec<Term>, ty: Type) -> Option<Term> {
        if is_odd(op, &args) {
            return None;
        }
        let samples: Vec<_> = args.iter().map(|arg| &arg.samples).collect();
        let samples = samples::probe(&mut self.rng, op, &samples, ty)?;
        assembled(op, args, samples, ty)
    }

    /// Applies the operation, if it is defined on the samples and its result is not decided by the types.
    pub(super) fn raw(&mut self, op: Op, args: Vec<Term>, ty: Type) -> Option<Term> {
        if let [a, b] = &args[..]
            && is_settled_by_type(op, a, b)
        {
            return None;
        }
        let samples: Vec<_> = args.iter().map(|arg| &arg.samples).collect();
        let samples = samples::apply(&mut self.rng, op, &samples, ty)?;
        assembled(op, args, samples, ty)
    }

    /// Applies the overload to terms of about `depth` levels, one of which may be given. Operands on which it is not
    /// sound are replaced. `None` after too many attempts.
    pub(super) fn operation(
        &mut self,
        overload: &Overload,
        given: Option<(usize, Term)>,
        depth: usize,
    ) -> Option<Term> {
        let mut args: Vec<Term> = Vec::with_capacity(overload.args.len());
        for (place, ty) in overload.args.iter().enumerate() {
            let arg = match &given {
                Some((at, term)) if *at == place => term.clone(),
                _ => self.operand(overload, place, *ty, depth, &args),
            };
            args.push(arg);
        }
        if args.iter().all(Term::is_literal) {
            args[0] = self.leaf(overload.args[0]);
        }
        let fixed = given.as_ref().map(|(place, _)| *place);
        for _ in 0..REPAIRS {
            if !is_odd(overload.op, &args) {
                let samples: Vec<_> = args.iter().map(|arg| &arg.samples).collect();
                if let Some(samples) = samples::probe(&mut self.rng, overload.op, &samples, overload.ret) {
                    return assembled(overload.op, args, samples, overload.ret);
                }
            }
            let place = self.rng.below(args.len());
            let repaired = self.repaired(overload, place, &args[place], fixed == Some(place));
            args[place] = repaired;
        }
        None
    }

    fn operand(&mut self, overload: &Overload, place: usize, ty: Type, depth: usize, before: &[Term]) -> Term {
        if overload.numbers_part(ty) {
            return self.part_number(overload.t);
        }
        let is_last = place + 1 == overload.args.len();
        let others_vary = before.iter().any(|arg| !arg.is_literal());
        let wants_literal = ty.is_scalar() && ty != Type::BOOL && is_last && place > 0 && others_vary;
        let cases = match overload.op.def().rust {
            _ if !ty.is_float() && ty.is_scalar() => 45,
            Syntax::Infix(_) => 18,
            _ => 12,
        };
        if wants_literal && self.rng.percent(cases) {
            return self.literal(ty);
        }
        let depth = if place == 0 || self.rng.percent(60) { depth } else { depth.saturating_sub(1) };
        let term = self.term(ty, depth);
        self.named_if_large(term)
    }

    /// The term, or a named local if the term is too large for one line.
    pub(super) fn named_if_large(&mut self, term: Term) -> Term {
        if term.size < LARGE || self.rng.percent(15) { term } else { self.named(term) }
    }

    /// Binds the term to a local, which counts as used.
    pub(super) fn named(&mut self, term: Term) -> Term {
        let names = self.theme.locals;
        let bound = self.bind(names, term);
        if let Some(item) = self.items.last_mut() {
            item.uses = 1;
        }
        bound
    }

    fn part_number(&mut self, of: Type) -> Term {
        let count = match of.shape {
            Shape::Matrix(n, _) | Shape::Vector(n) => usize::from(n),
            _ => 1,
        };
        Term::literal(Literal::Index(self.rng.below(count) as u32))
    }

    /// Another operand: a new value, a literal, or the old one mapped into a range.
    fn repaired(&mut self, overload: &Overload, place: usize, old: &Term, keep: bool) -> Term {
        let ty = overload.args[place];
        if overload.numbers_part(ty) {
            return self.part_number(overload.t);
        }
        if ty == Type::BOOL {
            return self.comparison().unwrap_or_else(|| old.clone());
        }
        let choice = self.rng.below(10);
        if !keep && choice < 2 {
            return self.leaf(ty);
        }
        if !keep && choice < 5 && ty.is_scalar() && place > 0 {
            return self.literal(ty);
        }
        let term = if old.is_literal() { self.leaf(ty) } else { old.clone() };
        self.kept(term)
    }
}

/// The operation on the terms. `None` if it has too many nodes.
fn assembled(op: Op, args: Vec<Term>, samples: samples::Samples, ty: Type) -> Option<Term> {
    let size = 1 + args.iter().map(|arg| arg.size).sum::<usize>();
    if size > LARGEST {
        return None;
    }
    let expr = Expr::op_to(op, args.into_iter().map(|arg| arg.expr).collect::<Vec<_>>(), ty);
    // The samples still belong to the constants before rounding. The two agree to nearly four digits.
    Some(match folded(&expr) {
        Some(expr) => Term { size: size_of(&expr), expr, samples },
        None => Term { expr, samples, size },
    })
}

/// The number of nodes of the expression. A load counts as one.
fn size_of(expr: &Expr) -> usize {
    match expr.kind {
        ExprKind::Load { .. } => 1,
        _ => 1 + expr.children().map(size_of).sum::<usize>(),
    }
}

/// The operation and the number of components that assemble a vector, matrix or quaternion.
pub(super) fn assembly(ty: Type) -> (Op, usize) {
    match ty.shape {
        Shape::Vector(n) => (Op::VecNew, n.into()),
        Shape::Matrix(_, columns) => (Op::MatFromCols, columns.into()),
        Shape::Quat | Shape::Scalar | Shape::Struct(_) | Shape::Tile(..) => (Op::QuatNew, 4),
    }
}

pub(super) fn is_number(ty: Type) -> bool {
    ty.is_scalar() && ty != Type::BOOL
}

/// `value` rounded, with as many digits as `width` requires.
pub(super) fn round(value: f64, width: f64) -> f64 {
    let unit = 10f64.powf(width.abs().max(1e-3).log10().floor() - 1.0);
    let rounded = (value / unit).round() * unit;
    // Rounding to a decimal, as a reader sees it.
    let value: f64 = format!("{rounded:.4}").parse().unwrap_or(rounded);
    // Turns -0.0 into 0.0.
    value + 0.0
}

//! Random terms: expressions with known bounds of their values.

use super::rules::{Bounds, OPERATIONS, Range, Row, domain, is_flat, result};
use super::{Access, Array, Generator, Role};
use kernel_ir::ir::{Expr, Literal, Scalar, Shape, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::Operand;

/// An expression, the range of its components, and a bound of its slope with respect to earlier values of the thread.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) expr: Expr,
    pub(super) range: Range,
    pub(super) slope: f64,
}

/// The percentage of arithmetic operations.
const ARITHMETIC: usize = 60;

/// The range to which a term is scaled that has grown too large.
const MODERATE: f64 = 4.0;

impl Term {
    pub(super) fn new(expr: Expr, range: Range, slope: f64) -> Term {
        Term { expr, range, slope }
    }

    pub(super) fn ty(&self) -> Type {
        self.expr.ty
    }
}

impl Generator {
    /// A term of a float type.
    pub(super) fn term(&mut self, ty: Type, depth: usize) -> Term {
        if depth == 0 || self.rng.percent(10) {
            return self.leaf(ty);
        }
        match self.rng.below(100) {
            0..6 => self.select(ty, depth),
            6..11 if ty.is_scalar() => self.component(ty, depth),
            11..16 if ty.is_scalar() => self.square_plus_one(ty, depth),
            16..20 if ty == self.number() => self.converted(ty, depth),
            _ => self.operation(ty, depth),
        }
    }

    /// A term within `range`.
    pub(super) fn term_within(&mut self, ty: Type, range: Range, depth: usize) -> Term {
        let term = self.term(ty, depth);
        self.squeeze(term, range)
    }

    /// A literal within `range`, with few digits.
    pub(super) fn number_within(&mut self, range: Range, scalar: Scalar) -> Term {
        let value = (self.rng.float(range.low, range.high) * 100.0).round() / 100.0;
        let value = if range.contains(Range::new(value, value)) { value } else { range.high };
        let expr = Expr::number(value, scalar);
        // An `f32` literal is not exactly the decimal.
        Term::new(expr, Range::new(value - 1e-6, value + 1e-6), 0.0)
    }

    fn select(&mut self, ty: Type, depth: usize) -> Term {
        let cond = self.condition(1);
        let (then, other) = (self.term(ty, depth - 1), self.term(ty, depth - 1));
        let (range, slope) = (then.range.join(other.range), then.slope.max(other.slope));
        Term::new(cond.select(then.expr, other.expr), range, slope)
    }

    /// A component of a vector or quaternion. The index of a vector's component is sometimes known only at run time.
    fn component(&mut self, ty: Type, depth: usize) -> Term {
        let bases: Vec<Type> = self
            .shapes
            .iter()
            .copied()
            .filter(|shape| !shape.is_matrix() && Type::from(shape.scalar()) == ty)
            .collect();
        if bases.is_empty() {
            return self.operation(ty, depth);
        }
        let base_ty = self.rng.pick(&bases);
        let base = self.term(base_ty, depth - 1);
        let index = self.part_number(base_ty);
        Term::new(base.expr.part(index), base.range, base.slope)
    }

    /// The index of a component or column of a `ty`. For a quaternion it is a literal.
    pub(super) fn part_number(&mut self, ty: Type) -> Expr {
        let Type { shape: Shape::Vector(count) | Shape::Matrix(count, _), .. } = ty else {
            return Expr::number(self.rng.int(0, 3), Type::INDEX);
        };
        if self.rng.percent(65) {
            return Expr::number(self.rng.int(0, i64::from(count) - 1), Type::INDEX);
        }
        let number = self.integer(Type::INDEX, 1);
        number.expr % i64::from(count)
    }

    /// `1 + x²`, which is far from 0.
    fn square_plus_one(&mut self, ty: Type, depth: usize) -> Term {
        // The term occurs twice, so it must be small.
        let x = self.term_within(ty, Range::around_zero(1.7), (depth - 1).min(1));
        let (range, slope) = (Range::new(1.0, 4.0), 3.4 * x.slope);
        let expr = if self.rng.percent(30) {
            Expr::op(Op::MulAdd, [x.expr.clone(), x.expr, Expr::number(1.0, ty)])
        } else {
            1.0 + &x.expr * &x.expr
        };
        Term::new(expr, range, slope)
    }

    /// A number converted from an integer or from another float type.
    fn converted(&mut self, ty: Type, depth: usize) -> Term {
        if self.rng.percent(50) {
            let from = self.rng.pick(&[Type::I32, Type::U32, Type::INDEX]);
            let count = self.integer(from, 1);
            return Term::new(count.expr.cast(ty), count.range, 0.0);
        }
        let other = if ty == Type::F32 { Type::F64 } else { Type::F32 };
        let inner = self.term(other, depth - 1);
        Term::new(inner.expr.cast(ty), inner.range, inner.slope)
    }

    /// An operation of the table on terms in its domain.
    fn operation(&mut self, ty: Type, depth: usize) -> Term {
        let fits = |arg: &Type| !arg.is_float() || arg.is_scalar() || self.shapes.contains(arg);
        let rows: Vec<&Row> = OPERATIONS
            .get(&ty)
            .into_iter()
            .flatten()
            .filter(|(_, args)| args.iter().all(|arg| fits(arg) && (arg.scalar() == ty.scalar() || !arg.is_float())))
            .collect();
        let arithmetic = |row: &&Row| matches!(row.0, Op::Add | Op::Sub | Op::Mul);
        let usual: Vec<&Row> = rows.iter().copied().filter(arithmetic).collect();
        let rows = if self.rng.percent(ARITHMETIC) { usual } else { rows };
        let mut row = self.rng.pick(&rows);
        if is_flat(row.0) && self.rng.percent(75) {
            // The derivative of a step function is 0, so steps are drawn a second time.
            row = self.rng.pick(&rows);
        }
        let (op, types) = row;
        let mut args = Vec::new();
        for (place, arg) in types.iter().enumerate() {
            args.push(self.operand(*op, place, *arg, depth - 1));
        }
        let known: Vec<Bounds> = args.iter().map(|arg| Bounds { range: arg.range, slope: arg.slope }).collect();
        let bounds = result(*op, types, &known).expect("a test makes sure that every operation has a rule");
        let exprs: Vec<Expr> = args.into_iter().map(|arg| arg.expr).collect();
        Term::new(Expr::op_to(*op, exprs, ty), bounds.range, bounds.slope)
    }

    fn operand(&mut self, op: Op, place: usize, ty: Type, depth: usize) -> Term {
        match (op, ty) {
            (Op::Powi, Type::I32) => Term::new(Expr::number(self.rng.int(0, 3), ty), Range::new(0.0, 3.0), 0.0),
            (Op::Row, Type::INDEX) => {
                // Every matrix has at least two rows.
                Term::new(Expr::number(self.rng.int(0, 1), ty), Range::new(0.0, 1.0), 0.0)
            }
            (Op::Clamp, _) if place > 0 => self.number_within(domain(op, place), ty.scalar()),
            (Op::Inverse, Type { shape: Shape::Matrix(..), .. }) => self.regular_matrix(ty, depth),
            (Op::Inverse, Type { shape: Shape::Quat, .. }) => {
                let inner = self.term_within(ty, domain(Op::Normalize, 0), depth);
                let slope = 8.0 * inner.slope;
                Term::new(Expr::op(Op::Normalize, [inner.expr]), Range::around_zero(1.0), slope)
            }
            _ => self.term_within(ty, domain(op, place), depth),
        }
    }

    /// A matrix with a dominant diagonal.
    fn regular_matrix(&mut self, ty: Type, depth: usize) -> Term {
        let Type { scalar, shape: Shape::Matrix(n, _) } = ty else { return self.leaf(ty) };
        let diagonal = self.number_within(Range::new(2.0, 3.0), scalar);
        let small = self.term_within(ty, Range::around_zero(0.4), depth);
        let column = diagonal.expr.splat(Type::vector(scalar, n));
        let diagonal = Expr::op(Op::FromDiagonal, [column]);
        Term::new(diagonal + small.expr, Range::around_zero(3.5), small.slope)
    }

    /// Maps `term` into `range`.
    pub(super) fn squeeze(&mut self, term: Term, range: Range) -> Term {
        if range.contains(term.range) {
            return term;
        }
        let range = Range::new(range.low.max(-MODERATE), range.high.min(MODERATE));
        match term.ty() {
            Type { shape: Shape::Scalar, .. } => self.wave(term, range),
            // Scaling keeps the direction. A range without zero needs new components.
            _ if range.low == -range.high => self.scale(term, range.high),
            ty => self.assemble(ty, range),
        }
    }

    /// `middle + half · f(term)` with a bounded function f.
    fn wave(&mut self, term: Term, range: Range) -> Term {
        if self.rng.percent(8) {
            return Term::new(term.expr.clamp(range.low, range.high), range, term.slope);
        }
        let middle = 0.5 * (range.low + range.high);
        let half = ((range.high - range.low) * 0.499 * 100.0).floor() / 100.0;
        let op = self.rng.pick(&[Op::Sin, Op::Cos, Op::Tanh]);
        let mut expr = Expr::op(op, [term.expr]);
        if half != 1.0 {
            expr = half * expr;
        }
        if middle != 0.0 {
            expr = middle + expr;
        }
        Term::new(expr, range, half * term.slope)
    }

    /// `factor · term`, with components of at most `size`.
    pub(super) fn scale(&mut self, term: Term, size: f64) -> Term {
        let (ty, scalar) = (term.ty(), term.ty().scalar());
        let factor = two_digits(size / term.range.size());
        let number = Expr::number(factor, scalar);
        let factor_first = !ty.is_quat() && self.rng.percent(50);
        let args = if factor_first { vec![number, term.expr] } else { vec![term.expr, number] };
        let range = Range::new(term.range.low * factor, term.range.high * factor);
        Term::new(Expr::op(Op::Mul, args), range, term.slope * factor)
    }

    /// A new vector or quaternion with components in `range`.
    fn assemble(&mut self, ty: Type, range: Range) -> Term {
        let (op, count) = match ty.shape {
            Shape::Vector(n) => (Op::VecNew, n),
            _ => (Op::QuatNew, 4),
        };
        let parts: Vec<Term> = (0..count).map(|_| self.term_within(ty.scalar().into(), range, 0)).collect();
        let slope = parts.iter().map(|part| part.slope).fold(0.0, f64::max);
        Term::new(Expr::op(op, parts.into_iter().map(|part| part.expr).collect::<Vec<_>>()), range, slope)
    }

    /// A term without operations: a local, an array element, a parameter or a literal.
    pub(super) fn leaf(&mut self, ty: Type) -> Term {
        let vars: Vec<_> = self.vars.iter().copied().filter(|var| var.ty == ty).collect();
        let arrays: Vec<Array> = self.arrays.iter().filter(|array| is_read(array, ty)).cloned().collect();
        let values: Vec<_> = self.values.iter().copied().filter(|value| value.ty == ty).collect();
        let weight = |count: usize, each: usize| if count == 0 { 0 } else { each };
        let none = vars.is_empty() && arrays.is_empty() && values.is_empty();
        let literal = if none { 1 } else { usize::from(ty.is_scalar()) };
        match self.rng.weighted(&[
            (weight(vars.len(), 5), 0),
            (weight(arrays.len(), 4), 1),
            (weight(values.len(), 2), 2),
            (literal, 3),
        ]) {
            0 => {
                let var = self.rng.pick(&vars);
                Term::new(Expr::local(var.local, ty), var.range, var.slope)
            }
            1 => {
                let array = &arrays[self.rng.below(arrays.len())];
                let slope = if array.access == Access::Own { 1.0 } else { 0.0 };
                Term::new(self.load(array), array.range, slope)
            }
            2 => {
                let value = self.rng.pick(&values);
                Term::new(Expr::param(value.id, ty), value.range, 0.0)
            }
            _ => self.constant(ty),
        }
    }

    fn constant(&mut self, ty: Type) -> Term {
        let (scalar, range) = (ty.scalar(), Range::new(0.1, 1.5));
        match ty.shape {
            Shape::Scalar => self.number_within(range, scalar),
            Shape::Matrix(n, _) => {
                let column = self.assemble(Type::vector(scalar, n), range);
                let range = range.join(Range::new(0.0, 0.0));
                Term::new(Expr::op(Op::FromDiagonal, [column.expr]), range, column.slope)
            }
            _ => self.assemble(ty, range),
        }
    }

    /// An element that may be read.
    pub(super) fn load(&mut self, array: &Array) -> Expr {
        let index = if array.access == Access::Own { self.tid.clone() } else { self.indices(array) };
        Expr::load(array.id, index, array.elem)
    }

    /// A mutable local for which `fits` holds.
    pub(super) fn pick_var(&mut self, fits: impl Fn(&super::Var) -> bool) -> Option<super::Var> {
        let vars: Vec<_> = self.vars.iter().copied().filter(|var| var.role != Role::Fixed && fits(var)).collect();
        if vars.is_empty() { None } else { Some(self.rng.pick(&vars)) }
    }
}

fn is_read(array: &Array, ty: Type) -> bool {
    array.elem == ty && matches!(array.access, Access::Read | Access::Own)
}

/// `value`, which must be positive, truncated to two digits.
fn two_digits(value: f64) -> f64 {
    let unit = 10f64.powf(value.log10().floor() - 1.0);
    (value / unit).floor() * unit
}

/// A literal of type bool.
pub(super) fn truth(value: bool) -> Expr {
    Expr::literal(Literal::Bool(value))
}

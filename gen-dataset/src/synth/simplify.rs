//! Algebraic simplification of terms: folds constants along chains of sums and products, and rejects operations without
//! effect.
//!
//! Range repair changes a term many times while it grows. Without folding, terms such as `1.6 * (0.5 + 1.2 * x) - 1.6`
//! would remain.

use super::generator::Term;
use kernel_ir::ir::{Expr, ExprKind, Literal};
use kernel_ir::ops::{Op, Syntax};

/// The number of digits of a folded constant.
const DIGITS: usize = 4;
/// An offset that is smaller than this, relative to the constants that it is a sum of, is a rounding error and counts
/// as 0.
const NOTHING: f64 = 1e-6;

/// The largest number of unary functions in sequence.
const LONGEST_CHAIN: usize = 2;

/// Pairs of operations that undo each other.
const INVERSES: [(Op, Op); 14] = [
    (Op::Exp, Op::Ln),
    (Op::Exp, Op::Ln1p),
    (Op::Ln, Op::Exp),
    (Op::Ln1p, Op::ExpM1),
    (Op::ExpM1, Op::Ln1p),
    (Op::Exp2, Op::Log2),
    (Op::Log2, Op::Exp2),
    (Op::Sin, Op::Asin),
    (Op::Cos, Op::Acos),
    (Op::Tan, Op::Atan),
    (Op::ToDegrees, Op::ToRadians),
    (Op::ToRadians, Op::ToDegrees),
    (Op::Recip, Op::Recip),
    (Op::Inverse, Op::Inverse),
];

/// Groups of operations that have no effect on each other's results.
const ALIKE: [&[Op]; 3] =
    [&[Op::Floor, Op::Ceil, Op::Round, Op::Trunc], &[Op::Normalize, Op::NormalizeOrZero], &[Op::Clamp]];

/// Whether no author would write the operation: `x - x`, `x + x`, `1.0 * x`, `x.abs().abs()`, `y - -x`, `x - (x - y)`,
/// `x.ln().exp()`.
pub(super) fn is_odd(op: Op, args: &[Term]) -> bool {
    match args {
        [a] => is_settled(op, a),
        [_, b] if matches!(op, Op::Add | Op::Sub) && b.root() == Some(Op::Neg) => true,
        _ if is_assembly(op) => args.iter().all(|arg| arg.expr == args[0].expr),
        [a, b, ..] if a.expr == b.expr => !matches!(op, Op::Mul | Op::Dot | Op::MulAdd),
        [a, b] if a.is_literal() || b.is_literal() => {
            is_neutral(op, if a.is_literal() { a } else { b }) || is_settled_by_type(op, a, b)
        }
        [a, b] => cancels(op, &a.expr, &b.expr),
        [a, ..] => a.root().is_some_and(|root| are_alike(op, root)),
        [] => false,
    }
}

/// Whether the operation has no effect on its operand, or undoes the operand's root.
fn is_settled(op: Op, of: &Term) -> bool {
    let Some(root) = of.root() else { return op == Op::Abs && is_positive(of) };
    let is_twice = matches!(op, Op::Neg | Op::Not | Op::Signum | Op::Fract | Op::Transpose | Op::Conjugate);
    (op == Op::Abs && is_positive(of))
        || (is_twice && op == root)
        || are_alike(op, root)
        || (is_function(op) && chain(&of.expr) >= LONGEST_CHAIN)
        || INVERSES.contains(&(op, root))
}

/// Whether it is a unary function of a number.
fn is_function(op: Op) -> bool {
    matches!(op.def().rust, Syntax::Method(_)) && op != Op::Abs
}

/// The number of unary functions in sequence.
fn chain(expr: &Expr) -> usize {
    match &expr.kind {
        ExprKind::Op(op, args) if args.len() == 1 && is_function(*op) => 1 + chain(&args[0]),
        _ => 0,
    }
}

fn is_positive(term: &Term) -> bool {
    term.ty().is_scalar() && term.samples.range().0 >= 0.0
}

fn are_alike(op: Op, root: Op) -> bool {
    ALIKE.iter().any(|ops| ops.contains(&op) && ops.contains(&root))
}

/// Whether the operation with this literal has no effect.
fn is_neutral(op: Op, literal: &Term) -> bool {
    let (value, _) = literal.samples.range();
    match op {
        Op::Mul => value == 1.0 || value == 0.0,
        Op::Div | Op::Pow | Op::Powi | Op::Rem | Op::Powf => value == 1.0,
        Op::Add | Op::Sub => value == 0.0,
        _ => false,
    }
}

/// Whether an unsigned number is compared with zero in a way that the type decides. Compilers warn about that.
pub(super) fn is_settled_by_type(op: Op, a: &Term, b: &Term) -> bool {
    let is_unsigned = a.ty().scalar().is_integer() && !a.ty().scalar().is_signed_integer();
    let is_zero = |term: &Term| term.is_literal() && term.samples.range() == (0.0, 0.0);
    let bound = if matches!(op, Op::Lt | Op::Ge) { b } else { a };
    is_unsigned && matches!(op, Op::Lt | Op::Ge | Op::Gt | Op::Le) && is_zero(bound)
}

/// Whether one operand contains the other in a way that cancels: `x - (x - y)`, `x * y / x`, `x - 0.5 * x`.
fn cancels(op: Op, a: &Expr, b: &Expr) -> bool {
    if matches!(op, Op::Add | Op::Sub) && Line::of(a).of == Line::of(b).of {
        return true;
    }
    let has = |of: &Expr, root: Op, place: usize, what: &Expr| match &of.kind {
        ExprKind::Op(op, args) => *op == root && args.get(place) == Some(what),
        _ => false,
    };
    let has_either = |of: &Expr, root: Op, what: &Expr| has(of, root, 0, what) || has(of, root, 1, what);
    match op {
        Op::Sub => {
            has_either(a, Op::Add, b) || has_either(b, Op::Add, a) || has(a, Op::Sub, 0, b) || has(b, Op::Sub, 0, a)
        }
        Op::Add => has(a, Op::Sub, 1, b) || has(b, Op::Sub, 1, a),
        Op::Div => has_either(a, Op::Mul, b) || has_either(b, Op::Mul, a),
        Op::Mul => has(a, Op::Div, 1, b) || has(b, Op::Div, 1, a),
        _ => false,
    }
}

/// Whether the operation only assembles its operands.
fn is_assembly(op: Op) -> bool {
    matches!(op.def().rust, Syntax::Assoc(_))
}

/// A term as `factor * of + offset`.
struct Line<'a> {
    of: &'a Expr,
    factor: f64,
    offset: f64,
    /// The sum of the magnitudes of the constants in the offset.
    reach: f64,
    products: usize,
    sums: usize,
}

impl<'a> Line<'a> {
    /// Splits `expr` at its products with literals and, if it is a number, its sums with literals.
    fn of(expr: &'a Expr) -> Line<'a> {
        let none = Line { of: expr, factor: 1.0, offset: 0.0, reach: 0.0, products: 0, sums: 0 };
        let ExprKind::Op(op, args) = &expr.kind else { return none };
        let [a, b] = &args[..] else { return none };
        let is_whole = |of: &Expr| of.ty == expr.ty;
        match (*op, float(a), float(b)) {
            (Op::Mul, Some(by), None) if is_whole(b) => Line::of(b).times(by),
            (Op::Mul, None, Some(by)) if is_whole(a) => Line::of(a).times(by),
            (Op::Div, None, Some(by)) if is_whole(a) && by != 0.0 => Line::of(a).times(1.0 / by),
            (Op::Add, Some(by), None) => Line::of(b).plus(by),
            (Op::Add, None, Some(by)) => Line::of(a).plus(by),
            (Op::Sub, None, Some(by)) => Line::of(a).plus(-by),
            (Op::Sub, Some(by), None) => Line::of(b).scaled(-1.0).plus(by),
            _ => none,
        }
    }

    fn times(self, by: f64) -> Line<'a> {
        Line { products: self.products + 1, ..self.scaled(by) }
    }

    fn scaled(self, by: f64) -> Line<'a> {
        Line { factor: self.factor * by, offset: self.offset * by, reach: self.reach * by.abs(), ..self }
    }

    fn plus(self, by: f64) -> Line<'a> {
        Line { offset: self.offset + by, reach: self.reach.max(by.abs()), sums: self.sums + 1, ..self }
    }

    /// Rounds the constants to few digits.
    fn rounded(self) -> Line<'a> {
        let offset = if self.offset.abs() <= NOTHING * self.reach { 0.0 } else { short(self.offset) };
        Line { factor: short(self.factor), offset, ..self }
    }

    /// The term as an expression.
    fn expr(&self) -> Expr {
        let of = self.of;
        let is_difference = self.factor < 0.0 && self.offset > 0.0;
        let factor = if is_difference { -self.factor } else { self.factor };
        let scaled = match factor {
            1.0 => of.clone(),
            -1.0 => -of,
            // Authors write a vector or matrix before its scalar factor.
            _ if !of.ty.is_scalar() => of * factor,
            _ => factor * of,
        };
        match self.offset {
            0.0 => scaled,
            by if is_difference => by - scaled,
            by if by < 0.0 => scaled - -by,
            by => scaled + by,
        }
    }
}

/// The expression with one factor and one offset in place of a chain: `2.0 * (0.5 + 0.3 * x) - 1.0` becomes `0.6 * x`.
/// `None` if there is no chain.
pub(super) fn folded(expr: &Expr) -> Option<Expr> {
    let line = Line::of(expr);
    if line.products < 2 && line.sums < 2 {
        return None;
    }
    let line = line.rounded();
    (line.factor != 0.0 && line.factor.is_finite() && line.offset.is_finite()).then(|| line.expr())
}

/// `value` rounded to a few digits.
fn short(value: f64) -> f64 {
    format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value)
}

/// The value of a float literal.
fn float(expr: &Expr) -> Option<f64> {
    match expr.kind {
        ExprKind::Literal(Literal::F32(bits)) => Some(f32::from_bits(bits).into()),
        ExprKind::Literal(Literal::F64(bits)) => Some(f64::from_bits(bits)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel_ir::ir::{LocalId, Scalar, Type};

    fn x() -> Expr {
        Expr::local(LocalId(0), Type::F64)
    }

    fn number(value: f64) -> Expr {
        Expr::number(value, Scalar::F64)
    }

    fn both(op: Op, a: Expr, b: Expr) -> Expr {
        Expr::op(op, [a, b])
    }

    #[test]
    fn constants_of_a_chain_are_put_together() {
        // 1.62 * (0.49 + 1.2 * x) - 1.62
        let inner = both(Op::Add, number(0.49), both(Op::Mul, number(1.2), x()));
        let chain = both(Op::Sub, both(Op::Mul, number(1.62), inner), number(1.62));
        let wanted = both(Op::Sub, both(Op::Mul, number(1.944), x()), number(0.8262));
        assert_eq!(folded(&chain), Some(wanted));
        // 0.5 * (2.0 * x)
        assert_eq!(folded(&both(Op::Mul, number(0.5), both(Op::Mul, number(2.0), x()))), Some(x()));
        // 1.0 - (1.0 - 0.3 * x)
        let inner = both(Op::Sub, number(1.0), both(Op::Mul, number(0.3), x()));
        assert_eq!(folded(&both(Op::Sub, number(1.0), inner)), Some(both(Op::Mul, number(0.3), x())));
        // 2.0 - (x - 1.5)
        let inner = both(Op::Sub, x(), number(1.5));
        assert_eq!(folded(&both(Op::Sub, number(2.0), inner)), Some(both(Op::Sub, number(3.5), x())));
        // x * 4.0 / 0.5, of a vector
        let ty = Type::vector(Scalar::F64, 3);
        let v = Expr::local(LocalId(1), ty);
        let chain = &v * 4.0 / 0.5;
        assert_eq!(folded(&chain), Some(v * 8.0));
    }

    #[test]
    fn one_factor_and_one_offset_stay_where_they_are() {
        let scaled = both(Op::Mul, number(0.5), both(Op::Add, x(), number(1.0)));
        assert_eq!(folded(&scaled), None);
        assert_eq!(folded(&both(Op::Sub, number(1.0), both(Op::Mul, number(0.5), x()))), None);
        let ints = both(
            Op::Add,
            both(Op::Add, Expr::local(LocalId(2), Type::I32), Expr::number(1, Type::I32)),
            Expr::number(2, Type::I32),
        );
        assert_eq!(folded(&ints), None);
    }

    #[test]
    fn what_undoes_itself_is_odd() {
        let (a, b) = (x(), Expr::local(LocalId(1), Type::F64));
        assert!(cancels(Op::Sub, &a, &both(Op::Sub, a.clone(), b.clone())));
        assert!(cancels(Op::Add, &both(Op::Sub, b.clone(), a.clone()), &a));
        assert!(cancels(Op::Div, &both(Op::Mul, b.clone(), a.clone()), &a));
        assert!(cancels(Op::Sub, &a, &both(Op::Mul, number(0.5), a.clone())));
        assert!(!cancels(Op::Sub, &a, &both(Op::Sub, b.clone(), a.clone())));
        assert!(!cancels(Op::Mul, &a, &both(Op::Div, a.clone(), b)));
    }
}

//! Range repair: maps a term into the range where an operation is defined and well-conditioned.
//!
//! The mappings vary, so that kernels do not all contain `clamp`.

use super::generator::{Generator, Term};
use super::terms::{assembly, round};
use kernel_ir::ir::{Expr, Scalar, Shape, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::Operand;

/// Ranges that suit most operations: within ±1, above zero, far above zero, between 0 and 1.
const HOMES: [(f64, f64); 5] = [(-0.9, 0.9), (0.2, 2.0), (1.2, 4.0), (0.05, 0.95), (0.5, 1.5)];

/// The number of values of a component in a small integer vector.
const SMALL: i64 = 8;
/// The largest offset that moves a vector away from zero.
const FAR: f64 = 20.0;

impl Generator {
    /// Maps the term into a range that suits some operations.
    pub(super) fn kept(&mut self, term: Term) -> Term {
        match term.ty() {
            Type::BOOL | Type { shape: Shape::Struct(_) | Shape::Tile(..), .. } => term,
            Type { scalar, shape: Shape::Scalar } if scalar.is_float() => {
                let (low, high) = self.home();
                self.fit(term, low, high)
            }
            Type { scalar, shape: Shape::Scalar } => {
                let (low, count) = match scalar.is_signed_integer() && self.rng.percent(30) {
                    true => (-4, 9),
                    false => (i64::from(self.rng.percent(40)), self.rng.pick(&[4, 5, 8, 10, 16, 20, 31])),
                };
                self.fit_int(term, low, count)
            }
            Type { scalar, shape: Shape::Matrix(n, _) } => self.regular(term, scalar, n),
            Type { shape: Shape::Quat, .. } => {
                let ty = term.ty();
                self.apply(Op::Normalize, vec![term.clone()], ty).unwrap_or(term)
            }
            Type { scalar, shape: Shape::Vector(_) } if scalar.is_float() => self.fit_vector(term, scalar),
            Type { shape: Shape::Vector(_), .. } => self.small_vector(term),
        }
    }

    /// One of [`HOMES`], or a narrower range in it.
    fn home(&mut self) -> (f64, f64) {
        let (low, high) = self.rng.pick(&HOMES);
        let width = high - low;
        let mut inwards = |most: f64| if self.rng.percent(50) { 0.0 } else { self.rng.float(0.0, most * width) };
        let (above, below) = (inwards(0.3), inwards(0.3));
        (round(low + above, width), round(high - below, width))
    }

    /// Maps the float into `low..high`.
    pub(super) fn fit(&mut self, term: Term, low: f64, high: f64) -> Term {
        let (least, most) = term.samples.range();
        if low <= least && most <= high {
            return term;
        }
        for _ in 0..5 {
            if let Some((mut found, bounded)) = self.squeezed(term.clone(), low, high) {
                let (least, most) = found.samples.range();
                if (bounded || (low - 1e-3 <= least && most <= high + 1e-3)) && found.samples.is_varied() {
                    found.samples = found.samples.known(low, high);
                    return found;
                }
            }
        }
        self.stretched(term.clone(), low, high).unwrap_or_else(|| self.clamped(term, low, high))
    }

    fn clamped(&mut self, term: Term, low: f64, high: f64) -> Term {
        let ty = term.ty();
        let bounds = vec![term.clone(), Term::number(low, ty), Term::number(high, ty)];
        let Some(mut clamped) = self.raw(Op::Clamp, bounds, ty) else { return term };
        clamped.samples = clamped.samples.known(low, high);
        clamped
    }

    /// Maps the float near `low..high`. Also returns whether the result is bounded by construction.
    fn squeezed(&mut self, term: Term, low: f64, high: f64) -> Option<(Term, bool)> {
        let ty = term.ty();
        let number = |value: f64| Term::number(value, ty);
        let positive = low >= 0.0;
        let (least, most) = term.samples.range();
        match self.rng.below(12) {
            // A bounded function, scaled around the middle.
            0 => {
                let op = self.rng.pick(&[Op::Sin, Op::Cos, Op::Tanh, Op::Sin]);
                let wave = self.raw(op, vec![term], ty)?;
                let (middle, half) = (round2(0.5 * (low + high)), floor2(0.5 * (high - low)));
                let wave = if half == 1.0 { wave } else { self.raw(Op::Mul, vec![number(half), wave], ty)? };
                self.moved(wave, middle).map(|term| (term, true))
            }
            // The absolute value plus an offset.
            2 if positive => {
                let distance = self.raw(Op::Abs, vec![term], ty)?;
                self.raw(Op::Add, vec![distance, number(low.max(0.05))], ty).map(|term| (term, false))
            }
            3 if positive && term.samples.size() < 3.0 => {
                let square = self.raw(Op::Mul, vec![term.clone(), term], ty)?;
                self.raw(Op::Add, vec![square, number(low.max(0.1))], ty).map(|term| (term, false))
            }
            // The logistic function, the Lorentz and Gauss curves, and softsign.
            4 if positive && high <= 1.0 && term.samples.size() < 12.0 => {
                let negative = self.raw(Op::Neg, vec![term], ty)?;
                let e = self.raw(Op::Exp, vec![negative], ty)?;
                self.one_over_one_and(e).map(|term| (term, false))
            }
            5 if positive && term.samples.size() < 4.0 => {
                let square = self.raw(Op::Mul, vec![term.clone(), term], ty)?;
                self.one_over_one_and(square).map(|term| (term, false))
            }
            6 if positive && term.samples.size() < 1.7 => {
                let square = self.raw(Op::Mul, vec![term.clone(), term], ty)?;
                let negative = self.raw(Op::Neg, vec![square], ty)?;
                self.raw(Op::Exp, vec![negative], ty).map(|term| (term, false))
            }
            7 if low <= -0.9 => {
                let distance = self.raw(Op::Abs, vec![term.clone()], ty)?;
                let below = self.raw(Op::Add, vec![number(1.0), distance], ty)?;
                self.raw(Op::Div, vec![term, below], ty).map(|term| (term, high >= 1.0 && low <= -1.0))
            }
            8 => self.stretched(term, low, high).map(|term| (term, true)),
            // One bound, if the term already keeps the other.
            1 | 9 | 10 if most <= high || least >= low => {
                let (op, bound) = if most <= high { (Op::Max, low) } else { (Op::Min, high) };
                self.apply(op, vec![term, number(bound)], ty).map(|term| (term, true))
            }
            _ if term.root() != Some(Op::Clamp) && term.samples.share_between(low, high) > 0.4 => {
                Some((self.clamped(term, low, high), true))
            }
            _ => None,
        }
    }

    /// `1 / (1 + term)`.
    fn one_over_one_and(&mut self, term: Term) -> Option<Term> {
        let ty = term.ty();
        let below = self.raw(Op::Add, vec![Term::number(1.0, ty), term], ty)?;
        self.raw(Op::Div, vec![Term::number(1.0, ty), below], ty)
    }

    /// Scales and shifts the float, by its known range.
    fn stretched(&mut self, term: Term, low: f64, high: f64) -> Option<Term> {
        let ty = term.ty();
        let (least, most) = term.samples.range();
        let factor = floor2(0.9 * (high - low) / (most - least).max(1e-3));
        if factor <= 0.0 {
            return None;
        }
        let scaled = self.raw(Op::Mul, vec![Term::number(factor, ty), term], ty)?;
        let offset = round2(low + 0.05 * (high - low) - factor * least);
        let mut moved = self.moved(scaled, offset)?;
        moved.samples = moved.samples.known(low, high);
        Some(moved)
    }

    /// Adds a constant to the float.
    fn moved(&mut self, term: Term, by: f64) -> Option<Term> {
        let ty = term.ty();
        match by {
            0.0 => Some(term),
            _ if by < 0.0 => self.raw(Op::Sub, vec![term, Term::number(-by, ty)], ty),
            _ if self.rng.percent(50) => self.raw(Op::Add, vec![Term::number(by, ty), term], ty),
            _ => self.raw(Op::Add, vec![term, Term::number(by, ty)], ty),
        }
    }

    /// Maps the integer to `count` values from `low` on.
    pub(super) fn fit_int(&mut self, term: Term, low: i64, count: i64) -> Term {
        let (least, most) = term.samples.range();
        if low as f64 <= least && most < (low + count) as f64 {
            return term;
        }
        let ty = term.ty();
        let number = |value: i64| Term::number(value as f64, ty);
        let is_power = count & (count - 1) == 0;
        let rest = if least < 0.0 { Op::RemEuclid } else { Op::Rem };
        let kept = match self.rng.below(5) {
            0 | 1 if is_power && ty != Type::INDEX => self.raw(Op::BitAnd, vec![term.clone(), number(count - 1)], ty),
            2 if least >= 0.0 && low == 0 => self.raw(Op::Min, vec![term.clone(), number(count - 1)], ty),
            3 => {
                let bounds = vec![term.clone(), number(low), number(low + count - 1)];
                let Some(mut clamped) = self.raw(Op::Clamp, bounds, ty) else { return term };
                clamped.samples = clamped.samples.known(low as f64, (low + count - 1) as f64);
                return clamped;
            }
            _ => self.raw(rest, vec![term.clone(), number(count)], ty),
        };
        let Some(mut kept) = kept else { return term };
        kept.samples = kept.samples.known(0.0, (count - 1) as f64);
        if low == 0 {
            return kept;
        }
        let (op, by) = if low < 0 { (Op::Sub, -low) } else { (Op::Add, low) };
        let Some(mut moved) = self.raw(op, vec![kept.clone(), number(by)], ty) else { return kept };
        moved.samples = moved.samples.known(low as f64, (low + count - 1) as f64);
        moved
    }

    /// Makes the matrix invertible by a dominant diagonal.
    fn regular(&mut self, term: Term, scalar: Scalar, n: u8) -> Term {
        let ty = term.ty();
        let column = Type::vector(scalar, n);
        let size = term.samples.size().max(0.1);
        if size > 3.0 {
            let factor = Term::number(floor2(1.0 / size).max(0.01), scalar.into());
            return self.raw(Op::Mul, vec![term.clone(), factor], ty).unwrap_or(term);
        }
        let strong = Term::number(round2(self.rng.float(1.5, 3.0)), scalar.into());
        let small = Term::number(floor2(0.8 / size).max(0.01), scalar.into());
        let made = self.raw(Op::Splat, vec![strong], column).and_then(|diagonal| {
            let diagonal = self.raw(Op::FromDiagonal, vec![diagonal], ty)?;
            let scaled = self.raw(Op::Mul, vec![term.clone(), small], ty)?;
            self.raw(Op::Add, vec![diagonal, scaled], ty)
        });
        made.unwrap_or(term)
    }

    /// Moves the vector away from zero, or shortens it.
    fn fit_vector(&mut self, term: Term, scalar: Scalar) -> Term {
        let ty = term.ty();
        let size = term.samples.size().max(0.1);
        let made = match self.rng.below(4) {
            // Moving a long vector by its length would be unnatural.
            case if case == 0 || (case == 1 && size > FAR) => {
                let factor = Term::number(floor2(0.9 / size).max(0.01), scalar.into());
                self.raw(Op::Mul, vec![term.clone(), factor], ty)
            }
            1 => {
                let apart = Term::number(round2(size + self.rng.float(0.3, 1.5)), scalar.into());
                let apart = self.raw(Op::Splat, vec![apart], ty);
                apart.and_then(|apart| self.raw(Op::Add, vec![term.clone(), apart], ty))
            }
            2 => self.apply(Op::NormalizeOrZero, vec![term.clone()], ty),
            _ => {
                let (op, count) = assembly(ty);
                let (low, high) = self.home();
                let parts: Vec<Term> = (0..count)
                    .map(|_| {
                        let part = self.leaf(scalar.into());
                        self.fit(part, low, high)
                    })
                    .collect();
                self.assembled_of(op, parts, ty)
            }
        };
        made.unwrap_or(term)
    }

    /// A vector of small integers.
    fn small_vector(&mut self, term: Term) -> Term {
        let ty = term.ty();
        let low = i64::from(self.rng.percent(60));
        let (least, most) = (low as f64, (low + SMALL - 1) as f64);
        let (low_there, high_there) = term.samples.range();
        if least <= low_there && high_there <= most {
            return term;
        }
        // The term is used for every component, so it gets a name.
        let term = if term.size > 1 { self.named(term) } else { term };
        let (op, count) = assembly(ty);
        let parts: Option<Vec<Term>> = (0..count)
            .map(|number| {
                let samples = term.samples.part(number)?;
                let part = Term { expr: term.expr.part(Expr::index(number)), samples, size: term.size + 1 };
                Some(self.fit_int(part, low, SMALL))
            })
            .collect();
        match parts.and_then(|parts| self.raw(op, parts, ty)) {
            Some(mut small) => {
                small.samples = small.samples.known(least, most);
                small
            }
            None => term,
        }
    }
}

/// Rounds to two decimals.
pub(super) fn round2(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn floor2(value: f64) -> f64 {
    (value * 100.0).floor() / 100.0
}

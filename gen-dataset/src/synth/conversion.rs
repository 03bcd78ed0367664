//! Converts terms to other types: by casts, components, and any operation between the types.

use super::generator::{Generator, Term};
use super::overloads;
use super::samples;
use super::terms::is_number;
use kernel_ir::ir::{Expr, Scalar, Shape, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::Operand;

impl Generator {
    /// Converts `term` to the type `ty`.
    pub(super) fn adapted(&mut self, term: Term, ty: Type) -> Option<Term> {
        let from = term.ty();
        if from == ty {
            return Some(term);
        }
        match (from, ty) {
            (Type::BOOL, Type { shape: Shape::Scalar, .. }) => {
                let (a, b) = (self.literal(ty), self.literal(ty));
                if a.expr == b.expr {
                    return None;
                }
                let samples = samples::select(&term.samples, &a.samples, &b.samples);
                Some(Term { expr: term.expr.select(a.expr, b.expr), samples, size: term.size + 3 })
            }
            (Type { shape: Shape::Scalar, .. }, Type::BOOL) => {
                let bound = self.within(&term);
                let op = self.rng.pick(&[Op::Lt, Op::Gt, Op::Le, Op::Ge]);
                self.apply(op, vec![term, bound], ty)
            }
            (Type { shape: Shape::Scalar, .. }, Type { shape: Shape::Scalar, .. }) => self.converted(term, ty),
            (Type { scalar, shape: Shape::Vector(_) | Shape::Quat }, Type { shape: Shape::Scalar, .. })
                if self.rng.percent(60) =>
            {
                let part = self.part(term)?;
                let part = if scalar == ty.scalar() { part } else { self.converted(part, ty)? };
                Some(part)
            }
            (Type { shape: Shape::Matrix(..), .. }, Type { shape: Shape::Vector(_), .. }) if self.rng.percent(40) => {
                let part = self.part(term)?;
                self.adapted(part, ty)
            }
            _ => self.through_operation(term, ty),
        }
    }

    /// Converts by an operation that takes the term and gives a `ty`. If there is none, the term is first reduced to a
    /// part of it.
    fn through_operation(&mut self, term: Term, ty: Type) -> Option<Term> {
        for _ in 0..2 {
            if let Some((overload, place)) = overloads::taking(&mut self.rng, self.op_class, term.ty(), ty)
                && let Some(found) = self.operation(overload, Some((place, term.clone())), 0)
            {
                return Some(found);
            }
        }
        if term.ty().is_scalar() {
            if ty.is_scalar() || term.ty().scalar() == ty.scalar() || !is_number(term.ty()) {
                return None;
            }
            let number = self.converted(term, ty.scalar().into())?;
            return self.through_operation(number, ty);
        }
        let part = self.part(term)?;
        self.adapted(part, ty)
    }

    /// A component of a vector or quaternion, or a column of a matrix.
    pub(super) fn part(&mut self, term: Term) -> Option<Term> {
        let count = match term.ty().shape {
            Shape::Vector(n) | Shape::Matrix(n, _) => usize::from(n),
            Shape::Quat => 4,
            Shape::Scalar | Shape::Struct(_) | Shape::Tile(..) => return None,
        };
        let number = self.rng.below(count);
        let samples = term.samples.part(number)?;
        Some(Term { expr: term.expr.part(Expr::index(number)), samples, size: term.size + 1 })
    }

    /// Casts the number to another type. A large integer is reduced first, so that it fits the type and floats stay
    /// moderate.
    fn converted(&mut self, term: Term, ty: Type) -> Option<Term> {
        let from = term.ty();
        let size = term.samples.size();
        let term = if from.is_float() && !ty.is_float() {
            let scaled = if size < 4.0 {
                let factor = self.rng.pick(&[4.0, 8.0, 10.0, 16.0, 32.0]);
                self.raw(Op::Mul, vec![term, Term::number(factor, from)], from)?
            } else {
                term
            };
            let signed = ty.scalar().is_signed_integer();
            if !signed && scaled.samples.range().0 < 0.0 { self.raw(Op::Abs, vec![scaled], from)? } else { scaled }
        } else if !from.is_float() && size > most_of(ty) {
            self.reduced(term)?
        } else if !ty.is_float() && !ty.scalar().is_signed_integer() && term.samples.range().0 < 0.0 {
            let count = Term::number(self.rng.int(5, 40) as f64, from);
            self.raw(Op::RemEuclid, vec![term, count], from)?
        } else {
            term
        };
        let samples = term.samples.converted(ty.scalar())?;
        let converted = Term { expr: term.expr.cast(ty), samples, size: term.size + 1 };
        let small = from == Type::INDEX && ty.is_float() && self.rng.percent(70);
        if small {
            let factor = Term::number(self.rng.pick(&[0.1, 0.01, 0.25, 0.05, 0.5, 0.02]), ty);
            return self.raw(Op::Mul, vec![converted, factor], ty);
        }
        Some(converted)
    }

    /// Reduces a large integer to a small one.
    fn reduced(&mut self, term: Term) -> Option<Term> {
        let ty = term.ty();
        let negative = term.samples.range().0 < 0.0;
        let (op, by) = match self.rng.below(4) {
            0 if ty != Type::INDEX => (Op::BitAnd, self.rng.pick(&[7.0, 15.0, 31.0, 63.0, 255.0])),
            _ if negative => (Op::RemEuclid, self.rng.int(5, 200) as f64),
            _ => (Op::Rem, self.rng.pick(&[7.0, 10.0, 13.0, 16.0, 32.0, 97.0, 100.0, 101.0, 256.0])),
        };
        self.raw(op, vec![term, Term::number(by, ty)], ty)
    }
}

/// The largest number that is cast to the type without a reduction.
fn most_of(ty: Type) -> f64 {
    match ty.scalar() {
        Scalar::F32 | Scalar::F64 => 2000.0,
        Scalar::I32 => 2e9,
        Scalar::U32 | Scalar::Index => 4e9,
        _ => 9e18,
    }
}

//! Expressions of the IR, written as formulas.

use crate::ir::{Expr, ExprKind, Literal, LocalId, Op, Scalar, Shape, Span, Type};
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The expressions that the terms of one rule stand for.
#[derive(Default)]
pub(in crate::ops) struct Pool(RefCell<Vec<Expr>>);

/// An expression of a [`Pool`]. It is a number, so that a formula may use it twice.
#[derive(Clone, Copy)]
pub(in crate::ops) struct Term<'a> {
    pool: &'a Pool,
    place: usize,
}

/// What may stand beside a term in a formula: a term, or a constant of the term's scalar type.
pub(in crate::ops) trait Operand<'a> {
    /// The operand as a term, beside `other`.
    fn beside(self, other: Term<'a>) -> Term<'a>;
}

impl<'a> Operand<'a> for Term<'a> {
    fn beside(self, _: Term<'a>) -> Term<'a> {
        self
    }
}

impl<'a> Operand<'a> for f64 {
    fn beside(self, other: Term<'a>) -> Term<'a> {
        other.pool.constant(self, other.ty().scalar())
    }
}

fn literal(value: f64, scalar: Scalar) -> Literal {
    match scalar {
        Scalar::Bool => Literal::Bool(value != 0.0),
        Scalar::I32 => Literal::I32(value as i32),
        Scalar::U32 => Literal::U32(value as u32),
        Scalar::I64 => Literal::I64(value as i64),
        Scalar::U64 => Literal::U64(value as u64),
        Scalar::Index => Literal::Index(value as u32),
        Scalar::F32 => Literal::f32(value as f32),
        Scalar::F64 => Literal::f64(value),
    }
}

/// The value of type `ty` that is made of zeros.
pub fn zero(ty: Type) -> Expr {
    let number = || literal(0.0, ty.scalar()).into();
    let kind = match ty.shape {
        Shape::Scalar => return number(),
        Shape::Vector(_) => ExprKind::Op(Op::Splat, vec![number()]),
        Shape::Matrix(..) => ExprKind::Op(Op::FromDiagonal, vec![zero(ty.part())]),
        Shape::Quat => ExprKind::Op(Op::QuatNew, vec![number(), number(), number(), number()]),
    };
    Expr { kind, ty, span: Span::NONE }
}

impl Pool {
    fn add(&self, kind: ExprKind, ty: Type) -> Term<'_> {
        let mut exprs = self.0.borrow_mut();
        exprs.push(Expr { kind, ty, span: Span::NONE });
        Term { pool: self, place: exprs.len() - 1 }
    }

    pub(in crate::ops) fn local(&self, id: LocalId, ty: Type) -> Term<'_> {
        self.add(ExprKind::Local(id), ty)
    }

    fn constant(&self, value: f64, scalar: Scalar) -> Term<'_> {
        let literal = literal(value, scalar);
        self.add(ExprKind::Literal(literal), literal.ty())
    }

    pub(super) fn zero(&self, ty: Type) -> Term<'_> {
        self.add(zero(ty).kind, ty)
    }

    /// `op` of `args`, whose types decide the type of the result.
    fn apply<const N: usize>(&self, op: Op, args: [Term<'_>; N]) -> Term<'_> {
        let types = args.map(Term::ty);
        let ret = op.results(&types).first().copied();
        let ret = ret.unwrap_or_else(|| panic!("a rule uses `{}`, but not as the table has it", op.name()));
        self.apply_to(op, args, ret)
    }

    fn apply_to<const N: usize>(&self, op: Op, args: [Term<'_>; N], ret: Type) -> Term<'_> {
        self.add(ExprKind::Op(op, args.map(Term::expr).into()), ret)
    }
}

impl<'a> Term<'a> {
    /// The expression.
    pub(in crate::ops) fn expr(self) -> Expr {
        self.pool.0.borrow()[self.place].clone()
    }

    pub(super) fn ty(self) -> Type {
        self.pool.0.borrow()[self.place].ty
    }

    /// The zero of the same type.
    pub(super) fn zero(self) -> Term<'a> {
        self.pool.zero(self.ty())
    }

    /// The scalar as one of the type that `other` is made of.
    pub(in crate::ops) fn cast(self, other: Term<'a>) -> Term<'a> {
        self.pool.add(ExprKind::Cast(Box::new(self.expr())), other.ty().scalar().into())
    }

    /// How many components or columns there are.
    pub(super) fn len(self) -> u8 {
        self.ty().parts()
    }

    /// A component of a vector or quaternion.
    pub(super) fn component(self, place: u8) -> Term<'a> {
        let number = Box::new(Literal::Index(place.into()).into());
        self.pool.add(ExprKind::Component(Box::new(self.expr()), number), self.ty().scalar().into())
    }

    /// A column of a matrix.
    pub(in crate::ops) fn col(self, place: u8) -> Term<'a> {
        let number = Box::new(Literal::Index(place.into()).into());
        self.pool.add(ExprKind::Column(Box::new(self.expr()), number), self.ty().part())
    }

    pub(in crate::ops) fn x(self) -> Term<'a> {
        self.component(0)
    }

    pub(in crate::ops) fn y(self) -> Term<'a> {
        self.component(1)
    }

    pub(in crate::ops) fn z(self) -> Term<'a> {
        self.component(2)
    }

    pub(in crate::ops) fn w(self) -> Term<'a> {
        self.component(3)
    }

    /// The vector of the size of `other` that has this scalar in each component.
    pub(in crate::ops) fn splat(self, other: Term<'a>) -> Term<'a> {
        self.pool.apply_to(Op::Splat, [self], other.ty())
    }
}

/// Operations under the names that they have in Rust.
macro_rules! operations {
    (of one: $($unary:ident $unary_op:ident),*; of two: $($binary:ident $binary_op:ident),*;) => {
        impl<'a> Term<'a> {
            $(pub(in crate::ops) fn $unary(self) -> Term<'a> {
                self.pool.apply(Op::$unary_op, [self])
            })*

            $(pub(in crate::ops) fn $binary(self, b: impl Operand<'a>) -> Term<'a> {
                self.pool.apply(Op::$binary_op, [self, b.beside(self)])
            })*
        }
    };
}

operations! {
    of one: sqrt Sqrt, exp Exp, ln Ln, sin Sin, cos Cos, sinh Sinh, cosh Cosh, trunc Trunc, signum Signum,
        to_radians ToRadians, to_degrees ToDegrees, length Length, length_squared LengthSquared, truncate Truncate,
        element_sum ElementSum, conjugate Conjugate, transpose Transpose;
    of two: equals Eq, less Lt, greater Gt, or Or, rem Rem, powf Powf, powi Powi, saturating_sub SaturatingSub, dot Dot,
        cross Cross, reflect Reflect, extend Extend;
}

macro_rules! operators {
    ($($trait:ident $method:ident)*) => {
        $(
            impl<'a, B: Operand<'a>> $trait<B> for Term<'a> {
                type Output = Term<'a>;

                fn $method(self, b: B) -> Term<'a> {
                    self.pool.apply(Op::$trait, [self, b.beside(self)])
                }
            }

            impl<'a> $trait<Term<'a>> for f64 {
                type Output = Term<'a>;

                fn $method(self, b: Term<'a>) -> Term<'a> {
                    b.pool.apply(Op::$trait, [self.beside(b), b])
                }
            }
        )*
    };
}

operators!(Add add Sub sub Mul mul Div div);

impl<'a> Neg for Term<'a> {
    type Output = Term<'a>;

    fn neg(self) -> Term<'a> {
        self.pool.apply(Op::Neg, [self])
    }
}

/// `then` where `cond` holds, else `other`.
pub(super) fn select<'a>(cond: Term<'a>, then: Term<'a>, other: Term<'a>) -> Term<'a> {
    let [cond, value, other] = [cond, then, other].map(|term| Box::new(term.expr()));
    then.pool.add(ExprKind::Select { cond, then: value, other }, then.ty())
}

/// `value` where `cond` holds, else zero.
pub(in crate::ops) fn when<'a>(cond: Term<'a>, value: Term<'a>) -> Term<'a> {
    select(cond, value, value.zero())
}

/// Zero where `cond` holds, else `value`.
pub(in crate::ops) fn unless<'a>(cond: Term<'a>, value: Term<'a>) -> Term<'a> {
    select(cond, value.zero(), value)
}

/// The vector of 2 to 4 components.
pub(super) fn vector<'a>(components: &[Term<'a>]) -> Term<'a> {
    match *components {
        [x, y] => x.pool.apply(Op::Vec2New, [x, y]),
        [x, y, z] => x.pool.apply(Op::Vec3New, [x, y, z]),
        [x, y, z, w] => x.pool.apply(Op::Vec4New, [x, y, z, w]),
        _ => panic!("there is no vector of {} components", components.len()),
    }
}

/// The matrix of 2 to 4 columns.
pub(super) fn matrix<'a>(columns: &[Term<'a>]) -> Term<'a> {
    match *columns {
        [a, b] => a.pool.apply(Op::Mat2FromCols, [a, b]),
        [a, b, c] => a.pool.apply(Op::Mat3FromCols, [a, b, c]),
        [a, b, c, d] => a.pool.apply(Op::Mat4FromCols, [a, b, c, d]),
        _ => panic!("there is no matrix of {} columns", columns.len()),
    }
}

/// The quaternion with the vector part `v` and `w` 0.
pub(in crate::ops) fn pure(v: Term<'_>) -> Term<'_> {
    v.pool.apply(Op::QuatNew, [v.x(), v.y(), v.z(), 0.0.beside(v)])
}

//! Expressions: what is computed, without effects.

use super::{Function, Literal, LocalId, Op, ParamId, Span, Type};
use std::sync::Arc;

/// An expression. Evaluating it changes nothing, so an expression may be evaluated again, or not at all,
/// wherever the locals and array elements that it reads are unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    /// What is computed.
    pub kind: ExprKind,
    /// The type of the result.
    pub ty: Type,
    /// The source that it came from.
    pub span: Span,
}

/// What an expression computes. Operands are evaluated left to right, all of them, except where a variant says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    /// A constant.
    Literal(Literal),
    /// The current value of a local.
    Local(LocalId),
    /// An element of a local array.
    LocalElement {
        /// The local array.
        local: LocalId,
        /// A `usize` below its length.
        index: Box<Expr>,
    },
    /// A by-value parameter.
    Param(ParamId),
    /// The index of this thread along a launch axis, of type `usize`.
    Tid(u8),
    /// The number of elements of an array parameter along `axis`, of type `usize`.
    Extent {
        /// The array.
        array: ParamId,
        /// Which of its axes.
        axis: u8,
    },
    /// An element of an array parameter. There is one `usize` index an axis.
    Load {
        /// The array.
        array: ParamId,
        /// One index an axis, outermost first.
        index: Vec<Expr>,
    },
    /// An operation of the [table](crate::ops). `And` and `Or` evaluate their second operand only when it decides.
    Op(Op, Vec<Expr>),
    /// The result of a device function. There is one argument a parameter, of its type.
    Call(Arc<Function>, Vec<Expr>),
    /// Rust's `as` between scalars: to the type of this expression.
    Cast(Box<Expr>),
    /// A component of a vector or quaternion; a literal index below the size, or any `usize` for vectors.
    Component(Box<Expr>, Box<Expr>),
    /// A column of a matrix, as a vector.
    Column(Box<Expr>, Box<Expr>),
    /// `if cond { then } else { other }`: only the chosen side is evaluated.
    Select {
        /// The condition, a `bool`.
        cond: Box<Expr>,
        /// The value if it holds.
        then: Box<Expr>,
        /// The value if it does not.
        other: Box<Expr>,
    },
}

impl Expr {
    /// A constant that no author wrote.
    pub fn literal(value: Literal) -> Expr {
        Expr { kind: ExprKind::Literal(value), ty: value.ty(), span: Span::NONE }
    }

    /// The value of an integer literal.
    pub fn as_integer(&self) -> Option<i128> {
        match self.kind {
            ExprKind::Literal(literal) => literal.as_integer(),
            _ => None,
        }
    }

    /// The sub-expressions, in the order of evaluation.
    pub fn children(&self) -> impl Iterator<Item = &Expr> {
        let (list, [a, b, c]): (&[Expr], [Option<&Expr>; 3]) = match &self.kind {
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. } => (&[], [None; 3]),
            ExprKind::Load { index: exprs, .. } | ExprKind::Op(_, exprs) | ExprKind::Call(_, exprs) => {
                (exprs, [None; 3])
            }
            ExprKind::Cast(inner) | ExprKind::LocalElement { index: inner, .. } => (&[], [Some(inner), None, None]),
            ExprKind::Component(base, index) | ExprKind::Column(base, index) => (&[], [Some(base), Some(index), None]),
            ExprKind::Select { cond, then, other } => (&[], [Some(cond), Some(then), Some(other)]),
        };
        list.iter().chain(a).chain(b).chain(c)
    }

    /// The sub-expressions, to be changed.
    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let (list, [a, b, c]): (&mut [Expr], [Option<&mut Expr>; 3]) = match &mut self.kind {
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. } => (&mut [], [None, None, None]),
            ExprKind::Load { index: exprs, .. } | ExprKind::Op(_, exprs) | ExprKind::Call(_, exprs) => {
                (exprs, [None, None, None])
            }
            ExprKind::Cast(inner) | ExprKind::LocalElement { index: inner, .. } => (&mut [], [Some(inner), None, None]),
            ExprKind::Component(base, index) | ExprKind::Column(base, index) => {
                (&mut [], [Some(base), Some(index), None])
            }
            ExprKind::Select { cond, then, other } => (&mut [], [Some(cond), Some(then), Some(other)]),
        };
        list.iter_mut().chain(a).chain(b).chain(c)
    }

    /// Puts what `replace` returns in the place of an expression, parents first; what it puts is not looked at again.
    pub fn replace(&mut self, replace: &mut impl FnMut(&Expr) -> Option<Expr>) {
        match replace(self) {
            Some(other) => *self = other,
            None => self.each_child_mut(|child| child.replace(replace)),
        }
    }

    /// A copy with what `replace` returns in the place of an expression, parents first; what it puts is not looked at
    /// again.
    pub fn copy_with(&self, replace: &mut impl FnMut(&Expr) -> Option<Expr>) -> Expr {
        if let Some(other) = replace(self) {
            return other;
        }
        let mut copy = |expr: &Expr| expr.copy_with(replace);
        let kind = match &self.kind {
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. } => self.kind.clone(),
            ExprKind::LocalElement { local, index } => {
                ExprKind::LocalElement { local: *local, index: Box::new(copy(index)) }
            }
            ExprKind::Load { array, index } => {
                ExprKind::Load { array: *array, index: index.iter().map(copy).collect() }
            }
            ExprKind::Op(op, args) => ExprKind::Op(*op, args.iter().map(copy).collect()),
            ExprKind::Call(function, args) => ExprKind::Call(Arc::clone(function), args.iter().map(copy).collect()),
            ExprKind::Cast(inner) => ExprKind::Cast(Box::new(copy(inner))),
            ExprKind::Component(base, index) => ExprKind::Component(Box::new(copy(base)), Box::new(copy(index))),
            ExprKind::Column(base, index) => ExprKind::Column(Box::new(copy(base)), Box::new(copy(index))),
            ExprKind::Select { cond, then, other } => ExprKind::Select {
                cond: Box::new(copy(cond)),
                then: Box::new(copy(then)),
                other: Box::new(copy(other)),
            },
        };
        Expr { kind, ty: self.ty, span: self.span }
    }

    /// Calls `visit` on this expression and everything in it, parents first.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        self.any_child(|child| {
            child.walk(visit);
            false
        });
    }

    /// Calls `visit` on this expression and everything in it, to be changed, parents first.
    pub fn walk_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        visit(self);
        self.each_child_mut(|child| child.walk_mut(visit));
    }

    /// Whether `holds` for this expression or one in it; parents are asked first, and nobody after the first that it
    /// holds for.
    pub fn any(&self, holds: &mut impl FnMut(&Expr) -> bool) -> bool {
        holds(self) || self.any_child(|child| child.any(holds))
    }

    /// Calls `visit` on the [`children_mut`](Expr::children_mut): the same without an iterator, for walks.
    #[inline]
    fn each_child_mut(&mut self, mut visit: impl FnMut(&mut Expr)) {
        match &mut self.kind {
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. } => {}
            ExprKind::Load { index: exprs, .. } | ExprKind::Op(_, exprs) | ExprKind::Call(_, exprs) => {
                exprs.iter_mut().for_each(visit);
            }
            ExprKind::Cast(inner) | ExprKind::LocalElement { index: inner, .. } => visit(inner),
            ExprKind::Component(base, index) | ExprKind::Column(base, index) => {
                visit(base);
                visit(index);
            }
            ExprKind::Select { cond, then, other } => {
                visit(cond);
                visit(then);
                visit(other);
            }
        }
    }

    /// Whether `holds` for one of the [`children`](Expr::children): the same without an iterator, for walks, which are
    /// what every analysis is made of.
    #[inline]
    fn any_child<'a>(&'a self, mut holds: impl FnMut(&'a Expr) -> bool) -> bool {
        match &self.kind {
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. } => false,
            ExprKind::Load { index: exprs, .. } | ExprKind::Op(_, exprs) | ExprKind::Call(_, exprs) => {
                exprs.iter().any(holds)
            }
            ExprKind::Cast(inner) | ExprKind::LocalElement { index: inner, .. } => holds(inner),
            ExprKind::Component(base, index) | ExprKind::Column(base, index) => holds(base) || holds(index),
            ExprKind::Select { cond, then, other } => holds(cond) || holds(then) || holds(other),
        }
    }
}

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
        if let ExprKind::Literal(literal) = self.kind { literal.as_integer() } else { None }
    }
}

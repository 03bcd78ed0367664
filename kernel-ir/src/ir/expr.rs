//! Literal expressions.

use super::{Expr, ExprKind, Literal, Span};

impl Expr {
    /// A constant without a source position.
    pub fn literal(value: Literal) -> Expr {
        Expr { kind: ExprKind::Literal(value), ty: value.ty(), span: Span::NONE }
    }

    /// The value of an integer literal; `None` for any other expression.
    pub fn as_integer(&self) -> Option<i128> {
        if let ExprKind::Literal(literal) = self.kind { literal.as_integer() } else { None }
    }
}

impl From<Literal> for Expr {
    fn from(value: Literal) -> Expr {
        Expr::literal(value)
    }
}

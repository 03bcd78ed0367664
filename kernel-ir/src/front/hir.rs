//! The body after name resolution: names are ids, sugar is gone, types are unknowns. Still Rust's expressions, with
//! effects inside; lowering takes them out.

use super::infer::{ConstraintId, TypeVar};
use crate::ir::{AtomicOp, Direction, LocalId, ParamId, Span};

/// A block: statements, then perhaps a value.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) stmts: Vec<Stmt>,
    pub(super) tail: Option<Box<Expr>>,
}

#[derive(Debug)]
pub(super) struct Stmt {
    pub(super) kind: StmtKind,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum StmtKind {
    Let { local: LocalId, init: Option<Expr> },
    Expr(Expr),
}

/// An expression; `ty` is `None` if it has no value, because its type is `()` or because it never ends.
#[derive(Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) ty: Option<TypeVar>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum ExprKind {
    /// An integer literal, its sign included.
    Int(i128),
    /// A float literal: its digits, without underscores and suffix, and its sign.
    Float {
        digits: String,
        negative: bool,
    },
    /// A named float constant: its value as `f32` and as `f64`.
    FloatConst(f32, f64),
    Bool(bool),
    Local(LocalId),
    Param(ParamId),
    Tid(u8),
    Extent {
        array: ParamId,
        axis: u8,
    },
    Element {
        array: ParamId,
        index: Vec<Expr>,
    },
    Op {
        constraint: ConstraintId,
        args: Vec<Expr>,
    },
    Cast(Box<Expr>),
    Component {
        base: Box<Expr>,
        index: Box<Expr>,
    },
    Column {
        base: Box<Expr>,
        index: Box<Expr>,
    },
    If {
        cond: Box<Expr>,
        then: Block,
        other: Option<Box<Expr>>,
    },
    Block(Block),
    Assign {
        place: Box<Expr>,
        value: Box<Expr>,
    },
    Update {
        constraint: ConstraintId,
        place: Box<Expr>,
        value: Box<Expr>,
    },
    Atomic {
        op: AtomicOp,
        place: Box<Expr>,
        value: Box<Expr>,
    },
    For {
        local: LocalId,
        range: Box<Range>,
        body: Block,
    },
    While {
        cond: Box<Expr>,
        body: Block,
    },
    Loop(Block),
    Break,
    Continue,
    Return,
    /// Stands where a mistake was reported.
    Error,
}

#[derive(Debug)]
pub(super) struct Range {
    pub(super) start: Expr,
    pub(super) end: Expr,
    pub(super) inclusive: bool,
    pub(super) direction: Direction,
    pub(super) step: Option<Expr>,
}

/// A local whose type is not known yet.
#[derive(Debug)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) ty: TypeVar,
    pub(super) mutable: bool,
    pub(super) span: Span,
}

impl Block {
    /// Whether control never reaches the end of the block.
    pub(super) fn diverges(&self) -> bool {
        let last = match (&self.tail, self.stmts.last().map(|stmt| &stmt.kind)) {
            (Some(tail), _) => tail,
            (None, Some(StmtKind::Expr(expr))) => expr,
            _ => return false,
        };
        last.diverges()
    }
}

impl Expr {
    /// Whether control never reaches what follows the expression. `loop` counts as ending.
    pub(super) fn diverges(&self) -> bool {
        match &self.kind {
            ExprKind::Break | ExprKind::Continue | ExprKind::Return => true,
            ExprKind::Block(block) => block.diverges(),
            ExprKind::If { then, other: Some(other), .. } => then.diverges() && other.diverges(),
            _ => false,
        }
    }
}

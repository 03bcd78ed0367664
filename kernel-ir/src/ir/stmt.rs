//! Statements: what is changed, and in which order.

use super::{Expr, LocalId, Op, ParamId, Span, Type};

/// Statements in order.
pub type Block = Vec<Stmt>;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// The source that it came from.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StmtKind {
    /// Brings a local into scope until the end of the block; without `init` it is assigned on every path before it is read.
    Let {
        /// The local.
        local: LocalId,
        /// Its first value.
        init: Option<Expr>,
    },
    /// `place = value`; the value is evaluated first.
    Assign {
        /// What is overwritten.
        place: Place,
        /// The new value.
        value: Expr,
    },
    /// `place op= value`: an arithmetic or bit operation whose result has the type of the place; the value is evaluated first.
    Update {
        /// What is overwritten.
        place: Place,
        /// The operation.
        op: Op,
        /// Its right operand.
        value: Expr,
    },
    /// An indivisible `place = op(place, value)` on an array element.
    Atomic {
        /// The operation.
        op: AtomicOp,
        /// The array element.
        place: Place,
        /// The right operand.
        value: Expr,
        /// A local, declared earlier, that receives the value from before.
        result: Option<LocalId>,
    },
    /// A branch.
    If {
        /// The condition, a `bool`.
        cond: Expr,
        /// What is done if it holds.
        then: Block,
        /// What is done if it does not; may be empty.
        other: Block,
    },
    /// Runs `body` for every integer of the range. The bounds are evaluated once, before the loop.
    For {
        /// The loop variable, in scope in the body, not assigned there.
        local: LocalId,
        /// What it runs over.
        range: ForRange,
        /// The body.
        body: Block,
    },
    /// Runs `body` while the condition, evaluated anew before every trip, holds. `loop { … }` is `while true { … }`.
    While {
        /// The condition, a `bool`.
        cond: Expr,
        /// The body.
        body: Block,
    },
    /// Leaves the innermost loop.
    Break,
    /// Goes to the next trip of the innermost loop.
    Continue,
    /// Ends this thread; in a device function, ends the call with this result.
    Return(Option<Expr>),
}

/// The integers that a `for` runs over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ForRange {
    /// The lower bound.
    pub start: Expr,
    /// The upper bound.
    pub end: Expr,
    /// Whether `end` itself belongs to the range (`..=`).
    pub inclusive: bool,
    /// Up from the first, or down from the last (`.rev()`).
    pub direction: Direction,
    /// The distance between values (`.step_by(n)`), a `usize` above 0; 1 if absent. Applied after the direction.
    pub step: Option<Expr>,
}

/// Which way a `for` runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From `start` upwards.
    Up,
    /// From the last value downwards.
    Down,
}

/// Something that can be assigned: a local or an array element, or a part of its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The variable or element.
    pub root: PlaceRoot,
    /// The way from the root's value to the part, outermost first.
    pub path: Vec<Projection>,
    /// The type of the part.
    pub ty: Type,
    /// The source that it came from.
    pub span: Span,
}

/// The variable or element that holds a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PlaceRoot {
    /// A local.
    Local(LocalId),
    /// An element of a local array.
    LocalElement {
        /// The local array.
        local: LocalId,
        /// A `usize` below its length.
        index: Expr,
    },
    /// An element of a mutable array parameter.
    Element {
        /// The array.
        array: ParamId,
        /// One index an axis, outermost first.
        index: Vec<Expr>,
    },
}

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Projection {
    /// A component of a vector or quaternion.
    Component(Expr),
    /// A column of a matrix.
    Column(Expr),
}

/// What an atomic statement does to the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AtomicOp {
    /// Adds.
    Add,
    /// Subtracts.
    Sub,
    /// Keeps the smaller.
    Min,
    /// Keeps the larger.
    Max,
}

impl AtomicOp {
    /// Every atomic operation.
    pub const ALL: [AtomicOp; 4] = [AtomicOp::Add, AtomicOp::Sub, AtomicOp::Min, AtomicOp::Max];

    /// The name in Rust, in Warp and in the text form: `atomic_add` and so on.
    pub fn name(self) -> &'static str {
        match self {
            AtomicOp::Add => "atomic_add",
            AtomicOp::Sub => "atomic_sub",
            AtomicOp::Min => "atomic_min",
            AtomicOp::Max => "atomic_max",
        }
    }
}

impl AtomicOp {
    /// The operation that gives the new value.
    pub fn op(self) -> Op {
        match self {
            AtomicOp::Add => Op::Add,
            AtomicOp::Sub => Op::Sub,
            AtomicOp::Min => Op::Min,
            AtomicOp::Max => Op::Max,
        }
    }
}

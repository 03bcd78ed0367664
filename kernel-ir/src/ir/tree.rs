//! The types of the IR, which hold each other: a kernel holds statements, these hold expressions, and an expression that
//! calls a device function holds its code, which has the form of a kernel.
//!
//! What kernels, functions, statements and expressions can do is in the files of these names; [`visit`](super::visit) has
//! the list of the parts of each.

use super::{Domain, Literal, LocalId, Op, ParamId, SizeExpr, Span, Type};
use std::sync::Arc;

/// One kernel: what a thread does, for every thread of a launch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kernel {
    /// The author's name for it.
    pub name: String,
    /// The family that it belongs to.
    pub family: String,
    /// The lines of its doc comment, without the leading space.
    pub doc: Vec<String>,
    /// The number of launch axes, 1 to 4; 0 for the code of a device function.
    pub dim: u8,
    /// Whether the author wants no adjoint of it.
    pub no_grad: bool,
    /// How many states of a loop its adjoint keeps at most, if the author says so: 1 to [`Kernel::MOST_SLOTS`].
    pub slots: Option<u32>,
    /// The parameters, in order.
    pub params: Vec<Param>,
    /// Every local that the body declares, each declared by exactly one `Let` or `For`.
    pub locals: Vec<Local>,
    /// What one thread does.
    pub body: Block,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Param {
    /// The author's name.
    pub name: String,
    /// By value, or an array.
    pub kind: ParamKind,
    /// The values that it is meant for; `None` if the author gave none.
    pub domain: Option<Domain>,
    /// The source that it came from.
    pub span: Span,
}

/// How a parameter is passed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ParamKind {
    /// A value.
    Value(Type),
    /// A row-major, contiguous array.
    Array {
        /// The type of an element.
        elem: Type,
        /// Whether the kernel may write to it.
        mutable: bool,
        /// The extents that a caller gives it, one an axis (1 to 4): from `#[shape(…)]`, else the launch size.
        shape: Vec<SizeExpr>,
    },
}

/// A local variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Local {
    /// The author's name, or a name made up for a value that had none. Not unique: Rust allows shadowing.
    pub name: String,
    /// Its type, or that of an element.
    pub ty: Type,
    /// Whether it is assigned after its declaration.
    pub mutable: bool,
    /// How many values it holds as an array of the thread's own, with zeros to begin with; `None` for a single value.
    /// No author writes one: adjoint code keeps intermediate states there.
    pub len: Option<u32>,
    /// The source that it came from.
    pub span: Span,
}

/// A function of values to a value. A [call](ExprKind::Call) holds the function that it calls, so a function comes with
/// all that it needs, and none can call itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    /// Name, documentation, parameters, locals and body, in the form of a kernel that nobody launches: it has no launch
    /// axes (`dim` is 0), no family and no arrays, and every path through its body ends in a `return` with a value.
    pub code: Kernel,
    /// The type of the result.
    pub ret: Type,
    /// The derivative, if the author gives it.
    pub gradient: Option<Gradient>,
}

/// The derivative of a function, as its author gives it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Gradient {
    /// For a parameter, the function that turns the arguments and the adjoint of the result into the adjoint of that
    /// parameter. By parameters that are not in the list the derivative is zero.
    pub parts: Vec<(ParamId, Arc<Function>)>,
    /// Whether it is meant to differ from the true derivative.
    pub surrogate: bool,
}

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

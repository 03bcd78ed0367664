//! The nodes of the IR. A kernel contains statements, statements contain expressions, and a call expression contains
//! the called function, whose code has the form of a kernel.
//!
//! The methods of kernels, functions and expressions are in the modules of these names. [`visit`](super::visit) lists
//! the children of each node, and has the walks.

use super::{Literal, LocalId, Op, ParamId, SizeExpr, Span, Type};
use std::sync::Arc;

/// A kernel: the code that every thread of a launch runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kernel {
    /// The author's name of the kernel.
    pub name: String,
    /// The family to which the kernel belongs.
    pub family: String,
    /// The lines of the doc comment, without the leading space.
    pub doc: Vec<String>,
    /// The number of launch axes, 1 to 4; 0 for the code of a device function.
    pub dim: u8,
    /// The number of threads of a block, for a kernel that is launched over blocks and not over threads; see
    /// [`Memory`](super::Memory).
    pub block: Option<u32>,
    /// Whether the author excludes the kernel from differentiation.
    pub no_grad: bool,
    /// Whether the CPU runs the threads of a launch in launch order, on one core, whatever the analyses prove.
    pub in_order: bool,
    /// The largest number of states that the adjoint stores for one loop, from 1 to [`Kernel::MOST_SLOTS`]; `None` if
    /// the author sets none.
    pub slots: Option<u32>,
    /// The parameters, in order.
    pub params: Vec<Param>,
    /// Every local that the body declares, each declared by exactly one `Let` or `For`.
    pub locals: Vec<Local>,
    /// The code of one thread.
    pub body: Block,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Param {
    /// The author's name of the parameter.
    pub name: String,
    /// The way of passing.
    pub kind: ParamKind,
    /// The values that samples draw, for each component; `None` if the author gives no domain.
    pub domain: Option<Domain>,
    /// The source position.
    pub span: Span,
}

/// The way in which a parameter is passed.
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
        /// Whether a launch may leave it out. An absent array has no elements, and an array without elements is absent.
        optional: bool,
        /// The extent along each of the 1 to 4 axes: from `#[shape(…)]`, else the launch size.
        shape: Vec<SizeExpr>,
    },
}

/// The values that a parameter is meant for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Domain {
    /// The range of each component. For [`Structure::PositiveDefinite`], it is the range of the eigenvalues.
    pub range: ValueRange,
    /// The structure of the whole; `None` if all components are independent.
    pub structure: Option<Structure>,
}

/// A range of values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ValueRange {
    /// Both values of `bool`.
    Bool,
    /// Floats from `low` to below `high`, as bits of `f64`.
    Float {
        /// The bits of the smallest value.
        low: u64,
        /// The bits of the upper bound.
        high: u64,
    },
    /// Integers from `low` to below `high`.
    Int {
        /// The smallest value.
        low: SizeExpr,
        /// The upper bound, itself not included.
        high: SizeExpr,
    },
}

/// A property of an array, or of the components of a value, as a whole. A *row* is a run of elements along the last
/// axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Structure {
    /// Each row ascends.
    Sorted,
    /// Each row ascends from the smallest to the largest integer of the range, as the row offsets of a CSR matrix do:
    /// row `r` of the matrix has the entries from `offsets[r]` up to but not including `offsets[r + 1]`.
    Offsets,
    /// Each row is a permutation of the integers from 0 up to its length.
    Permutation,
    /// No integer occurs twice in a row.
    Distinct,
    /// Each vector or quaternion has length 1.
    Unit,
    /// Each row, or each vector, is a probability distribution: its numbers are not negative, and their sum is 1.
    Probability,
    /// Each matrix, or each matrix along the last two axes, is symmetric, with eigenvalues in the range.
    PositiveDefinite,
}

/// How the elements of a row relate, as far as a proof can use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// No two are equal.
    Differ,
    /// None is smaller than the one before it.
    Ascend,
}

/// A local variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Local {
    /// The author's name, or a made-up name for a temporary. Names are not unique: Rust allows shadowing.
    pub name: String,
    /// The type of the local, or of an element if it is an array.
    pub ty: Type,
    /// Whether the local is assigned after its declaration.
    pub mutable: bool,
    /// The length, if the local is an array of the thread, whose elements start as zeros; `None` for a single value.
    /// The first values that an author gives are assignments behind the declaration.
    pub len: Option<u32>,
    /// The source position.
    pub span: Span,
}

/// A device function, from values and arrays to a value. A [call](ExprKind::Call) holds the function that it calls. A
/// function is therefore complete by itself, and recursion is impossible.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    /// Name, documentation, parameters, locals and body, in the form of a kernel that is not launched. It has no launch
    /// axes (`dim` is 0) and no family. Its arrays are read only, and have the extents of the caller's arrays: their
    /// shapes consist of [`Param::NO_EXTENT`]. Every path through its body ends in a `return` with a value.
    pub code: Kernel,
    /// The type of the result.
    pub ret: Type,
    /// The derivative, if the author gives one.
    pub gradient: Option<Gradient>,
    /// The function of Warp that has the same values, by its name in the module `wp`. The Python text calls it instead.
    pub warp: Option<String>,
}

/// The function that a call runs, and the arrays that it takes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Callee {
    /// The function.
    pub function: Arc<Function>,
    /// The caller's array for each array parameter of the function, in order.
    pub arrays: Vec<ParamId>,
}

/// The derivative of a function, as given by its author.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Gradient {
    /// For each listed parameter, the function from the arguments and the adjoint of the result to the adjoint of the
    /// parameter. The derivative by any other parameter is zero.
    pub parts: Vec<(ParamId, Arc<Function>)>,
    /// Whether the author declares that it differs from the true derivative.
    pub surrogate: bool,
}

/// A sequence of statements.
pub type Block = Vec<Stmt>;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stmt {
    /// The effect.
    pub kind: StmtKind,
    /// The source position.
    pub span: Span,
}

/// The effect of a statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StmtKind {
    /// Declares a local, visible to the end of the block. Without `init` it is assigned on every path before it is
    /// read.
    Let {
        /// The local.
        local: LocalId,
        /// The initial value.
        init: Option<Expr>,
    },
    /// `place = value`. The value is evaluated before the indices of the place.
    Assign {
        /// The assigned place.
        place: Place,
        /// The new value.
        value: Expr,
    },
    /// `place op= value`, where `op` is an arithmetic or bit operation whose result has the type of the place. The
    /// value is evaluated first.
    Update {
        /// The updated place.
        place: Place,
        /// The operation.
        op: Op,
        /// The right operand.
        value: Expr,
    },
    /// An atomic `place = op(place, value)` on an array element.
    Atomic {
        /// The operation.
        op: AtomicOp,
        /// The array element.
        place: Place,
        /// For `Cas` the value that the element must have, otherwise `None`.
        compare: Option<Expr>,
        /// The right operand.
        value: Expr,
        /// A previously declared local that receives the old value.
        result: Option<LocalId>,
    },
    /// A branch.
    If {
        /// The condition, a `bool`.
        cond: Expr,
        /// The block for `true`.
        then: Block,
        /// The block for `false`; may be empty.
        other: Block,
    },
    /// Runs `body` for every integer in the range. The bounds are evaluated once, before the loop.
    For {
        /// The loop variable, visible in the body and not assigned there.
        local: LocalId,
        /// The values of the variable.
        range: ForRange,
        /// The body.
        body: Block,
    },
    /// Runs `body` while the condition is true. The condition is evaluated before every trip. `loop { … }` is
    /// `while true { … }`.
    While {
        /// The condition, a `bool`.
        cond: Expr,
        /// The body.
        body: Block,
    },
    /// Leaves the innermost loop.
    Break,
    /// Starts the next trip of the innermost loop.
    Continue,
    /// Ends the thread. In a device function, ends the call with this result.
    Return(Option<Expr>),
    /// Prints a message, for debugging.
    Print(Message),
}

/// A message that a kernel prints.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// The text in the syntax of Rust's `format!`, with `{}` or `{:.3}` for each argument.
    pub text: String,
    /// Numbers and truth values.
    pub args: Vec<Expr>,
    /// Whether this is the message of an assertion that does not hold, which ends the launch.
    pub fails: bool,
}

/// The values of a `for` variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ForRange {
    /// The lower bound.
    pub start: Expr,
    /// The upper bound.
    pub end: Expr,
    /// Whether `end` belongs to the range (`..=`).
    pub inclusive: bool,
    /// From the first value upwards, or from the last value downwards (`.rev()`).
    pub direction: Direction,
    /// The distance between values (`.step_by(n)`), a positive `usize`; `None` means 1. It applies after the direction.
    pub step: Option<Expr>,
}

/// The order of the trips of a `for`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From `start` upwards.
    Up,
    /// From the last value downwards.
    Down,
    /// From `start` upwards, or side by side: each trip is the work of one thread of the block between two barriers. The
    /// range has the threads of the block; see [`Memory`](super::Memory).
    Phase,
}

/// An assignable place: a local, an array element, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The variable or element.
    pub root: PlaceRoot,
    /// The projections from the root's value to the part, outermost first.
    pub path: Vec<Projection>,
    /// The type of the part.
    pub ty: Type,
    /// The source position.
    pub span: Span,
}

/// The variable or array element of a place.
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
        /// One index for each axis, outermost first.
        index: Vec<Expr>,
    },
}

/// A projection from a value to one of its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Projection {
    /// A component of a vector or quaternion.
    Component(Expr),
    /// A column of a matrix.
    Column(Expr),
    /// The field of a struct with this number.
    Field(u8),
}

/// The operation of an atomic statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AtomicOp {
    /// Adds the value.
    Add,
    /// Subtracts the value.
    Sub,
    /// Stores the smaller of the two.
    Min,
    /// Stores the larger of the two.
    Max,
    /// Stores the bits that both have.
    And,
    /// Stores the bits that one of the two has.
    Or,
    /// Stores the bits that exactly one of the two has.
    Xor,
    /// Stores the value.
    Exch,
    /// Stores the value if the old one equals another value (compare and swap).
    Cas,
}

/// An expression. It has no effect, so it may be evaluated again, or not at all, as long as the locals and array
/// elements that it reads are unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    /// The computation.
    pub kind: ExprKind,
    /// The type of the result.
    pub ty: Type,
    /// The source position.
    pub span: Span,
}

/// What the sums of a [`TileOp::Scan`] take in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scan {
    /// Whether each sum leaves out its own element.
    pub exclusive: bool,
    /// Whether the sums go from the end to the beginning. Adjoints need it.
    pub backward: bool,
}

/// An operation on [tiles](super::Shape::Tile). All other operations on tiles are pointwise: an `Op`, a `Cast` or a `Select`
/// with a tile among its operands computes each element of the result from the elements of the operands at the same place, and
/// from operands that are single numbers. A `Load` of the type of a tile has the elements from the index on, and an assignment
/// or an atomic addition to such a place leaves out what lies outside of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TileOp {
    /// Repeats a number, a row or a column.
    Broadcast,
    /// The elements of a `Load` that the array has, and the second operand, a number, elsewhere.
    Pad,
    /// The sum of all elements, of each row (a column), or of each column (a row).
    Sum,
    /// The largest of these elements.
    Max,
    /// The smallest of these elements.
    Min,
    /// The matrix product.
    Matmul,
    /// The matrix product in which an element 0 of one operand, an adjoint, contributes 0, whatever it meets. The number is that
    /// of the adjoint, 0 or 1.
    StrongMatmul(u8),
    /// Rows become columns.
    Transpose,
    /// The elements, in the order of rows, in another shape.
    Reshape,
    /// The number of the first element that is the largest, of type `u32`: of a row or column, of each row (a column), or of
    /// each column (a row). NaN is never the largest; where nothing is, the number is 0.
    ArgMax,
    /// The same of the smallest element.
    ArgMin,
    /// The sums of the elements of a row or column up to each.
    Scan(Scan),
    /// The number of the row (0) or of the column (1) of each element. It has no operands.
    Index(u8),
}

/// The computation of an expression. Operands are all evaluated, left to right, except where a variant says otherwise.
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
    /// The index of the thread along a launch axis, of type `usize`.
    Tid(u8),
    /// The number of elements of an array parameter along `axis`, of type `usize`.
    Extent {
        /// The array.
        array: ParamId,
        /// The axis.
        axis: u8,
    },
    /// Whether an optional array is [present](Param::is_optional), of type `bool`.
    Present(ParamId),
    /// An element of an array parameter.
    Load {
        /// The array.
        array: ParamId,
        /// One `usize` index for each axis, outermost first.
        index: Vec<Expr>,
    },
    /// An operation of the [table](crate::ops). `And` and `Or` evaluate their second operand only if the first does not
    /// decide the result.
    Op(Op, Vec<Expr>),
    /// A call of a device function, with the values for its by-value parameters, in order.
    Call(Box<Callee>, Vec<Expr>),
    /// Rust's `as` between scalars, to the type of this expression.
    Cast(Box<Expr>),
    /// A component of a vector or quaternion. The index is a literal below the size; for vectors any `usize` is
    /// allowed.
    Component(Box<Expr>, Box<Expr>),
    /// A column of a matrix, as a vector.
    Column(Box<Expr>, Box<Expr>),
    /// The field of a struct with this number.
    Field(Box<Expr>, u8),
    /// An operation on tiles, with a result of the type of this expression.
    Tile(TileOp, Vec<Expr>),
    /// A struct of the type of this expression, with the values of its fields, in order.
    Struct(Vec<Expr>),
    /// `if cond { then } else { other }`. Only the chosen side is evaluated.
    Select {
        /// The condition, a `bool`.
        cond: Box<Expr>,
        /// The value for `true`.
        then: Box<Expr>,
        /// The value for `false`.
        other: Box<Expr>,
    },
}

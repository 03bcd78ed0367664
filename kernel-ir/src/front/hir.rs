//! The body after name resolution: names are ids, syntactic sugar is removed, types are inference variables.
//! Expressions may still have effects, as in Rust; `lower` turns these into statements.

use super::infer::{ConstraintId, TypeVar};
use super::links::DeviceCode;
use crate::ir::{AtomicOp, Callee, Direction, LocalId, ParamId, Span, StructId, TileOp};

/// A block: statements, and an optional value.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) stmts: Vec<Stmt>,
    pub(super) tail: Option<Box<Expr>>,
}

#[derive(Clone, Debug)]
pub(super) struct Stmt {
    pub(super) kind: StmtKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum StmtKind {
    Let {
        local: LocalId,
        init: Option<Expr>,
    },
    /// Declares an index of a [`View`]. A value that has a name and cannot change needs no local of its own.
    LetIndex {
        local: LocalId,
        init: Expr,
    },
    /// Declares a local array.
    LetArray {
        local: LocalId,
        init: Elements,
    },
    /// Declares a local for each value of a tuple, or drops the value.
    LetTuple {
        locals: Vec<Option<LocalId>>,
        init: Expr,
    },
    Expr(Expr),
}

/// The first values of the elements of a local array.
#[derive(Clone, Debug)]
pub(super) enum Elements {
    /// `[a, b, c]`.
    List(Vec<Expr>),
    /// `[value; n]`. The value is evaluated once.
    Repeat(Expr),
}

/// An expression. `ty` is `None` if the expression has no value, because its type is `()` or because it diverges.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) ty: Option<TypeVar>,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    /// An integer literal with its sign.
    Int(i128),
    /// A float literal: its digits without underscores and suffix, and its sign. The text is kept because `f32` and
    /// `f64` round it differently.
    Float {
        digits: String,
        negative: bool,
    },
    /// A named float constant: its value as `f32` and as `f64`.
    FloatConst(f32, f64),
    Bool(bool),
    Local(LocalId),
    /// An element of a local array.
    LocalElement {
        local: LocalId,
        index: Box<Expr>,
    },
    Param(ParamId),
    Tid(u8),
    Extent {
        array: ParamId,
        axis: u8,
    },
    /// Whether an optional array is present.
    Present(ParamId),
    Element {
        array: ParamId,
        index: Vec<Expr>,
    },
    Op {
        constraint: ConstraintId,
        args: Vec<Expr>,
    },
    Call {
        callee: Box<Callee>,
        /// The values for the by-value parameters.
        args: Vec<Expr>,
    },
    /// A call whose code is inserted, because the function changes arrays, or reads one that changes, or takes a part of
    /// one.
    Insert {
        code: DeviceCode,
        arrays: Vec<View>,
        /// The values for the by-value parameters.
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
    /// A component, a column or a field. The type of the base decides which.
    Field {
        base: Box<Expr>,
        name: String,
    },
    /// A struct: the numbers and values of fields in the order of evaluation, then the value of the other fields.
    Struct {
        of: StructId,
        fields: Vec<(u8, Expr)>,
        base: Option<Box<Expr>>,
    },
    /// A tuple, whose type variable is that of a tuple.
    Tuple(Vec<Expr>),
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
    /// Assigns the values of a tuple, from left to right. A value without a place is dropped.
    AssignTuple {
        places: Vec<Option<Expr>>,
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
        /// The values after the place.
        operands: Vec<Expr>,
    },
    /// A message; that of an assertion is for where the condition is false.
    Message {
        text: String,
        args: Vec<Expr>,
        cond: Option<Box<Expr>>,
    },
    /// A draw of a random number, which advances the state: an operation whose first operand is `state`, a variable or
    /// a parameter `&mut u32`.
    Draw {
        state: ViewRoot,
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
    Loop {
        body: Block,
        /// Whether a `break` leaves the loop.
        ends: bool,
    },
    /// `break`, out of the innermost loop or out of an outer one.
    Break(Option<Outer>),
    Continue(Option<Outer>),
    /// `return`; a device function returns a value.
    Return(Option<Box<Expr>>),
    /// The elements of an array from an index on, in the shape of a tile.
    Part {
        array: ParamId,
        index: Vec<Expr>,
        shape: Shape,
    },
    /// An operation on tiles. The result has the shape, or is one value. Without an operand, it is a tile of zeros, or an index.
    Tile {
        op: TileOp,
        args: Vec<Expr>,
        shape: Option<Shape>,
    },
    /// A placeholder for an expression with a reported mistake.
    Error,
}

/// The numbers of rows and columns of a tile.
pub(super) type Shape = (u16, u16);

/// An array or a part of one, which has a name, or which a function takes. Its indices are evaluated where it is made.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) root: ViewRoot,
    /// The first indices: those of a row, or of an element.
    pub(super) index: Vec<LocalId>,
    /// The start of a range along the last axis; `None` for 0.
    pub(super) start: Option<LocalId>,
    /// The length of a range along the last axis.
    pub(super) len: Option<LocalId>,
}

/// The variable that a view is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ViewRoot {
    /// An array parameter.
    Array(ParamId),
    LocalArray(LocalId),
    /// A variable that is no array.
    Variable(LocalId),
}

impl View {
    pub(super) fn whole(root: ViewRoot) -> View {
        View { root, index: Vec::new(), start: None, len: None }
    }

    /// The array parameter, if the view is all of it.
    pub(super) fn as_param(&self) -> Option<ParamId> {
        match self.root {
            ViewRoot::Array(array) if self.index.is_empty() && self.len.is_none() => Some(array),
            ViewRoot::Array(_) | ViewRoot::LocalArray(_) | ViewRoot::Variable(_) => None,
        }
    }
}

/// A loop around the innermost one.
#[derive(Clone, Debug)]
pub(super) struct Outer {
    /// The number of loops inside of it that are left.
    pub(super) inside: usize,
    /// Its label, without the apostrophe.
    pub(super) label: String,
}

#[derive(Clone, Debug)]
pub(super) struct Range {
    pub(super) start: Expr,
    pub(super) end: Expr,
    pub(super) inclusive: bool,
    pub(super) direction: Direction,
    pub(super) step: Option<Expr>,
}

/// A local whose type is an inference variable.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) name: String,
    /// The type of the local, or of an element if it is an array.
    pub(super) ty: TypeVar,
    /// The length, if the local is an array.
    pub(super) len: Option<u32>,
    /// The shape, if the local is a tile, whose elements have the type.
    pub(super) tile: Option<Shape>,
    pub(super) mutable: bool,
    pub(super) origin: Origin,
    pub(super) span: Span,
}

/// The origin of a local, which decides whether it may be assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A `let` with a value.
    Value,
    /// A `let` without a value. Each path may assign it once, even without `mut`.
    Late,
    /// The variable of a `for`.
    Counter,
    /// A `const`.
    Const,
}

impl Block {
    /// Whether control never reaches the end of the block.
    pub(super) fn diverges(&self) -> bool {
        let in_stmts = self.stmts.iter().any(|stmt| matches!(&stmt.kind, StmtKind::Expr(expr) if expr.diverges()));
        in_stmts || self.tail.as_ref().is_some_and(|tail| tail.diverges())
    }

    /// The shape of the tile that is the value of the block.
    fn shape(&self, of: &dyn Fn(LocalId) -> Option<Shape>) -> Option<Shape> {
        self.tail.as_ref().and_then(|tail| tail.shape(of))
    }

    /// Whether the block is a value without statements.
    pub(super) fn is_plain(&self) -> bool {
        self.stmts.is_empty() && self.tail.as_ref().is_some_and(|tail| tail.is_plain())
    }
}

impl Expr {
    /// Whether control never reaches the code after the expression.
    pub(super) fn diverges(&self) -> bool {
        match &self.kind {
            ExprKind::Break(_) | ExprKind::Continue(_) | ExprKind::Return(_) => true,
            ExprKind::Loop { ends, .. } => !ends,
            ExprKind::Block(block) => block.diverges(),
            ExprKind::If { then, other: Some(other), .. } => then.diverges() && other.diverges(),
            ExprKind::Int(_)
            | ExprKind::Float { .. }
            | ExprKind::FloatConst(..)
            | ExprKind::Bool(_)
            | ExprKind::Local(_)
            | ExprKind::LocalElement { .. }
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
            | ExprKind::Element { .. }
            | ExprKind::Op { .. }
            | ExprKind::Call { .. }
            | ExprKind::Cast(_)
            | ExprKind::Component { .. }
            | ExprKind::Column { .. }
            | ExprKind::Field { .. }
            | ExprKind::Struct { .. }
            | ExprKind::Tuple(_)
            | ExprKind::Insert { .. }
            | ExprKind::If { .. }
            | ExprKind::Assign { .. }
            | ExprKind::AssignTuple { .. }
            | ExprKind::Update { .. }
            | ExprKind::Atomic { .. }
            | ExprKind::Message { .. }
            | ExprKind::Draw { .. }
            | ExprKind::For { .. }
            | ExprKind::While { .. }
            | ExprKind::Part { .. }
            | ExprKind::Tile { .. }
            | ExprKind::Error => false,
        }
    }

    /// Whether the expression is free of effects and control flow, so that it becomes one IR expression.
    pub(super) fn is_plain(&self) -> bool {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Float { .. }
            | ExprKind::FloatConst(..)
            | ExprKind::Bool(_)
            | ExprKind::Local(_)
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_) => true,
            ExprKind::Element { index: parts, .. }
            | ExprKind::Part { index: parts, .. }
            | ExprKind::Tile { args: parts, .. }
            | ExprKind::Op { args: parts, .. }
            | ExprKind::Call { args: parts, .. } => parts.iter().all(Expr::is_plain),
            ExprKind::LocalElement { index: inner, .. }
            | ExprKind::Cast(inner)
            | ExprKind::Field { base: inner, .. } => inner.is_plain(),
            ExprKind::Struct { fields, base, .. } => {
                base.as_ref().is_none_or(|base| base.is_plain()) && fields.iter().all(|(_, value)| value.is_plain())
            }
            ExprKind::Component { base, index } | ExprKind::Column { base, index } => {
                base.is_plain() && index.is_plain()
            }
            ExprKind::If { cond, then, other: Some(other) } => cond.is_plain() && then.is_plain() && other.is_plain(),
            ExprKind::Block(block) => block.is_plain(),
            // Tuples are split, and code is inserted, so they are no expressions of the IR.
            ExprKind::Tuple(_)
            | ExprKind::Insert { .. }
            | ExprKind::If { .. }
            | ExprKind::Assign { .. }
            | ExprKind::AssignTuple { .. }
            | ExprKind::Update { .. }
            | ExprKind::Atomic { .. }
            | ExprKind::Message { .. }
            | ExprKind::Draw { .. }
            | ExprKind::For { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop { .. }
            | ExprKind::Break(_)
            | ExprKind::Continue(_)
            | ExprKind::Return(_)
            | ExprKind::Error => false,
        }
    }

    /// The block, if the expression is one.
    pub(super) fn as_block(&self) -> Option<&Block> {
        if let ExprKind::Block(block) = &self.kind { Some(block) } else { None }
    }

    /// The values of the tuple that the expression is, or ends with.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else lists the values of a tuple")]
    pub(super) fn tuple_values(&self) -> Option<&[Expr]> {
        match &self.kind {
            ExprKind::Tuple(values) => Some(values),
            ExprKind::Block(Block { tail: Some(tail), .. })
            | ExprKind::If { then: Block { tail: Some(tail), .. }, .. } => tail.tuple_values(),
            _ => None,
        }
    }

    /// The type variable of the literal that the expression is, or ends with.
    pub(super) fn literal_type(&self) -> Option<TypeVar> {
        match &self.kind {
            ExprKind::Int(_) | ExprKind::Float { .. } => self.ty,
            ExprKind::Block(Block { tail: Some(tail), .. }) => tail.literal_type(),
            ExprKind::FloatConst(..)
            | ExprKind::Bool(_)
            | ExprKind::Local(_)
            | ExprKind::LocalElement { .. }
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
            | ExprKind::Element { .. }
            | ExprKind::Op { .. }
            | ExprKind::Call { .. }
            | ExprKind::Cast(_)
            | ExprKind::Component { .. }
            | ExprKind::Column { .. }
            | ExprKind::Field { .. }
            | ExprKind::Struct { .. }
            | ExprKind::Tuple(_)
            | ExprKind::Insert { .. }
            | ExprKind::If { .. }
            | ExprKind::Block(_)
            | ExprKind::Assign { .. }
            | ExprKind::AssignTuple { .. }
            | ExprKind::Update { .. }
            | ExprKind::Atomic { .. }
            | ExprKind::Message { .. }
            | ExprKind::Draw { .. }
            | ExprKind::For { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop { .. }
            | ExprKind::Break(_)
            | ExprKind::Continue(_)
            | ExprKind::Return(_)
            | ExprKind::Part { .. }
            | ExprKind::Tile { .. }
            | ExprKind::Error => None,
        }
    }

    /// The shape of the tile that the expression is; `None` for other values. `of`: the shapes of locals.
    pub(super) fn shape(&self, of: &dyn Fn(LocalId) -> Option<Shape>) -> Option<Shape> {
        match &self.kind {
            ExprKind::Local(local) => of(*local),
            ExprKind::Part { shape, .. } => Some(*shape),
            ExprKind::Tile { shape, .. } => *shape,
            ExprKind::Op { args, .. } => args.iter().find_map(|arg| arg.shape(of)),
            ExprKind::Cast(inner) => inner.shape(of),
            ExprKind::Block(block) => block.shape(of),
            ExprKind::If { cond, then, other } => {
                let of_other = || other.as_ref().and_then(|other| other.shape(of));
                cond.shape(of).or_else(|| then.shape(of)).or_else(of_other)
            }
            ExprKind::Int(_)
            | ExprKind::Float { .. }
            | ExprKind::FloatConst(..)
            | ExprKind::Bool(_)
            | ExprKind::LocalElement { .. }
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
            | ExprKind::Element { .. }
            | ExprKind::Call { .. }
            | ExprKind::Insert { .. }
            | ExprKind::Component { .. }
            | ExprKind::Column { .. }
            | ExprKind::Field { .. }
            | ExprKind::Struct { .. }
            | ExprKind::Tuple(_)
            | ExprKind::Assign { .. }
            | ExprKind::AssignTuple { .. }
            | ExprKind::Update { .. }
            | ExprKind::Atomic { .. }
            | ExprKind::Message { .. }
            | ExprKind::Draw { .. }
            | ExprKind::For { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop { .. }
            | ExprKind::Break(_)
            | ExprKind::Continue(_)
            | ExprKind::Return(_)
            | ExprKind::Error => None,
        }
    }
}

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

impl Stmt {
    /// The local that the statement itself assigns, wholly or in part, after its declaration.
    pub fn assigned_local(&self) -> Option<LocalId> {
        match &self.kind {
            StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => match place.root {
                PlaceRoot::Local(local) | PlaceRoot::LocalElement { local, .. } => Some(local),
                PlaceRoot::Element { .. } => None,
            },
            StmtKind::Atomic { result, .. } => *result,
            _ => None,
        }
    }

    /// The blocks inside, in source order.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        let (first, second) = match &self.kind {
            StmtKind::If { then, other, .. } => (Some(then), Some(other)),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => (Some(body), None),
            _ => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// The blocks inside, to be changed.
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = &mut Block> {
        let (first, second) = match &mut self.kind {
            StmtKind::If { then, other, .. } => (Some(then), Some(other)),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => (Some(body), None),
            _ => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// The expressions that the statement itself evaluates, not those of the blocks inside, in the order of evaluation.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let ([a, b, c], place) = match &self.kind {
            StmtKind::Let { init, .. } => ([init.as_ref(), None, None], None),
            StmtKind::Assign { place, value }
            | StmtKind::Update { place, value, .. }
            | StmtKind::Atomic { place, value, .. } => ([Some(value), None, None], Some(place)),
            StmtKind::If { cond, .. } | StmtKind::While { cond, .. } => ([Some(cond), None, None], None),
            StmtKind::For { range, .. } => ([Some(&range.start), Some(&range.end), range.step.as_ref()], None),
            StmtKind::Return(result) => ([result.as_ref(), None, None], None),
            StmtKind::Break | StmtKind::Continue => ([None; 3], None),
        };
        a.into_iter().chain(b).chain(c).chain(place.into_iter().flat_map(Place::exprs))
    }

    /// The expressions that the statement itself evaluates, to be changed.
    pub fn exprs_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let ([a, b, c], place) = match &mut self.kind {
            StmtKind::Let { init, .. } => ([init.as_mut(), None, None], None),
            StmtKind::Assign { place, value }
            | StmtKind::Update { place, value, .. }
            | StmtKind::Atomic { place, value, .. } => ([Some(value), None, None], Some(place)),
            StmtKind::If { cond, .. } | StmtKind::While { cond, .. } => ([Some(cond), None, None], None),
            StmtKind::For { range, .. } => ([Some(&mut range.start), Some(&mut range.end), range.step.as_mut()], None),
            StmtKind::Return(result) => ([result.as_mut(), None, None], None),
            StmtKind::Break | StmtKind::Continue => ([None, None, None], None),
        };
        a.into_iter().chain(b).chain(c).chain(place.into_iter().flat_map(Place::exprs_mut))
    }

    /// Calls `visit` on the [`exprs_mut`](Stmt::exprs_mut): the same without an iterator, for walks.
    #[inline]
    pub(crate) fn each_expr_mut(&mut self, mut visit: impl FnMut(&mut Expr)) {
        match &mut self.kind {
            StmtKind::Let { init, .. } => init.iter_mut().for_each(visit),
            StmtKind::Assign { place, value }
            | StmtKind::Update { place, value, .. }
            | StmtKind::Atomic { place, value, .. } => {
                visit(value);
                place.each_expr_mut(visit);
            }
            StmtKind::If { cond, .. } | StmtKind::While { cond, .. } => visit(cond),
            StmtKind::For { range, .. } => {
                visit(&mut range.start);
                visit(&mut range.end);
                range.step.iter_mut().for_each(visit);
            }
            StmtKind::Return(result) => result.iter_mut().for_each(visit),
            StmtKind::Break | StmtKind::Continue => {}
        }
    }

    /// Calls `visit` on this statement and every one inside it, in source order.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Stmt)) {
        visit(self);
        match &self.kind {
            StmtKind::If { then, other, .. } => then.iter().chain(other).for_each(|stmt| stmt.walk(visit)),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => body.iter().for_each(|stmt| stmt.walk(visit)),
            _ => {}
        }
    }

    /// Calls `visit` on every expression that the statement itself evaluates, and on everything in it.
    pub fn walk_exprs<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        self.any_expr(|expr| {
            expr.walk(visit);
            false
        });
    }

    /// Whether `holds` for one of the [`exprs`](Stmt::exprs): the same without an iterator, for walks.
    #[inline]
    pub(crate) fn any_expr<'a>(&'a self, mut holds: impl FnMut(&'a Expr) -> bool) -> bool {
        match &self.kind {
            StmtKind::Let { init, .. } => init.iter().any(holds),
            StmtKind::Assign { place, value }
            | StmtKind::Update { place, value, .. }
            | StmtKind::Atomic { place, value, .. } => holds(value) || place.any_expr(holds),
            StmtKind::If { cond, .. } | StmtKind::While { cond, .. } => holds(cond),
            StmtKind::For { range, .. } => holds(&range.start) || holds(&range.end) || range.step.iter().any(holds),
            StmtKind::Return(result) => result.iter().any(holds),
            StmtKind::Break | StmtKind::Continue => false,
        }
    }

    /// Whether `holds` for this statement or one inside it; nobody is asked after the first that it holds for.
    pub fn any(&self, holds: &mut impl FnMut(&Stmt) -> bool) -> bool {
        holds(self)
            || match &self.kind {
                StmtKind::If { then, other, .. } => then.iter().chain(other).any(|stmt| stmt.any(holds)),
                StmtKind::For { body, .. } | StmtKind::While { body, .. } => body.iter().any(|stmt| stmt.any(holds)),
                _ => false,
            }
    }
}

impl Place {
    /// The index expressions on the way to the part.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let root = match &self.root {
            PlaceRoot::Local(_) => &[],
            PlaceRoot::LocalElement { index, .. } => std::slice::from_ref(index),
            PlaceRoot::Element { index, .. } => index.as_slice(),
        };
        root.iter().chain(self.path.iter().map(|step| match step {
            Projection::Component(index) | Projection::Column(index) => index,
        }))
    }

    /// Whether `holds` for one of the [`exprs`](Place::exprs).
    #[inline]
    pub(crate) fn any_expr<'a>(&'a self, mut holds: impl FnMut(&'a Expr) -> bool) -> bool {
        let in_root = match &self.root {
            PlaceRoot::Local(_) => false,
            PlaceRoot::LocalElement { index, .. } => holds(index),
            PlaceRoot::Element { index, .. } => index.iter().any(&mut holds),
        };
        let mut in_step = |step: &'a Projection| match step {
            Projection::Component(index) | Projection::Column(index) => holds(index),
        };
        in_root || self.path.iter().any(&mut in_step)
    }

    /// Calls `visit` on the [`exprs_mut`](Place::exprs_mut).
    #[inline]
    fn each_expr_mut(&mut self, mut visit: impl FnMut(&mut Expr)) {
        match &mut self.root {
            PlaceRoot::Local(_) => {}
            PlaceRoot::LocalElement { index, .. } => visit(index),
            PlaceRoot::Element { index, .. } => index.iter_mut().for_each(&mut visit),
        }
        self.path.iter_mut().for_each(|step| match step {
            Projection::Component(index) | Projection::Column(index) => visit(index),
        });
    }

    /// The index expressions on the way to the part, to be changed.
    pub fn exprs_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let root = match &mut self.root {
            PlaceRoot::Local(_) => &mut [],
            PlaceRoot::LocalElement { index, .. } => std::slice::from_mut(index),
            PlaceRoot::Element { index, .. } => index.as_mut_slice(),
        };
        root.iter_mut().chain(self.path.iter_mut().map(|step| match step {
            Projection::Component(index) | Projection::Column(index) => index,
        }))
    }
}

//! Walks over expressions and statements.
//!
//! This module holds THE list of the children of each kind of expression, statement and place. The macro `parts`
//! expands it twice, for shared and for mutable references. Every walk, search, copy and renaming in the compiler goes
//! through it, so a new kind of node needs one entry here.

#![deny(clippy::wildcard_enum_match_arm)]

use super::{
    AtomicOp, Block, Expr, ExprKind, ForRange, Kernel, LocalId, ParamId, Place, PlaceRoot, Projection, Stmt, StmtKind,
};
use std::slice;

/// The components of a statement.
struct StmtParts<L, E, A, P, B> {
    /// The local that the statement declares.
    declared: Option<L>,
    /// The local that receives the result of an atomic.
    result: Option<L>,
    /// The expressions in the order of evaluation. The indices of the place are evaluated after them, and the blocks
    /// come last.
    exprs: [Option<E>; 3],
    /// More such expressions, in a list.
    args: A,
    place: Option<P>,
    blocks: [Option<B>; 2],
}

impl<L, E, A: Default, P, B> Default for StmtParts<L, E, A, P, B> {
    fn default() -> Self {
        let exprs = [None, None, None];
        StmtParts { declared: None, result: None, exprs, args: A::default(), place: None, blocks: [None, None] }
    }
}

macro_rules! parts {
    ($parts:ident, $params:ident, $index:ident, $one:ident, $option:ident $(, $mut:tt)?) => {
        impl Expr {
            /// The sub-expressions, in the order of evaluation.
            #[inline]
            fn $parts(& $($mut)? self) -> [& $($mut)? [Expr]; 3] {
                match & $($mut)? self.kind {
                    ExprKind::Literal(_)
                    | ExprKind::Local(_)
                    | ExprKind::Param(_)
                    | ExprKind::Tid(_)
                    | ExprKind::Extent { .. } | ExprKind::Present(_) => [& $($mut)? [], & $($mut)? [], & $($mut)? []],
                    ExprKind::Load { index: list, .. }
                    | ExprKind::Op(_, list)
                    | ExprKind::Call(_, list)
                    | ExprKind::Tile(_, list)
                    | ExprKind::Struct(list) => [list, & $($mut)? [], & $($mut)? []],
                    ExprKind::Cast(inner)
                    | ExprKind::LocalElement { index: inner, .. }
                    | ExprKind::Field(inner, _) => [slice::$one(inner), & $($mut)? [], & $($mut)? []],
                    ExprKind::Component(base, index) | ExprKind::Column(base, index) => {
                        [slice::$one(base), slice::$one(index), & $($mut)? []]
                    }
                    ExprKind::Select { cond, then, other } => {
                        [slice::$one(cond), slice::$one(then), slice::$one(other)]
                    }
                }
            }
        }

        impl Expr {
            /// The parameters that the expression itself refers to: by value, by extent, by presence, as the array that
            /// it loads from, or as the arrays that it passes to a function.
            #[inline]
            pub fn $params(& $($mut)? self) -> & $($mut)? [ParamId] {
                match & $($mut)? self.kind {
                    ExprKind::Param(param)
                    | ExprKind::Present(param)
                    | ExprKind::Load { array: param, .. }
                    | ExprKind::Extent { array: param, .. } => slice::$one(param),
                    ExprKind::Call(callee, _) => & $($mut)? callee.arrays,
                    ExprKind::Literal(_)
                    | ExprKind::Local(_)
                    | ExprKind::LocalElement { .. }
                    | ExprKind::Tid(_)
                    | ExprKind::Op(..)
                    | ExprKind::Cast(_)
                    | ExprKind::Component(..)
                    | ExprKind::Column(..)
                    | ExprKind::Field(..)
                    | ExprKind::Tile(..)
                    | ExprKind::Struct(_)
                    | ExprKind::Select { .. } => & $($mut)? [],
                }
            }
        }

        impl Stmt {
            #[inline]
            fn $parts(
                & $($mut)? self,
            ) -> StmtParts<& $($mut)? LocalId, & $($mut)? Expr, & $($mut)? [Expr], & $($mut)? Place, & $($mut)? Block> {
                let none = StmtParts::default();
                match & $($mut)? self.kind {
                    StmtKind::Let { local, init } => {
                        StmtParts { declared: Some(local), exprs: [init.$option(), None, None], ..none }
                    }
                    StmtKind::Assign { place, value } | StmtKind::Update { place, value, .. } => {
                        StmtParts { exprs: [Some(value), None, None], place: Some(place), ..none }
                    }
                    StmtKind::Atomic { place, compare, value, result, .. } => StmtParts {
                        result: result.$option(),
                        exprs: [Some(value), compare.$option(), None],
                        place: Some(place),
                        ..none
                    },
                    StmtKind::If { cond, then, other } => {
                        StmtParts { exprs: [Some(cond), None, None], blocks: [Some(then), Some(other)], ..none }
                    }
                    StmtKind::For { local, range: ForRange { start, end, step, .. }, body } => StmtParts {
                        declared: Some(local),
                        exprs: [Some(start), Some(end), step.$option()],
                        blocks: [Some(body), None],
                        ..none
                    },
                    StmtKind::While { cond, body } => {
                        StmtParts { exprs: [Some(cond), None, None], blocks: [Some(body), None], ..none }
                    }
                    StmtKind::Return(result) => StmtParts { exprs: [result.$option(), None, None], ..none },
                    StmtKind::Print(message) => StmtParts { args: & $($mut)? message.args, ..none },
                    StmtKind::Break | StmtKind::Continue => none,
                }
            }
        }

        impl Place {
            /// The index expressions of the root, and the path.
            #[inline]
            fn $parts(& $($mut)? self) -> (& $($mut)? [Expr], & $($mut)? [Projection]) {
                let root = match & $($mut)? self.root {
                    PlaceRoot::Local(_) => & $($mut)? [],
                    PlaceRoot::LocalElement { index, .. } => slice::$one(index),
                    PlaceRoot::Element { index, .. } => & $($mut)? index[..],
                };
                (root, & $($mut)? self.path)
            }
        }

        impl Projection {
            /// The index of the part; `None` for a field.
            #[inline]
            pub fn $index(& $($mut)? self) -> Option<& $($mut)? Expr> {
                match self {
                    Projection::Component(index) | Projection::Column(index) => Some(index),
                    Projection::Field(_) => None,
                }
            }
        }
    };
}

parts!(parts, params, index, from_ref, as_ref);
parts!(parts_mut, params_mut, index_mut, from_mut, as_mut, mut);

impl Expr {
    /// The sub-expressions, in the order of evaluation.
    pub fn children(&self) -> impl Iterator<Item = &Expr> {
        self.parts().into_iter().flatten()
    }

    /// The sub-expressions, mutably.
    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        self.parts_mut().into_iter().flatten()
    }

    /// Whether `holds` is true for one of the [`children`](Expr::children). It avoids the iterator, because the walks
    /// of all analyses spend their time here.
    #[inline]
    fn any_child<'a>(&'a self, mut holds: impl FnMut(&'a Expr) -> bool) -> bool {
        let [a, b, c] = self.parts();
        a.iter().any(&mut holds) || b.iter().any(&mut holds) || c.iter().any(&mut holds)
    }

    /// Calls `visit` on the expression and all its descendants, parents first.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        self.any_child(|child| {
            child.walk(visit);
            false
        });
    }

    /// Calls `visit` on the expression and all its descendants, mutably, parents first.
    pub fn walk_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        visit(self);
        self.parts_mut().into_iter().flatten().for_each(|child| child.walk_mut(visit));
    }

    /// Whether `holds` is true for the expression or a descendant. Visits parents first, and stops at the first hit.
    pub fn any(&self, holds: &mut impl FnMut(&Expr) -> bool) -> bool {
        holds(self) || self.any_child(|child| child.any(holds))
    }

    /// Replaces each expression for which `replace` returns another one, parents first. Replacements are not visited.
    pub fn replace(&mut self, replace: &mut impl FnMut(&Expr) -> Option<Expr>) {
        match replace(self) {
            Some(other) => *self = other,
            None => self.children_mut().for_each(|child| child.replace(replace)),
        }
    }

    /// A copy in which each expression for which `replace` returns another one is replaced, parents first. Replacements
    /// are not visited.
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
            | ExprKind::Extent { .. }
            | ExprKind::Present(_) => self.kind.clone(),
            ExprKind::LocalElement { local, index } => {
                ExprKind::LocalElement { local: *local, index: Box::new(copy(index)) }
            }
            ExprKind::Load { array, index } => {
                ExprKind::Load { array: *array, index: index.iter().map(copy).collect() }
            }
            ExprKind::Op(op, args) => ExprKind::Op(*op, args.iter().map(copy).collect()),
            ExprKind::Call(callee, args) => ExprKind::Call(callee.clone(), args.iter().map(copy).collect()),
            ExprKind::Cast(inner) => ExprKind::Cast(Box::new(copy(inner))),
            ExprKind::Component(base, index) => ExprKind::Component(Box::new(copy(base)), Box::new(copy(index))),
            ExprKind::Column(base, index) => ExprKind::Column(Box::new(copy(base)), Box::new(copy(index))),
            ExprKind::Field(base, number) => ExprKind::Field(Box::new(copy(base)), *number),
            ExprKind::Tile(op, args) => ExprKind::Tile(*op, args.iter().map(copy).collect()),
            ExprKind::Struct(fields) => ExprKind::Struct(fields.iter().map(copy).collect()),
            ExprKind::Select { cond, then, other } => ExprKind::Select {
                cond: Box::new(copy(cond)),
                then: Box::new(copy(then)),
                other: Box::new(copy(other)),
            },
        };
        Expr { kind, ty: self.ty, span: self.span }
    }

    /// The local that the expression itself reads, as a whole or at one element.
    #[inline]
    pub fn local_read(&self) -> Option<LocalId> {
        match self.kind {
            ExprKind::Local(local) | ExprKind::LocalElement { local, .. } => Some(local),
            ExprKind::Literal(_)
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
            | ExprKind::Load { .. }
            | ExprKind::Op(..)
            | ExprKind::Call(..)
            | ExprKind::Cast(_)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Field(..)
            | ExprKind::Tile(..)
            | ExprKind::Struct(_)
            | ExprKind::Select { .. } => None,
        }
    }

    /// The sub-expressions that are evaluated whenever the expression is evaluated.
    pub fn always_evaluated(&self) -> impl Iterator<Item = &Expr> {
        let count = match &self.kind {
            ExprKind::Select { .. } => 1,
            ExprKind::Op(op, _) if op.is_lazy() => 1,
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::LocalElement { .. }
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
            | ExprKind::Load { .. }
            | ExprKind::Op(..)
            | ExprKind::Call(..)
            | ExprKind::Cast(_)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Field(..)
            | ExprKind::Tile(..)
            | ExprKind::Struct(_) => usize::MAX,
        };
        self.children().take(count)
    }

    /// Whether the expression reads `local`.
    pub fn reads(&self, local: LocalId) -> bool {
        self.any(&mut |expr| expr.local_read() == Some(local))
    }

    /// Renumbers the parameters in the expression.
    pub fn rename_params(&mut self, name: &impl Fn(ParamId) -> ParamId) {
        self.walk_mut(&mut |expr| expr.params_mut().iter_mut().for_each(|param| *param = name(*param)));
    }

    /// Renames the locals in the expression.
    pub fn rename_locals(&mut self, name: &impl Fn(LocalId) -> LocalId) {
        self.walk_mut(&mut |expr| {
            if let ExprKind::Local(local) | ExprKind::LocalElement { local, .. } = &mut expr.kind {
                *local = name(*local);
            }
        });
    }
}

impl Stmt {
    /// The expressions that the statement itself evaluates, in the order of evaluation; nested statements are excluded.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let StmtParts { exprs, args, place, .. } = self.parts();
        exprs.into_iter().flatten().chain(args).chain(place.into_iter().flat_map(Place::exprs))
    }

    /// The expressions that the statement itself evaluates, mutably.
    pub fn exprs_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let StmtParts { exprs, args, place, .. } = self.parts_mut();
        exprs.into_iter().flatten().chain(args).chain(place.into_iter().flat_map(Place::exprs_mut))
    }

    /// The nested blocks, in source order.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.parts().blocks.into_iter().flatten()
    }

    /// The nested blocks, mutably.
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = &mut Block> {
        self.parts_mut().blocks.into_iter().flatten()
    }

    /// Whether `holds` is true for one of the [`exprs`](Stmt::exprs). It avoids the iterator, for walks.
    #[inline]
    pub(crate) fn any_expr<'a>(&'a self, mut holds: impl FnMut(&'a Expr) -> bool) -> bool {
        let StmtParts { exprs: [a, b, c], args, place, .. } = self.parts();
        a.is_some_and(&mut holds)
            || b.is_some_and(&mut holds)
            || c.is_some_and(&mut holds)
            || args.iter().any(&mut holds)
            || place.is_some_and(|place| place.any_expr(holds))
    }

    /// Calls `visit` on the statement and all nested statements, in source order.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Stmt)) {
        visit(self);
        self.blocks().flatten().for_each(|stmt| stmt.walk(visit));
    }

    /// Calls `visit` on the statement and all nested statements, mutably, in source order.
    pub fn walk_mut(&mut self, visit: &mut impl FnMut(&mut Stmt)) {
        visit(self);
        self.blocks_mut().flatten().for_each(|stmt| stmt.walk_mut(visit));
    }

    /// Calls `visit` on every expression that the statement itself evaluates, and on its descendants.
    pub fn walk_exprs<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        self.any_expr(|expr| {
            expr.walk(visit);
            false
        });
    }

    /// Whether `holds` is true for the statement or a nested one. Stops at the first hit.
    pub fn any(&self, holds: &mut impl FnMut(&Stmt) -> bool) -> bool {
        holds(self) || self.blocks().flatten().any(|stmt| stmt.any(holds))
    }

    /// The place that the statement itself assigns or updates.
    #[inline]
    pub fn place(&self) -> Option<&Place> {
        self.parts().place
    }

    /// The place that the statement itself assigns or updates, mutably.
    #[inline]
    pub fn place_mut(&mut self) -> Option<&mut Place> {
        self.parts_mut().place
    }

    /// The locals that the statement itself names outside of its expressions.
    fn own_locals_mut(&mut self) -> impl Iterator<Item = &mut LocalId> {
        let StmtParts { declared, result, place, .. } = self.parts_mut();
        let of_place = place.and_then(|place| match &mut place.root {
            PlaceRoot::Local(local) | PlaceRoot::LocalElement { local, .. } => Some(local),
            PlaceRoot::Element { .. } => None,
        });
        [declared, result, of_place].into_iter().flatten()
    }

    /// Whether the statement is a loop.
    pub fn is_loop(&self) -> bool {
        match self.kind {
            StmtKind::For { .. } | StmtKind::While { .. } => true,
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Update { .. }
            | StmtKind::Atomic { .. }
            | StmtKind::If { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Print(_) => false,
        }
    }

    /// Whether the statement jumps out of a trip, a loop or the thread.
    pub fn is_jump(&self) -> bool {
        match self.kind {
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) => true,
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Update { .. }
            | StmtKind::Atomic { .. }
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Print(_) => false,
        }
    }

    /// The atomic operation that the statement itself performs, and its place.
    pub fn atomic(&self) -> Option<(AtomicOp, &Place)> {
        match &self.kind {
            StmtKind::Atomic { op, place, .. } => Some((*op, place)),
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Update { .. }
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Print(_) => None,
        }
    }

    /// The local that the statement itself declares.
    #[inline]
    pub fn declared_local(&self) -> Option<LocalId> {
        self.parts().declared.copied()
    }

    /// The local that the statement itself assigns or updates, as a whole or in part. A declaration does not count.
    #[inline]
    pub fn assigned_local(&self) -> Option<LocalId> {
        let StmtParts { result, place, .. } = self.parts();
        place.and_then(|place| place.root.local()).or(result.copied())
    }

    /// Whether the statement, or a nested one, assigns or reads `local`.
    pub fn mentions(&self, local: LocalId) -> bool {
        self.any(&mut |stmt| stmt.assigned_local() == Some(local) || stmt.any_expr(|expr| expr.reads(local)))
    }

    /// Renumbers the parameters in the statement and in nested statements.
    pub fn rename_params(&mut self, name: &impl Fn(ParamId) -> ParamId) {
        self.walk_mut(&mut |stmt| {
            if let Some(Place { root: PlaceRoot::Element { array, .. }, .. }) = stmt.place_mut() {
                *array = name(*array);
            }
            stmt.exprs_mut().for_each(|expr| expr.rename_params(name));
        });
    }

    /// Renames the locals in the statement and in nested statements.
    pub fn rename_locals(&mut self, name: &impl Fn(LocalId) -> LocalId) {
        self.walk_mut(&mut |stmt| {
            stmt.own_locals_mut().for_each(|local| *local = name(*local));
            stmt.exprs_mut().for_each(|expr| expr.rename_locals(name));
        });
    }
}

impl Place {
    /// The index expressions of the root and of the path.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let (root, path) = self.parts();
        root.iter().chain(path.iter().filter_map(Projection::index))
    }

    /// The index expressions of the root and of the path, mutably.
    pub fn exprs_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let (root, path) = self.parts_mut();
        root.iter_mut().chain(path.iter_mut().filter_map(Projection::index_mut))
    }

    /// Whether `holds` is true for one of the [`exprs`](Place::exprs).
    #[inline]
    pub(crate) fn any_expr<'a>(&'a self, mut holds: impl FnMut(&'a Expr) -> bool) -> bool {
        let (root, path) = self.parts();
        root.iter().any(&mut holds) || path.iter().filter_map(Projection::index).any(holds)
    }
}

impl PlaceRoot {
    /// The local, if the place is a local or a part of one.
    #[inline]
    pub fn local(&self) -> Option<LocalId> {
        match self {
            PlaceRoot::Local(local) | PlaceRoot::LocalElement { local, .. } => Some(*local),
            PlaceRoot::Element { .. } => None,
        }
    }
}

impl Kernel {
    /// Calls `visit` on every statement, in source order.
    pub fn walk_stmts<'a>(&'a self, visit: &mut impl FnMut(&'a Stmt)) {
        self.body.iter().for_each(|stmt| stmt.walk(visit));
    }

    /// Calls `visit` on every expression of the body.
    pub fn walk_exprs<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        self.walk_stmts(&mut |stmt| stmt.walk_exprs(visit));
    }
}

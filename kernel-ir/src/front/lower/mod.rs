//! Lowers [`hir`] to IR: type variables are replaced by types, and effects inside of expressions become statements.
//!
//! An IR expression has no effect, but a Rust expression may contain blocks, atomics, and `if`s whose branches have
//! effects. Lowering an expression appends the statements that must run first to `out`, and returns the effect-free
//! rest. If the statements of a later operand would change the value of an earlier operand, the earlier operand is
//! saved in a local before them. The result is Rust's order of evaluation.

mod local_arrays;
mod loops;
mod parts;
mod random;
mod tuples;
mod views;

use super::hir;
use super::infer::{Infer, TypeVar};
use super::resolve::Body;
use crate::analysis::Mutations;
use crate::diag::Diagnostic;
use crate::ir::drop_undeclared;
use crate::ir::{
    Block, Expr, ExprKind, Literal, Local, LocalId, LocalMap, LocalSet, Message, Place, PlaceRoot, Projection, Shape,
    Span, Stmt, StmtKind, TileOp, Type,
};
use crate::ops::Op;
use crate::rewrite::build;
use crate::rewrite::dead_code;
use crate::rewrite::views::drop_proven;
use parts::{Part, part_of};

/// Lowers a body whose types are solved. Returns the statements and the locals, or the mistakes.
pub(super) fn lower(body: &Body) -> Result<(Block, Vec<Local>), Vec<Diagnostic>> {
    let mut lower = Lower {
        infer: &body.infer,
        locals: Vec::new(),
        tiles: body.tiles,
        out: Vec::new(),
        loops: Vec::new(),
        inserts: false,
        names: LocalMap::default(),
        diagnostics: Vec::new(),
    };
    for local in &body.locals {
        let of = if local.len.is_some() { "the elements of " } else { "" };
        let ty = lower.ty(local.ty, local.span, &format!("{of}`{}`", local.name));
        let ty = lifted(ty, local.tile);
        if local.len.is_some() && ty.is_struct() {
            lower.diagnostics.push(
                Diagnostic::new(local.span, format!("the elements of `{}` cannot be `{}`", local.name, ty.rust_name()))
                    .help("use a local array for each field"),
            );
        }
        // The values of an array are assigned behind its declaration.
        let mutable = local.mutable || local.len.is_some();
        let local = Local { name: local.name.clone(), ty, mutable, len: local.len, span: local.span };
        lower.locals.push(local);
    }
    match body.returns {
        true => lower.store_block(&Target::Return, &body.code, Span::NONE),
        false => lower.block(&body.code),
    }
    if lower.inserts {
        // What a function computes for a result that the caller drops.
        dead_code::eliminate(&mut lower.out, &mut LocalSet::default());
    }
    drop_proven(&mut lower.out, &lower.locals);
    if lower.inserts || !lower.names.is_empty() {
        let numbers = drop_undeclared(&lower.out, &mut lower.locals);
        let name = |local| numbers.get(local).copied().unwrap_or(local);
        lower.out.iter_mut().for_each(|stmt| stmt.rename_locals(&name));
    }
    if lower.diagnostics.is_empty() { Ok((lower.out, lower.locals)) } else { Err(lower.diagnostics) }
}

/// The type of a tile of this shape with elements of the type `ty`.
fn lifted(ty: Type, shape: Option<hir::Shape>) -> Type {
    shape.map_or(ty, |(rows, columns)| Type::new(ty.scalar(), Shape::Tile(rows, columns)))
}

struct Lower<'a> {
    infer: &'a Infer,
    locals: Vec<Local>,
    /// Whether the body has tiles.
    tiles: bool,
    /// The block to which statements are appended.
    out: Block,
    /// The surrounding loops, outermost first.
    loops: Vec<Loop>,
    /// Whether code of a function was inserted.
    inserts: bool,
    /// The indices of views that have no local of their own.
    names: LocalMap<Expr>,
    diagnostics: Vec<Diagnostic>,
}

/// The jumps out of loops inside of a loop.
#[derive(Default)]
struct Loop {
    /// The flag that ends it, if a loop inside does so.
    ends: Option<LocalId>,
    /// The flag that starts its next trip, if a loop inside does so.
    continues: Option<LocalId>,
    /// The flags to test behind it, with what follows where one is set.
    tests: Vec<(LocalId, Jump)>,
}

impl Loop {
    fn flag(&mut self, jump: Jump) -> &mut Option<LocalId> {
        match jump {
            Jump::Break => &mut self.ends,
            Jump::Continue => &mut self.continues,
        }
    }
}

#[derive(Clone, Copy)]
enum Jump {
    Break,
    Continue,
}

impl Jump {
    fn stmt(self) -> StmtKind {
        match self {
            Jump::Break => StmtKind::Break,
            Jump::Continue => StmtKind::Continue,
        }
    }
}

impl Lower<'_> {
    fn ty(&mut self, var: TypeVar, span: Span, what: &str) -> Type {
        self.infer.ty(var).unwrap_or_else(|| {
            if !self.infer.is_broken(var) {
                self.diagnostics.push(
                    Diagnostic::new(span, format!("cannot infer the type of {what}"))
                        .help("give the type, for example `let x: f32 = …`"),
                );
            }
            // Any type will do, because the kernel is rejected.
            Type::F32
        })
    }

    fn ty_of(&mut self, expr: &hir::Expr) -> Type {
        let Some(var) = expr.ty else { return Type::BOOL };
        let ty = self.ty(var, expr.span, "this");
        let of_local = |local: LocalId| self.locals[local.0 as usize].ty.as_tile();
        lifted(ty, if self.tiles { expr.shape(&of_local) } else { None })
    }

    fn push(&mut self, kind: StmtKind, span: Span) {
        self.out.push(Stmt { kind, span });
    }

    /// Runs `lower` with an empty `out`, and returns the statements that it appended.
    fn nested<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> (Block, T) {
        let outside = std::mem::take(&mut self.out);
        let result = lower(self);
        (std::mem::replace(&mut self.out, outside), result)
    }

    fn new_local(&mut self, name: &str, ty: Type, mutable: bool, span: Span) -> LocalId {
        self.locals.push(Local { name: name.to_owned(), ty, mutable, len: None, span });
        LocalId(self.locals.len() as u32 - 1)
    }

    /// Lowers a block for its effects.
    fn block(&mut self, block: &hir::Block) {
        self.stmts(&block.stmts);
        if let Some(tail) = &block.tail {
            self.effect(tail);
        }
    }

    fn stmts(&mut self, stmts: &[hir::Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                hir::StmtKind::Let { local, init: Some(init) } => self.store(&Target::Declare(*local), init, stmt.span),
                hir::StmtKind::Let { local, init: None } => {
                    self.push(StmtKind::Let { local: *local, init: None }, stmt.span);
                }
                hir::StmtKind::LetIndex { local, init } => self.let_index(*local, init, stmt.span),
                hir::StmtKind::LetArray { local, init } => self.let_array(*local, init, stmt.span),
                hir::StmtKind::LetTuple { locals, init } => self.let_tuple(locals, init, stmt.span),
                hir::StmtKind::Expr(expr) => self.effect(expr),
            }
        }
    }

    /// Lowers an expression for its effects and drops its value.
    fn effect(&mut self, expr: &hir::Expr) {
        let span = expr.span;
        match &expr.kind {
            hir::ExprKind::Block(block) => self.block(block),
            hir::ExprKind::If { cond, then, other } => {
                let cond = self.expr(cond);
                let (then, ()) = self.nested(|lower| lower.block(then));
                let (other, ()) = self.nested(|lower| other.iter().for_each(|other| lower.effect(other)));
                self.push(StmtKind::If { cond, then, other }, span);
            }
            hir::ExprKind::Assign { place, value } => self.assign(place, value, span),
            hir::ExprKind::AssignTuple { places, value } => self.assign_tuple(places, value, span),
            hir::ExprKind::Insert { .. } => {
                self.insert(expr);
            }
            hir::ExprKind::Tuple(values) => values.iter().for_each(|value| self.effect(value)),
            hir::ExprKind::Update { constraint, place, value } => self.update(*constraint, place, value, span),
            hir::ExprKind::Atomic { .. } => self.atomic(expr, None),
            hir::ExprKind::Message { text, args, cond } => self.message(text, args, cond.as_deref(), span),
            hir::ExprKind::Draw { state, value } => {
                let value = self.expr(value);
                self.advance(*state, &value);
            }
            hir::ExprKind::For { local, range, body } => self.for_loop(*local, range, body, span),
            hir::ExprKind::While { cond, body } => self.while_loop(cond, body, span),
            hir::ExprKind::Loop { body, .. } => {
                self.looped(span, |lower| {
                    let (body, ()) = lower.nested(|lower| lower.block(body));
                    StmtKind::While { cond: Literal::Bool(true).into(), body }
                });
            }
            hir::ExprKind::Break(outer) => self.jump(Jump::Break, outer.as_ref(), span),
            hir::ExprKind::Continue(outer) => self.jump(Jump::Continue, outer.as_ref(), span),
            hir::ExprKind::Return(None) => self.push(StmtKind::Return(None), span),
            hir::ExprKind::Return(Some(value)) => self.store(&Target::Return, value, span),
            hir::ExprKind::Int(_)
            | hir::ExprKind::Float { .. }
            | hir::ExprKind::FloatConst(..)
            | hir::ExprKind::Bool(_)
            | hir::ExprKind::Local(_)
            | hir::ExprKind::LocalElement { .. }
            | hir::ExprKind::Param(_)
            | hir::ExprKind::Tid(_)
            | hir::ExprKind::Extent { .. }
            | hir::ExprKind::Present(_)
            | hir::ExprKind::Element { .. }
            | hir::ExprKind::Part { .. }
            | hir::ExprKind::Tile { .. }
            | hir::ExprKind::Op { .. }
            | hir::ExprKind::Call { .. }
            | hir::ExprKind::Cast(_)
            | hir::ExprKind::Component { .. }
            | hir::ExprKind::Column { .. }
            | hir::ExprKind::Field { .. }
            | hir::ExprKind::Struct { .. }
            | hir::ExprKind::Error => {
                self.expr(expr);
            }
        }
    }

    /// Lowers `target = value`, with the effects of `value` before it. The branches of an `if` assign separately.
    fn store(&mut self, target: &Target, value: &hir::Expr, span: Span) {
        match &value.kind {
            hir::ExprKind::Block(block) => {
                self.stmts(&block.stmts);
                match &block.tail {
                    Some(tail) => self.store(target, tail, span),
                    None => {
                        self.declare(target, span);
                    }
                }
            }
            hir::ExprKind::If { cond, then, other: Some(other) } => {
                if !is_tuple(value)
                    && let Some(select) = self.select(value)
                {
                    return self.finish(target, select, span);
                }
                let cond = self.expr(cond);
                // Both branches assign the target, so a local is declared before the `if`.
                let target = self.declare(target, span);
                let (then, ()) = self.nested(|lower| lower.store_block(&target, then, span));
                let (other, ()) = self.nested(|lower| match other.as_block() {
                    Some(block) => lower.store_block(&target, block, span),
                    None => lower.store(&target, other, span),
                });
                self.push(StmtKind::If { cond, then, other }, value.span);
            }
            hir::ExprKind::Atomic { .. } => match target {
                // The atomic statement stores its own result, so the declaration has no value.
                Target::Declare(local) => {
                    self.declare(target, span);
                    self.atomic(value, Some(*local));
                }
                Target::Assign(_) | Target::Return | Target::Tuple(_) => {
                    let value = self.expr(value);
                    self.finish(target, value, span);
                }
            },
            hir::ExprKind::Draw { state, value: drawn } if matches!(target, Target::Declare(_)) => {
                let drawn = self.expr(drawn);
                self.finish(target, drawn.clone(), span);
                self.advance(*state, &drawn);
            }
            _ if is_tuple(value) => self.store_tuple(target, value, span),
            // The value diverges: it ends in `return`, `break` or `continue`.
            _ if value.ty.is_none() => {
                self.declare(target, span);
                self.effect(value);
            }
            hir::ExprKind::Int(_)
            | hir::ExprKind::Float { .. }
            | hir::ExprKind::FloatConst(..)
            | hir::ExprKind::Bool(_)
            | hir::ExprKind::Local(_)
            | hir::ExprKind::LocalElement { .. }
            | hir::ExprKind::Param(_)
            | hir::ExprKind::Tid(_)
            | hir::ExprKind::Extent { .. }
            | hir::ExprKind::Present(_)
            | hir::ExprKind::Element { .. }
            | hir::ExprKind::Part { .. }
            | hir::ExprKind::Tile { .. }
            | hir::ExprKind::Op { .. }
            | hir::ExprKind::Call { .. }
            | hir::ExprKind::Cast(_)
            | hir::ExprKind::Component { .. }
            | hir::ExprKind::Column { .. }
            | hir::ExprKind::Field { .. }
            | hir::ExprKind::Struct { .. }
            | hir::ExprKind::Tuple(_)
            | hir::ExprKind::Insert { .. }
            | hir::ExprKind::If { .. }
            | hir::ExprKind::Assign { .. }
            | hir::ExprKind::AssignTuple { .. }
            | hir::ExprKind::Update { .. }
            | hir::ExprKind::Draw { .. }
            | hir::ExprKind::Message { .. }
            | hir::ExprKind::For { .. }
            | hir::ExprKind::While { .. }
            | hir::ExprKind::Loop { .. }
            | hir::ExprKind::Break(_)
            | hir::ExprKind::Continue(_)
            | hir::ExprKind::Return(_)
            | hir::ExprKind::Error => {
                let value = self.expr(value);
                self.finish(target, value, span);
            }
        }
    }

    /// Lowers a branch that ends with a value or diverges.
    fn store_block(&mut self, target: &Target, block: &hir::Block, span: Span) {
        self.stmts(&block.stmts);
        match &block.tail {
            Some(tail) if tail.ty.is_some() => self.store(target, tail, span),
            Some(tail) => self.effect(tail),
            None => {}
        }
    }

    /// If the target is a local without a declaration, declares it without a value. Returns a target to assign.
    fn declare(&mut self, target: &Target, span: Span) -> Target {
        match target {
            Target::Assign(_) | Target::Return => target.clone(),
            Target::Tuple(targets) => {
                let declare = |target: &Option<Target>| Some(self.declare(target.as_ref()?, span));
                Target::Tuple(targets.iter().map(declare).collect())
            }
            Target::Declare(local) => {
                self.push(StmtKind::Let { local: *local, init: None }, span);
                let ty = self.locals[local.0 as usize].ty;
                Target::Assign(Place { root: PlaceRoot::Local(*local), path: Vec::new(), ty, span })
            }
        }
    }

    fn finish(&mut self, target: &Target, value: Expr, span: Span) {
        let kind = match target {
            Target::Declare(local) => StmtKind::Let { local: *local, init: Some(value) },
            Target::Assign(place) => StmtKind::Assign { place: place.clone(), value },
            Target::Return => StmtKind::Return(Some(value)),
            // `store_tuple` has split it.
            Target::Tuple(_) => return,
        };
        self.push(kind, span);
    }

    /// Lowers an `if` to a `Select`, if its branches are free of effects.
    fn select(&mut self, expr: &hir::Expr) -> Option<Expr> {
        let hir::ExprKind::If { cond, then, other: Some(other) } = &expr.kind else { return None };
        let then = then.tail.as_ref().filter(|_| then.is_plain() && other.is_plain())?;
        let cond = Box::new(self.expr(cond));
        let (then, other) = (Box::new(self.expr(then)), Box::new(self.expr(other)));
        let ty = then.ty.element().over([cond.ty, then.ty, other.ty]);
        Some(Expr { kind: ExprKind::Select { cond, then, other }, ty, span: expr.span })
    }

    fn assign(&mut self, place: &hir::Expr, value: &hir::Expr, span: Span) {
        let branches = matches!(value.kind, hir::ExprKind::If { .. } | hir::ExprKind::Block(_));
        if branches && let hir::ExprKind::Local(_) = place.kind {
            let place = self.place(place);
            return self.store(&Target::Assign(place), value, span);
        }
        if place.is_plain() && self.assign_draw(place, value, span) {
            return;
        }
        // Rust evaluates the value first, then the place. If the indices of the place have effects that change the
        // value, the value is saved before them.
        let mut value = self.expr(value);
        let (effects, place) = self.nested(|lower| lower.place(place));
        if !Mutations::of(&effects).keep(&value) {
            value = self.save(value);
        }
        self.out.extend(effects);
        self.push(StmtKind::Assign { place, value }, span);
    }

    fn update(&mut self, constraint: super::infer::ConstraintId, place: &hir::Expr, value: &hir::Expr, span: Span) {
        let Some(op) = self.infer.op(constraint) else { return };
        let (place, value) = match self.ty_of(place).is_scalar() && self.ty_of(value).is_scalar() {
            // For primitive operands, Rust evaluates the value first. Effects of the place's indices may change it.
            true => {
                let mut value = self.expr(value);
                let (effects, place) = self.nested(|lower| lower.place(place));
                if !Mutations::of(&effects).keep(&value) {
                    value = self.save(value);
                }
                self.out.extend(effects);
                (place, value)
            }
            // For other operands, Rust calls `add_assign` or the like, whose first operand is the place.
            false => self.place_then(place, |lower| lower.expr(value)),
        };
        self.push(StmtKind::Update { place, op, value }, span);
    }

    /// Lowers a place and what comes after it, evaluated in this order.
    fn place_then<T>(&mut self, place: &hir::Expr, then: impl FnOnce(&mut Self) -> T) -> (Place, T) {
        let mut place = self.place(place);
        let mark = self.out.len();
        let value = then(self);
        let later = Mutations::of(&self.out[mark..]);
        for position in place.exprs_mut().filter(|position| !later.keep(position)) {
            let saved = self.saved_at(mark, position.clone());
            *position = saved;
        }
        (place, value)
    }

    fn atomic(&mut self, expr: &hir::Expr, result: Option<LocalId>) {
        let hir::ExprKind::Atomic { op, place, operands } = &expr.kind else { return };
        let operands: Vec<&hir::Expr> = operands.iter().collect();
        let (place, mut operands) = self.place_then(place, |lower| lower.operands(&operands));
        let Some(value) = operands.pop() else { return };
        self.push(StmtKind::Atomic { op: *op, place, compare: operands.pop(), value, result }, expr.span);
    }

    fn message(&mut self, text: &str, args: &[hir::Expr], cond: Option<&hir::Expr>, span: Span) {
        let message = |lower: &mut Self| {
            let args: Vec<&hir::Expr> = args.iter().collect();
            let args = lower.operands(&args);
            lower.push(StmtKind::Print(Message { text: text.to_owned(), args, fails: cond.is_some() }), span);
        };
        match cond.filter(|cond| !matches!(cond.kind, hir::ExprKind::Bool(false))) {
            Some(cond) => {
                let cond = build::not(self.expr(cond));
                let (then, ()) = self.nested(message);
                self.push(StmtKind::If { cond, then, other: Vec::new() }, span);
            }
            None => message(self),
        }
    }

    fn place(&mut self, expr: &hir::Expr) -> Place {
        let ty = self.ty_of(expr);
        let span = expr.span;
        match &expr.kind {
            hir::ExprKind::Local(local) => Place { root: PlaceRoot::Local(*local), path: Vec::new(), ty, span },
            hir::ExprKind::LocalElement { local, index } => {
                let root = PlaceRoot::LocalElement { local: *local, index: self.expr(index) };
                Place { root, path: Vec::new(), ty, span }
            }
            hir::ExprKind::Element { array, index } => {
                let index: Vec<&hir::Expr> = index.iter().collect();
                let index = self.operands(&index);
                Place { root: PlaceRoot::Element { array: *array, index }, path: Vec::new(), ty, span }
            }
            hir::ExprKind::Part { array, index, .. } => {
                let index: Vec<&hir::Expr> = index.iter().collect();
                let index = self.operands(&index);
                Place { root: PlaceRoot::Element { array: *array, index }, path: Vec::new(), ty, span }
            }
            hir::ExprKind::Component { base, index } => {
                let mut place = self.place(base);
                place.path.push(Projection::Component(self.expr(index)));
                Place { ty, span, ..place }
            }
            hir::ExprKind::Column { base, index } => {
                let mut place = self.place(base);
                place.path.push(Projection::Column(self.expr(index)));
                Place { ty, span, ..place }
            }
            hir::ExprKind::Field { base, name } => {
                let mut place = self.place(base);
                place.path.push(match part_of(place.ty, name) {
                    Part::Field(number) => Projection::Field(number),
                    Part::Column(index) => Projection::Column(Literal::Index(index).into()),
                    Part::Component(index) => Projection::Component(Literal::Index(index).into()),
                });
                Place { ty, span, ..place }
            }
            hir::ExprKind::Int(_)
            | hir::ExprKind::Float { .. }
            | hir::ExprKind::FloatConst(..)
            | hir::ExprKind::Bool(_)
            | hir::ExprKind::Param(_)
            | hir::ExprKind::Tid(_)
            | hir::ExprKind::Extent { .. }
            | hir::ExprKind::Present(_)
            | hir::ExprKind::Tile { .. }
            | hir::ExprKind::Op { .. }
            | hir::ExprKind::Call { .. }
            | hir::ExprKind::Cast(_)
            | hir::ExprKind::Struct { .. }
            | hir::ExprKind::Tuple(_)
            | hir::ExprKind::Insert { .. }
            | hir::ExprKind::If { .. }
            | hir::ExprKind::Block(_)
            | hir::ExprKind::Assign { .. }
            | hir::ExprKind::AssignTuple { .. }
            | hir::ExprKind::Update { .. }
            | hir::ExprKind::Atomic { .. }
            | hir::ExprKind::Draw { .. }
            | hir::ExprKind::Message { .. }
            | hir::ExprKind::For { .. }
            | hir::ExprKind::While { .. }
            | hir::ExprKind::Loop { .. }
            | hir::ExprKind::Break(_)
            | hir::ExprKind::Continue(_)
            | hir::ExprKind::Return(_)
            | hir::ExprKind::Error => {
                // Name resolution has reported that the expression is not a place.
                Place { root: PlaceRoot::Local(LocalId(0)), path: Vec::new(), ty, span }
            }
        }
    }

    /// Lowers an expression to its value. Statements that must run first are appended to `out`.
    fn expr(&mut self, expr: &hir::Expr) -> Expr {
        let span = expr.span;
        let kind = match &expr.kind {
            hir::ExprKind::Int(value) => return self.int(*value, expr),
            hir::ExprKind::Float { digits, negative } => return self.float(digits, *negative, expr),
            hir::ExprKind::FloatConst(single, double) => {
                let literal = match self.ty_of(expr) {
                    Type::F32 => Literal::f32(*single),
                    ty if ty.scalar().is_half() => {
                        Literal::float(*double, ty.scalar()).unwrap_or(Literal::f64(*double))
                    }
                    _ => Literal::f64(*double),
                };
                return Expr { span, ..Expr::literal(literal) };
            }
            hir::ExprKind::Bool(value) => ExprKind::Literal(Literal::Bool(*value)),
            hir::ExprKind::Local(local) => match self.names.get(*local) {
                Some(name) => return Expr { span, ..name.clone() },
                None => ExprKind::Local(*local),
            },
            hir::ExprKind::LocalElement { local, index } => {
                ExprKind::LocalElement { local: *local, index: Box::new(self.expr(index)) }
            }
            hir::ExprKind::Param(param) => ExprKind::Param(*param),
            hir::ExprKind::Tid(axis) => ExprKind::Tid(*axis),
            hir::ExprKind::Extent { array, axis } => ExprKind::Extent { array: *array, axis: *axis },
            hir::ExprKind::Present(array) => ExprKind::Present(*array),
            hir::ExprKind::Element { array, index } => {
                let index: Vec<&hir::Expr> = index.iter().collect();
                ExprKind::Load { array: *array, index: self.operands(&index) }
            }
            hir::ExprKind::Part { array, index, .. } => {
                let index: Vec<&hir::Expr> = index.iter().collect();
                ExprKind::Load { array: *array, index: self.operands(&index) }
            }
            hir::ExprKind::Tile { op: TileOp::Broadcast, args, .. } if args.is_empty() => {
                return Expr { span, ..Expr::zero(self.ty_of(expr)) };
            }
            hir::ExprKind::Tile { op, args, .. } => {
                let args: Vec<&hir::Expr> = args.iter().collect();
                ExprKind::Tile(*op, self.operands(&args))
            }
            hir::ExprKind::Op { constraint, args } => match self.infer.op(*constraint) {
                Some(op) if op.is_lazy() => return self.lazy(op, &args[0], &args[1], span),
                Some(op) => {
                    let args: Vec<&hir::Expr> = args.iter().collect();
                    ExprKind::Op(op, self.operands(&args))
                }
                // No overload fits, which inference has reported.
                None => ExprKind::Literal(Literal::Bool(false)),
            },
            hir::ExprKind::Call { callee, .. } => return self.call(expr, callee.function.ret),
            hir::ExprKind::Insert { .. } => return self.insert(expr).unwrap_or_else(|| Literal::Bool(false).into()),
            hir::ExprKind::Field { base, name } => return self.named_part(base, name, span),
            hir::ExprKind::Struct { of, fields, base } => {
                return self.struct_literal(*of, fields, base.as_deref(), span);
            }
            hir::ExprKind::Cast(inner) => {
                let (inner, to) = (self.expr(inner), self.ty_of(expr));
                match inner.ty == to {
                    true => return inner,
                    false => ExprKind::Cast(Box::new(inner)),
                }
            }
            hir::ExprKind::Component { base, index } => {
                let (base, index) = self.part(base, index);
                ExprKind::Component(base, index)
            }
            hir::ExprKind::Column { base, index } => {
                let (base, index) = self.part(base, index);
                ExprKind::Column(base, index)
            }
            hir::ExprKind::Block(block) => {
                self.stmts(&block.stmts);
                return match &block.tail {
                    Some(tail) => self.expr(tail),
                    None => Literal::Bool(false).into(),
                };
            }
            hir::ExprKind::If { .. } => {
                if let Some(select) = self.select(expr) {
                    return select;
                }
                return self.through_local("value", expr);
            }
            hir::ExprKind::Atomic { .. } => return self.through_local("old", expr),
            hir::ExprKind::Draw { .. } => return self.through_local("drawn", expr),
            hir::ExprKind::Message { .. }
            | hir::ExprKind::Assign { .. }
            | hir::ExprKind::AssignTuple { .. }
            | hir::ExprKind::Tuple(_)
            | hir::ExprKind::Update { .. }
            | hir::ExprKind::For { .. }
            | hir::ExprKind::While { .. }
            | hir::ExprKind::Loop { .. }
            | hir::ExprKind::Break(_)
            | hir::ExprKind::Continue(_)
            | hir::ExprKind::Return(_)
            | hir::ExprKind::Error => {
                self.effect(expr);
                return Literal::Bool(false).into();
            }
        };
        let ty = self.ty_of(expr);
        Expr { kind, ty, span }
    }

    /// Lowers a call, which has a result of type `ty`.
    fn call(&mut self, expr: &hir::Expr, ty: Type) -> Expr {
        let hir::ExprKind::Call { callee, args } = &expr.kind else { return Literal::Bool(false).into() };
        let args: Vec<&hir::Expr> = args.iter().collect();
        Expr { kind: ExprKind::Call(callee.clone(), self.operands(&args)), ty, span: expr.span }
    }

    /// Lowers a value and the index of one of its parts.
    fn part(&mut self, base: &hir::Expr, index: &hir::Expr) -> (Box<Expr>, Box<Expr>) {
        let mut parts = self.operands(&[base, index]).into_iter().map(Box::new);
        (parts.next().expect("two"), parts.next().expect("two"))
    }

    /// Stores the value in a new local.
    fn through_local(&mut self, name: &str, expr: &hir::Expr) -> Expr {
        let ty = self.ty_of(expr);
        let local = self.new_local(name, ty, false, expr.span);
        self.store(&Target::Declare(local), expr, expr.span);
        Expr { kind: ExprKind::Local(local), ty, span: expr.span }
    }

    fn lazy(&mut self, op: Op, left: &hir::Expr, right: &hir::Expr, span: Span) -> Expr {
        let left = self.expr(left);
        // The range `0..=9` of a `match`; compilers of C warn of the comparison.
        if op == Op::And && is_not_below_zero(&left) {
            return self.expr(right);
        }
        let (effects, right) = self.nested(|lower| lower.expr(right));
        if effects.is_empty() {
            let ty = Type::BOOL.over([left.ty, right.ty]);
            return Expr { kind: ExprKind::Op(op, vec![left, right]), ty, span };
        }
        // The effects of the right operand must run only if it is evaluated, so they go into a branch.
        let local = self.new_local("holds", Type::BOOL, true, span);
        self.push(StmtKind::Let { local, init: Some(left) }, span);
        let holds = Expr { kind: ExprKind::Local(local), ty: Type::BOOL, span };
        let cond = match op == Op::And {
            true => holds.clone(),
            false => Expr { kind: ExprKind::Op(Op::Not, vec![holds.clone()]), ty: Type::BOOL, span },
        };
        let place = Place { root: PlaceRoot::Local(local), path: Vec::new(), ty: Type::BOOL, span };
        let mut then = effects;
        then.push(Stmt { kind: StmtKind::Assign { place, value: right }, span });
        self.push(StmtKind::If { cond, then, other: Vec::new() }, span);
        holds
    }

    /// Lowers operands, evaluated left to right.
    fn operands(&mut self, operands: &[&hir::Expr]) -> Vec<Expr> {
        let mut values: Vec<Expr> = Vec::new();
        for operand in operands {
            let mark = self.out.len();
            let value = self.expr(operand);
            // Only statements can change the value of an earlier operand.
            if self.out.len() > mark {
                let later = Mutations::of(&self.out[mark..]);
                for (at, earlier) in (mark..).zip(values.iter_mut().filter(|earlier| !later.keep(earlier))) {
                    *earlier = self.saved_at(at, earlier.clone());
                }
            }
            values.push(value);
        }
        values
    }

    /// Saves a value in a new local at the end of `out`.
    fn save(&mut self, value: Expr) -> Expr {
        let at = self.out.len();
        self.saved_at(at, value)
    }

    /// Saves a value in a new local, declared before the statement at position `at` of `out`.
    fn saved_at(&mut self, at: usize, value: Expr) -> Expr {
        let (ty, span) = (value.ty, value.span);
        let local = self.new_local("before", ty, false, span);
        self.out.insert(at, Stmt { kind: StmtKind::Let { local, init: Some(value) }, span });
        Expr { kind: ExprKind::Local(local), ty, span }
    }

    fn int(&mut self, value: i128, expr: &hir::Expr) -> Expr {
        let ty = self.ty_of(expr);
        let literal = Literal::int(value, ty).unwrap_or_else(|| {
            self.diagnostics.push(
                Diagnostic::new(expr.span, format!("{value} does not fit `{}`", ty.rust_name())).help(match ty {
                    Type::INDEX if value < 0 => {
                        "an index cannot be negative: subtract, as in `i - 1`, or compute in `i32` and convert with `as usize`"
                    }
                    Type::INDEX => "indices are whole numbers from 0 to below 2³²",
                    _ if value < 0 && !ty.scalar().is_signed_integer() => "use a signed type, or another number",
                    _ => "use a wider type, or another number",
                }),
            );
            Literal::I32(0)
        });
        Expr { span: expr.span, ..Expr::literal(literal) }
    }

    fn float(&mut self, digits: &str, negative: bool, expr: &hir::Expr) -> Expr {
        let sign = if negative { -1.0 } else { 1.0 };
        // Each type parses the digits itself. Parsing to `f64` and then converting to `f32` could round twice.
        let (literal, finite) = match self.ty_of(expr) {
            Type::F32 => {
                let value = digits.parse::<f32>().unwrap_or(f32::INFINITY);
                (Literal::f32(value * sign as f32), value.is_finite())
            }
            _ => {
                let value = digits.parse::<f64>().unwrap_or(f64::INFINITY);
                (Literal::f64(value * sign), value.is_finite())
            }
        };
        if !finite {
            self.diagnostics.push(
                Diagnostic::new(expr.span, "this number is too large for its type")
                    .help("use `f64`, or a smaller number"),
            );
        }
        Expr { span: expr.span, ..Expr::literal(literal) }
    }
}

/// The destination of a value.
#[derive(Clone)]
enum Target {
    /// A local that the statement declares.
    Declare(LocalId),
    /// An existing place.
    Assign(Place),
    /// The caller of the device function.
    Return,
    /// A target for each value of a tuple; a value without a target is dropped.
    Tuple(Vec<Option<Target>>),
}

/// Whether the value is a tuple.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a tuple")]
fn is_tuple(value: &hir::Expr) -> bool {
    match &value.kind {
        hir::ExprKind::Tuple(_) => true,
        hir::ExprKind::Call { callee, .. } => callee.function.ret.is_tuple(),
        hir::ExprKind::Insert { code, .. } => code.ret().is_some_and(Type::is_tuple),
        hir::ExprKind::Block(block) => block.tail.as_ref().is_some_and(|tail| is_tuple(tail)),
        hir::ExprKind::If { then, other, .. } => {
            then.tail.as_ref().is_some_and(|tail| is_tuple(tail)) || other.as_ref().is_some_and(|other| is_tuple(other))
        }
        _ => false,
    }
}

/// Whether the expression is `n >= 0` for an unsigned variable `n`.
fn is_not_below_zero(cond: &Expr) -> bool {
    let ExprKind::Op(Op::Ge, args) = &cond.kind else { return false };
    let [value, bound] = args.as_slice() else { return false };
    let is_name = matches!(value.kind, ExprKind::Local(_) | ExprKind::Param(_));
    is_name && !value.ty.scalar().is_signed_integer() && bound.as_integer() == Some(0)
}

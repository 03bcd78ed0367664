//! Replaces the tiles of a block kernel by local arrays and phases, so that only the front end, the adjoint and the text for
//! Warp know tiles.
//!
//! The thread `t` of `T` threads works on the elements `t`, `t + T`, `t + 2·T` and so on of each result, counted row by row. A
//! tile variable becomes a local array of that order; one whose elements are only used by their own thread has a multiple of
//! `T` elements, and stays in registers ([`Memory::Thread`](crate::ir::Memory)).
//!
//! A pointwise expression becomes one phase. Reductions and products have phases of their own, and are computed before the
//! statement that uses them. The orders of sums are fixed, and do not depend on `T`: those of rows and columns go along them,
//! those of products along the inner extent, and all elements are added in halves: element `k` takes in element `k + h`, where
//! `h` is the largest power of two below the number of elements, then half of it, and so on. For sums up to each element,
//! element `k` takes in element `k - d` of the step before, where `d` is 1, then 2, and so on (Hillis and Steele, 1986).

#![expect(clippy::wildcard_enum_match_arm, reason = "what is no reduction or product is pointwise")]

use crate::ir::{
    Block, Direction, Expr, ExprKind, ForRange, Kernel, Literal, Local, LocalId, LocalSet, ParamId, Place, PlaceRoot,
    Scan, Span, Stmt, StmtKind, TileOp, Type, drop_undeclared,
};
use crate::ops::Op;
use crate::ops::build::{Operand, Var};

/// Whether the kernel has tiles.
pub(crate) fn has_tiles(kernel: &Kernel) -> bool {
    let mut found = kernel.locals.iter().any(|local| local.ty.is_tile());
    kernel.walk_stmts(&mut |stmt| {
        found |= stmt.place().is_some_and(|place| place.ty.is_tile());
        stmt.walk_exprs(&mut |expr| found |= expr.ty.is_tile());
    });
    found
}

/// The kernel with phases in the place of operations on tiles.
pub(crate) fn as_phases(source: &Kernel) -> Kernel {
    lowered(source, source.block)
}

/// The kernel with loops over rows and columns in the place of operations on tiles, whose threads are the blocks. Analyses read
/// the accesses to arrays off it.
pub(crate) fn as_loops(source: &Kernel) -> Kernel {
    let mut kernel = lowered(source, None);
    kernel.block = None;
    kernel
}

fn lowered(source: &Kernel, threads: Option<u32>) -> Kernel {
    let mut kernel = source.clone();
    let body = std::mem::take(&mut kernel.body);
    let tiles = kernel.locals.iter().map(|local| local.ty).collect();
    let mut lowering =
        Lowering { threads, locals: kernel.locals, tiles, apart: LocalSet::default(), out: Block::new() };
    lowering.block(body);
    let mut body = std::mem::take(&mut lowering.out);
    kernel.locals = lowering.finish();
    let numbers = drop_undeclared(&body, &mut kernel.locals);
    let renumbered = |local: LocalId| numbers.get(local).copied().unwrap_or(local);
    body.iter_mut().for_each(|stmt| stmt.rename_locals(&renumbered));
    kernel.body = body;
    kernel
}

/// Whether the array has each element of a tile, a `Load` of the type of one.
pub(crate) fn present(load: &Expr) -> Expr {
    let ExprKind::Load { array, index } = &load.kind else { return Expr::literal(Literal::Bool(true)) };
    let number = Type::INDEX.over([load.ty]);
    let truth = Type::BOOL.over([load.ty]);
    let on_axis = |(axis, start): (u8, &Expr)| {
        // Along the only axis of an array goes a row or a column.
        let along = if index.len() == 1 && load.ty.as_tile().is_some_and(|(rows, _)| rows == 1) { 1 } else { axis };
        let place = Expr::new(ExprKind::Tile(TileOp::Index(along), Vec::new()), number);
        let at = Expr::op_to(Op::Add, [start.clone(), place], number);
        Expr::op_to(Op::Lt, [at, Expr::extent(*array, axis)], truth)
    };
    let all = (0..).zip(index).map(on_axis).reduce(|a, b| Expr::op_to(Op::And, [a, b], truth));
    all.unwrap_or(Expr::literal(Literal::Bool(true)))
}

/// The numbers of the first elements of `values` that are the largest or the smallest, by other operations.
pub(crate) fn arg_reduced(op: TileOp, values: &Expr, ty: Type) -> Expr {
    let (rows, columns) = values.ty.as_tile().unwrap_or((1, 1));
    let (axis, count) = match ty.as_tile() {
        Some((1, _)) => (0, rows),
        Some(_) => (1, columns),
        None => (u8::from(rows == 1), rows.max(columns)),
    };
    let tile = |op, args, ty| expr(ExprKind::Tile(op, args), ty);
    let number = Type::U32.over([values.ty]);
    let reduction = if op == TileOp::ArgMax { TileOp::Max } else { TileOp::Min };
    let best = tile(reduction, vec![values.clone()], values.ty.element().over([ty]));
    let best = if ty.is_tile() { tile(TileOp::Broadcast, vec![best], values.ty) } else { best };
    let wins = Expr::op_to(Op::Eq, [values.clone(), best], Type::BOOL.over([values.ty]));
    let place = tile(TileOp::Index(axis), Vec::new(), Type::INDEX.over([values.ty])).cast(number);
    // NaN equals nothing, so `count` may be the least of these.
    let count = Expr::number(i64::from(count), Type::U32);
    let first = tile(TileOp::Min, vec![wins.select(place, count.clone())], ty);
    Expr::op_to(Op::Rem, [first, count], ty)
}

struct Lowering {
    /// The number of threads that share the elements; `None` for loops over rows and columns.
    threads: Option<u32>,
    locals: Vec<Local>,
    /// The types of the locals, tiles included.
    tiles: Vec<Type>,
    /// The arrays of tiles whose elements other threads use, too.
    apart: LocalSet,
    out: Block,
}

/// An element of a tile.
#[derive(Clone)]
struct At {
    row: Expr,
    column: Expr,
    /// The round in which the thread works on this element of its own, if it is one; else the number of the element.
    place: Placed,
}

#[derive(Clone)]
enum Placed {
    /// The element `round * threads + thread`.
    Own { round: Option<Expr>, thread: LocalId, threads: u32 },
    /// Any element.
    Other,
}

fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr::new(kind, ty)
}

fn index(value: u32) -> Expr {
    Expr::index(value as usize)
}

fn binary(op: Op, a: Expr, b: Expr) -> Expr {
    Expr::op(op, [a, b])
}

fn compare(op: Op, a: Expr, b: Expr) -> Expr {
    Expr::op_to(op, [a, b], Type::BOOL)
}

fn local_place(local: LocalId, ty: Type) -> Place {
    Var::new(local, ty).place()
}

fn declare(local: LocalId, init: Expr) -> Stmt {
    Var::new(local, init.ty).declare(init)
}

fn assign_to(place: Place, value: Expr) -> Stmt {
    place.set(value)
}

fn usize_of(local: LocalId) -> Expr {
    expr(ExprKind::Local(local), Type::INDEX)
}

/// `a * b`, without factors 1 and products 0.
fn times(a: Expr, b: u32) -> Expr {
    match (a.as_integer(), b) {
        (Some(0), _) => index(0),
        (_, 1) => a,
        _ => binary(Op::Mul, a, index(b)),
    }
}

/// `a + b`, without terms 0.
fn plus(a: Expr, b: Expr) -> Expr {
    match (a.as_integer(), b.as_integer()) {
        (Some(0), _) => b,
        (_, Some(0)) => a,
        _ => binary(Op::Add, a, b),
    }
}

impl Lowering {
    /// A new local that is assigned after its declaration.
    fn fresh(&mut self, name: &str, ty: Type) -> LocalId {
        self.tiles.push(ty);
        Local::fresh(&mut self.locals, name, ty)
    }

    /// A new local that keeps its first value, or counts the trips of a loop.
    fn fixed(&mut self, name: &str, ty: Type) -> LocalId {
        let local = self.fresh(name, ty);
        self.locals[local.0 as usize].mutable = false;
        local
    }

    /// The number of elements of a tile that each of so many threads works on.
    fn rounds(ty: Type, threads: u32) -> u32 {
        (ty.components() as u32).div_ceil(threads)
    }

    /// The number of elements of the array for a tile of this type.
    fn stride(&self, local: LocalId) -> u32 {
        let ty = self.tiles[local.0 as usize];
        match self.threads {
            Some(threads) if !self.apart.contains(local) => Lowering::rounds(ty, threads) * threads,
            _ => ty.components() as u32,
        }
    }

    /// The locals, where tiles are arrays. Their lengths are known when all accesses are.
    fn finish(mut self) -> Vec<Local> {
        for number in 0..self.locals.len() {
            let ty = self.tiles[number];
            if ty.is_tile() {
                let stride = self.stride(LocalId(number as u32));
                let local = &mut self.locals[number];
                local.len = Some(stride.saturating_mul(local.len.unwrap_or(1)));
                (local.ty, local.mutable) = (ty.element(), true);
            }
        }
        self.locals
    }

    fn block(&mut self, block: Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    /// The statements for a block inside of a statement.
    fn nested(&mut self, block: Block) -> Block {
        let outside = std::mem::take(&mut self.out);
        self.block(block);
        std::mem::replace(&mut self.out, outside)
    }

    fn push(&mut self, kind: StmtKind, span: Span) {
        self.out.push(Stmt { kind, span });
    }

    fn stmt(&mut self, mut source: Stmt) {
        let span = source.span;
        let is_store = source.place().is_none_or(|place| place.ty.is_tile());
        for part in source.exprs_mut() {
            let is_whole = is_store && part.ty.is_tile();
            self.materialise(part, is_whole);
        }
        match source.kind {
            StmtKind::Let { local, init } if self.tiles[local.0 as usize].is_tile() => {
                self.push(StmtKind::Let { local, init: None }, span);
                if let Some(value) = init {
                    self.assign(local_place(local, value.ty), None, value, span);
                }
            }
            StmtKind::Assign { place, value } if place.ty.is_tile() => {
                self.assign(place, None, value, span);
            }
            StmtKind::Update { place, op, value } if place.ty.is_tile() => {
                self.assign(place, Some(op), value, span);
            }
            StmtKind::Atomic { op, place, value, .. } if place.ty.is_tile() => {
                self.compute(&value, span, &mut |lowering, at, value| {
                    let place = lowering.place(&place, at);
                    let inside = exists(&place);
                    let atomic = StmtKind::Atomic { op, place, compare: None, value, result: None };
                    guarded(inside, Stmt { kind: atomic, span })
                });
            }
            StmtKind::If { cond, then, other } => {
                let (then, other) = (self.nested(then), self.nested(other));
                self.push(StmtKind::If { cond, then, other }, span);
            }
            StmtKind::For { local, range, body } if range.direction != Direction::Phase => {
                let body = self.nested(body);
                self.push(StmtKind::For { local, range, body }, span);
            }
            StmtKind::While { cond, body } => {
                let body = self.nested(body);
                self.push(StmtKind::While { cond, body }, span);
            }
            kind @ (StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Update { .. }
            | StmtKind::Atomic { .. }
            | StmtKind::For { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Print(_)) => self.push(kind, span),
        }
    }

    /// `place = value`, or `place op= value`, for tiles.
    fn assign(&mut self, place: Place, op: Option<Op>, value: Expr, span: Span) {
        let is_moved = match place.root {
            PlaceRoot::Local(local) => self.moves(&value, local, false),
            PlaceRoot::LocalElement { .. } | PlaceRoot::Element { .. } => false,
        };
        let value = if is_moved { self.named("moved", value) } else { value };
        self.compute(&value, span, &mut |lowering, at, value| {
            let place = lowering.place(&place, at);
            let inside = exists(&place);
            let kind = match op {
                None => StmtKind::Assign { place, value },
                Some(op) => StmtKind::Update { place, op, value },
            };
            guarded(inside, Stmt { kind, span })
        });
    }

    /// One phase that computes the elements of a value, and does with each what `sink` says.
    fn compute(&mut self, value: &Expr, span: Span, sink: &mut dyn FnMut(&mut Lowering, &At, Expr) -> Block) {
        let ty = value.ty;
        match &value.kind {
            ExprKind::Tile(op @ (TileOp::Sum | TileOp::Max | TileOp::Min), args) => {
                self.each(ty, span, |lowering, at| {
                    let (mut out, total) = lowering.along(*op, &args[0], ty, at);
                    out.extend(sink(lowering, at, total));
                    out
                })
            }
            ExprKind::Tile(op @ (TileOp::Matmul | TileOp::StrongMatmul(_)), args) => {
                self.each(ty, span, |lowering, at| {
                    let (mut out, total) = lowering.product(*op, args, at);
                    out.extend(sink(lowering, at, total));
                    out
                });
            }
            _ => self.each(ty, span, |lowering, at| {
                let value = lowering.element(value, at);
                sink(lowering, at, value)
            }),
        }
    }

    /// Whether the expression reads the tile at other places than that of the result.
    fn moves(&self, value: &Expr, local: LocalId, is_moved: bool) -> bool {
        let is_moved = is_moved || matches!(&value.kind, ExprKind::Tile(op, _) if *op != TileOp::Pad);
        (is_moved && value.local_read() == Some(local))
            || value.children().any(|child| self.moves(child, local, is_moved))
    }

    /// Stores a value in a new tile or number, and returns that.
    fn named(&mut self, name: &str, value: Expr) -> Expr {
        let (ty, span) = (value.ty, value.span);
        let local = self.fresh(name, ty);
        self.push(StmtKind::Let { local, init: None }, span);
        self.assign(local_place(local, ty), None, value, span);
        expr(ExprKind::Local(local), ty)
    }

    /// Computes the reductions and products inside of the value of a statement, and replaces them by their results. One that is
    /// all of the value is computed where the value goes.
    fn materialise(&mut self, value: &mut Expr, is_whole: bool) {
        if !value.any(&mut |part| matches!(part.kind, ExprKind::Tile(..))) {
            return;
        }
        value.children_mut().for_each(|child| self.materialise(child, false));
        let ty = value.ty;
        let ExprKind::Tile(op, args) = &mut value.kind else { return };
        for arg in args.iter_mut() {
            let is_read_often = matches!(op, TileOp::Matmul | TileOp::StrongMatmul(_)) && !is_stored(arg);
            // In an array of tiles, a thread has access to its own elements only.
            let is_kept = |part: &Expr| part.ty.is_tile() && matches!(part.kind, ExprKind::LocalElement { .. });
            if is_read_often || arg.any(&mut |part| is_kept(part)) {
                let computed = std::mem::replace(arg, Expr::index(0));
                *arg = self.named("operand", computed);
            }
        }
        let result = match *op {
            TileOp::ArgMax | TileOp::ArgMin => {
                let of = args.remove(0);
                let of = if of.local_read().is_some() { of } else { self.named("values", of) };
                let mut reduced = arg_reduced(*op, &of, ty);
                self.materialise(&mut reduced, false);
                reduced
            }
            TileOp::Scan(scan) => {
                let of = args.remove(0);
                self.scan(scan, of, value.span)
            }
            TileOp::Sum | TileOp::Max | TileOp::Min if !ty.is_tile() => {
                let (op, of) = (*op, args.remove(0));
                self.in_halves(op, of, value.span)
            }
            TileOp::Sum | TileOp::Max | TileOp::Min | TileOp::Matmul | TileOp::StrongMatmul(_) if !is_whole => {
                let computed = std::mem::replace(value, Expr::index(0));
                self.named("result", computed)
            }
            _ => return,
        };
        *value = Expr { span: value.span, ..result };
    }

    /// The reduction of a row or a column of a tile, to the element of the result at `at`.
    fn along(&mut self, op: TileOp, of: &Expr, ty: Type, at: &At) -> (Block, Expr) {
        let (rows, columns) = of.ty.as_tile().unwrap_or((1, 1));
        let by_rows = ty.as_tile() == Some((rows, 1));
        let count = if by_rows { columns } else { rows };
        let line = |k: Expr| match by_rows {
            true => At { row: at.row.clone(), column: k, place: Placed::Other },
            false => At { row: k, column: at.column.clone(), place: Placed::Other },
        };
        let (total, k) = (self.fresh("total", ty.element()), self.fixed("k", Type::INDEX));
        let total_of = expr(ExprKind::Local(total), ty.element());
        let (first, next) = (self.element(of, &line(index(0))), self.element(of, &line(usize_of(k))));
        let mut out = vec![declare(total, first)];
        if count > 1 {
            let body = vec![assign_to(local_place(total, ty.element()), binary(combined(op), total_of.clone(), next))];
            let range = range(index(1), index(count.into()), Direction::Up);
            out.push(Stmt::new(StmtKind::For { local: k, range, body }));
        }
        (out, total_of)
    }

    /// The element of a matrix product at `at`.
    fn product(&mut self, op: TileOp, args: &[Expr], at: &At) -> (Block, Expr) {
        let ty = args[0].ty.element();
        let inner = args[0].ty.as_tile().map_or(1, |(_, columns)| columns);
        let (total, k) = (self.fresh("total", ty), self.fixed("k", Type::INDEX));
        let left = At { row: at.row.clone(), column: usize_of(k), place: Placed::Other };
        let right = At { row: usize_of(k), column: at.column.clone(), place: Placed::Other };
        let (a, b) = (self.element(&args[0], &left), self.element(&args[1], &right));
        let term = match op {
            TileOp::StrongMatmul(0) => Expr::op_to(Op::StrongMul, [a, b], ty),
            TileOp::StrongMatmul(_) => Expr::op_to(Op::StrongMul, [b, a], ty),
            _ => binary(Op::Mul, a, b),
        };
        let body = vec![local_place(total, ty).update(Op::Add, term)];
        let range = range(index(0), index(inner.into()), Direction::Up);
        let out = vec![declare(total, Expr::zero(ty)), Stmt::new(StmtKind::For { local: k, range, body })];
        (out, expr(ExprKind::Local(total), ty))
    }

    /// The reduction of all elements.
    fn in_halves(&mut self, op: TileOp, of: Expr, span: Span) -> Expr {
        let (ty, count) = (of.ty, of.ty.components() as u32);
        let totals = self.named("totals", of);
        let ExprKind::Local(totals) = totals.kind else { return totals };
        self.apart.insert(totals);
        let element = |at: Expr| expr(ExprKind::LocalElement { local: totals, index: Box::new(at) }, ty.element());
        if count > 1 {
            let (half, largest) = (self.fresh("half", Type::INDEX), count.next_power_of_two() / 2);
            self.out.push(declare(half, index(largest)));
            let outside = std::mem::take(&mut self.out);
            // The type of the first half of the elements, as far as its work goes.
            let halves = Type::new(ty.scalar, crate::ir::Shape::Tile(1, largest as u16));
            self.each(halves, span, |_, at| {
                let other = plus(at.column.clone(), usize_of(half));
                let root = PlaceRoot::LocalElement { local: totals, index: at.column.clone() };
                let place = Place { root, path: Vec::new(), ty: ty.element(), span };
                let value = binary(combined(op), element(at.column.clone()), element(other.clone()));
                let takes_part = compare(Op::Lt, at.column.clone(), usize_of(half));
                let has_other = compare(Op::Lt, other, index(count));
                let cond = if count.is_power_of_two() { takes_part } else { compare(Op::And, takes_part, has_other) };
                vec![Stmt::when(cond, vec![assign_to(place, value)])]
            });
            let halved = binary(Op::Div, usize_of(half), index(2));
            self.out.push(assign_to(local_place(half, Type::INDEX), halved));
            let body = std::mem::replace(&mut self.out, outside);
            let cond = compare(Op::Gt, usize_of(half), index(0));
            self.push(StmtKind::While { cond, body }, span);
        }
        // The array may be used again before the result is.
        let total = self.fixed("total", ty.element());
        self.out.push(declare(total, element(index(0))));
        expr(ExprKind::Local(total), ty.element())
    }

    /// The sums of the elements of a row or column up to each.
    fn scan(&mut self, scan: Scan, of: Expr, span: Span) -> Expr {
        let (ty, count) = (of.ty, of.ty.components() as u32);
        let (elem, last) = (ty.element(), index(count - 1));
        let along = |at: &At| if ty.as_tile() == Some((1, count as u16)) { at.column.clone() } else { at.row.clone() };
        // The element that is `step` nearer to where the sums begin, and whether there is one.
        let before = |at: Expr, step: Expr| match scan.backward {
            true => (plus(at.clone(), step.clone()), compare(Op::Le, plus(at, step), last.clone())),
            false => (binary(Op::Sub, at.clone(), step.clone()), compare(Op::Ge, at, step)),
        };
        if count == 1 {
            return if scan.exclusive { Expr::zero(ty) } else { of };
        }
        let sums = self.named("sums", of);
        let ExprKind::Local(local) = sums.kind else { return sums };
        self.apart.insert(local);
        let element = |at: Expr| expr(ExprKind::LocalElement { local, index: Box::new(at) }, elem);
        let next = self.fresh("next", ty);
        self.push(StmtKind::Let { local: next, init: None }, span);
        let next_place = local_place(next, ty);
        let step = self.fresh("step", Type::INDEX);
        self.out.push(declare(step, index(1)));
        let outside = std::mem::take(&mut self.out);
        self.each(ty, span, |lowering, at| {
            let place = lowering.place(&next_place, at);
            let (other, exists) = before(along(at), usize_of(step));
            let own = assign_to(place.clone(), element(along(at)));
            vec![own, Stmt::when(exists, vec![place.update(Op::Add, element(other))])]
        });
        self.assign(local_place(local, ty), None, expr(ExprKind::Local(next), ty), span);
        self.out.push(assign_to(local_place(step, Type::INDEX), binary(Op::Mul, usize_of(step), index(2))));
        let body = std::mem::replace(&mut self.out, outside);
        self.push(StmtKind::While { cond: compare(Op::Lt, usize_of(step), index(count)), body }, span);
        if !scan.exclusive {
            return expr(ExprKind::Local(local), ty);
        }
        self.each(ty, span, |lowering, at| {
            let place = lowering.place(&next_place, at);
            let (other, exists) = before(along(at), index(1));
            let none = assign_to(place.clone(), Expr::zero(elem));
            vec![none, Stmt::when(exists, vec![assign_to(place, element(other))])]
        });
        expr(ExprKind::Local(next), ty)
    }

    /// A phase in which each thread does `work` with its elements of a tile of this type.
    fn each(&mut self, ty: Type, span: Span, work: impl FnOnce(&mut Lowering, &At) -> Block) {
        let (rows, columns) = ty.as_tile().unwrap_or((1, 1));
        let Some(threads) = self.threads else { return self.each_in_loops(rows, columns, work) };
        let (rounds, count) = (Lowering::rounds(ty, threads), ty.components() as u32);
        let thread = self.fixed("t", Type::INDEX);
        let round = (rounds > 1).then(|| self.fixed("r", Type::INDEX));
        let number = match round {
            Some(round) => plus(times(usize_of(round), threads), usize_of(thread)),
            None => usize_of(thread),
        };
        let mut body = Block::new();
        // Names for the row and the column, where a division gives them.
        let mut part = |lowering: &mut Lowering, name, op| {
            let local = lowering.fixed(name, Type::INDEX);
            body.push(declare(local, binary(op, number.clone(), index(columns.into()))));
            usize_of(local)
        };
        let (row, column) = match (rows, columns) {
            (1, _) => (index(0), number.clone()),
            (_, 1) => (number.clone(), index(0)),
            _ => (part(self, "i", Op::Div), part(self, "j", Op::Rem)),
        };
        let place = Placed::Own { round: round.map(usize_of), thread, threads };
        let outside = std::mem::take(&mut self.out);
        let worked = work(self, &At { row, column, place });
        self.out = outside;
        // Not all work needs the row and the column.
        body.retain(|part| part.declared_local().is_some_and(|local| worked.iter().any(|stmt| stmt.mentions(local))));
        body.extend(worked);
        if rounds * threads > count {
            body = vec![Stmt::when(compare(Op::Lt, number, index(count)), body)];
        }
        if let Some(round) = round {
            let range = range(index(0), index(rounds), Direction::Up);
            body = vec![Stmt::new(StmtKind::For { local: round, range, body })];
        }
        let range = range(index(0), index(threads), Direction::Phase);
        self.push(StmtKind::For { local: thread, range, body }, span);
    }

    /// Loops over the rows and columns of a tile.
    fn each_in_loops(&mut self, rows: u16, columns: u16, work: impl FnOnce(&mut Lowering, &At) -> Block) {
        let counters = [(rows, "i"), (columns, "j")]
            .map(|(count, name)| (count > 1).then(|| (self.fixed(name, Type::INDEX), u32::from(count))));
        let [row, column] = counters.map(|counter| counter.map_or_else(|| index(0), |(local, _)| usize_of(local)));
        let outside = std::mem::take(&mut self.out);
        let mut body = work(self, &At { row, column, place: Placed::Other });
        self.out = outside;
        for (local, count) in counters.into_iter().rev().flatten() {
            let range = range(index(0), index(count), Direction::Up);
            body = vec![Stmt::new(StmtKind::For { local, range, body })];
        }
        self.out.extend(body);
    }

    /// The place of an element of a tile.
    fn place(&mut self, place: &Place, at: &At) -> Place {
        let root = match &place.root {
            PlaceRoot::Local(local) => PlaceRoot::LocalElement { local: *local, index: self.slot(*local, None, at) },
            PlaceRoot::LocalElement { local, index } => {
                PlaceRoot::LocalElement { local: *local, index: self.slot(*local, Some(index), at) }
            }
            PlaceRoot::Element { array, index } => PlaceRoot::Element { array: *array, index: shifted(index, at) },
        };
        Place { root, path: Vec::new(), ty: place.ty.element(), span: place.span }
    }

    /// The index of an element of a tile in its array, or in the array of several tiles, at `number`.
    fn slot(&mut self, local: LocalId, number: Option<&Expr>, at: &At) -> Expr {
        let ty = self.tiles[local.0 as usize];
        let Placed::Own { round, thread, threads } = &at.place else {
            self.apart.insert(local);
            let columns = ty.as_tile().map_or(1, |(_, columns)| columns);
            let within = plus(times(at.row.clone(), columns.into()), at.column.clone());
            return match number {
                Some(number) => plus(times(number.clone(), ty.components() as u32), within),
                None => within,
            };
        };
        let round = round.clone().unwrap_or_else(|| index(0));
        let round = match number {
            Some(number) => plus(times(number.clone(), Lowering::rounds(ty, *threads)), round),
            None => round,
        };
        plus(times(round, *threads), usize_of(*thread))
    }

    /// An element of a value.
    fn element(&mut self, value: &Expr, at: &At) -> Expr {
        let span = value.span;
        if !value.ty.is_tile() {
            return value.clone();
        }
        let ty = value.ty.element();
        let kind = match &value.kind {
            ExprKind::Local(local) => {
                ExprKind::LocalElement { local: *local, index: Box::new(self.slot(*local, None, at)) }
            }
            ExprKind::LocalElement { local, index } => {
                ExprKind::LocalElement { local: *local, index: Box::new(self.slot(*local, Some(index), at)) }
            }
            ExprKind::Load { array, index } => ExprKind::Load { array: *array, index: shifted(index, at) },
            ExprKind::Op(op, args) => ExprKind::Op(*op, args.iter().map(|arg| self.element(arg, at)).collect()),
            ExprKind::Cast(inner) => ExprKind::Cast(Box::new(self.element(inner, at))),
            ExprKind::Select { cond, then, other } => {
                let [cond, then, other] = [cond, then, other].map(|part| Box::new(self.element(part, at)));
                ExprKind::Select { cond, then, other }
            }
            ExprKind::Tile(op, args) => return Expr { span, ..self.tile_element(*op, args, value.ty, at) },
            ExprKind::Literal(_)
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
            | ExprKind::Call(..)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Field(..)
            | ExprKind::Struct(_) => unreachable!("no tile is of this kind"),
        };
        Expr { kind, ty, span }
    }

    /// An element of the result, of type `ty`, of an operation.
    fn tile_element(&mut self, op: TileOp, args: &[Expr], ty: Type, at: &At) -> Expr {
        let elsewhere = |row: Expr, column: Expr| At { row, column, place: Placed::Other };
        match (op, args) {
            (TileOp::Broadcast, [value]) => match value.ty.as_tile() {
                None => value.clone(),
                Some((1, _)) => self.element(value, &elsewhere(index(0), at.column.clone())),
                Some(_) => self.element(value, &elsewhere(at.row.clone(), index(0))),
            },
            (TileOp::Transpose, [value]) => self.element(value, &elsewhere(at.column.clone(), at.row.clone())),
            (TileOp::Reshape, [value]) => {
                let (row, column) = reshaped(at, ty, value.ty);
                self.element(value, &At { row, column, place: at.place.clone() })
            }
            (TileOp::Pad, [load, padding]) => {
                let load = self.element(load, at);
                let ExprKind::Load { array, index } = &load.kind else { return load };
                within(*array, index).select(load.clone(), padding.clone())
            }
            (TileOp::Index(0), _) => at.row.clone().cast(ty.element()),
            (TileOp::Index(_), _) => at.column.clone().cast(ty.element()),
            _ => unreachable!("reductions and products are computed before"),
        }
    }
}

/// The row and the column, in a tile of type `from`, of the element that has the same number at `at` of one of type `to`.
fn reshaped(at: &At, to: Type, from: Type) -> (Expr, Expr) {
    let (columns, (rows, columns_from)) =
        (to.as_tile().map_or(1, |(_, columns)| columns), from.as_tile().unwrap_or((1, 1)));
    let number = plus(times(at.row.clone(), columns.into()), at.column.clone());
    match (rows, columns_from) {
        _ if columns == columns_from => (at.row.clone(), at.column.clone()),
        (1, _) => (index(0), number),
        (_, 1) => (number, index(0)),
        _ => {
            let part = |op| binary(op, number.clone(), index(columns_from.into()));
            (part(Op::Div), part(Op::Rem))
        }
    }
}

/// The indices of an element of a tile that begins at `index` of an array.
fn shifted(start: &[Expr], at: &At) -> Vec<Expr> {
    match start {
        [only] => {
            let along = if at.row.as_integer() == Some(0) { &at.column } else { &at.row };
            vec![plus(only.clone(), along.clone())]
        }
        [row, column] => vec![plus(row.clone(), at.row.clone()), plus(column.clone(), at.column.clone())],
        _ => start.to_vec(),
    }
}

/// The condition that an array has the element of a place; `None` if it is no element of an array parameter.
fn exists(place: &Place) -> Option<Expr> {
    if let PlaceRoot::Element { array, index } = &place.root { Some(within(*array, index)) } else { None }
}

/// The condition that an array has the element at this index.
fn within(array: ParamId, index: &[Expr]) -> Expr {
    let on_axis = |(axis, at): (u8, &Expr)| compare(Op::Lt, at.clone(), Expr::extent(array, axis));
    let all = (0..).zip(index).map(on_axis).reduce(|a, b| compare(Op::And, a, b));
    all.unwrap_or(Expr::literal(Literal::Bool(true)))
}

fn guarded(cond: Option<Expr>, then: Stmt) -> Block {
    match cond {
        Some(cond) => vec![Stmt::when(cond, vec![then])],
        None => vec![then],
    }
}

fn range(start: Expr, end: Expr, direction: Direction) -> ForRange {
    ForRange { start, end, inclusive: false, direction, step: None }
}

/// Whether the elements of an operand are in memory, where many threads may read them: those of a variable.
fn is_stored(operand: &Expr) -> bool {
    match &operand.kind {
        ExprKind::Local(_) => true,
        ExprKind::Tile(TileOp::Transpose | TileOp::Reshape, args) => args.iter().all(is_stored),
        _ => false,
    }
}

/// The operation on two elements.
fn combined(op: TileOp) -> Op {
    match op {
        TileOp::Max => Op::Max,
        TileOp::Min => Op::Min,
        _ => Op::Add,
    }
}

//! Loops that terminate by construction.

use super::numbers::is_integer;
use super::rules::Range;
use super::terms::{Term, truth};
use super::{Axis, Fact, Generator, Loop, MOST_TRIPS, Role, Var};
use kernel_ir::ir::{Block, Direction, Expr, ForRange, LocalId, Stmt, StmtKind, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{self, Operand};

/// The largest trip count of an axis that depends on the launch, for small launches.
const LAUNCH_TRIPS: u64 = 6;

/// The bounds of a `for`, and the known range of its variable.
struct Bounds {
    start: Expr,
    end: Expr,
    inclusive: bool,
    /// The values of the variable.
    range: Range,
    trips: u64,
    /// The axis that the variable runs over.
    axis: Option<Axis>,
}

impl Generator {
    /// The body of a loop with at most `trips` trips. Empty if that exceeds the limit here.
    fn loop_body(&mut self, trips: u64, may_continue: bool, make: impl FnOnce(&mut Generator, &mut Block)) -> Block {
        let outside = self.trips;
        self.trips *= trips.max(1);
        self.loops.push(Loop { may_continue });
        let mut body = Vec::new();
        self.scoped(|generator| make(generator, &mut body));
        self.loops.pop();
        self.trips = outside;
        body
    }

    /// Whether a loop of this many trips stays within the limit here.
    fn has_room(&self, trips: u64) -> bool {
        self.loops.len() < 3 && self.trips * trips <= MOST_TRIPS
    }

    pub(super) fn for_loop(&mut self, block: &mut Block) {
        let bounds = self.bounds();
        if !self.has_room(bounds.trips) {
            return self.branch(block);
        }
        let ty = bounds.start.ty;
        let name = self.fresh_name(ty);
        let local = self.new_local(name, ty);
        let direction = if self.rng.percent(30) { Direction::Down } else { Direction::Up };
        let step = self.rng.percent(20).then(|| Expr::number(self.rng.int(2, 3), Type::INDEX));
        let body = self.loop_body(bounds.trips, true, |generator, body| {
            generator.vars.push(Var { local, ty, range: bounds.range, slope: 0.0, role: Role::Fixed });
            if let Some(axis) = bounds.axis {
                let index = Expr::local(local, ty).cast(Type::INDEX);
                generator.facts.extend(vec![Fact { axis, index }; 2]);
            }
            body.extend(generator.nested());
        });
        let range = ForRange { start: bounds.start, end: bounds.end, inclusive: bounds.inclusive, direction, step };
        block.push(Stmt::new(StmtKind::For { local, range, body }));
    }

    fn bounds(&mut self) -> Bounds {
        if self.rng.percent(35)
            && let Some(bounds) = self.whole_axis()
        {
            return bounds;
        }
        let ty = self.rng.pick(&[Type::I32, Type::I32, Type::U32, Type::INDEX]);
        let low = self.rng.int(0, 2);
        let end = self.trip_count(ty, low);
        let inclusive = self.rng.percent(20);
        let last = if inclusive { end.range.high } else { end.range.high - 1.0 };
        let range = Range::new(low as f64, last.max(low as f64));
        let trips = (last - low as f64 + 1.0).max(0.0) as u64;
        Bounds { start: Expr::number(low, ty), end: end.expr, inclusive, range, trips, axis: None }
    }

    /// An upper bound: a constant, a parameter, or data.
    fn trip_count(&mut self, ty: Type, low: i64) -> Term {
        let values: Vec<_> = self.values.iter().copied().filter(|value| is_integer(value.ty)).collect();
        match self.rng.below(10) {
            0..4 if !values.is_empty() => {
                let value = self.rng.pick(&values);
                let expr = Expr::param(value.id, value.ty).cast(ty);
                Term::new(expr, value.range, 0.0)
            }
            4..6 => {
                let range = Range::new(0.0, 4.0);
                let count = self.term_within(self.float.into(), range, 1);
                Term::new(count.expr.cast(ty), range, 0.0)
            }
            6..8 => {
                let count = self.integer(ty, 1);
                self.integer_within(count, Range::new(0.0, 4.0))
            }
            _ => {
                let end = low + self.rng.int(1, 5);
                Term::new(Expr::number(end, ty), Range::new(end as f64, end as f64), 0.0)
            }
        }
    }

    /// The bounds over all indices of an axis of an array.
    fn whole_axis(&mut self) -> Option<Bounds> {
        let mut axes = Vec::new();
        for array in &self.arrays {
            axes.extend(array.axes.iter().enumerate().map(|(place, axis)| (array.id, place as u8, *axis)));
        }
        let (array, place, axis) = self.rng.pick(&axes);
        let range = self.axis_range(axis);
        let trips = if matches!(axis, Axis::Launch(_)) { LAUNCH_TRIPS } else { range.high as u64 + 1 };
        let end = match axis {
            Axis::Fixed(extent) => Expr::number(i64::from(extent), self.rng.pick(&[Type::INDEX, Type::I32])),
            Axis::Sized(id) if self.rng.percent(50) => Expr::param(id, self.kernel.param(id).elem()),
            _ => Expr::extent(array, place),
        };
        let start = Expr::number(0, end.ty);
        Some(Bounds { start, end, inclusive: false, range, trips, axis: Some(axis) })
    }

    /// A new local that only its loop changes.
    fn counter(&mut self, init: Expr, range: Range, block: &mut Block) -> (LocalId, Type) {
        let ty = init.ty;
        let name = self.fresh_name(ty);
        let local = self.new_local(name, ty);
        block.push(build::Var::new(local, ty).declare(init));
        self.vars.push(Var { local, ty, range, slope: 1.0, role: Role::Fixed });
        (local, ty)
    }

    pub(super) fn while_loop(&mut self, block: &mut Block) {
        match self.rng.below(4) {
            0 => self.growing(block),
            1 => self.shrinking(block),
            _ => self.counting(block),
        }
    }

    /// `while k < n && … { …; k += 1; }`.
    fn counting(&mut self, block: &mut Block) {
        let ty = self.rng.pick(&[Type::I32, Type::U32, Type::INDEX]);
        let end = self.trip_count(ty, 0);
        if !self.has_room(end.range.high as u64) {
            return self.branch(block);
        }
        let (local, ty) = self.counter(Expr::number(0, ty), Range::new(0.0, end.range.high), block);
        let mut cond = Expr::local(local, ty).lt(end.expr);
        if self.rng.percent(50) {
            let other = self.condition(0);
            cond = if self.rng.percent(80) { cond.and(other) } else { other.and(cond) };
        }
        let first = self.rng.percent(50);
        let next = self.changed(local, ty).update(Op::Add, 1);
        let body = self.loop_body(end.range.high as u64, first, |generator, body| {
            if first {
                body.push(next.clone());
            }
            body.extend(generator.nested());
            if !first {
                body.push(next);
            }
        });
        block.push(Stmt::new(StmtKind::While { cond, body }));
    }

    /// `while t < 3.0 { t += 0.5 + …; … }`: data alone decides when the loop ends.
    fn growing(&mut self, block: &mut Block) {
        let trips = 8;
        if !self.has_room(trips) {
            return self.branch(block);
        }
        let ty = self.number();
        let start = self.term_within(ty, Range::new(-1.0, 1.0), 1);
        let (local, ty) = self.counter(start.expr, Range::new(-1.0, 4.5), block);
        let cond = Expr::local(local, ty).lt(3.0);
        let grows = self.term_within(ty, Range::new(0.5, 1.5), 1);
        let next = self.changed(local, ty).update(Op::Add, grows.expr);
        self.stepped(block, cond, next, trips);
    }

    /// `while t > 0.1 { t *= 0.5; … }`.
    fn shrinking(&mut self, block: &mut Block) {
        let trips = 7;
        if !self.has_room(trips) {
            return self.branch(block);
        }
        let ty = self.number();
        let start = self.term_within(ty, Range::new(0.5, 4.0), 1);
        let (local, ty) = self.counter(start.expr, Range::new(0.0, 4.0), block);
        let cond = Expr::local(local, ty).gt(0.1);
        let factor = self.term_within(ty, Range::new(0.25, 0.5), 1);
        let next = self.changed(local, ty).update(Op::Mul, factor.expr);
        self.stepped(block, cond, next, trips);
    }

    /// A loop whose first statement advances its state.
    fn stepped(&mut self, block: &mut Block, cond: Expr, next: Stmt, trips: u64) {
        let body = self.loop_body(trips, true, |generator, body| {
            body.push(next);
            body.extend(generator.nested());
        });
        block.push(Stmt::new(StmtKind::While { cond, body }));
    }

    /// `loop { if k >= n { break; } k += 1; …; if … { break; } … }`.
    pub(super) fn endless_loop(&mut self, block: &mut Block) {
        let ty = self.rng.pick(&[Type::I32, Type::U32]);
        let end = self.trip_count(ty, 0);
        if !self.has_room(end.range.high as u64 + 1) {
            return self.branch(block);
        }
        let (local, ty) = self.counter(Expr::number(0, ty), Range::new(0.0, end.range.high), block);
        let place = self.changed(local, ty);
        let next = place.update(Op::Add, 1);
        let enough = Expr::local(local, ty).ge(end.expr);
        let stop = Stmt::when(enough, [Stmt::new(StmtKind::Break)]);
        let first = self.rng.percent(50);
        let body = self.loop_body(end.range.high as u64 + 1, first, |generator, body| {
            if first {
                body.extend([stop.clone(), next.clone()]);
            }
            body.extend(generator.nested());
            if generator.rng.percent(60) {
                let cond = generator.condition(0);
                body.push(Stmt::when(cond, [Stmt::new(StmtKind::Break)]));
            }
            if !first {
                body.extend([next, stop]);
            }
        });
        block.push(Stmt::new(StmtKind::While { cond: truth(true), body }));
    }
}

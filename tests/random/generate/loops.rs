//! Loops, all of which end.

use super::numbers::is_integer;
use super::rules::Range;
use super::terms::{Term, truth};
use super::{Axis, Fact, Generator, Loop, MOST_TRIPS, Role, Var, build};
use kernel_ir::ir::{Block, Direction, Expr, ExprKind, ForRange, LocalId, Stmt, StmtKind, Type};
use kernel_ir::ops::Op;

/// The most trips of an axis that depends on the launch: what a small launch has.
const LAUNCH_TRIPS: u64 = 6;

/// The bounds of a `for`, and what is known of its variable.
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
    /// The body of a loop of at most `trips` trips; nothing if that is too much here.
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

    /// Whether a loop of that many trips fits here.
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
        let direction = if self.dice.percent(30) { Direction::Down } else { Direction::Up };
        let step = self.dice.percent(20).then(|| build::int(self.dice.int(2, 3), Type::INDEX));
        let body = self.loop_body(bounds.trips, true, |generator, body| {
            generator.vars.push(Var { local, ty, range: bounds.range, slope: 0.0, role: Role::Fixed });
            if let Some(axis) = bounds.axis {
                let index = build::cast(build::local(local, ty), Type::INDEX);
                generator.facts.extend(vec![Fact { axis, index }; 2]);
            }
            body.extend(generator.nested());
        });
        let range = ForRange { start: bounds.start, end: bounds.end, inclusive: bounds.inclusive, direction, step };
        block.push(build::stmt(StmtKind::For { local, range, body }));
    }

    fn bounds(&mut self) -> Bounds {
        if self.dice.percent(35)
            && let Some(bounds) = self.whole_axis()
        {
            return bounds;
        }
        let ty = self.dice.pick(&[Type::I32, Type::I32, Type::U32, Type::INDEX]);
        let low = self.dice.int(0, 2);
        let end = self.trip_count(ty, low);
        let inclusive = self.dice.percent(20);
        let last = if inclusive { end.range.high } else { end.range.high - 1.0 };
        let range = Range::new(low as f64, last.max(low as f64));
        let trips = (last - low as f64 + 1.0).max(0.0) as u64;
        Bounds { start: build::int(low, ty), end: end.expr, inclusive, range, trips, axis: None }
    }

    /// An upper bound that is constant, a parameter, or data.
    fn trip_count(&mut self, ty: Type, low: i64) -> Term {
        let values: Vec<_> = self.values.iter().copied().filter(|value| is_integer(value.ty)).collect();
        match self.dice.below(10) {
            0..4 if !values.is_empty() => {
                let value = self.dice.pick(&values);
                let expr = build::cast(build::node(ExprKind::Param(value.id), value.ty), ty);
                Term::new(expr, value.range, 0.0)
            }
            4..6 => {
                let range = Range::new(0.0, 4.0);
                let count = self.term_within(self.float.into(), range, 1);
                Term::new(build::cast(count.expr, ty), range, 0.0)
            }
            6..8 => {
                let count = self.integer(ty, 1);
                self.integer_within(count, Range::new(0.0, 4.0))
            }
            _ => {
                let end = low + self.dice.int(1, 5);
                Term::new(build::int(end, ty), Range::new(end as f64, end as f64), 0.0)
            }
        }
    }

    /// All indices of an axis of an array.
    fn whole_axis(&mut self) -> Option<Bounds> {
        let mut axes = Vec::new();
        for array in &self.arrays {
            axes.extend(array.axes.iter().enumerate().map(|(place, axis)| (array.id, place as u8, *axis)));
        }
        let (array, place, axis) = self.dice.pick(&axes);
        let range = self.axis_range(axis);
        let trips = if matches!(axis, Axis::Launch(_)) { LAUNCH_TRIPS } else { range.high as u64 + 1 };
        let end = match axis {
            Axis::Fixed(extent) => build::int(extent.into(), self.dice.pick(&[Type::INDEX, Type::I32])),
            Axis::Sized(id) if self.dice.percent(50) => build::node(ExprKind::Param(id), self.kernel.param(id).elem()),
            _ => build::node(ExprKind::Extent { array, axis: place }, Type::INDEX),
        };
        let start = build::int(0, end.ty);
        Some(Bounds { start, end, inclusive: false, range, trips, axis: Some(axis) })
    }

    /// A new local that something special changes.
    fn counter(&mut self, init: Expr, range: Range, block: &mut Block) -> (LocalId, Type) {
        let ty = init.ty;
        let name = self.fresh_name(ty);
        let local = self.new_local(name, ty);
        block.push(build::declare(local, init));
        self.vars.push(Var { local, ty, range, slope: 1.0, role: Role::Fixed });
        (local, ty)
    }

    pub(super) fn while_loop(&mut self, block: &mut Block) {
        match self.dice.below(4) {
            0 => self.growing(block),
            1 => self.shrinking(block),
            _ => self.counting(block),
        }
    }

    /// `while k < n && … { …; k += 1; }`.
    fn counting(&mut self, block: &mut Block) {
        let ty = self.dice.pick(&[Type::I32, Type::U32, Type::INDEX]);
        let end = self.trip_count(ty, 0);
        if !self.has_room(end.range.high as u64) {
            return self.branch(block);
        }
        let (local, ty) = self.counter(build::int(0, ty), Range::new(0.0, end.range.high), block);
        let mut cond = build::test(Op::Lt, build::local(local, ty), end.expr);
        if self.dice.percent(50) {
            let other = self.condition(0);
            cond = if self.dice.percent(80) {
                build::test(Op::And, cond, other)
            } else {
                build::test(Op::And, other, cond)
            };
        }
        let first = self.dice.percent(50);
        let next = build::update(self.changed(local, ty), Op::Add, build::int(1, ty));
        let body = self.loop_body(end.range.high as u64, first, |generator, body| {
            if first {
                body.push(next.clone());
            }
            body.extend(generator.nested());
            if !first {
                body.push(next);
            }
        });
        block.push(build::stmt(StmtKind::While { cond, body }));
    }

    /// `while t < 3.0 { t += 0.5 + …; … }`: data alone decides when it ends.
    fn growing(&mut self, block: &mut Block) {
        let trips = 8;
        if !self.has_room(trips) {
            return self.branch(block);
        }
        let ty = self.number();
        let start = self.term_within(ty, Range::new(-1.0, 1.0), 1);
        let (local, ty) = self.counter(start.expr, Range::new(-1.0, 4.5), block);
        let cond = build::test(Op::Lt, build::local(local, ty), build::float(3.0, self.float));
        let grows = self.term_within(ty, Range::new(0.5, 1.5), 1);
        let next = build::update(self.changed(local, ty), Op::Add, grows.expr);
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
        let cond = build::test(Op::Gt, build::local(local, ty), build::float(0.1, self.float));
        let factor = self.term_within(ty, Range::new(0.25, 0.5), 1);
        let next = build::update(self.changed(local, ty), Op::Mul, factor.expr);
        self.stepped(block, cond, next, trips);
    }

    /// A loop whose first statement makes the step.
    fn stepped(&mut self, block: &mut Block, cond: Expr, next: Stmt, trips: u64) {
        let body = self.loop_body(trips, true, |generator, body| {
            body.push(next);
            body.extend(generator.nested());
        });
        block.push(build::stmt(StmtKind::While { cond, body }));
    }

    /// `loop { if k >= n { break; } k += 1; …; if … { break; } … }`.
    pub(super) fn endless_loop(&mut self, block: &mut Block) {
        let ty = self.dice.pick(&[Type::I32, Type::U32]);
        let end = self.trip_count(ty, 0);
        if !self.has_room(end.range.high as u64 + 1) {
            return self.branch(block);
        }
        let (local, ty) = self.counter(build::int(0, ty), Range::new(0.0, end.range.high), block);
        let place = self.changed(local, ty);
        let next = build::update(place, Op::Add, build::int(1, ty));
        let enough = build::test(Op::Ge, build::local(local, ty), end.expr);
        let stop = build::branch(enough, vec![build::stmt(StmtKind::Break)], Vec::new());
        let first = self.dice.percent(50);
        let body = self.loop_body(end.range.high as u64 + 1, first, |generator, body| {
            if first {
                body.extend([stop.clone(), next.clone()]);
            }
            body.extend(generator.nested());
            if generator.dice.percent(60) {
                let cond = generator.condition(0);
                body.push(build::branch(cond, vec![build::stmt(StmtKind::Break)], Vec::new()));
            }
            if !first {
                body.extend([next, stop]);
            }
        });
        block.push(build::stmt(StmtKind::While { cond: truth(true), body }));
    }
}

//! Scans: a loop stores its running result in every trip.

use super::super::generator::{Generator, Term};
use super::super::range_repair::round2;
use super::row::{Row, Trip};
use kernel_ir::ir::{Direction, Expr, ExprKind, Literal, ParamId, Place, Stmt, StmtKind, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{Operand, Var};

/// The recurrence of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Sum,
    Product,
    Extreme(Op),
    /// Exponential smoothing.
    Smooth,
    /// The damped last result plus a multiple of the value.
    Recurrence,
    /// A sum with a lower bound.
    Bounded,
}

/// The output of a scan, and its carried value.
struct Carried {
    out: ParamId,
    acc: Var,
    ty: Type,
    /// The range of the carried value.
    range: (f64, f64),
}

impl Generator {
    /// `acc += value; out[[i, k]] = acc;`
    pub(super) fn scan(&mut self) {
        if self.kernel.dim > 3 {
            return self.sum();
        }
        let extreme = self.rng.pick(&[Op::Max, Op::Min]);
        let kind = self.rng.weighted(&[
            (4, Kind::Sum),
            (2, Kind::Product),
            (2, Kind::Extreme(extreme)),
            (3, Kind::Smooth),
            (3, Kind::Recurrence),
            (1, Kind::Bounded),
        ]);
        let (low, high) = if kind == Kind::Product { (0.6, 1.4) } else { (-3.0, 3.0) };
        let row = self.row(low, high);
        let ty = self.number();
        let rate = self.scan_rate(kind);
        let axes = self.row_axes(&row);
        let out = self.output(result_names(kind), ty, &axes, None);
        let start = self.scan_start(kind, &row);
        let acc = self.hidden(carried_names(kind), start);
        let exclusive = matches!(kind, Kind::Sum | Kind::Product) && self.rng.percent(25);
        let direction = if self.rng.percent(15) { Direction::Down } else { Direction::Up };
        let range = scanned_range(kind, &row);
        let carried = Carried { out, acc, ty, range };
        self.go_over(&row, 0, direction, |generator, trip| {
            let place = generator.row_place(&trip);
            if exclusive {
                generator.store_carried(&carried, place);
                generator.carry_on(kind, &carried, &rate, trip);
            } else {
                generator.carry_on(kind, &carried, &rate, trip);
                generator.store_carried(&carried, place);
            }
        });
        self.has_stored = true;
        if self.rng.percent(60) {
            let last = self.known(acc.expr(), range.0, range.1);
            self.offer(last);
        }
        let name = self.row_words(&row);
        let back = if direction == Direction::Down { ", from the end" } else { "" };
        self.tell("prefix", format!("stores {} of {name}{back}", said(kind, exclusive)));
    }

    /// The rate of a filter: a common number, or a term.
    fn scan_rate(&mut self, kind: Kind) -> Expr {
        let ty = self.number();
        if kind == Kind::Recurrence || kind == Kind::Smooth {
            if self.rng.percent(45) {
                let rate = self.term(ty, 1);
                let rate = self.fit(rate, 0.05, 0.95);
                let bound = self.bind(&["smoothing", "forget", "retention", "decay_rate"], rate);
                self.items.last_mut().into_iter().for_each(|item| item.uses = 1);
                return bound.expr;
            }
            return Expr::number(self.rng.pick(&[0.1, 0.2, 0.25, 0.5, 0.8, 0.9]), ty.scalar());
        }
        Expr::number(0.0, ty.scalar())
    }

    fn scan_start(&mut self, kind: Kind, row: &Row) -> Expr {
        let number = |value| Expr::number(value, self.float);
        match kind {
            Kind::Product => number(1.0),
            Kind::Extreme(op) if self.rng.percent(60) => {
                Expr::number(if op == Op::Max { -1e3 } else { 1e3 }, self.float)
            }
            Kind::Extreme(_) => row.at(&Expr::index(0)),
            Kind::Smooth if self.rng.percent(60) => row.at(&Expr::index(0)),
            Kind::Recurrence if self.rng.percent(40) => {
                let ty = self.number();
                let first = self.leaf(ty);
                self.fit(first, -3.0, 3.0).expr
            }
            _ => number(0.0),
        }
    }

    fn carry_on(&mut self, kind: Kind, carried: &Carried, rate: &Expr, trip: Trip) {
        let Carried { acc, ty, .. } = *carried;
        let value = trip.value.expr;
        let stmt = match kind {
            Kind::Sum => acc.update(Op::Add, value),
            Kind::Product => acc.update(Op::Mul, value),
            Kind::Extreme(op) => acc.set(Expr::op(op, [acc.expr(), value])),
            Kind::Smooth if self.rng.percent(50) => {
                let step = rate * (value - acc);
                acc.update(Op::Add, step)
            }
            Kind::Smooth => {
                let rest = match rate.kind {
                    ExprKind::Literal(_) => Expr::number(round2(1.0 - value_of(rate)), ty.scalar()),
                    _ => 1.0 - rate,
                };
                let sum = rate * value + rest * acc;
                acc.set(sum)
            }
            Kind::Recurrence => acc.set(rate * acc + value),
            Kind::Bounded => {
                let sum = acc + value;
                acc.set(sum.max(0.0))
            }
        };
        match self.comparison() {
            Some(cond) if self.rng.percent(8) && !matches!(kind, Kind::Smooth | Kind::Extreme(_)) => {
                self.push(Stmt::when(cond.expr, [stmt]));
            }
            _ => self.push(stmt),
        }
    }

    /// `out[[i, k]] = acc;`, sometimes with a function applied.
    fn store_carried(&mut self, carried: &Carried, place: Vec<Expr>) {
        let Carried { out, acc, ty, range } = *carried;
        let here = acc.expr();
        let value = if self.rng.percent(25) {
            let term: Term = self.known(here.clone(), range.0, range.1);
            self.made_of(ty, &term, 1).expr
        } else {
            here
        };
        let store = StmtKind::Assign { place: Place::element(out, place, ty), value };
        self.push(Stmt::new(store));
    }
}

/// The range of the results, the first value included.
fn scanned_range(kind: Kind, row: &Row) -> (f64, f64) {
    let ((low, high), trips) = (row.range(), row.axis.most());
    match kind {
        Kind::Sum => ((low * trips).min(0.0), (high * trips).max(0.0)),
        Kind::Product => (0.01, 15.0),
        // A start that every value beats is never a result, except in an empty row.
        Kind::Extreme(_) => (low, high),
        Kind::Smooth => (low.min(0.0), high.max(0.0)),
        Kind::Recurrence => (-25.0, 25.0),
        Kind::Bounded => (0.0, high.max(0.0) * trips),
    }
}

/// The value of a literal.
fn value_of(expr: &Expr) -> f64 {
    match expr.kind {
        ExprKind::Literal(Literal::F32(bits)) => f32::from_bits(bits).into(),
        ExprKind::Literal(Literal::F64(bits)) => f64::from_bits(bits),
        _ => 0.0,
    }
}

fn result_names(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Sum => &["prefix", "cumulative", "running_total", "cumsum", "integral"],
        Kind::Product => &["cumprod", "compounded", "running_product", "survivors"],
        Kind::Extreme(Op::Max) => &["running_max", "high_water", "envelope_out"],
        Kind::Extreme(_) => &["running_min", "low_water", "lower_envelope"],
        Kind::Smooth => &["ema", "smoothed_row", "filtered_row", "trend"],
        Kind::Recurrence => &["trajectory", "states_out", "filter_out", "history"],
        Kind::Bounded => &["queue_length", "cusum", "backlog_out"],
    }
}

fn carried_names(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Sum | Kind::Bounded => &["acc", "running", "sum", "so_far", "carry"],
        Kind::Product => &["product", "running", "factor"],
        Kind::Extreme(_) => &["best", "extreme", "so_far", "bound"],
        Kind::Smooth | Kind::Recurrence => &["state", "y_prev", "level", "filtered_value", "hidden_state"],
    }
}

fn said(kind: Kind, exclusive: bool) -> &'static str {
    match (kind, exclusive) {
        (Kind::Sum, false) => "the running sums",
        (Kind::Sum, true) => "the sums before each place",
        (Kind::Product, false) => "the running products",
        (Kind::Product, true) => "the products before each place",
        (Kind::Extreme(Op::Max), _) => "the running maximum",
        (Kind::Extreme(_), _) => "the running minimum",
        (Kind::Smooth, _) => "the moving average",
        (Kind::Recurrence, _) => "a recurrence",
        (Kind::Bounded, _) => "the sums kept above zero",
    }
}

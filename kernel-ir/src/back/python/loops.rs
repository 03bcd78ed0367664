//! `for` loops.

use super::expr::{LOWEST, SUM};
use super::writer::{Writer, short_name};
use crate::analysis::Mutations;
use crate::ir::{Block, Direction, Expr, ExprKind, ForRange, Literal, LocalId, Scalar, Type};

impl Writer<'_> {
    pub(super) fn for_loop(&mut self, local: LocalId, range: &ForRange, body: &Block) {
        let name = self.names.local(local).to_owned();
        if matches!(range.start.ty, Type::Scalar(Scalar::I32 | Scalar::Index)) {
            let range = self.int_range(range);
            self.line(&format!("for {name} in range({range}):"));
            self.block(body);
        } else {
            self.counted_loop(&name, range, body);
        }
    }

    /// The arguments of `range` for a loop over `int`.
    fn int_range(&mut self, range: &ForRange) -> String {
        match range.direction {
            Direction::Up => {
                let end = self.shifted(&range.end, i64::from(range.inclusive));
                match &range.step {
                    None if is_zero(&range.start) => end,
                    None => format!("{}, {end}", self.expr(&range.start, LOWEST)),
                    Some(step) => {
                        let start = self.expr(&range.start, LOWEST);
                        format!("{start}, {end}, {}", self.expr(step, LOWEST))
                    }
                }
            }
            Direction::Down => {
                let first = self.shifted(&range.end, i64::from(range.inclusive) - 1);
                let end = self.shifted(&range.start, -1);
                let step = match &range.step {
                    None => "-1".to_owned(),
                    // Names, calls and products take the sign as they are.
                    Some(step) => format!("-{}", self.expr(step, SUM + 1)),
                };
                format!("{first}, {end}, {step}")
            }
        }
    }

    /// An `int` expression plus a constant of -1, 0 or 1.
    fn shifted(&mut self, expr: &Expr, by: i64) -> String {
        match (value(expr), by) {
            (Some(value), _) => (value + by).to_string(),
            (None, 0) => self.expr(expr, LOWEST),
            (None, 1) => format!("{} + 1", self.expr(expr, SUM)),
            (None, _) => format!("{} - 1", self.expr(expr, SUM)),
        }
    }

    /// A loop over integers that `range` does not have: it counts the trips, and the body begins with the value.
    fn counted_loop(&mut self, name: &str, range: &ForRange, body: &Block) {
        let ty = short_name(range.start.ty);
        let changed = Mutations::of(body);
        // A bound that the body needs again keeps its value in a variable, unless it is one that does not change.
        let hold = |w: &mut Self, expr: &Expr, wish: &str| match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Param(_) if changed.keep(expr) => {
                w.expr(expr, SUM + 1)
            }
            _ => {
                let held = w.names.fresh(wish);
                let text = w.expr(expr, LOWEST);
                w.line(&format!("{held} = {text}"));
                held
            }
        };
        let start = hold(self, &range.start, "start");
        let end = hold(self, &range.end, "end");
        let trips = trips(range, &start, &end);
        let trip = self.names.fresh("trip");
        let args = match &range.step {
            None => trips,
            Some(step) => format!("0, {trips}, {}", self.expr(step, LOWEST)),
        };
        self.line(&format!("for {trip} in range({args}):"));
        let value = match (range.direction, range.inclusive) {
            (Direction::Up, _) if is_zero(&range.start) => format!("{ty}({trip})"),
            (Direction::Up, _) => format!("{start} + {ty}({trip})"),
            (Direction::Down, true) => format!("{end} - {ty}({trip})"),
            (Direction::Down, false) => format!("{end} - {ty}({trip} + 1)"),
        };
        self.nested(|w| {
            w.line(&format!("{name} = {value}"));
            w.stmts(body);
        });
    }
}

/// The number of integers in a range that `range` cannot count itself; below one if there are none.
fn trips(range: &ForRange, start: &str, end: &str) -> String {
    let one = if range.inclusive { " + 1" } else { "" };
    if let (Some(start), Some(end)) = (value(&range.start), value(&range.end)) {
        return end.saturating_sub(start).saturating_add(i64::from(range.inclusive)).max(0).to_string();
    }
    if is_zero(&range.start) {
        return format!("int({end}){one}");
    }
    if range.start.ty.scalar().is_signed_integer() {
        return format!("int({end} - {start}){one}");
    }
    // A difference of unsigned integers is never below zero.
    let one = if range.inclusive { format!(" + int({end} >= {start})") } else { String::new() };
    format!("int(wp.max({end}, {start}) - {start}){one}")
}

fn is_zero(expr: &Expr) -> bool {
    value(expr) == Some(0)
}

/// The value of an integer constant.
fn value(expr: &Expr) -> Option<i64> {
    match expr.kind {
        ExprKind::Literal(Literal::I32(n)) => Some(i64::from(n)),
        ExprKind::Literal(Literal::U32(n) | Literal::Index(n)) => Some(i64::from(n)),
        ExprKind::Literal(Literal::I64(n)) => Some(n),
        ExprKind::Literal(Literal::U64(n)) => i64::try_from(n).ok(),
        _ => None,
    }
}

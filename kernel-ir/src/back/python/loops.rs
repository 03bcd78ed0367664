//! `for` loops. `range` counts in `int`, so a loop over another type, or one that reaches the limits of `int`, has
//! another [`Form`].

use super::expr::{LOWEST, SUM};
use super::types::short_name;
use super::writer::Writer;
use crate::analysis::Mutations;
use crate::back::ranges::{ends_above_minimum, has_headroom, is_zero};
use crate::ir::{Block, Direction, Expr, ExprKind, ForRange, Literal, LocalId, Type};
use crate::ops::build::Operand;

impl Writer<'_> {
    pub(super) fn for_loop(&mut self, local: LocalId, range: &ForRange, body: &Block) {
        if range.start.ty.scalar().is_narrow() {
            return self.narrow_loop(local, range, body);
        }
        let form = Form::of(range);
        let mut name = self.names.local(local).to_owned();
        if name == "_" && matches!(form, Form::StepUp | Form::StepDown) {
            name = self.names.fresh("trip");
        }
        match form {
            Form::Range => {
                let range = self.int_range(range);
                self.line(&format!("for {name} in range({range}):"));
                self.block(body);
            }
            Form::StepUp => {
                let before = self.shifted(&range.start, -1);
                let end = self.hoist(&range.end, "end", &Mutations::of(body));
                self.line(&format!("{name} = int({before})"));
                self.line(&format!("while {name} < {end}:"));
                self.stepping(&name, "+=", body);
            }
            Form::StepDown => {
                let start = self.hoist(&range.start, "start", &Mutations::of(body));
                let end = self.expr(&range.end, LOWEST);
                self.line(&format!("{name} = int({end})"));
                self.line(&format!("while {name} > {start}:"));
                self.stepping(&name, "-=", body);
            }
            Form::Count => self.counted_loop(&name, range, body),
        }
    }

    /// A loop over integers of 8 or 16 bits counts in `int`, which has room for every step; the body starts by
    /// converting the count.
    fn narrow_loop(&mut self, local: LocalId, range: &ForRange, body: &Block) {
        let wide = |bound: &Expr| match bound.as_integer().and_then(|value| Literal::int(value, Type::I32)) {
            Some(literal) => Expr::literal(literal),
            None => bound.cast(Type::I32),
        };
        let wide = ForRange { start: wide(&range.start), end: wide(&range.end), ..range.clone() };
        let wide = self.int_range(&wide);
        let name = self.names.local(local).to_owned();
        if name == "_" {
            self.line(&format!("for _ in range({wide}):"));
            return self.block(body);
        }
        let count = self.names.fresh("count");
        self.line(&format!("for {count} in range({wide}):"));
        self.nested(|w| {
            w.line(&format!("{name} = {}({count})", short_name(range.start.ty)));
            w.stmts(body);
        });
    }

    /// The body of a `while` loop that steps before each trip.
    fn stepping(&mut self, name: &str, change: &str, body: &Block) {
        self.nested(|w| {
            w.line(&format!("{name} {change} 1"));
            w.stmts(body);
        });
    }

    /// A bound that the loop evaluates repeatedly. It goes into a variable, unless it is a name or literal that the
    /// body does not change.
    fn hoist(&mut self, expr: &Expr, preferred: &str, changed: &Mutations) -> String {
        let is_plain = matches!(expr.kind, ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Param(_));
        if is_plain && changed.keep(expr) {
            return self.expr(expr, SUM + 1);
        }
        let hoisted = self.names.fresh(preferred);
        let text = self.expr(expr, LOWEST);
        self.line(&format!("{hoisted} = {text}"));
        hoisted
    }

    /// The arguments of `range` for a loop over `int`.
    fn int_range(&mut self, range: &ForRange) -> String {
        match range.direction {
            Direction::Up | Direction::Phase => {
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
                    // The operand binds tightly enough for a unary minus.
                    Some(step) => format!("-{}", self.expr(step, SUM + 1)),
                };
                format!("{first}, {end}, {step}")
            }
        }
    }

    /// An `int` expression plus -1, 0 or 1.
    fn shifted(&mut self, expr: &Expr, by: i64) -> String {
        match (expr.as_integer(), by) {
            (Some(value), _) => (value + i128::from(by)).to_string(),
            (None, 0) => self.expr(expr, LOWEST),
            (None, 1) => format!("{} + 1", self.expr(expr, SUM)),
            (None, _) => format!("{} - 1", self.expr(expr, SUM)),
        }
    }

    /// A loop that counts its trips; the body starts by computing the value of the variable.
    fn counted_loop(&mut self, name: &str, range: &ForRange, body: &Block) {
        let changed = Mutations::of(body);
        let start = self.hoist(&range.start, "start", &changed);
        let end = self.hoist(&range.end, "end", &changed);
        let trips = trips(range, &start, &end);
        let args = match &range.step {
            None => trips,
            Some(step) => format!("0, {trips}, {}", self.expr(step, LOWEST)),
        };
        if name == "_" {
            self.line(&format!("for _ in range({args}):"));
            return self.block(body);
        }
        let trip = self.names.fresh("trip");
        self.line(&format!("for {trip} in range({args}):"));
        let ty = range.start.ty;
        let typed = |count: String| if ty == Type::I32 { count } else { format!("{}({count})", short_name(ty)) };
        let value = match (range.direction, range.inclusive) {
            (Direction::Up | Direction::Phase, _) if is_zero(&range.start) => typed(trip),
            (Direction::Up | Direction::Phase, _) => format!("{start} + {}", typed(trip)),
            (Direction::Down, true) => format!("{end} - {}", typed(trip)),
            (Direction::Down, false) if ty == Type::I32 => format!("{end} - 1 - {trip}"),
            (Direction::Down, false) => format!("{end} - {}", typed(format!("{trip} + 1"))),
        };
        self.nested(|w| {
            w.line(&format!("{name} = {value}"));
            w.stmts(body);
        });
    }
}

/// The form of a `for` loop in Python.
enum Form {
    /// `for k in range(…)`. No argument of `range` overflows `int`.
    Range,
    /// A `while` loop that adds 1 before each trip.
    StepUp,
    /// A `while` loop that subtracts 1 before each trip.
    StepDown,
    /// A loop that counts its trips.
    Count,
}

impl Form {
    fn of(range: &ForRange) -> Form {
        let (up, step) = (range.direction != Direction::Down, range.step.as_ref());
        let above_minimum = |bound: &Expr| bound.as_integer().is_some_and(|bound| bound > i128::from(i32::MIN));
        let fits = match (up, step) {
            (true, None) => !range.inclusive || has_headroom(&range.end, step, range.inclusive),
            // A range with a step that starts at zero or above has no more trips than `int` can count.
            (true, Some(_)) => has_headroom(&range.end, step, range.inclusive) || range.start.as_integer() >= Some(0),
            (false, None) => above_minimum(&range.start) && (range.inclusive || above_minimum(&range.end)),
            (false, Some(step)) => ends_above_minimum(range, step),
        };
        let is_int = range.start.ty == Type::I32;
        match step {
            _ if range.start.ty == Type::INDEX || (is_int && fits) => Form::Range,
            None if is_int && up && above_minimum(&range.start) => Form::StepUp,
            None if is_int && !up && !range.inclusive => Form::StepDown,
            _ => Form::Count,
        }
    }
}

/// The number of trips of a counted loop; at most 0 if the range is empty.
fn trips(range: &ForRange, start: &str, end: &str) -> String {
    if let (Some(start), Some(end)) = (range.start.as_integer(), range.end.as_integer()) {
        return (end - start + i128::from(range.inclusive)).clamp(0, i32::MAX.into()).to_string();
    }
    let ty = range.start.ty;
    let int = |count: String| if ty == Type::I32 { count } else { format!("int({count})") };
    if is_zero(&range.start) && !ty.scalar().is_signed_integer() {
        return int(end.to_owned()) + if range.inclusive { " + 1" } else { "" };
    }
    // If the range is empty, its start may exceed its end by more than `int` can hold, so the difference is clamped
    // first.
    let distance = if is_zero(&range.start) { String::new() } else { format!(" - {start}") };
    let one = if range.inclusive { format!(" + int({end} >= {start})") } else { String::new() };
    int(format!("wp.max({end}, {start}){distance}")) + &one
}

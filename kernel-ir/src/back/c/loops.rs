//! `for` loops over ranges. Each loop has the shortest C form that visits exactly the values that Rust visits, also at
//! the limits of the type.
//!
//! There are three plain forms (up, down by one, down by a step), for ranges whose last step cannot overflow. The
//! general form carries a flag.

use super::expr::{Code, Text};
use super::types;
use super::writer::Writer;
use crate::analysis::Mutations;
use crate::back::ranges::{ends_above_minimum, has_headroom, is_zero, reaches_minimum};
use crate::ir::{Block, Direction, Expr, ExprKind, ForRange, Literal, LocalId, Scalar, StmtKind, Type};
use crate::ops::Op;

impl Writer<'_> {
    /// Writes the head of a loop, and opens its body.
    pub(super) fn loop_head(&mut self, stmt: &StmtKind) {
        if let StmtKind::For { local, range, body } = stmt {
            self.for_head(*local, range, body);
        } else if let StmtKind::While { cond, .. } = stmt {
            self.push("while (");
            self.expr(cond);
        }
        self.open_line();
    }

    fn for_head(&mut self, local: LocalId, range: &ForRange, body: &Block) {
        let ty = self.kernel.local(local).ty;
        let (c, name) = (self.preludes.ty(ty), self.names.local(local).to_owned());
        let up = range.direction != Direction::Down;
        let step = range.step.as_ref().filter(|step| step.kind != ExprKind::Literal(Literal::Index(1)));
        // The end of the range is evaluated in every trip, the start only once. A bound that is expensive, or that the
        // body may change, goes into a local.
        let mutations = Mutations::of(body);
        let bound = |this: &mut Self, expr: &Expr, once: bool, role: &str| {
            if once || (is_cheap(expr) && mutations.keep(expr)) {
                this.text(|w| w.expr(expr))
            } else {
                this.hoist(&name, role, expr)
            }
        };
        let plain = has_headroom(&range.end, step, range.inclusive);
        // From the simplest C loop to the general one. Each form is used only if it cannot leave the range of the type.
        match (up, step) {
            (true, step) if plain || (step.is_none() && !range.inclusive) => {
                let start = bound(self, &range.start, true, "start");
                let end = bound(self, &range.end, false, "end");
                let step = step.map(|step| self.step(&name, step, ty, &mutations));
                self.line.extend(["for (", c, " ", &name, " = ", &start.text, "; "]);
                self.infix(if range.inclusive { "<=" } else { "<" }, |w| w.primary(&name), |w| w.put(&end));
                match step {
                    None => self.line.extend(["; ++", &name]),
                    Some(step) => self.line.extend(["; ", &name, " += ", &step.text]),
                }
            }
            // The comparison decrements: the variable is one above its value until the test, so an unsigned 0 ends the
            // loop.
            (false, None) if (plain || !range.inclusive) && !reaches_minimum(range) => {
                let first = self.text(|w| if range.inclusive { w.successor(&range.end) } else { w.expr(&range.end) });
                let start = bound(self, &range.start, false, "start");
                self.line.extend(["for (", c, " ", &name, " = ", &first.text, "; "]);
                self.infix(">", |w| w.primary(&format!("{name}--")), |w| w.put(&start));
                self.push(";");
            }
            (false, Some(step)) if ends_above_minimum(range, step) => {
                let first = self.text(|w| if range.inclusive { w.expr(&range.end) } else { w.predecessor(&range.end) });
                let start = self.text(|w| w.expr(&range.start));
                let step = self.step(&name, step, ty, &mutations);
                self.line.extend(["for (", c, " ", &name, " = ", &first.text, "; ", &name, " >= ", &start.text]);
                self.line.extend(["; ", &name, " -= ", &step.text]);
            }
            _ => {
                let start = bound(self, &range.start, false, "start");
                let end = bound(self, &range.end, false, "end");
                let step = step.map(|step| self.step(&name, step, ty, &mutations));
                let first = match (up, range.inclusive) {
                    (true, _) => start.clone(),
                    (false, true) => end.clone(),
                    (false, false) if is_variable(&range.end) && ty.scalar().is_signed_integer() => {
                        // The smallest integer has no predecessor. The range is empty then, because nothing is below
                        // it.
                        let some = self.text(|w| w.infix("<", |w| w.put(&start), |w| w.put(&end)));
                        self.text(|w| w.infix("-", |w| w.put(&end), |w| w.put(&some)))
                    }
                    (false, false) => self.text(|w| w.predecessor(&range.end)),
                };
                self.flagged_head(range, &name, &first, (&start, &end), step.as_ref());
            }
        }
    }

    /// The general form: a flag says whether there is a next value, so that no value outside of the type is computed.
    fn flagged_head(
        &mut self,
        range: &ForRange,
        name: &str,
        first: &Text,
        (start, end): (&Text, &Text),
        step: Option<&Text>,
    ) {
        let ty = range.start.ty;
        let up = range.direction != Direction::Down;
        let more = self.names.fresh("more");
        self.line.extend(["for (", types::type_name(ty), " ", name, " = ", &first.text, ", ", &more, " = "]);
        // Compilers warn about a comparison that is always true.
        if range.inclusive && is_never_empty(range) {
            self.push("true");
        } else {
            self.infix(if range.inclusive { "<=" } else { "<" }, |w| w.put(start), |w| w.put(end));
        }
        self.line.extend(["; ", &more, "; ", &more, " = "]);
        let here = &Text::primary(name);
        let (low, high) = if up { (here, end) } else { (start, here) };
        match step {
            None => {
                self.infix("<", |w| w.put(low), |w| w.put(high));
            }
            Some(step) => {
                // The distance to the end is computed in the unsigned type, where it cannot overflow.
                let left = |w: &mut Self| match is_zero(&range.start) && !up {
                    true => w.wide(high, ty),
                    false => w.infix("-", |w| w.wide(high, ty), |w| w.wide(low, ty)),
                };
                let compare = if up && !range.inclusive { ">" } else { ">=" };
                self.infix(compare, left, |w| w.wide(step, ty));
            }
        }
        self.line.extend([", ", name, if up { " += " } else { " -= " }, &more]);
        if let Some(step) = step {
            self.line.extend([" ? ", &step.text, " : 0"]);
        }
    }

    /// A text of type `ty`, cast to the unsigned integer of the same width, or to `unsigned int` if it is narrow.
    fn wide(&mut self, code: &Text, ty: Type) -> Code {
        let unsigned = if ty.scalar().is_narrow() { Scalar::U32 } else { types::unsigned(ty.scalar()) };
        // A literal gets the suffix of its type, so that no cast is needed.
        match code.text.parse::<u32>() {
            Ok(value) if unsigned == Scalar::U32 => self.primary(&format!("{value}u")),
            Ok(value) if unsigned == Scalar::U64 => self.primary(&format!("{value}ULL")),
            _ if unsigned == ty.scalar() => self.put(code),
            _ => self.cast_to(types::scalar_name(unsigned), |w| w.put(code)),
        }
    }

    /// The step, in the type of the loop variable, or in `unsigned int` if that is narrow, because a step may be beyond
    /// its range.
    fn step(&mut self, name: &str, step: &Expr, ty: Type, mutations: &Mutations) -> Text {
        if let (true, Some(value)) = (ty.scalar().is_narrow(), step.as_integer()) {
            return Text::primary(value.to_string());
        }
        let ty = if ty.scalar().is_narrow() { Type::U32 } else { ty };
        if is_cheap(step) && mutations.keep(step) {
            return self.text(|w| w.index_as(step, ty));
        }
        let hoisted = self.hoist(name, "step", step);
        if ty == Type::INDEX { hoisted } else { self.text(|w| w.cast_to(types::type_name(ty), |w| w.put(&hoisted))) }
    }

    /// Evaluates a bound before the loop, into a local.
    fn hoist(&mut self, name: &str, role: &str, expr: &Expr) -> Text {
        let value = self.text(|w| w.expr(expr));
        let local = self.names.fresh(&format!("{name}_{role}"));
        self.lines.line(format!("const {} {local} = {};", types::type_name(expr.ty), value.text));
        Text::primary(local)
    }

    /// `expr + 1`, simplified to `n` if `expr` is `n - 1`.
    fn successor(&mut self, expr: &Expr) -> Code {
        if let ExprKind::Op(Op::Sub, args) = &expr.kind
            && args[1].as_integer() == Some(1)
        {
            return self.expr(&args[0]);
        }
        self.neighbour(expr, "+", 1)
    }

    /// `expr - 1`, which may wrap around.
    fn predecessor(&mut self, expr: &Expr) -> Code {
        self.neighbour(expr, "-", -1)
    }

    fn neighbour(&mut self, expr: &Expr, symbol: &str, by: i8) -> Code {
        let ExprKind::Literal(literal) = expr.kind else {
            return self.infix(symbol, |w| w.expr(expr), |w| w.primary("1"));
        };
        let unchanged = Expr::literal(literal);
        let (Some(value), ty) = (literal.as_integer(), literal.ty()) else { return self.expr(&unchanged) };
        let (min, max) = ty.scalar().limits().unwrap_or((0, u32::MAX.into()));
        // Past the limits of the type, the value wraps around.
        let value = match value + i128::from(by) {
            below if below < min => max,
            above if above > max => min,
            value => value,
        };
        let neighbour = Literal::int(value, ty).map_or(unchanged, Expr::literal);
        self.expr(&neighbour)
    }
}

/// Whether an inclusive range has values, by its type and a literal bound. Compilers know so of unsigned types, and of
/// narrow ones, which they compare as `int`.
fn is_never_empty(range: &ForRange) -> bool {
    let (start, end) = (range.start.as_integer(), range.end.as_integer());
    let scalar = range.start.ty.scalar();
    match scalar.limits().filter(|_| scalar.is_narrow()) {
        Some((min, max)) => start == Some(min) || end == Some(max),
        None => is_zero(&range.start) && !scalar.is_signed_integer(),
    }
}

fn is_variable(expr: &Expr) -> bool {
    !matches!(expr.kind, ExprKind::Literal(_))
}

/// Whether the expression is cheap enough to be evaluated in every trip.
fn is_cheap(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_)
        | ExprKind::Local(_)
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Present(_) => true,
        ExprKind::Cast(inner) => !inner.ty.is_float() && is_cheap(inner),
        ExprKind::Op(Op::Add | Op::Sub | Op::Mul, args) => args.iter().all(is_cheap),
        ExprKind::Op(..)
        | ExprKind::LocalElement { .. }
        | ExprKind::Load { .. }
        | ExprKind::Call(..)
        | ExprKind::Component(..)
        | ExprKind::Column(..)
        | ExprKind::Field(..)
        | ExprKind::Tile(..)
        | ExprKind::Struct(_)
        | ExprKind::Select { .. } => false,
    }
}

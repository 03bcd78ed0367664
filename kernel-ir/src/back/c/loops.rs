//! `for` loops over ranges: as short as C allows, but never endless where Rust's end.

use super::expr::Code;
use super::types;
use super::writer::Writer;
use crate::analysis::Mutations;
use crate::back::ranges::{ends_above_minimum, integer, is_zero, reaches_minimum, roomy};
use crate::ir::{Block, Direction, Expr, ExprKind, ForRange, Literal, LocalId, Scalar, Type};
use crate::ops::Op;

impl Writer<'_> {
    /// `for local in range { body }`.
    pub(super) fn for_loop(&mut self, local: LocalId, range: &ForRange, body: &Block) {
        let head = self.for_head(local, range, body);
        self.lines.open_parts(&["for (", &head, ")"]);
        self.block(body);
        self.lines.close();
    }

    fn for_head(&mut self, local: LocalId, range: &ForRange, body: &Block) -> String {
        let ty = self.kernel.local(local).ty;
        let (c, name) = (self.preludes.ty(ty), self.names.local(local).to_owned());
        let up = range.direction == Direction::Up;
        let step = range.step.as_ref().filter(|step| step.kind != ExprKind::Literal(Literal::Index(1)));
        // Where the range ends is asked for on every trip, where it begins only once.
        let mutations = Mutations::of(body);
        let bound = |this: &mut Self, expr: &Expr, once: bool, role: &str| {
            if once || (is_cheap(expr) && mutations.keep(expr)) {
                this.expr(expr)
            } else {
                this.hoist(&name, role, expr)
            }
        };
        let plain = roomy(&range.end, step, range.inclusive);
        match (up, step) {
            (true, step) if plain || (step.is_none() && !range.inclusive) => {
                let start = bound(self, &range.start, true, "start");
                let end = bound(self, &range.end, false, "end");
                let compare = Code::infix(if range.inclusive { "<=" } else { "<" }, Code::primary(&*name), end);
                let next = match step {
                    None => format!("++{name}"),
                    Some(step) => {
                        let step = self.step(&name, step, ty, &mutations);
                        format!("{name} += {}", step.text)
                    }
                };
                format!("{c} {name} = {}; {}; {next}", start.text, compare.text)
            }
            (false, None) if (plain || !range.inclusive) && !reaches_minimum(range) => {
                let first = if range.inclusive { self.successor(&range.end) } else { self.expr(&range.end) };
                let start = bound(self, &range.start, false, "start");
                let compare = Code::infix(">", Code::primary(format!("{name}--")), start);
                format!("{c} {name} = {}; {};", first.text, compare.text)
            }
            (false, Some(step)) if ends_above_minimum(range, step) => {
                let first = if range.inclusive { self.expr(&range.end) } else { self.predecessor(&range.end) };
                let start = self.expr(&range.start);
                let step = self.step(&name, step, ty, &mutations);
                format!("{c} {name} = {}; {name} >= {}; {name} -= {}", first.text, start.text, step.text)
            }
            _ => {
                let start = bound(self, &range.start, false, "start");
                let end = bound(self, &range.end, false, "end");
                let step = step.map(|step| self.step(&name, step, ty, &mutations));
                let first = match (up, range.inclusive) {
                    (true, _) => start.clone(),
                    (false, true) => end.clone(),
                    (false, false) if is_variable(&range.end) && ty.scalar().is_signed_integer() => {
                        // The smallest integer has no predecessor; nothing is below it either.
                        let some = Code::infix("<", start.clone(), end.clone());
                        Code::infix("-", end.clone(), some)
                    }
                    (false, false) => self.predecessor(&range.end),
                };
                self.flagged_head(range, &name, first, (start, end), step)
            }
        }
    }

    /// A loop with a flag that says whether there is a next value, so that none is computed that the type cannot hold.
    fn flagged_head(
        &mut self,
        range: &ForRange,
        name: &str,
        first: Code,
        (start, end): (Code, Code),
        step: Option<Code>,
    ) -> String {
        let ty = range.start.ty;
        let c = types::type_name(ty);
        let up = range.direction == Direction::Up;
        let more = self.names.fresh("more");
        let here = Code::primary(name);
        let some = if range.inclusive && is_zero(&range.start) && !ty.scalar().is_signed_integer() {
            // Compilers warn of a comparison that always holds.
            Code::primary("true")
        } else {
            Code::infix(if range.inclusive { "<=" } else { "<" }, start.clone(), end.clone())
        };
        let (low, high) = if up { (here, end) } else { (start, here) };
        let (left, change) = match step {
            None => (Code::infix("<", low, high), more.clone()),
            Some(step) => {
                let unsigned = types::unsigned(ty.scalar());
                let wide = |code: Code| match code.text.parse::<u32>() {
                    Ok(value) if unsigned == Scalar::U32 => Code::primary(format!("{value}u")),
                    Ok(value) if unsigned == Scalar::U64 => Code::primary(format!("{value}ULL")),
                    _ if unsigned == ty.scalar() => code,
                    _ => Code::cast(types::scalar_name(unsigned), code),
                };
                let left =
                    if is_zero(&range.start) && !up { wide(high) } else { Code::infix("-", wide(high), wide(low)) };
                let compare = if up && !range.inclusive { ">" } else { ">=" };
                (Code::infix(compare, left, wide(step.clone())), format!("{more} ? {} : 0", step.text))
            }
        };
        let sign = if up { "+=" } else { "-=" };
        format!(
            "{c} {name} = {}, {more} = {}; {more}; {more} = {}, {name} {sign} {change}",
            first.text, some.text, left.text
        )
    }

    /// The distance between values, in the type of the loop variable.
    fn step(&mut self, name: &str, step: &Expr, ty: Type, mutations: &Mutations) -> Code {
        if is_cheap(step) && mutations.keep(step) {
            self.index_as(step, ty)
        } else {
            let hoisted = self.hoist(name, "step", step);
            if ty == Type::INDEX { hoisted } else { Code::cast(types::type_name(ty), hoisted) }
        }
    }

    /// Evaluates a bound before the loop.
    fn hoist(&mut self, name: &str, role: &str, expr: &Expr) -> Code {
        let value = self.expr(expr);
        let local = self.names.fresh(&format!("{name}_{role}"));
        self.lines.line(format!("const {} {local} = {};", types::type_name(expr.ty), value.text));
        Code::primary(local)
    }

    /// `expr + 1`, which is `n` for `n - 1`.
    fn successor(&mut self, expr: &Expr) -> Code {
        match &expr.kind {
            ExprKind::Op(Op::Sub, args) if integer(&args[1]) == Some(1) => self.expr(&args[0]),
            _ => self.neighbour(expr, "+", 1),
        }
    }

    /// `expr - 1`, which may wrap around.
    fn predecessor(&mut self, expr: &Expr) -> Code {
        self.neighbour(expr, "-", -1)
    }

    fn neighbour(&mut self, expr: &Expr, symbol: &str, by: i8) -> Code {
        let literal = match expr.kind {
            ExprKind::Literal(Literal::I32(value)) => Literal::I32(value.wrapping_add(by.into())),
            ExprKind::Literal(Literal::I64(value)) => Literal::I64(value.wrapping_add(by.into())),
            ExprKind::Literal(Literal::U32(value)) => Literal::U32(value.wrapping_add_signed(by.into())),
            ExprKind::Literal(Literal::U64(value)) => Literal::U64(value.wrapping_add_signed(by.into())),
            ExprKind::Literal(Literal::Index(value)) => Literal::Index(value.wrapping_add_signed(by.into())),
            _ => return Code::infix(symbol, self.expr(expr), Code::primary("1")),
        };
        self.expr(&Expr::literal(literal))
    }
}

fn is_variable(expr: &Expr) -> bool {
    !matches!(expr.kind, ExprKind::Literal(_))
}

/// Whether evaluating it on every trip costs next to nothing.
fn is_cheap(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Param(_) | ExprKind::Tid(_) | ExprKind::Extent { .. } => {
            true
        }
        ExprKind::Cast(inner) => !inner.ty.is_float() && is_cheap(inner),
        ExprKind::Op(Op::Add | Op::Sub | Op::Mul, args) => args.iter().all(is_cheap),
        _ => false,
    }
}

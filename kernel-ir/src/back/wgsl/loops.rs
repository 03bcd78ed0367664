//! `for` loops over ranges. Integers of WGSL wrap around, so a loop may step past its last value, but no comparison may
//! depend on that.

use super::text::Text;
use super::types;
use super::writer::Writer;
use crate::analysis::Mutations;
use crate::back::ranges::has_headroom;
use crate::ir::{Block, Direction, Expr, ExprKind, ForRange, LocalId, Type};

impl Writer<'_, '_> {
    /// `for local in range { body }`.
    pub(super) fn for_loop(&mut self, local: LocalId, range: &ForRange, body: &Block) {
        let name = self.names.local(local).to_owned();
        let ty = types::type_name(self.kernel.local(local).ty);
        let mutations = Mutations::of(body);
        let step = range.step.as_ref().filter(|step| step.as_integer() != Some(1));
        let (up, inclusive) = (range.direction != Direction::Down, range.inclusive);
        let plain = has_headroom(&range.end, step, inclusive) || (step.is_none() && !inclusive);
        if up && plain {
            let start = self.expr(&range.start);
            let end = self.bound(&name, "end", &range.end, &mutations);
            let step = step.map(|step| self.step(&name, step, range, &mutations));
            let symbol = if inclusive { "<=" } else { "<" };
            let condition = Text::infix(Text::primary(&*name), symbol, end).text;
            let advance = step.map_or_else(|| format!("{name}++"), |step| format!("{name} += {}", step.text));
            self.lines.open(format!("for (var {name}: {ty} = {}; {condition}; {advance})", start.text));
            self.in_loop(|writer| writer.block(body));
            return self.lines.close();
        }
        if !up && step.is_none() && !inclusive {
            let end = self.expr(&range.end);
            let start = self.bound(&name, "start", &range.start, &mutations);
            // The variable is one above its value until the trip starts, so that an unsigned 0 ends the loop.
            let condition = Text::infix(Text::primary(&*name), ">", start).text;
            self.lines.open(format!("for (var {name}: {ty} = {}; {condition};)", end.text));
            self.lines.line(format!("{name}--;"));
            self.in_loop(|writer| writer.block(body));
            return self.lines.close();
        }
        self.general_loop(&name, &ty, range, step, body);
    }

    /// The general form: a flag says whether there is a next value.
    fn general_loop(&mut self, name: &str, ty: &str, range: &ForRange, step: Option<&Expr>, body: &Block) {
        let up = range.direction != Direction::Down;
        let (low, high) = (self.hoisted(name, "start", ty, &range.start), self.hoisted(name, "end", ty, &range.end));
        // The step may be beyond the range of the type, so it is unsigned, as the distance to the end is.
        let unsigned = if ty.ends_with("64") { "u64" } else { "u32" };
        let step = match step {
            Some(step) => {
                let value = self.expr(step).text;
                let local = self.names.fresh(&format!("{name}_step"));
                self.lines.line(format!("let {local} = {unsigned}({value});"));
                local
            }
            None => {
                if unsigned == "u64" {
                    "1lu".to_owned()
                } else {
                    "1u".to_owned()
                }
            }
        };
        let one = "1".to_owned() + types::integer_suffix(range.start.ty.scalar());
        let compare = if range.inclusive { "<=" } else { "<" };
        let first = match (up, range.inclusive) {
            (true, _) => low.clone(),
            (false, true) => high.clone(),
            (false, false) => format!("{high} - {one}"),
        };
        let more = self.names.fresh("more");
        self.lines.open_block();
        self.lines.line(format!("var {name}: {ty} = {first};"));
        self.lines.line(format!("var {more} = {low} {compare} {high};"));
        self.lines.open("loop");
        self.lines.line(format!("if (!{more}) {{ break; }}"));
        self.in_loop(|writer| writer.block(body));
        self.lines.open("continuing");
        let (from, to) = if up { (name, high.as_str()) } else { (low.as_str(), name) };
        let compare = if up && !range.inclusive { ">" } else { ">=" };
        self.lines.line(format!("{more} = {unsigned}({to}) - {unsigned}({from}) {compare} {step};"));
        let sign = if up { "+" } else { "-" };
        self.lines.line(format!("{name} {sign}= {ty}({step});"));
        self.lines.close();
        self.lines.close();
        self.lines.close();
    }

    /// A bound that is evaluated in every trip: as it is, if it is cheap and the body does not change it, else a local.
    fn bound(&mut self, name: &str, role: &str, expr: &Expr, mutations: &Mutations) -> Text {
        if is_cheap(expr) && mutations.keep(expr) {
            return self.in_loop(|writer| writer.expr(expr));
        }
        let ty = types::type_name(expr.ty);
        Text::primary(self.hoisted(name, role, &ty, expr))
    }

    /// A local with the value of a bound.
    fn hoisted(&mut self, name: &str, role: &str, ty: &str, expr: &Expr) -> String {
        let value = self.expr(expr);
        let local = self.names.fresh(&format!("{name}_{role}"));
        self.lines.line(format!("let {local}: {ty} = {};", value.text));
        local
    }

    /// The step in the type of the loop variable.
    fn step(&mut self, name: &str, step: &Expr, range: &ForRange, mutations: &Mutations) -> Text {
        let step = self.bound(name, "step", step, mutations);
        self.cast(step, Type::INDEX, range.start.ty)
    }
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
        ExprKind::Op(op, args) => op.def().rust.word().len() == 1 && args.iter().all(is_cheap),
        ExprKind::LocalElement { .. }
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

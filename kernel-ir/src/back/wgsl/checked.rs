//! Checked text: an index out of bounds and the store of a NaN are recorded in a buffer, and the launch continues with
//! element 0.
//!
//! A side of an `if` expression is evaluated also where it is not chosen, and must report nothing there. So each check
//! takes the condition under which its value counts, and each function takes that of its call.
//!
//! In any text, a function with a loop takes that condition if a side calls it: the loop may not end for the arguments of a
//! side that is not chosen.

use super::expr::Access;
use super::memory;
use super::text::Text;
use super::writer::{Shared, Writer};
use crate::back::Fault;
use crate::back::fault::Checks;
use crate::ir::{Expr, ExprKind, Function, LocalId, ParamId, Type};

impl Writer<'_, '_> {
    /// Whether the text is checked.
    pub(super) fn is_checked(&self) -> bool {
        self.checks == Checks::On
    }

    /// An index of an array along an axis, within bounds.
    pub(super) fn checked_index(&self, array: ParamId, axis: u8, index: Text, extent: Text) -> Text {
        self.within(array.0, axis, index, extent)
    }

    /// An index of a local array. The verifier has checked literals.
    pub(super) fn checked_local_index(&self, local: LocalId, index: &Expr, text: Text) -> Text {
        match (index.as_integer(), self.kernel.local(local).len) {
            (None, Some(len)) => self.within(Fault::LOCAL, 0, text, Text::primary(format!("{len}u"))),
            _ => text,
        }
    }

    /// An index that must be below a bound.
    pub(super) fn checked_below(&self, index: Text, bound: Text) -> Text {
        self.within(Fault::PART, 0, index, bound)
    }

    fn within(&self, param: u32, axis: u8, index: Text, extent: Text) -> Text {
        if !self.is_checked() {
            return index;
        }
        let counts = self.counts.clone();
        let [param, axis] = [format!("{param}u"), format!("{axis}u")].map(Text::primary);
        Text::call("weft_at", [counts, param, axis, index, extent])
    }

    /// The condition of an `if` expression. If its `sides` repeat it, one that reads arrays becomes a variable, provided that
    /// there is a line for it before the expression.
    pub(super) fn condition(&mut self, cond: Text, sides: [&Expr; 2]) -> Text {
        let repeats = self.is_checked() || sides.iter().any(|side| side.any(&mut |expr| self.is_guarded_call(expr)));
        if !repeats || !self.has_own_lines || !cond.text.contains('(') {
            return cond;
        }
        let name = self.names.fresh("chosen");
        self.lines.line(format!("let {name} = {};", cond.text));
        Text::primary(name)
    }

    /// Writes what may be evaluated later than the lines before it, or not at all.
    pub(super) fn without_own_lines<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.has_own_lines, false);
        let written = write(self);
        self.has_own_lines = before;
        written
    }

    /// The text of a side of an `if` expression. What it checks counts only where `cond` chooses it.
    pub(super) fn side(&mut self, cond: Text, value: &Expr) -> Text {
        let before = self.counts.clone();
        self.counts = match before.text.as_str() {
            "true" => cond,
            _ => Text::infix(before.clone(), "&&", cond),
        };
        let text = self.typed(value);
        self.counts = before;
        text
    }

    fn is_guarded_call(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Call(callee, _) if self.shared.is_guarded(&callee.function))
    }

    /// The place of a store: its offset, in a variable, because the store may change what the offset is computed from.
    pub(super) fn noted(&mut self, element: Access) -> Access {
        if !self.is_checked() || !element.ty.scalars().any(|scalar| scalar.is_float()) {
            return element;
        }
        let name = self.names.fresh("at");
        self.lines.line(format!("let {name} = {};", element.at.text));
        self.stored = Some((element.array, name.clone()));
        // The number of the element is not known any more: its parts are stored by their offsets.
        Access { at: Text::primary(name), element: None, ..element }
    }

    /// Checks the element that the last statement has stored.
    pub(super) fn check_stored(&mut self) {
        let Some((array, at)) = self.stored.take() else { return };
        let function = self.shared.checker(array);
        self.lines.line(format!("{function}({at});"));
    }
}

impl Shared {
    /// Whether the function takes the condition under which its value counts, and returns at once where it does not.
    pub(super) fn is_guarded(&self, function: &Function) -> bool {
        self.guarded.iter().any(|guarded| **guarded == *function)
    }

    /// The function that reports a NaN in an element of an array.
    fn checker(&mut self, array: ParamId) -> String {
        let (name, memory) = self.array(array);
        let (name, function) = (name.to_owned(), format!("weft_stored_{name}"));
        if self.accesses.iter().any(|(known, _)| *known == function) {
            return function;
        }
        ["atomicLoad", "bitcast"].iter().for_each(|name| self.prelude.calls(name));
        let field = |ty, number| self.structs.field(ty, number).to_owned();
        let scalars = memory::taken_apart(memory, memory.elem, &Text::primary("at"), &Text::primary(""), &field);
        let mut tests = Vec::new();
        for (scalar, at, _) in scalars.into_iter().filter(|(scalar, ..)| scalar.is_float()) {
            let is_nan = self.prelude.function("is_nan", &[Type::of(scalar.computed_in())], Type::BOOL);
            tests.push(Text::call(&is_nan, [memory.load(&name, scalar, at)]).text);
        }
        let (tests, param) = (tests.join(" || "), array.0);
        let text =
            format!("fn {function}(at: u32) {{\n    if ({tests}) {{ weft_report(2u, {param}u, 0u, 0u, 0u); }}\n}}\n");
        self.accesses.push((function.clone(), text));
        function
    }
}

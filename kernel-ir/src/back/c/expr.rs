//! Expressions. They have the parentheses that C needs, that readers expect, and that compilers warn about if absent,
//! and no others.

use super::prelude::Preludes;
use super::types;
use super::writer::{Writer, is_watched};
use crate::back::halves::in_f32;
use crate::back::numbers::{push_f32, push_f64, push_integer, push_unsigned};
use crate::back::parts::constant_index;
use crate::ir::{AbiArg, Callee, Expr, ExprKind, Literal, LocalId, ParamId, Scalar, Type};
use crate::ops::{Op, Spelling, Syntax};
use std::rc::Rc;

/// The precedence of the outermost operator of a text, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Conditional,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Primary,
}

/// The expression at the end of the current line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Code {
    /// The position in the line at which the expression begins.
    start: usize,
    level: Level,
}

/// The text of an expression that is written later.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) text: String,
    level: Level,
}

impl Text {
    /// A text that never needs parentheses.
    pub(super) fn primary(text: impl Into<String>) -> Text {
        Text { text: text.into(), level: Level::Primary }
    }
}

/// The components of a line, from left to right.
impl Writer<'_> {
    /// Appends to the current line.
    pub(super) fn push(&mut self, text: &str) {
        self.line.push_str(text);
    }

    /// Appends a text that never needs parentheses.
    pub(super) fn primary(&mut self, text: &str) -> Code {
        let start = self.line.len();
        self.push(text);
        Code { start, level: Level::Primary }
    }

    /// Appends a saved text.
    pub(super) fn put(&mut self, text: &Text) -> Code {
        Code { level: text.level, ..self.primary(&text.text) }
    }

    /// Runs `write`, and takes the text that it appends out of the line.
    pub(super) fn text(&mut self, write: impl FnOnce(&mut Self) -> Code) -> Text {
        let Code { start, level } = write(self);
        Text { text: self.line.split_off(start), level }
    }

    fn parenthesize(&mut self, code: Code) {
        self.line.insert(code.start, '(');
        self.push(")");
    }

    /// Parenthesises the code unless it binds at least as tightly as `level`.
    pub(super) fn at(&mut self, code: Code, level: Level) {
        if code.level < level {
            self.parenthesize(code);
        }
    }

    /// `left symbol right`. Both operands are appended in order.
    pub(super) fn infix(
        &mut self,
        symbol: &str,
        left: impl FnOnce(&mut Self) -> Code,
        right: impl FnOnce(&mut Self) -> Code,
    ) -> Code {
        let left = left(self);
        self.infix_behind(left, symbol, right)
    }

    /// As `infix`, where the left operand is at the end of the line already.
    fn infix_behind(&mut self, left: Code, symbol: &str, right: impl FnOnce(&mut Self) -> Code) -> Code {
        let level = infix_level(symbol);
        self.operand(left, level, false);
        self.line.extend([" ", symbol, " "]);
        let right = right(self);
        self.operand(right, level, true);
        Code { start: left.start, level }
    }

    fn operand(&mut self, code: Code, level: Level, is_right: bool) {
        if !fits(code.level, level, is_right) {
            self.parenthesize(code);
        }
    }

    /// `symbol operand`.
    fn prefix(&mut self, symbol: &str, operand: impl FnOnce(&mut Self) -> Code) -> Code {
        let start = self.line.len();
        self.push(symbol);
        // `- -x` must not become `--x`.
        let operand = operand(self);
        let again = self.line[operand.start..].starts_with(symbol);
        self.at(Code { level: if again { Level::Conditional } else { operand.level }, ..operand }, Level::Unary);
        Code { start, level: Level::Unary }
    }

    /// `(ty)operand`.
    pub(super) fn cast_to(&mut self, ty: &str, operand: impl FnOnce(&mut Self) -> Code) -> Code {
        let start = self.line.len();
        self.line.extend(["(", ty, ")"]);
        let operand = operand(self);
        self.at(operand, Level::Unary);
        Code { start, level: Level::Unary }
    }

    /// `base.field`.
    fn field(&mut self, base: Code, name: &str) -> Code {
        self.at(base, Level::Primary);
        self.line.extend([".", name]);
        Code { level: Level::Primary, ..base }
    }

    /// `base[index]`.
    pub(super) fn subscript(&mut self, base: Code, index: impl FnOnce(&mut Self) -> Code) -> Code {
        self.at(base, Level::Primary);
        self.push("[");
        index(self);
        self.push("]");
        Code { level: Level::Primary, ..base }
    }

    /// Turns the text of the line from `start` on into the arguments of a call: `function(a, b)`, or with other
    /// brackets.
    fn call(&mut self, start: usize, function: &str, brackets: (&str, &str)) -> Code {
        self.line.insert_str(start, brackets.0);
        self.line.insert_str(start, function);
        self.push(brackets.1);
        Code { start, level: Level::Primary }
    }
}

fn infix_level(symbol: &str) -> Level {
    match symbol {
        "*" | "/" | "%" => Level::Product,
        "+" | "-" => Level::Sum,
        "<<" | ">>" => Level::Shift,
        "<" | "<=" | ">" | ">=" => Level::Relation,
        "==" | "!=" => Level::Equality,
        "&" => Level::BitAnd,
        "^" => Level::BitXor,
        "|" => Level::BitOr,
        "&&" => Level::And,
        _ => Level::Or,
    }
}

/// Whether an operand needs no parentheses next to an operator of `level`.
fn fits(operand: Level, level: Level, is_right: bool) -> bool {
    let same = operand == level && !is_right;
    match level {
        Level::Sum | Level::Product => operand > level || same,
        Level::Relation | Level::Equality => operand > Level::Shift,
        // `a && (b && c)` equals `a && b && c`.
        Level::And | Level::Or => operand >= Level::Equality || operand == level,
        Level::Conditional
        | Level::BitOr
        | Level::BitXor
        | Level::BitAnd
        | Level::Shift
        | Level::Unary
        | Level::Primary => operand >= Level::Unary || same,
    }
}

/// Appends a literal to `out`.
pub(super) fn literal(value: Literal, preludes: &mut Preludes, out: &mut String) -> Level {
    let start = out.len();
    match value {
        Literal::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        Literal::I32(i32::MIN) | Literal::I64(i64::MIN) => out.push_str(types::min_value(value.scalar())),
        Literal::I8(value) => push_integer(out, value.into()),
        Literal::I16(value) => push_integer(out, value.into()),
        Literal::I32(value) => push_integer(out, value.into()),
        Literal::I64(value) => push_integer(out, value),
        Literal::U8(value) => push_unsigned(out, value.into()),
        Literal::U16(value) => push_unsigned(out, value.into()),
        Literal::U32(value) | Literal::Index(value) => push_unsigned(out, value.into()),
        Literal::U64(value) => push_unsigned(out, value),
        Literal::F16(bits) | Literal::BF16(bits) => {
            let convert = preludes.function("round", [value.ty()].into_iter(), value.ty());
            out.extend([&convert.name, "("]);
            literal(Literal::F32(bits), preludes, out);
            out.push(')');
            return Level::Primary;
        }
        Literal::F32(bits) if f32::from_bits(bits).is_finite() => push_f32(out, f32::from_bits(bits)),
        Literal::F64(bits) if f64::from_bits(bits).is_finite() => push_f64(out, f64::from_bits(bits)),
        Literal::F32(bits) => return not_finite(f32::from_bits(bits).into(), "", preludes, out),
        Literal::F64(bits) => return not_finite(f64::from_bits(bits), "(double)", preludes, out),
    }
    out.push_str(match value {
        Literal::U32(_) => "u",
        Literal::I64(i64::MIN) | Literal::Bool(_) | Literal::I32(_) | Literal::Index(_) | Literal::F64(_) => "",
        Literal::I8(_) | Literal::U8(_) | Literal::I16(_) | Literal::U16(_) => "",
        Literal::I64(_) => "LL",
        Literal::U64(_) => "ULL",
        Literal::F32(_) => "f",
        Literal::F16(_) | Literal::BF16(_) => "",
    });
    let text = &out[start..];
    if text.starts_with('-') { Level::Unary } else { Level::Primary }
}

/// A float constant without digits. The macros for infinity and NaN have the type `float`.
fn not_finite(value: f64, cast: &str, preludes: &mut Preludes, out: &mut String) -> Level {
    preludes.function("constant", std::iter::empty(), Type::F32);
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let name = if value.is_nan() { "NAN" } else { "INFINITY" };
    out.extend([sign, cast, name]);
    if sign.is_empty() && cast.is_empty() { Level::Primary } else { Level::Unary }
}

/// Whether the text of the expression has the type `index_t`. The text of a literal has the type `int`.
fn is_typed(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => false,
        ExprKind::Op(Op::Below, args) => is_typed(&args[0]),
        ExprKind::Op(op, args) => !matches!(op.def().rust, Syntax::Infix(_)) || args.iter().any(is_typed),
        ExprKind::Select { then, other, .. } => is_typed(then) || is_typed(other),
        ExprKind::Local(_)
        | ExprKind::LocalElement { .. }
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Present(_)
        | ExprKind::Load { .. }
        | ExprKind::Call(..)
        | ExprKind::Cast(_)
        | ExprKind::Component(..)
        | ExprKind::Column(..)
        | ExprKind::Field(..)
        | ExprKind::Tile(..)
        | ExprKind::Struct(_) => true,
    }
}

impl Writer<'_> {
    /// Appends an expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> Code {
        let start = self.line.len();
        match &expr.kind {
            ExprKind::Literal(value) => Code { start, level: literal(*value, &mut self.preludes, &mut self.line) },
            ExprKind::Local(local) => self.local(*local),
            ExprKind::LocalElement { local, index } => self.local_element(*local, index),
            ExprKind::Param(param) => self.param(*param),
            ExprKind::Tid(axis) => {
                self.line.push_str(self.frame.tid(*axis));
                Code { start, level: Level::Primary }
            }
            ExprKind::Extent { array, axis } => self.extent(*array, *axis),
            ExprKind::Present(array) => self.presence(*array, " != nullptr"),
            ExprKind::Load { array, index } => self.element(*array, index),
            ExprKind::Op(Op::Not, args) if let [Expr { kind: ExprKind::Present(array), .. }] = args.as_slice() => {
                self.presence(*array, " == nullptr")
            }
            ExprKind::Op(op, args) => self.op(*op, args, expr.ty),
            ExprKind::Call(callee, args) => {
                self.call_arguments(callee, args);
                let functions = Rc::clone(&self.functions);
                self.call(start, functions.of(&callee.function), ("(", ")"))
            }
            ExprKind::Cast(inner) => self.cast(inner, expr.ty),
            ExprKind::Component(base, index) | ExprKind::Column(base, index) => {
                let code = self.expr(base);
                self.part(code, base.ty, index)
            }
            ExprKind::Field(base, number) => {
                let code = self.expr(base);
                self.struct_field(code, base.ty, *number)
            }
            ExprKind::Tile(..) => unreachable!("{}", Type::NO_TILES),
            ExprKind::Struct(fields) => {
                // In braces, an `int` is not converted to `index_t`.
                self.values(fields, true);
                let name = self.ty(expr.ty);
                self.call(start, &name, ("{", "}"))
            }
            ExprKind::Select { cond, then, other } => {
                // With a literal in it, C takes the value for an `int`.
                let is_open = [then, other].iter().any(|value| matches!(value.kind, ExprKind::Literal(_)));
                let ty = if is_open { expr.ty } else { Type::BOOL };
                self.in_type(ty, |w| w.select(cond, then, other))
            }
        }
    }

    fn select(&mut self, cond: &Expr, then: &Expr, other: &Expr) -> Code {
        let start = self.line.len();
        let code = self.expr(cond);
        // Compilers warn about a bit operation before `?`, as about one next to a comparison.
        let is_bits = matches!(code.level, Level::BitOr | Level::BitXor | Level::BitAnd);
        self.at(code, if is_bits { Level::Primary } else { Level::Or });
        self.push(" ? ");
        let then = self.expr(then);
        self.at(then, Level::Or);
        self.push(" : ");
        self.expr(other);
        Code { start, level: Level::Conditional }
    }

    pub(super) fn local(&mut self, local: LocalId) -> Code {
        let start = self.line.len();
        self.line.push_str(self.names.local(local));
        Code { start, level: Level::Primary }
    }

    fn param(&mut self, param: ParamId) -> Code {
        let start = self.line.len();
        self.line.push_str(self.names.param(param));
        Code { start, level: Level::Primary }
    }

    /// A test whether an optional array is present. An absent one is a null pointer.
    fn presence(&mut self, array: ParamId, comparison: &str) -> Code {
        let start = self.line.len();
        self.line.extend([self.names.param(array), comparison]);
        Code { start, level: Level::Equality }
    }

    fn extent(&mut self, array: ParamId, axis: u8) -> Code {
        let start = self.line.len();
        self.line.push_str(self.frame.extent(array, axis));
        Code { start, level: Level::Primary }
    }

    /// Appends expressions, separated by commas.
    fn list(&mut self, exprs: &[Expr]) {
        for (place, expr) in exprs.iter().enumerate() {
            if place > 0 {
                self.push(", ");
            }
            self.expr(expr);
        }
    }

    /// The arguments of a device function: as its parameters, an array is a pointer and extents.
    fn call_arguments(&mut self, callee: &Callee, args: &[Expr]) {
        let code = &callee.function.code;
        let mut values = args.iter();
        for (place, arg) in self.frame.abi_of(code).into_iter().enumerate() {
            self.push(if place > 0 { ", " } else { "" });
            match arg {
                AbiArg::Value(_) => values.next().into_iter().for_each(|value| {
                    self.expr(value);
                }),
                AbiArg::Pointer(id) => callee.array(id).into_iter().for_each(|array| {
                    self.param(array);
                }),
                AbiArg::Extent(id, axis) => callee.array(id).into_iter().for_each(|array| {
                    self.extent(array, axis);
                }),
                AbiArg::Dim(_) => {}
            }
        }
        let Some(watch) = self.frame.watch.clone().filter(|_| is_watched(code)) else { return };
        for array in &callee.arrays {
            let number = self.frame.number(*array);
            self.line.extend([", ", &number]);
        }
        self.line.extend([", ", &watch]);
    }

    /// An index along an axis. Checked text replaces it by an index within bounds.
    fn checked_index(&mut self, array: ParamId, axis: u8, index: &Expr) -> Code {
        let code = self.expr(index);
        let Some(watch) = &self.frame.watch else { return code };
        let (param, extent) = (self.frame.number(array), self.frame.extent(array, axis));
        let index = self.line.split_off(code.start);
        let text = format!("{watch}.at({param}, {axis}, {index}, {extent})");
        self.primary(&text)
    }

    /// An element of a local array.
    pub(super) fn local_element(&mut self, local: LocalId, index: &Expr) -> Code {
        if let Some(lane) = self.other_lane(local, index) {
            return self.value_of_lane(local, lane);
        }
        let base = self.local(local);
        if self.is_own(local) {
            return self.own_element(base, local, index);
        }
        self.subscript(base, |w| w.checked_local_index(local, index))
    }

    /// An index of a local array, which has no number. The verifier has checked literals.
    fn checked_local_index(&mut self, local: LocalId, index: &Expr) -> Code {
        let code = self.expr(index);
        let Some(watch) = self.frame.watch.as_ref().filter(|_| index.as_integer().is_none()) else { return code };
        let len = self.kernel.local(local).len.unwrap_or_default();
        let index = self.line.split_off(code.start);
        let text = format!("{watch}.at(~0u, 0, {index}, {len})");
        self.primary(&text)
    }

    /// An index that must be below a bound, which only checked text looks at.
    fn checked_below(&mut self, index: &Expr, bound: &Expr) -> Code {
        let code = self.expr(index);
        let Some(watch) = self.frame.watch.clone() else { return code };
        let index = self.line.split_off(code.start);
        self.push(&format!("{watch}.at(~0u - 1, 0, {index}, "));
        self.expr(bound);
        self.push(")");
        Code { start: code.start, level: Level::Primary }
    }

    /// An array element, such as `m[i * m_shape1 + j]`; the thread's partial sum, if the element is a grid reduction.
    pub(super) fn element(&mut self, array: ParamId, index: &[Expr]) -> Code {
        if let Some(sum) = self.sum(array, index).map(str::to_owned) {
            return self.primary(&sum);
        }
        let base = self.param(array);
        self.subscript(base, |w| w.row_major(array, index))
    }

    /// The row-major offset of an element. Terms of zero are left out.
    fn row_major(&mut self, array: ParamId, index: &[Expr]) -> Code {
        let mut at = self.primary("0");
        for (axis, index) in (0..).zip(index) {
            if &self.line[at.start..] == "0" {
                self.line.truncate(at.start);
                at = self.checked_index(array, axis, index);
                continue;
            }
            at = self.infix_behind(at, "*", |w| w.extent(array, axis));
            let end = self.line.len();
            let sum = self.infix_behind(at, "+", |w| w.checked_index(array, axis, index));
            match &self.line[end..] {
                " + 0" => self.line.truncate(end),
                _ => at = sum,
            }
        }
        at
    }

    /// A component or column: a field if its number is constant, else `operator[]`.
    pub(super) fn part(&mut self, base: Code, ty: Type, index: &Expr) -> Code {
        match constant_index(index).and_then(|k| types::fields(ty).get(k)) {
            Some(name) => self.field(base, name),
            None => {
                self.preludes.index(ty);
                self.subscript(base, |w| w.expr(index))
            }
        }
    }

    /// A field of a struct of type `ty`.
    pub(super) fn struct_field(&mut self, base: Code, ty: Type, number: u8) -> Code {
        let structs = Rc::clone(&self.structs);
        self.field(base, structs.field(ty, number))
    }

    fn op(&mut self, op: Op, args: &[Expr], ret: Type) -> Code {
        if let Some(computed) = in_f32(op, args, ret) {
            return self.expr(&computed);
        }
        let (row, t) = op.row_of(args, ret).expect("a checked kernel uses rows of the table");
        let types = args.iter().map(|arg| arg.ty);
        // There are overloads for `int` and for `index_t`, and a literal must select one.
        let overloads_index = t == Type::INDEX;
        let start = self.line.len();
        // Operands are written before the operation, so that the prelude defines their types first.
        match (row.c, args) {
            (Spelling::Infix(symbol), [left, right]) => {
                let widens = t == Type::U16 && symbol == "*";
                let code = self.in_type(ret, |w| w.infix(symbol, |w| w.factor(left, widens), |w| w.expr(right)));
                self.preludes.operator(symbol, types, ret);
                code
            }
            (Spelling::Prefix(symbol), [operand]) => {
                let code = self.in_type(ret, |w| w.prefix(symbol, |w| w.expr(operand)));
                self.preludes.operator(symbol, types, ret);
                code
            }
            (Spelling::First, _) => self.checked_below(&args[0], &args[1]),
            (Spelling::Construct, _) => {
                self.list(args);
                let name = self.preludes.ty(ret);
                self.call(start, name, ("{", "}"))
            }
            (Spelling::Call(name) | Spelling::Infix(name) | Spelling::Prefix(name), _) => {
                self.values(args, overloads_index);
                self.call(start, name, ("(", ")"))
            }
            (Spelling::Math(name), _) => {
                self.values(args, overloads_index);
                let function = self.preludes.math(name, t.scalar());
                self.call(start, &function.name, ("(", ")"))
            }
            (Spelling::Helper(name), _) => {
                self.values(args, overloads_index);
                let function = self.preludes.function(name, types, ret);
                self.call(start, &function.name, ("(", ")"))
            }
        }
    }

    /// A computed value of type `ty`. C computes with integers of 8 and 16 bits as `int`, so the result is cast back.
    fn in_type(&mut self, ty: Type, value: impl FnOnce(&mut Self) -> Code) -> Code {
        if ty.is_scalar() && ty.scalar().is_narrow() {
            self.cast_to(types::scalar_name(ty.scalar()), value)
        } else {
            value(self)
        }
    }

    /// The left factor of a product. The product of two `unsigned short` may overflow `int`, where both are computed.
    fn factor(&mut self, factor: &Expr, widens: bool) -> Code {
        if widens { self.cast_to(types::scalar_name(Scalar::U32), |w| w.expr(factor)) } else { self.expr(factor) }
    }

    /// The values of a list. What C takes for an `int` is cast where it is a narrow integer and, if `casts_indices`,
    /// where it is an index.
    fn values(&mut self, values: &[Expr], casts_indices: bool) {
        for (place, value) in values.iter().enumerate() {
            if place > 0 {
                self.push(", ");
            }
            let is_open = if value.ty == Type::INDEX {
                casts_indices && !is_typed(value)
            } else {
                value.ty.scalar().is_narrow() && matches!(value.kind, ExprKind::Literal(_))
            };
            if is_open {
                self.cast_to(types::scalar_name(value.ty.scalar()), |w| w.expr(value));
            } else {
                self.expr(value);
            }
        }
    }

    fn cast(&mut self, inner: &Expr, to: Type) -> Code {
        if inner.ty == to {
            self.expr(inner)
        } else if inner.ty.scalar().is_half() || to.scalar().is_half() {
            let code = self.expr(inner);
            let (name, of) = if to.scalar().is_half() { ("round", to) } else { ("widen", inner.ty) };
            let function = self.preludes.function(name, [of].into_iter(), to);
            self.call(code.start, &function.name, ("(", ")"))
        } else if inner.ty.is_float() && to.scalar().is_integer() {
            let code = self.expr(inner);
            let function = self.preludes.function("cast", [inner.ty].into_iter(), to);
            self.call(code.start, &function.name, ("(", ")"))
        } else {
            self.cast_to(types::scalar_name(to.scalar()), |w| w.expr(inner))
        }
    }

    /// A number of the index type as a value of the integer type `ty`.
    pub(super) fn index_as(&mut self, expr: &Expr, ty: Type) -> Code {
        let suffix = if ty == Type::U32 { "u" } else { "" };
        match expr.as_integer() {
            Some(value) => self.primary(&format!("{value}{suffix}")),
            None => self.cast(expr, ty),
        }
    }
}

//! Expressions, with no more parentheses than C, its compilers' warnings and its readers ask for.

use super::prelude::Preludes;
use super::types;
use super::writer::Writer;
use crate::ir::{Expr, ExprKind, Literal, LocalId, ParamId, Scalar, Type};
use crate::ops::{Op, Spelling, Syntax};
use std::fmt::{self, Write};

/// How tightly the outermost operator of a text binds.
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

/// The text of an expression.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) text: String,
    level: Level,
}

impl Code {
    /// A text that needs no parentheses anywhere.
    pub(super) fn primary(text: impl Into<String>) -> Code {
        Code { text: text.into(), level: Level::Primary }
    }

    /// A name. An expression grows in the memory of its first operand, so there is room behind it.
    pub(super) fn name(name: &str) -> Code {
        let mut text = String::with_capacity(name.len() + 56);
        text.push_str(name);
        Code::primary(text)
    }

    fn unary(text: String) -> Code {
        Code { text, level: Level::Unary }
    }

    /// The text, in parentheses unless it binds as tightly as `level`.
    fn at(self, level: Level) -> String {
        if self.level < level { self.in_parentheses() } else { self.text }
    }

    fn in_parentheses(mut self) -> String {
        self.text.insert(0, '(');
        self.text.push(')');
        self.text
    }

    /// `left symbol right`.
    pub(super) fn infix(symbol: &str, left: Code, right: Code) -> Code {
        let level = infix_level(symbol);
        let operand = |code: Code, is_right: bool| {
            if fits(&code, level, is_right) { code.text } else { code.in_parentheses() }
        };
        let mut text = operand(left, false);
        push(&mut text, &[" ", symbol, " ", &operand(right, true)]);
        Code { text, level }
    }

    /// `symbol operand`.
    fn prefix(symbol: &str, operand: Code) -> Code {
        let operand =
            if operand.text.starts_with(symbol) { operand.in_parentheses() } else { operand.at(Level::Unary) };
        Code::unary([symbol, &operand].concat())
    }

    /// `(ty)operand`.
    pub(super) fn cast(ty: &str, operand: Code) -> Code {
        Code::unary(["(", ty, ")", &operand.at(Level::Unary)].concat())
    }

    /// `cond ? then : other`.
    fn conditional(cond: Code, then: Code, other: Code) -> Code {
        // Compilers warn of a bit operation before the question mark, as of one beside a comparison.
        let is_bits = matches!(cond.level, Level::BitOr | Level::BitXor | Level::BitAnd);
        let cond = if is_bits { cond.in_parentheses() } else { cond.at(Level::Or) };
        let mut text = cond;
        push(&mut text, &[" ? ", &then.at(Level::Or), " : ", &other.text]);
        Code { text, level: Level::Conditional }
    }

    /// `base.field`.
    pub(super) fn field(self, name: &str) -> Code {
        let mut text = self.at(Level::Primary);
        push(&mut text, &[".", name]);
        Code::primary(text)
    }

    /// `base[index]`.
    pub(super) fn element(self, index: &Code) -> Code {
        let mut text = self.at(Level::Primary);
        push(&mut text, &["[", &index.text, "]"]);
        Code::primary(text)
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

/// Whether `operand` may stand beside an operator of `level` as it is.
fn fits(operand: &Code, level: Level, is_right: bool) -> bool {
    let same = operand.level == level && !is_right;
    match level {
        Level::Sum | Level::Product => operand.level > level || same,
        Level::Relation | Level::Equality => operand.level > Level::Shift,
        // `a && (b && c)` is `a && b && c`.
        Level::And | Level::Or => operand.level >= Level::Equality || operand.level == level,
        _ => operand.level >= Level::Unary || same,
    }
}

/// A constant.
pub(super) fn literal(value: Literal, preludes: &mut Preludes) -> Code {
    let text = match value {
        Literal::Bool(value) => value.to_string(),
        Literal::I32(i32::MIN) | Literal::I64(i64::MIN) => types::min_value(value.scalar()).to_owned(),
        Literal::I32(value) => value.to_string(),
        Literal::U32(value) => format!("{value}u"),
        Literal::I64(value) => format!("{value}LL"),
        Literal::U64(value) => format!("{value}ULL"),
        Literal::Index(value) => value.to_string(),
        Literal::F32(bits) if f32::from_bits(bits).is_finite() => digits(format_args!("{:?}f", f32::from_bits(bits))),
        Literal::F64(bits) if f64::from_bits(bits).is_finite() => digits(format_args!("{:?}", f64::from_bits(bits))),
        Literal::F32(bits) => not_finite(f32::from_bits(bits).into(), "", preludes),
        Literal::F64(bits) => not_finite(f64::from_bits(bits), "(double)", preludes),
    };
    if text.starts_with('-') || text.starts_with("(double)") { Code::unary(text) } else { Code::primary(text) }
}

fn digits(number: fmt::Arguments<'_>) -> String {
    // With room for what may stand behind it.
    let mut text = String::with_capacity(56);
    let _ = text.write_fmt(number);
    text
}

/// A float constant that has no digits. The constants for such are of type `float`.
fn not_finite(value: f64, cast: &str, preludes: &mut Preludes) -> String {
    preludes.function("constant", &[], Type::F32);
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let name = if value.is_nan() { "NAN" } else { "INFINITY" };
    format!("{sign}{cast}{name}")
}

/// Whether the text of an expression has type `index_t`, and not `int` as literals do.
fn is_typed(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => false,
        ExprKind::Op(op, args) => !matches!(op.def().rust, Syntax::Infix(_)) || args.iter().any(is_typed),
        ExprKind::Select { then, other, .. } => is_typed(then) || is_typed(other),
        _ => true,
    }
}

impl Writer<'_> {
    /// An expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> Code {
        match &expr.kind {
            ExprKind::Literal(value) => literal(*value, &mut self.preludes),
            ExprKind::Local(local) => Code::name(self.names.local(*local)),
            ExprKind::Slot { local, index } => self.slot(*local, index),
            ExprKind::Param(param) => Code::name(self.names.param(*param)),
            ExprKind::Tid(axis) => Code::name(self.frame.tid(*axis)),
            ExprKind::Extent { array, axis } => Code::name(self.frame.extent(*array, *axis)),
            ExprKind::Load { array, index } => self.element(*array, index),
            ExprKind::Op(op, args) => self.op(*op, args, expr.ty),
            ExprKind::Call(function, args) => {
                let args: Vec<Code> = args.iter().map(|arg| self.expr(arg)).collect();
                call(self.functions.of(function), ("(", ")"), &args)
            }
            ExprKind::Cast(inner) => self.cast(inner, expr.ty),
            ExprKind::Component(base, index) | ExprKind::Column(base, index) => {
                let code = self.expr(base);
                self.part(code, base.ty, index)
            }
            ExprKind::Select { cond, then, other } => {
                Code::conditional(self.expr(cond), self.expr(then), self.expr(other))
            }
        }
    }

    /// An index along an axis, which checked text replaces by one within bounds.
    fn checked_index(&self, array: ParamId, axis: u8, index: Code) -> Code {
        let Some(watch) = &self.frame.watch else { return index };
        let (param, extent) = (array.0, self.frame.extent(array, axis));
        Code::primary(format!("{}.at({param}, {axis}, {}, {extent})", watch.name, index.text))
    }

    /// An element of a local array.
    pub(super) fn slot(&mut self, local: LocalId, index: &Expr) -> Code {
        let index = self.expr(index);
        Code::name(self.names.local(local)).element(&index)
    }

    /// An element of an array: `m[i * m_shape1 + j]`; the thread's own sum where it has one.
    pub(super) fn element(&mut self, array: ParamId, index: &[Expr]) -> Code {
        if let Some(sum) = self.sum(array, index) {
            return Code::name(sum);
        }
        let mut at: Option<Code> = None;
        for (axis, index) in (0..).zip(index) {
            let index = self.expr(index);
            let index = self.checked_index(array, axis, index);
            at = Some(match at {
                None => index,
                Some(outer) if outer.text == "0" => index,
                Some(outer) => {
                    let extent = Code::name(self.frame.extent(array, axis));
                    let row = Code::infix("*", outer, extent);
                    if index.text == "0" { row } else { Code::infix("+", row, index) }
                }
            });
        }
        let at = at.unwrap_or_else(|| Code::primary("0"));
        Code::name(self.names.param(array)).element(&at)
    }

    /// A component or column: a field where its number is known, else `operator[]`.
    pub(super) fn part(&mut self, base: Code, ty: Type, index: &Expr) -> Code {
        match index.kind {
            ExprKind::Literal(Literal::Index(k)) if (k as usize) < types::fields(ty).len() => {
                base.field(types::fields(ty)[k as usize])
            }
            _ => {
                self.preludes.index(ty);
                let index = self.expr(index);
                base.element(&index)
            }
        }
    }

    fn op(&mut self, op: Op, args: &[Expr], ret: Type) -> Code {
        let (row, t) = op.row_of(args, ret).expect("a checked kernel uses rows of the table");
        let mut codes: Vec<Code> = args.iter().map(|arg| self.expr(arg)).collect();
        let function = match row.c {
            Spelling::Infix(symbol) | Spelling::Prefix(symbol) => {
                if !args.iter().all(|arg| arg.ty.is_scalar()) {
                    self.preludes.operator(symbol, &types_of(args), ret);
                }
                let right = codes.pop().expect("an operator has operands");
                return match codes.pop() {
                    Some(left) => Code::infix(symbol, left, right),
                    None => Code::prefix(symbol, right),
                };
            }
            Spelling::Construct => return call(self.preludes.ty(ret), ("{", "}"), &codes),
            Spelling::Call(name) => name.to_owned(),
            Spelling::Math(name) => self.preludes.math(name, t.scalar()),
            Spelling::Helper(name) => self.preludes.function(name, &types_of(args), ret),
        };
        if t == Type::INDEX {
            // `int` and `index_t` have a function each: a literal must say which it means.
            for (code, arg) in codes.iter_mut().zip(args).filter(|(_, arg)| arg.ty == t && !is_typed(arg)) {
                *code = Code::cast(types::scalar_name(arg.ty.scalar()), code.clone());
            }
        }
        call(&function, ("(", ")"), &codes)
    }

    fn cast(&mut self, inner: &Expr, to: Type) -> Code {
        let code = self.expr(inner);
        if inner.ty == to {
            code
        } else if inner.ty.is_float() && to.scalar().is_integer() {
            let name = self.preludes.function("cast", &[inner.ty], to);
            Code::primary(format!("{name}({})", code.text))
        } else {
            Code::cast(types::scalar_name(to.scalar()), code)
        }
    }

    /// A number of the index type as a value of the integer type `ty`.
    pub(super) fn index_as(&mut self, expr: &Expr, ty: Type) -> Code {
        match expr.kind {
            ExprKind::Literal(Literal::Index(value)) => match ty.scalar() {
                Scalar::U32 => Code::primary(format!("{value}u")),
                _ => Code::primary(value.to_string()),
            },
            _ => self.cast(expr, ty),
        }
    }
}

fn types_of(exprs: &[Expr]) -> Vec<Type> {
    exprs.iter().map(|expr| expr.ty).collect()
}

/// `function(a, b)`, or with other brackets.
fn call(function: &str, brackets: (&str, &str), args: &[Code]) -> Code {
    let length: usize = args.iter().map(|arg| arg.text.len() + 2).sum();
    let mut text = String::with_capacity(function.len() + length + 32);
    push(&mut text, &[function, brackets.0]);
    for (place, arg) in args.iter().enumerate() {
        push(&mut text, &[if place > 0 { ", " } else { "" }, &arg.text]);
    }
    text.push_str(brackets.1);
    Code::primary(text)
}

/// Lengthens `text`: an expression grows in the memory of its first operand.
fn push(text: &mut String, parts: &[&str]) {
    parts.iter().for_each(|part| text.push_str(part));
}

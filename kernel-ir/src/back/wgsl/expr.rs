//! Expressions.

use super::arguments::ArgumentSource;
use super::memory::{self, Memory, plus};
use super::prelude::is_operator;
use super::text::Text;
use super::types::{self, is_native, scalar_name};
use super::writer::Writer;
use crate::back::halves::in_f32;
use crate::back::parts::constant_index;
use crate::ir::{Expr, ExprKind, Literal, LocalId, ParamId, Place, PlaceRoot, Projection, Scalar, Type};
use crate::ops::build::Operand;
use crate::ops::{Op, Spelling};

/// A value in the memory of an array.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// The array of the kernel.
    pub(super) array: ParamId,
    /// The offset, in units of the array's memory.
    pub(super) at: Text,
    /// The index of the element, if the value is all of it.
    pub(super) element: Option<Text>,
    pub(super) ty: Type,
}

impl Writer<'_, '_> {
    /// The text of an expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> Text {
        match &expr.kind {
            ExprKind::Literal(value) => self.literal(*value),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::LocalElement { local, index } => self.local_element(*local, index),
            ExprKind::Param(param) => self.param(*param),
            ExprKind::Tid(axis) => Text::primary(self.tid(*axis)),
            ExprKind::Extent { array, axis } => {
                let array = self.array(*array);
                self.uniform(ArgumentSource::Extent(array, *axis))
            }
            ExprKind::Present(array) => self.presence(*array, "!="),
            ExprKind::Load { .. } => self.loaded(expr),
            ExprKind::Op(Op::Not, args) if let [Expr { kind: ExprKind::Present(array), .. }] = args.as_slice() => {
                self.presence(*array, "==")
            }
            ExprKind::Op(op, args) => self.op(*op, args, expr.ty),
            ExprKind::Call(callee, args) => {
                let name = self.instance(&callee.function, &callee.arrays);
                let takes_counts = self.is_checked() || self.shared.is_guarded(&callee.function);
                let counts = takes_counts.then(|| self.counts.clone());
                let args = self.list(args);
                Text::call(&name, counts.into_iter().chain(args))
            }
            ExprKind::Cast(inner) => {
                if let Some(literal) = converted(inner, expr.ty) {
                    return self.literal(literal);
                }
                let value = self.expr(inner);
                self.cast(value, inner.ty, expr.ty)
            }
            ExprKind::Component(base, index) | ExprKind::Column(base, index) => {
                if is_in_memory(base) {
                    return self.loaded(expr);
                }
                let text = self.expr(base);
                let at = self.expr(index);
                types::part(text, base.ty, index, at)
            }
            ExprKind::Field(base, number) => {
                if is_in_memory(base) {
                    return self.loaded(expr);
                }
                let text = self.expr(base);
                text.field(self.shared.structs.field(base.ty, *number))
            }
            ExprKind::Tile(..) => unreachable!("{}", Type::NO_TILES),
            ExprKind::Struct(fields) => {
                let name = self.shared.ty(expr.ty);
                let fields = self.list(fields);
                Text::call(&name, fields)
            }
            // Both sides are evaluated, which is harmless: no expression of WGSL fails, and functions with loops return at
            // once where their side is not chosen.
            ExprKind::Select { cond, then, other } => {
                let cond = self.expr(cond);
                let cond = self.condition(cond, [then, other]);
                let then = self.side(cond.clone(), then);
                let other = self.side(Text::prefix("!", cond.clone()), other);
                if is_native(expr.ty) {
                    self.shared.prelude.calls("select");
                    return Text::call("select", [other, then, cond]);
                }
                let choose = match expr.ty.as_struct() {
                    Some(_) => self.choose_struct(expr.ty),
                    None => self.shared.prelude.function("choose", &[expr.ty, expr.ty], expr.ty),
                };
                Text::call(&choose, [cond, then, other])
            }
        }
    }

    /// A test whether an optional array is present.
    pub(super) fn presence(&mut self, array: ParamId, comparison: &str) -> Text {
        let field = self.uniform(ArgumentSource::Present(self.array(array)));
        Text::infix(field, comparison, Text::primary("0u"))
    }

    /// The function that chooses between two structs.
    fn choose_struct(&mut self, ty: Type) -> String {
        let ty = self.shared.ty(ty);
        let name = format!("choose_{ty}");
        let body = "    if (condition) { return then; }\n    return other;\n";
        let text = format!("fn {name}(condition: bool, then: {ty}, other: {ty}) -> {ty} {{\n{body}}}\n");
        self.access(name, text)
    }

    /// Adds a function to those that stand behind the arrays.
    pub(super) fn access(&mut self, name: String, text: String) -> String {
        if !self.shared.accesses.iter().any(|(known, _)| *known == name) {
            self.shared.accesses.push((name.clone(), text));
        }
        name
    }

    fn literal(&mut self, value: Literal) -> Text {
        types::literal(value).unwrap_or_else(|| {
            let float = value.as_float().unwrap_or_default();
            let name = if float.is_nan() { "nan" } else { "infinity" };
            let ty = Type::of(value.scalar().computed_in());
            let call = Text::call(&self.shared.prelude.function(name, &[], ty), []);
            if float.is_sign_negative() && !float.is_nan() { Text::prefix("-", call) } else { call }
        })
    }

    /// An expression whose type is that of its text: the text of a literal `i32` has none.
    pub(super) fn typed(&mut self, expr: &Expr) -> Text {
        let text = self.expr(expr);
        let is_literal = matches!(expr.kind, ExprKind::Literal(_)) && scalar_name(expr.ty.scalar()) == "i32";
        // The smallest integer is a conversion.
        if is_literal && !text.text.ends_with(')') { Text { text: text.text + "i", ..text } } else { text }
    }

    /// The texts of several expressions.
    pub(super) fn list(&mut self, exprs: &[Expr]) -> Vec<Text> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    pub(super) fn local(&mut self, local: LocalId) -> Text {
        Text::primary(self.names.local(local))
    }

    /// An element of a local array.
    pub(super) fn local_element(&mut self, local: LocalId, index: &Expr) -> Text {
        let base = self.local(local);
        let text = self.expr(index);
        base.subscript(self.checked_local_index(local, index, text))
    }

    fn op(&mut self, op: Op, args: &[Expr], ret: Type) -> Text {
        if let Some(computed) = in_f32(op, args, ret) {
            return self.expr(&computed);
        }
        let (row, t) = op.row_of(args, ret).expect("a checked kernel uses rows of the table");
        // Operations on literals alone are computed by the compiler, in the type of the literals.
        let is_of_literals = args.iter().all(|arg| matches!(arg.kind, ExprKind::Literal(_)));
        let mut texts: Vec<Text> = match (op, args) {
            (Op::And | Op::Or, [left, right]) => {
                vec![self.expr(left), self.without_own_lines(|writer| writer.expr(right))]
            }
            _ => args.iter().map(|arg| if is_of_literals { self.typed(arg) } else { self.expr(arg) }).collect(),
        };
        if let (Spelling::Math(_) | Spelling::Helper(_), true, Some(first)) =
            (row.c, args.iter().all(is_constant), texts.first_mut())
            && args[0].ty == Type::F64
        {
            // A compiler of WGSL computes no function of constants of `f64`, and rejects it.
            let given = self.shared.prelude.function("given", &[args[0].ty], args[0].ty);
            *first = Text::call(&given, [first.clone()]);
        }
        if let (Op::Shl | Op::Shr, [_, distance]) = (op, args) {
            texts[1] = self.expr(&distance.cast(Type::U32));
        }
        if let (Op::Below, [index, bound]) = (op, texts.as_slice()) {
            return self.checked_below(index.clone(), bound.clone());
        }
        let types: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
        self.operation(row.c, op, texts, &types, t, ret)
    }

    /// An operation on texts.
    pub(super) fn operation(
        &mut self,
        spelling: Spelling,
        op: Op,
        mut texts: Vec<Text>,
        types: &[Type],
        t: Type,
        ret: Type,
    ) -> Text {
        let scalar = t.scalar();
        let is_narrow = t.is_scalar() && scalar.is_narrow();
        match (op, texts.as_mut_slice()) {
            (Op::Shl | Op::Shr, [value, distance]) => {
                let symbol = if op == Op::Shl { "<<" } else { ">>" };
                let shifted = Text::infix(value.clone(), symbol, distance.clone());
                return if is_narrow && op == Op::Shl { self.narrowed(shifted, scalar) } else { shifted };
            }
            (Op::WrappingAdd | Op::WrappingSub | Op::WrappingMul, [left, right]) => {
                let symbols = [(Op::WrappingAdd, "+"), (Op::WrappingSub, "-")];
                let symbol = symbols.iter().find(|(own, _)| *own == op).map_or("*", |(_, symbol)| symbol);
                let value = Text::infix(left.clone(), symbol, right.clone());
                return if is_narrow { self.narrowed(value, scalar) } else { value };
            }
            (Op::Not, [value]) if t != Type::BOOL => {
                let value = Text::prefix("~", value.clone());
                return if is_narrow { self.narrowed(value, scalar) } else { value };
            }
            (Op::Splat, [value]) if is_native(ret) => {
                let name = self.shared.ty(ret);
                return Text::call(&name, [value.clone()]);
            }
            // Compilers take the operator for an ordered comparison, which is false for NaN.
            (Op::Ne, [left, right]) if t.is_float() => {
                let equal = Text::infix(left.clone(), "==", right.clone());
                return Text::prefix("!", equal);
            }
            _ => {}
        }
        let mut texts = texts.into_iter();
        match spelling {
            Spelling::Infix(symbol) => {
                if is_operator(types) {
                    let (left, right) = (texts.next(), texts.next());
                    let (Some(left), Some(right)) = (left, right) else { return Text::primary("") };
                    return Text::infix(left, symbol, right);
                }
                let name = match symbol {
                    "+" => "add",
                    "-" => "sub",
                    "*" => "mul",
                    "/" => "div",
                    other => other,
                };
                let function = self.shared.prelude.function(name, types, ret);
                Text::call(&function, texts)
            }
            Spelling::Prefix(symbol) => {
                if is_operator(types) {
                    return texts.next().map_or_else(|| Text::primary(""), |operand| Text::prefix(symbol, operand));
                }
                let function = self.shared.prelude.function("neg", types, ret);
                Text::call(&function, texts)
            }
            Spelling::First => texts.next().unwrap_or_else(|| Text::primary("")),
            Spelling::Construct => {
                let name = self.shared.ty(ret);
                Text::call(&name, texts)
            }
            Spelling::Call(name) | Spelling::Math(name) | Spelling::Helper(name) => {
                let function = self.shared.prelude.function(name, types, ret);
                Text::call(&function, texts)
            }
        }
    }

    /// A value that may have more bits than its type of 8 or 16 bits, without these.
    fn narrowed(&mut self, value: Text, scalar: Scalar) -> Text {
        self.shared.prelude.calls("extractBits");
        let bits = scalar.bits().unwrap_or(32);
        Text::call("extractBits", [value, Text::primary("0u"), Text::primary(format!("{bits}u"))])
    }

    /// `value as to`.
    pub(super) fn cast(&mut self, value: Text, from: Type, to: Type) -> Text {
        let (source, target) = (from.scalar(), to.scalar());
        // The value of a float of 16 bits is one of `f32`.
        if source == target || (source.is_half() && target == Scalar::F32) {
            return value;
        }
        if target.is_half() {
            let function = self.shared.prelude.function("rounded", &[to], to);
            return Text::call(&function, [value]);
        }
        if from.is_float() && target.is_integer() {
            let function = self.shared.prelude.function("cast", &[from], to);
            return Text::call(&function, [value]);
        }
        let convert = |name: &str, value: Text| Text::call(name, [value]);
        let (from_name, to_name) = (scalar_name(source), scalar_name(target));
        // A literal fits into the other type as it is, or not.
        if from_name == to_name && !target.is_narrow() {
            return value;
        }
        let value = match (from_name, to_name) {
            (from, to) if from == to => value,
            // The sign is kept first.
            ("i32", "u64") => convert("u64", convert("i64", value)),
            ("u32", "i64") => convert("i64", convert("u64", value)),
            ("bool", "i64" | "u64" | "f64") => convert(to_name, convert("u32", value)),
            ("i64", "u32") => convert("u32", convert("u64", value)),
            ("u64", "i32") => convert("i32", convert("i64", value)),
            _ => convert(to_name, value),
        };
        let is_within = || {
            let (Some(source), Some(target)) = (source.limits(), target.limits()) else {
                return source == Scalar::Bool;
            };
            target.0 <= source.0 && source.1 <= target.1
        };
        if target.is_narrow() && !is_within() { self.narrowed(value, target) } else { value }
    }

    /// A value in memory.
    fn loaded(&mut self, expr: &Expr) -> Text {
        let access = self.accessed(expr);
        self.load(&access)
    }

    /// The memory of an expression that [is in memory](is_in_memory).
    fn accessed(&mut self, expr: &Expr) -> Access {
        match &expr.kind {
            ExprKind::Load { array, index } => self.element(*array, index),
            ExprKind::Component(base, index) | ExprKind::Column(base, index) => {
                let base = self.accessed(base);
                self.part_of(base, index)
            }
            ExprKind::Field(base, number) => {
                let base = self.accessed(base);
                self.field_of(base, *number)
            }
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::LocalElement { .. }
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
            | ExprKind::Op(..)
            | ExprKind::Call(..)
            | ExprKind::Cast(_)
            | ExprKind::Tile(..)
            | ExprKind::Struct(_)
            | ExprKind::Select { .. } => unreachable!("the expression is in memory"),
        }
    }

    /// The memory of a place; `None` for a place in a local.
    pub(super) fn place_in_memory(&mut self, place: &Place) -> Option<Access> {
        let PlaceRoot::Element { array, index } = &place.root else { return None };
        let element = self.element(*array, index);
        let mut access = self.noted(element);
        for step in &place.path {
            access = match step {
                Projection::Component(index) | Projection::Column(index) => self.part_of(access, index),
                Projection::Field(number) => self.field_of(access, *number),
            };
        }
        Some(access)
    }

    fn element(&mut self, array: ParamId, index: &[Expr]) -> Access {
        let element = self.row_major(array, index);
        let array = self.array(array);
        let (_, memory) = self.shared.array(array);
        Access { array, at: times(element.clone(), memory.size()), element: Some(element), ty: memory.elem }
    }

    fn part_of(&mut self, base: Access, index: &Expr) -> Access {
        let stride = self.shared.array(base.array).1.stride(base.ty);
        let at = match constant_index(index) {
            Some(number) => plus(base.at, stride * number),
            None => {
                let index = self.expr(index);
                Text::infix(base.at, "+", times(index, stride))
            }
        };
        Access { at, element: None, ty: base.ty.part(), ..base }
    }

    fn field_of(&mut self, base: Access, number: u8) -> Access {
        let offset = self.shared.array(base.array).1.field(base.ty, number);
        Access { at: plus(base.at, offset), element: None, ty: base.ty.field(number), ..base }
    }

    /// The row-major index of an element.
    fn row_major(&mut self, array: ParamId, index: &[Expr]) -> Text {
        let mut at = Text::primary("0u");
        for (axis, index) in (0..).zip(index) {
            let mut index = self.expr(index);
            if self.is_checked() {
                let array = self.array(array);
                let extent = self.uniform(ArgumentSource::Extent(array, axis));
                index = self.checked_index(array, axis, index, extent);
            }
            if at.text == "0u" {
                at = index;
                continue;
            }
            let extent = self.uniform(ArgumentSource::Extent(self.array(array), axis));
            at = Text::infix(at, "*", extent);
            if index.text != "0u" {
                at = Text::infix(at, "+", index);
            }
        }
        at
    }

    /// Loads a value: a scalar directly, another one by a function of the text.
    pub(super) fn load(&mut self, access: &Access) -> Text {
        let (name, memory) = self.shared.array(access.array);
        let name = name.to_owned();
        if memory.is_atomic {
            self.shared.prelude.calls("atomicLoad");
        }
        self.shared.prelude.calls("bitcast");
        self.shared.prelude.calls("extractBits");
        self.shared.conversions(memory);
        // A text that names the offset twice would grow with every index inside of an index.
        if access.ty.is_scalar() && memory.is_word(access.ty.scalar()) {
            return memory.load(&name, access.ty.scalar(), access.at.clone());
        }
        match &access.element {
            Some(element) => {
                let at = times(Text::primary("index"), memory.size());
                let function = self.loader(&name, memory, memory.elem, &at, "index", format!("load_{name}"));
                Text::call(&function, [element.clone()])
            }
            None => {
                let tag = access.ty.name();
                let at = Text::primary("at");
                let function = self.loader(&name, memory, access.ty, &at, "at", format!("load_{name}_{tag}"));
                Text::call(&function, [access.at.clone()])
            }
        }
    }

    fn loader(&mut self, name: &str, memory: Memory, ty: Type, at: &Text, param: &str, function: String) -> String {
        if self.shared.accesses.iter().any(|(known, _)| *known == function) {
            return function;
        }
        let shared = &mut *self.shared;
        let mut type_name = |ty| shared.ty(ty);
        let mut load = |scalar, at| memory.load(name, scalar, at);
        let first = Text::primary("first");
        let value = memory::put_together(memory, ty, &first, &mut type_name, &mut load).text;
        let ret = type_name(ty);
        let text =
            format!("fn {function}({param}: u32) -> {ret} {{\n    let first = {};\n    return {value};\n}}\n", at.text);
        self.access(function, text)
    }
}

/// A literal as one of another type, as Rust's `as` converts it: a compiler of WGSL does not convert all of them.
fn converted(inner: &Expr, to: Type) -> Option<Literal> {
    let ExprKind::Literal(literal) = inner.kind else { return None };
    let scalar = to.scalar();
    if let (true, Some(value)) = (scalar.is_float(), literal.as_float()) {
        return Literal::float(value, scalar);
    }
    let (value, bits) = (literal.as_integer()?, scalar.bits().unwrap_or(32));
    if scalar.is_float() {
        // Within the digits of `f64`, so that it is rounded once.
        return Literal::float(value as f64, scalar).filter(|_| value.abs() < 1 << 53);
    }
    if !scalar.is_integer() {
        return None;
    }
    let wrapped = value & ((1 << bits) - 1);
    let is_negative = scalar.is_signed_integer() && wrapped >> (bits - 1) != 0;
    Literal::int(if is_negative { wrapped - (1 << bits) } else { wrapped }, to)
}

/// Whether an expression consists of literals.
fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Op(_, args) => args.iter().all(is_constant),
        ExprKind::Cast(inner) => is_constant(inner),
        ExprKind::Local(_)
        | ExprKind::LocalElement { .. }
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Present(_)
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

/// The product of an offset and a constant.
fn times(text: Text, by: usize) -> Text {
    match (text.text.as_str(), by) {
        (_, 1) | ("0u", _) => text,
        _ => Text::infix(text, "*", Text::primary(format!("{by}u"))),
    }
}

/// Whether an expression reads an array, or a part of what it reads.
fn is_in_memory(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Load { .. } => true,
        ExprKind::Component(base, _) | ExprKind::Column(base, _) | ExprKind::Field(base, _) => is_in_memory(base),
        ExprKind::Literal(_)
        | ExprKind::Local(_)
        | ExprKind::LocalElement { .. }
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Present(_)
        | ExprKind::Op(..)
        | ExprKind::Call(..)
        | ExprKind::Cast(_)
        | ExprKind::Tile(..)
        | ExprKind::Struct(_)
        | ExprKind::Select { .. } => false,
    }
}

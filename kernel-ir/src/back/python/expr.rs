//! Expressions.

use super::types::{same_in_warp, short_name};
use super::writer::Writer;
use crate::back::halves::in_f32;
use crate::back::numbers::{push_f32, push_f64, push_integer, push_unsigned};
use crate::back::parts::component_name;
use crate::ir::{CallArg, Expr, ExprKind, Literal, LocalId, ParamId, Scalar, Type};
use crate::ops::build::Operand;
use crate::ops::{Op, Spelling};

/// The precedence of a Python expression; a larger number binds tighter.
pub(super) type Prec = u8;

/// `a if c else b`.
pub(super) const LOWEST: Prec = 0;
const OR: Prec = 1;
const AND: Prec = 2;
const NOT: Prec = 3;
const COMPARISON: Prec = 4;
const BIT_OR: Prec = 5;
const SHIFT: Prec = 8;
pub(super) const SUM: Prec = 9;
const UNARY: Prec = 11;
/// Names, calls and subscripts.
pub(super) const ATOM: Prec = 12;

impl Writer<'_> {
    /// The expression, in parentheses if its precedence is below `least`.
    pub(super) fn expr(&mut self, expr: &Expr, least: Prec) -> String {
        let mut text = String::with_capacity(64);
        self.write(expr, least, &mut text);
        text
    }

    /// Expressions, separated by commas.
    pub(super) fn list<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) -> String {
        let mut text = String::new();
        self.write_list(exprs, &mut text);
        text
    }

    /// An array element, `a[i, j]`.
    pub(super) fn element(&mut self, array: ParamId, index: &[Expr]) -> String {
        let mut text = String::new();
        self.write_element(array, index, &mut text);
        text
    }

    /// An element of a local array.
    pub(super) fn local_element(&mut self, local: LocalId, index: &Expr) -> String {
        let mut text = String::new();
        self.write_local_element(local, index, &mut text);
        text
    }

    /// `.x`, or `[k]` if the component is known only at run time.
    pub(super) fn component(&mut self, index: &Expr, base: Type) -> String {
        let mut text = String::new();
        self.write_component(index, base, &mut text);
        text
    }

    /// Appends the expression, in parentheses if its precedence is below `least`.
    pub(super) fn write(&mut self, expr: &Expr, least: Prec, out: &mut String) {
        let start = out.len();
        if self.bare(expr, out) < least {
            out.insert(start, '(');
            out.push(')');
        }
    }

    /// Appends an expression whose truth is tested. An optional array is true if it is present.
    pub(super) fn test(&mut self, expr: &Expr, least: Prec, out: &mut String) {
        if let ExprKind::Present(array) = expr.kind {
            out.push_str(self.names.param(array));
        } else {
            self.write(expr, least, out);
        }
    }

    fn write_list<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>, out: &mut String) {
        for (place, expr) in exprs.into_iter().enumerate() {
            out.push_str(if place > 0 { ", " } else { "" });
            self.write(expr, LOWEST, out);
        }
    }

    fn write_element(&mut self, array: ParamId, index: &[Expr], out: &mut String) {
        out.extend([self.names.param(array), "["]);
        self.write_list(index, out);
        out.push(']');
    }

    fn write_local_element(&mut self, local: LocalId, index: &Expr, out: &mut String) {
        out.extend([self.names.local(local), "["]);
        self.write(index, LOWEST, out);
        out.push(']');
    }

    fn write_component(&mut self, index: &Expr, base: Type, out: &mut String) {
        match component_name(index, base) {
            Some(name) => out.extend([".", name]),
            None => {
                out.push('[');
                self.write(index, LOWEST, out);
                out.push(']');
            }
        }
    }

    /// Appends the expression without parentheses; returns its precedence.
    fn bare(&mut self, expr: &Expr, out: &mut String) -> Prec {
        if let Some(prec) = self.tile(expr, out) {
            return prec;
        }
        match &expr.kind {
            ExprKind::Literal(value) => return literal(*value, out),
            ExprKind::Local(local) => out.push_str(self.names.local(*local)),
            ExprKind::LocalElement { local, index } => self.write_local_element(*local, index, out),
            ExprKind::Param(param) => out.push_str(self.names.param(*param)),
            ExprKind::Tid(axis) => out.push_str(&self.tid[usize::from(*axis)]),
            ExprKind::Extent { array, axis } => {
                out.extend([self.names.param(*array), ".shape["]);
                push_unsigned(out, (*axis).into());
                out.push(']');
            }
            // An array is true where it is tested, but it is no `bool`.
            ExprKind::Present(array) => {
                out.extend(["not (not ", self.names.param(*array), ")"]);
                return NOT;
            }
            ExprKind::Load { array, index } => self.write_element(*array, index, out),
            ExprKind::Op(op, args) => return self.op(*op, args, expr.ty, out),
            ExprKind::Call(callee, args) => {
                self.push_function(&callee.function, out);
                out.push('(');
                for (id, _, argument) in callee.arguments(args) {
                    out.push_str(if id.0 > 0 { ", " } else { "" });
                    match argument {
                        CallArg::Value(value) => self.write(value, LOWEST, out),
                        CallArg::Array(array) => out.push_str(self.names.param(array)),
                    };
                }
                out.push(')');
            }
            ExprKind::Cast(inner) => return self.cast(inner, expr.ty.scalar(), out),
            ExprKind::Component(base, index) => self.component_of(base, index, out),
            ExprKind::Column(matrix, index) => {
                self.write(matrix, ATOM, out);
                out.push_str("[:, ");
                self.write(index, LOWEST, out);
                out.push(']');
            }
            ExprKind::Field(base, number) => {
                self.write(base, ATOM, out);
                match base.ty.as_struct() {
                    Some(id) if id.is_tuple() => {
                        out.push('[');
                        push_unsigned(out, (*number).into());
                        out.push(']');
                    }
                    _ => out.extend([".", &self.field_name(base.ty, *number)]),
                }
            }
            ExprKind::Tile(..) => unreachable!("{}", Type::NO_TILES),
            ExprKind::Struct(fields) => {
                match expr.ty.as_struct() {
                    Some(id) if id.is_tuple() => {}
                    _ => out.push_str(&self.type_name(expr.ty)),
                }
                self.arguments(fields, out);
            }
            ExprKind::Select { cond, then, other } => {
                self.write(then, OR, out);
                out.push_str(" if ");
                self.test(cond, OR, out);
                out.push_str(" else ");
                self.write(other, LOWEST, out);
                return LOWEST;
            }
        }
        ATOM
    }

    fn component_of(&mut self, base: &Expr, index: &Expr, out: &mut String) {
        if let ExprKind::Column(matrix, column) = &base.kind {
            self.write(matrix, ATOM, out);
            out.push('[');
            self.write_list([index, &**column], out);
            out.push(']');
        } else {
            self.write(base, ATOM, out);
            self.write_component(index, base.ty, out);
        }
    }

    /// Appends the arguments of a call.
    fn arguments(&mut self, args: &[Expr], out: &mut String) {
        out.push('(');
        self.write_list(args, out);
        out.push(')');
    }

    fn op(&mut self, op: Op, args: &[Expr], ty: Type, out: &mut String) -> Prec {
        if let Some(computed) = in_f32(op, args, ty) {
            return self.bare(&computed, out);
        }
        let (row, _) = op.row_of(args, ty).expect("a checked kernel uses rows of the table");
        match (row.py, args) {
            (Spelling::Infix(symbol), [left, right]) => {
                let prec = infix_prec(symbol);
                let (least_left, least_right) = match prec {
                    OR | AND => (prec, prec),
                    // Python chains comparisons: `a < b == c` compares `b` twice. So a comparison is never an
                    // unparenthesised operand of another one.
                    COMPARISON => (SUM, SUM),
                    BIT_OR..=SHIFT if matches!(left.kind, ExprKind::Op(inner, _) if inner == op) => (prec, UNARY),
                    // Few readers know the relative precedence of bit operators, so mixed ones get parentheses.
                    BIT_OR..=SHIFT => (UNARY, UNARY),
                    _ => (prec, prec + 1),
                };
                if matches!(prec, OR | AND) {
                    self.test(left, least_left, out);
                    out.extend([" ", symbol, " "]);
                    self.test(right, least_right, out);
                    return prec;
                }
                self.write(left, least_left, out);
                out.extend([" ", symbol, " "]);
                self.write(right, least_right, out);
                return prec;
            }
            (Spelling::Prefix(symbol), [arg]) => {
                let prec = if symbol == "not " { NOT } else { UNARY };
                out.push_str(symbol);
                self.test(arg, prec, out);
                return prec;
            }
            (Spelling::First, _) => return self.bare(&args[0], out),
            (Spelling::Construct, _) => {
                out.push_str(&short_name(ty));
                self.arguments(args, out);
            }
            (Spelling::Helper(name), _) => self.helper(name, args, out),
            // Warp advances the variable that it is given. A draw that is no statement of its own takes a copy.
            (Spelling::Call(name), [state, rest @ ..]) if op.is_draw() => {
                let copies = !std::mem::take(&mut self.in_place);
                out.extend([name, if copies { "(wp.uint32(" } else { "(" }]);
                self.write(state, LOWEST, out);
                out.push_str(if copies { ")" } else { "" });
                for arg in rest {
                    out.push_str(", ");
                    self.write(arg, LOWEST, out);
                }
                out.push(')');
            }
            (Spelling::Call(name) | Spelling::Math(name) | Spelling::Infix(name) | Spelling::Prefix(name), _) => {
                out.push_str(name);
                self.arguments(args, out);
            }
        }
        ATOM
    }

    /// Appends a call of a function of the prelude.
    fn helper(&mut self, name: &str, args: &[Expr], out: &mut String) {
        if let Some(first) = args.first() {
            self.helpers.add(name, first.ty);
        }
        out.extend([name, "("]);
        for (place, arg) in args.iter().enumerate() {
            out.push_str(if place > 0 { ", " } else { "" });
            self.helper_argument(arg, out);
        }
        out.push(')');
    }

    /// Appends an argument of a helper. Warp resolves the argument `sum.x` of a generic function before it knows the
    /// variables of the kernel: it looks `sum` up in Python and in its own namespace. It does not do so for `sum[0]`.
    fn helper_argument(&mut self, arg: &Expr, out: &mut String) {
        if let ExprKind::Component(base, index) = &arg.kind
            && matches!(base.kind, ExprKind::Local(_) | ExprKind::Param(_))
        {
            self.write(base, ATOM, out);
            out.push('[');
            self.write(index, LOWEST, out);
            out.push(']');
        } else {
            self.write(arg, LOWEST, out);
        }
    }

    fn cast(&mut self, value: &Expr, to: Scalar, out: &mut String) -> Prec {
        let from = value.ty.scalar();
        let helper = match (from, to) {
            _ if same_in_warp(from, to) && (to != Scalar::Index || self.is_index(value)) => {
                return self.bare(value, out);
            }
            (Scalar::F32 | Scalar::F64, Scalar::I8) => "to_i8",
            (Scalar::F32 | Scalar::F64, Scalar::U8) => "to_u8",
            (Scalar::F32 | Scalar::F64, Scalar::I16) => "to_i16",
            (Scalar::F32 | Scalar::F64, Scalar::U16) => "to_u16",
            (Scalar::F32 | Scalar::F64, Scalar::I32) => "to_i32",
            (Scalar::F32 | Scalar::F64, Scalar::U32) => "to_u32",
            (Scalar::F32 | Scalar::F64, Scalar::I64) => "to_i64",
            (Scalar::F32 | Scalar::F64, Scalar::U64) => "to_u64",
            (Scalar::F32 | Scalar::F64, Scalar::Index) => "to_index",
            (Scalar::I8 | Scalar::I16, Scalar::Index) if !self.is_index(value) => {
                // The limits of an index are no numbers of these types.
                let wide = value.cast(Type::I32);
                return self.cast(&wide, to, out);
            }
            (_, Scalar::Index) if !self.is_index(value) => "as_index",
            _ => {
                let guard = self.declarations.guard(value, to);
                out.push_str(&short_name(to.into()));
                out.extend(guard.into_iter().flat_map(|guard| ["(", guard]));
                self.arguments(std::slice::from_ref(value), out);
                out.push_str(if guard.is_some() { ")" } else { "" });
                return ATOM;
            }
        };
        self.helper(helper, std::slice::from_ref(value), out);
        ATOM
    }

    /// Whether the value is provably within the range of Warp's indices.
    fn is_index(&self, value: &Expr) -> bool {
        match value.ty.scalar() {
            Scalar::Bool | Scalar::Index | Scalar::U8 | Scalar::U16 => true,
            Scalar::I8 | Scalar::I16 | Scalar::I32 => self.declarations.is_non_negative(value),
            Scalar::U32 | Scalar::I64 | Scalar::U64 => is_small(value),
            Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::F64 => is_small(value),
        }
    }
}

/// Whether a value is provably between 0 and 2³¹ − 1, by syntax.
fn is_small(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Literal(value) => value.as_integer().is_some_and(|n| (0..=i128::from(i32::MAX)).contains(&n)),
        ExprKind::Cast(inner) => matches!(inner.ty, Type::INDEX | Type::BOOL | Type::U8 | Type::U16),
        ExprKind::Op(Op::BitAnd | Op::Min, args) if !value.ty.scalar().is_signed_integer() => args.iter().any(is_small),
        ExprKind::Op(Op::Rem, args) if !value.ty.scalar().is_signed_integer() => args.iter().any(is_small),
        ExprKind::Op(Op::Shr | Op::Div, args) => is_small(&args[0]),
        ExprKind::Op(..)
        | ExprKind::Local(_)
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

fn infix_prec(symbol: &str) -> Prec {
    match symbol {
        "or" => OR,
        "and" => AND,
        "|" => BIT_OR,
        "^" => 6,
        "&" => 7,
        "<<" | ">>" => SHIFT,
        "+" | "-" => SUM,
        "*" | "/" | "//" | "%" => SUM + 1,
        _ => COMPARISON,
    }
}

/// Appends a literal to `out`; returns its precedence.
fn literal(value: Literal, out: &mut String) -> Prec {
    let start = out.len();
    // Numbers of other types are calls in Warp.
    let call = match value {
        Literal::I8(_) => "wp.int8(",
        Literal::U8(_) => "wp.uint8(",
        Literal::I16(_) => "wp.int16(",
        Literal::U16(_) => "wp.uint16(",
        Literal::U32(_) => "wp.uint32(",
        Literal::I64(_) => "wp.int64(",
        Literal::U64(_) => "wp.uint64(",
        Literal::F16(_) => "wp.float16(",
        Literal::BF16(_) => "wp.bfloat16(",
        Literal::F64(_) => "wp.float64(",
        Literal::Bool(_) | Literal::I32(_) | Literal::Index(_) | Literal::F32(_) => "",
    };
    out.push_str(call);
    match value {
        Literal::Bool(value) => out.push_str(if value { "True" } else { "False" }),
        Literal::I8(n) => push_integer(out, n.into()),
        Literal::I16(n) => push_integer(out, n.into()),
        Literal::I32(n) => push_integer(out, n.into()),
        // Warp's indices end here, and no array is longer.
        Literal::Index(n) => push_unsigned(out, n.min(i32::MAX as u32).into()),
        Literal::U8(n) => push_unsigned(out, n.into()),
        Literal::U16(n) => push_unsigned(out, n.into()),
        Literal::U32(n) => push_unsigned(out, n.into()),
        Literal::I64(n) => push_integer(out, n),
        Literal::U64(n) => push_unsigned(out, n),
        Literal::F16(bits) | Literal::BF16(bits) | Literal::F32(bits) => {
            let value = f32::from_bits(bits);
            float(value.into(), |out| push_f32(out, value), out);
        }
        Literal::F64(bits) => {
            let value = f64::from_bits(bits);
            float(value, |out| push_f64(out, value), out);
        }
    }
    out.push_str(if call.is_empty() { "" } else { ")" });
    if out[start..].starts_with('-') { UNARY } else { ATOM }
}

/// Appends a float: its digits if it is finite, else its name.
fn float(value: f64, digits: impl FnOnce(&mut String), out: &mut String) {
    match (value.is_nan(), value.is_finite(), value > 0.0) {
        (true, ..) => out.push_str("wp.nan"),
        // Warp would compute `-0.0` as `0 - 0.0`, which is 0.0.
        (_, true, _) if value == 0.0 && value.is_sign_negative() => out.push_str("wp.copysign(0.0, -1.0)"),
        (_, true, _) => digits(out),
        (_, _, true) => out.push_str("wp.inf"),
        _ => out.push_str("-wp.inf"),
    }
}

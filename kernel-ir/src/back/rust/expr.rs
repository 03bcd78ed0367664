//! Expressions, with the parentheses and suffixes that Rust or its readers need, and no others.

use super::code::{Code, Level};
use super::literal;
use super::names::spelled;
use super::optional::accesses;
use super::writer::{Enums, Writer};
use crate::back::parts::{column_name, component_name};
use crate::ir::{CallArg, Expr, ExprKind, ParamId, Type};
use crate::ops::{Op, Syntax};

/// Whether the context of an expression determines its type for rustc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// It does. Literals need no suffix.
    Typed,
    /// It does not. Something in the expression must determine the type.
    Open,
}

impl Writer<'_> {
    /// An expression in a context that determines its type.
    pub(super) fn typed(&mut self, expr: &Expr) -> Code {
        self.expr(expr, Context::Typed)
    }

    /// An expression in a context that does not determine its type.
    pub(super) fn open_expr(&mut self, expr: &Expr) -> Code {
        self.expr(expr, Context::Open)
    }

    fn expr(&mut self, expr: &Expr, context: Context) -> Code {
        if let Some(tile) = self.tile(expr) {
            return tile;
        }
        match &expr.kind {
            ExprKind::Literal(value) => Code::number(literal::text(*value, context == Context::Open)),
            ExprKind::Local(local) => Code::name(self.names.local(*local)),
            ExprKind::LocalElement { local, index } => {
                let index = self.typed(index);
                Code::name(self.names.local(*local)).element(&index.text)
            }
            ExprKind::Param(param) => Code::name(self.param(*param)),
            ExprKind::Tid(axis) => self.tid(*axis),
            ExprKind::Extent { array, axis } => self.extent(*array, *axis),
            ExprKind::Present(array) => self.presence(*array, true),
            ExprKind::Load { array, index } => {
                let index = index.iter().map(|index| self.typed(index)).collect();
                self.element(*array, index)
            }
            ExprKind::Op(op, args) => self.op(*op, args, expr.ty, context),
            ExprKind::Call(callee, args) => {
                let args = callee.arguments(args).map(|(.., argument)| match argument {
                    CallArg::Value(value) => self.typed(value).text,
                    CallArg::Array(array) => self.param(array).to_owned(),
                });
                let args = args.collect::<Vec<_>>().join(", ");
                Code::atom(format!("{}({args})", self.path("self", callee.function.name())))
            }
            ExprKind::Cast(inner) if expr.ty.scalar().is_half() => {
                Code::atom(format!("{}::from_f32({})", expr.ty.rust_name(), self.typed(inner).text))
            }
            ExprKind::Cast(inner) if inner.ty.scalar().is_half() => self.open_expr(inner).method("to_f32", ""),
            ExprKind::Cast(inner) => self.open_expr(inner).cast(&expr.ty.rust_name()),
            ExprKind::Component(base, index) => {
                let code = self.open_expr(base);
                self.component(code, base.ty, index)
            }
            ExprKind::Column(base, index) => {
                let code = self.open_expr(base);
                match column_name(index, base.ty) {
                    Some(name) => code.field(name),
                    None => code.method("col", &self.typed(index).text),
                }
            }
            ExprKind::Field(base, number) => {
                if let Some((value, of)) = self.enum_read(expr) {
                    return self.open_expr(value).cast(&of.repr().rust_name());
                }
                let name = field_name(base.ty, *number);
                self.open_expr(base).field(&name)
            }
            ExprKind::Tile(..) => unreachable!("{}", Type::NO_TILES),
            ExprKind::Struct(fields) => self.structure(expr.ty, fields),
            ExprKind::Select { cond, then, other } => {
                let test = self.test(cond, |array| accesses(then, array));
                let (of_then, of_other) = self.contexts(then, other, context);
                let then = self.where_unwrapped(test.unwrapped, |w| w.expr(then, of_then));
                Code::conditional(test.code, then, self.expr(other, of_other))
            }
        }
    }

    /// A struct literal or a tuple.
    fn structure(&mut self, ty: Type, values: &[Expr]) -> Code {
        let Some(id) = ty.as_struct().filter(|id| !id.is_tuple()) else {
            return Code::atom(format!("({})", self.list(values)));
        };
        if let (true, Enums::All, [number]) = (id.is_enum(), self.enums, values) {
            return self.enum_value(id, number);
        }
        let fields = id.fields.iter().zip(values).map(|(field, value)| {
            let (name, value) = (spelled(&field.name), self.typed(value).text);
            if name == value { name } else { format!("{name}: {value}") }
        });
        let fields: Vec<String> = fields.collect();
        Code::braced(format!("{} {{ {} }}", spelled(&id.name), fields.join(", ")))
    }

    fn tid(&self, axis: u8) -> Code {
        match self.tids.get(usize::from(axis)) {
            Some(name) => Code::atom(name),
            None => Code::atom(format!("{}()", self.supplied("tid"))),
        }
    }

    /// An array element.
    pub(super) fn element(&self, array: ParamId, index: Vec<Code>) -> Code {
        let array = Code::name(self.param(array));
        match index.as_slice() {
            [index] => array.element(&index.text),
            _ => {
                let list = index.iter().map(|index| index.text.as_str()).collect::<Vec<_>>().join(", ");
                array.element(&["[", &list, "]"].concat())
            }
        }
    }

    /// A component of a vector or quaternion of type `ty`.
    pub(super) fn component(&mut self, base: Code, ty: Type, index: &Expr) -> Code {
        match component_name(index, ty) {
            Some(name) => base.field(name),
            None => base.element(&self.typed(index).text),
        }
    }

    /// Two expressions of one type. At most one of them must determine it.
    fn pair(&mut self, a: &Expr, b: &Expr, context: Context) -> (Code, Code) {
        let (of_a, of_b) = self.contexts(a, b, context);
        (self.expr(a, of_a), self.expr(b, of_b))
    }

    /// The contexts of two expressions of the same type, of which one determines the type of the other.
    fn contexts(&self, a: &Expr, b: &Expr, context: Context) -> (Context, Context) {
        match context {
            Context::Typed => (context, context),
            Context::Open if !self.typing.fixes_type(a) && self.typing.fixes_type(b) => (Context::Typed, Context::Open),
            Context::Open => (Context::Open, Context::Typed),
        }
    }

    fn op(&mut self, op: Op, args: &[Expr], ty: Type, context: Context) -> Code {
        match (op.def().rust, args) {
            (Syntax::Infix(sign), [a, b]) => self.infix(sign, a, b, context),
            (Syntax::Prefix(_), [Expr { kind: ExprKind::Present(array), .. }]) => self.presence(*array, false),
            (Syntax::Prefix(sign), [a]) => {
                // `-1.0` is a literal, and so is `-(1.0)` for the front end. A negation of a literal is made explicit
                // by a cast.
                let is_open = matches!(a.kind, ExprKind::Literal(value) if literal::is_open(value));
                let operand = if is_open { self.typed(a).cast(&a.ty.rust_name()) } else { self.expr(a, context) };
                Code::prefix(sign, operand)
            }
            (Syntax::Method(name), [receiver, rest @ ..]) => {
                let receiver = self.open_expr(receiver);
                self.method(receiver, name, rest)
            }
            (Syntax::Function(name), args) => Code::atom([name, "(", &self.list(args), ")"].concat()),
            (Syntax::Draw(name), [state, rest @ ..]) => {
                // A draw that is no statement of its own does not advance the state.
                let in_place = std::mem::take(&mut self.in_place);
                let state = self.typed(state).text;
                let state = if in_place { state } else { ["{ ", &state, " }"].concat() };
                let rest: String = rest.iter().map(|arg| [", ", &self.typed(arg).text].concat()).collect();
                Code::atom([name, "(&mut ", &state, &rest, ")"].concat())
            }
            _ => {
                if let Some(name) = literal::constant(op, args, ty) {
                    return Code::atom(name);
                }
                let name = op.def().rust.word();
                Code::atom([&ty.rust_path(), "::", name, "(", &self.list(args), ")"].concat())
            }
        }
    }

    fn method(&mut self, receiver: Code, name: &str, args: &[Expr]) -> Code {
        let args = self.list(args);
        receiver.method(name, &args)
    }

    fn list(&mut self, args: &[Expr]) -> String {
        match args {
            [arg] => self.typed(arg).text,
            _ => args.iter().map(|arg| self.typed(arg).text).collect::<Vec<_>>().join(", "),
        }
    }

    fn infix(&mut self, sign: &str, a: &Expr, b: &Expr, context: Context) -> Code {
        if let Some(comparison) = self.enum_comparison(sign, a, b) {
            return comparison;
        }
        let (left, right) = match sign {
            "<<" | ">>" => (self.expr(a, context), self.distance(b)),
            "==" | "!=" | "<" | "<=" | ">" | ">=" => self.pair(a, b, Context::Open),
            _ if a.ty.is_scalar() && b.ty.is_scalar() => self.pair(a, b, context),
            _ => (self.factor(a), self.factor(b)),
        };
        Code::infix(sign, left, right)
    }

    /// An operand of an operation on vectors, matrices or quaternions, whose type admits one type of number.
    pub(super) fn factor(&mut self, operand: &Expr) -> Code {
        let is_literal = matches!(operand.kind, ExprKind::Literal(_));
        if is_literal { self.typed(operand) } else { self.open_expr(operand) }
    }

    /// The distance of a shift. Rust accepts any integer type there, and the front end inserts the cast again.
    pub(super) fn distance(&mut self, distance: &Expr) -> Code {
        if let ExprKind::Cast(inner) = &distance.kind
            && is_kept(inner, distance.ty)
        {
            return self.open_expr(inner);
        }
        self.factor(distance)
    }

    /// `op(old, value)`, the new value of a place.
    pub(super) fn applied(&mut self, op: Op, old: Code, value: &Expr) -> String {
        match op.def().rust {
            Syntax::Infix(sign) => {
                let value = self.factor(value);
                Code::infix(sign, old, value).text
            }
            syntax @ (Syntax::Prefix(_)
            | Syntax::Method(_)
            | Syntax::Assoc(_)
            | Syntax::Function(_)
            | Syntax::Draw(_)) => {
                let name = syntax.word();
                self.method(old, name, std::slice::from_ref(value)).text
            }
        }
    }

    /// A condition. A bare `if` expression is parenthesised.
    pub(super) fn condition(&mut self, cond: &Expr) -> String {
        self.open_expr(cond).at(Level::Or)
    }
}

/// The name of a field of the struct `ty`.
pub(super) fn field_name(ty: Type, number: u8) -> String {
    spelled(&ty.fields()[usize::from(number)].name)
}

/// Whether the cast to `to` changes a distance only if the distance is out of range for both types.
fn is_kept(inner: &Expr, to: Type) -> bool {
    let width = |ty: Type| ty.scalar().bits().unwrap_or(64);
    let is_literal = matches!(inner.kind, ExprKind::Literal(_));
    inner.ty.scalar().is_integer() && !is_literal && width(inner.ty) <= width(to)
}

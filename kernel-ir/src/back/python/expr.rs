//! Expressions.

use super::writer::{Writer, short_name};
use crate::ir::{Expr, ExprKind, Literal, LocalId, ParamId, Scalar, Type};
use crate::ops::{Op, Spelling};

/// How tightly Python binds an expression; a larger number binds tighter.
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
/// Names, calls, subscripts.
pub(super) const ATOM: Prec = 12;

impl Writer<'_> {
    /// The expression, in parentheses if it binds less tightly than `least`.
    pub(super) fn expr(&mut self, expr: &Expr, least: Prec) -> String {
        let (text, prec) = self.bare(expr);
        if prec < least { ["(", &text, ")"].concat() } else { text }
    }

    /// Expressions between commas.
    pub(super) fn list<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) -> String {
        exprs.into_iter().map(|expr| self.expr(expr, LOWEST)).collect::<Vec<_>>().join(", ")
    }

    /// `a[i, j]`.
    pub(super) fn element(&mut self, array: ParamId, index: &[Expr]) -> String {
        let index = self.list(index);
        [self.names.param(array), "[", &index, "]"].concat()
    }

    /// An element of a local array.
    pub(super) fn slot(&mut self, local: LocalId, index: &Expr) -> String {
        let index = self.expr(index, LOWEST);
        format!("{}[{index}]", self.names.local(local))
    }

    /// `.x`, or `[k]` where the component is known only at run time.
    pub(super) fn component(&mut self, index: &Expr) -> String {
        match index.kind {
            ExprKind::Literal(Literal::Index(n @ 0..4)) => format!(".{}", ["x", "y", "z", "w"][n as usize]),
            _ => format!("[{}]", self.expr(index, LOWEST)),
        }
    }

    fn bare(&mut self, expr: &Expr) -> (String, Prec) {
        match &expr.kind {
            ExprKind::Literal(value) => literal(*value),
            ExprKind::Local(local) => (self.names.local(*local).to_owned(), ATOM),
            ExprKind::Slot { local, index } => (self.slot(*local, index), ATOM),
            ExprKind::Param(param) => (self.names.param(*param).to_owned(), ATOM),
            ExprKind::Tid(axis) => (self.tid[usize::from(*axis)].clone(), ATOM),
            ExprKind::Extent { array, axis } => (format!("{}.shape[{axis}]", self.names.param(*array)), ATOM),
            ExprKind::Load { array, index } => (self.element(*array, index), ATOM),
            ExprKind::Op(op, args) => self.op(*op, args, expr.ty),
            ExprKind::Call(function, args) => {
                let args = self.list(args);
                (call(self.functions.of(function), &args), ATOM)
            }
            ExprKind::Cast(inner) => self.cast(inner, expr.ty.scalar()),
            ExprKind::Component(base, index) => (self.component_of(base, index), ATOM),
            ExprKind::Column(matrix, index) => {
                let index = self.expr(index, LOWEST);
                (format!("{}[:, {index}]", self.expr(matrix, ATOM)), ATOM)
            }
            ExprKind::Select { cond, then, other } => {
                let then = self.expr(then, OR);
                let cond = self.expr(cond, OR);
                (format!("{then} if {cond} else {}", self.expr(other, LOWEST)), LOWEST)
            }
        }
    }

    fn component_of(&mut self, base: &Expr, index: &Expr) -> String {
        if let ExprKind::Column(matrix, column) = &base.kind {
            let index = self.list([index, column]);
            return format!("{}[{index}]", self.expr(matrix, ATOM));
        }
        let component = self.component(index);
        format!("{}{component}", self.expr(base, ATOM))
    }

    fn op(&mut self, op: Op, args: &[Expr], ty: Type) -> (String, Prec) {
        let (row, _) = op.row_of(args, ty).expect("a checked kernel uses rows of the table");
        match (row.py, args) {
            (Spelling::Infix(symbol), [left, right]) => {
                let prec = infix_prec(symbol);
                let (least_left, least_right) = match prec {
                    OR | AND => (prec, prec),
                    // Python reads `a < b == c` as two comparisons of `b`, so a comparison is never an operand of another.
                    COMPARISON => (SUM, SUM),
                    BIT_OR..=SHIFT if matches!(left.kind, ExprKind::Op(inner, _) if inner == op) => (prec, UNARY),
                    // Few readers know how these bind.
                    BIT_OR..=SHIFT => (UNARY, UNARY),
                    _ => (prec, prec + 1),
                };
                let left = self.expr(left, least_left);
                let right = self.expr(right, least_right);
                ([&left, " ", symbol, " ", &right].concat(), prec)
            }
            (Spelling::Prefix(symbol), [arg]) => {
                let prec = if symbol == "not " { NOT } else { UNARY };
                ([symbol, &self.expr(arg, prec)].concat(), prec)
            }
            (Spelling::Construct, _) => (call(&short_name(ty), &self.list(args)), ATOM),
            (Spelling::Helper(name), _) => (self.helper(name, args), ATOM),
            (Spelling::Call(name) | Spelling::Math(name) | Spelling::Infix(name) | Spelling::Prefix(name), _) => {
                (call(name, &self.list(args)), ATOM)
            }
        }
    }

    /// A call of a function of the prelude.
    pub(super) fn helper(&mut self, name: &str, args: &[Expr]) -> String {
        if let Some(first) = args.first() {
            self.helpers.add(name, first.ty);
        }
        let args: Vec<String> = args.iter().map(|arg| self.helper_argument(arg)).collect();
        call(name, &args.join(", "))
    }

    /// An argument of a helper. Before Warp knows any variable it looks the argument `sum.x` of a generic function up in
    /// Python and in itself, and takes what is called `sum` there for it; not so `sum[0]`.
    fn helper_argument(&mut self, arg: &Expr) -> String {
        if let ExprKind::Component(base, index) = &arg.kind
            && matches!(base.kind, ExprKind::Local(_) | ExprKind::Param(_))
        {
            return format!("{}[{}]", self.expr(base, ATOM), self.expr(index, LOWEST));
        }
        self.expr(arg, LOWEST)
    }

    fn cast(&mut self, value: &Expr, to: Scalar) -> (String, Prec) {
        let from = value.ty.scalar();
        let helper = match (from, to) {
            _ if same_in_warp(from, to) && (to != Scalar::Index || self.is_index(value)) => return self.bare(value),
            (Scalar::F32 | Scalar::F64, Scalar::I32) => "to_i32",
            (Scalar::F32 | Scalar::F64, Scalar::U32) => "to_u32",
            (Scalar::F32 | Scalar::F64, Scalar::I64) => "to_i64",
            (Scalar::F32 | Scalar::F64, Scalar::U64) => "to_u64",
            (Scalar::F32 | Scalar::F64, Scalar::Index) => "to_index",
            (_, Scalar::Index) if !self.is_index(value) => "as_index",
            _ => return (call(&short_name(to.into()), &self.expr(value, LOWEST)), ATOM),
        };
        (self.helper(helper, std::slice::from_ref(value)), ATOM)
    }

    /// Whether the value evidently lies in the range of Warp's indices.
    fn is_index(&self, value: &Expr) -> bool {
        match value.ty.scalar() {
            Scalar::Bool | Scalar::Index => true,
            Scalar::I32 => self.declarations.is_non_negative(value),
            _ => is_small(value),
        }
    }
}

fn call(name: &str, args: &str) -> String {
    [name, "(", args, ")"].concat()
}

/// Whether a value is evidently from 0 to 2³¹ − 1.
fn is_small(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Literal(Literal::U32(n)) => i32::try_from(*n).is_ok(),
        ExprKind::Literal(Literal::U64(n)) => i32::try_from(*n).is_ok(),
        ExprKind::Literal(Literal::I64(n)) => (0..=i64::from(i32::MAX)).contains(n),
        ExprKind::Cast(inner) => inner.ty == Type::INDEX || inner.ty == Type::BOOL,
        ExprKind::Op(Op::BitAnd | Op::Min, args) if !value.ty.scalar().is_signed_integer() => args.iter().any(is_small),
        ExprKind::Op(Op::Rem, args) if !value.ty.scalar().is_signed_integer() => args.iter().any(is_small),
        ExprKind::Op(Op::Shr | Op::Div, args) => is_small(&args[0]),
        _ => false,
    }
}

/// Whether Warp has one type for both.
fn same_in_warp(a: Scalar, b: Scalar) -> bool {
    let is_int = |s| matches!(s, Scalar::I32 | Scalar::Index);
    a == b || (is_int(a) && is_int(b))
}

/// Whether Warp takes the expression for a constant.
pub(super) fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => matches!(expr.ty.scalar(), Scalar::Bool | Scalar::I32 | Scalar::Index | Scalar::F32),
        ExprKind::Op(Op::Neg, args) => is_constant(&args[0]),
        ExprKind::Cast(inner) => same_in_warp(inner.ty.scalar(), expr.ty.scalar()) && is_constant(inner),
        _ => false,
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

fn literal(value: Literal) -> (String, Prec) {
    let signed = |text: String| {
        let prec = if text.starts_with('-') { UNARY } else { ATOM };
        (text, prec)
    };
    match value {
        Literal::Bool(true) => ("True".to_owned(), ATOM),
        Literal::Bool(false) => ("False".to_owned(), ATOM),
        Literal::I32(n) => signed(n.to_string()),
        // Warp's indices end here; nothing is as long as the numbers above.
        Literal::Index(n) => (n.min(i32::MAX as u32).to_string(), ATOM),
        Literal::F32(bits) => signed(float(f64::from(f32::from_bits(bits)), format!("{:?}", f32::from_bits(bits)))),
        Literal::U32(n) => (format!("wp.uint32({n})"), ATOM),
        Literal::I64(n) => (format!("wp.int64({n})"), ATOM),
        Literal::U64(n) => (format!("wp.uint64({n})"), ATOM),
        Literal::F64(bits) => {
            let value = f64::from_bits(bits);
            (format!("wp.float64({})", float(value, format!("{value:?}"))), ATOM)
        }
    }
}

/// A float in Python: `digits`, unless it is not finite.
fn float(value: f64, digits: String) -> String {
    match (value.is_nan(), value.is_finite(), value > 0.0) {
        (true, ..) => "wp.nan".to_owned(),
        // Warp takes the sign for a subtraction from zero.
        (_, true, _) if value == 0.0 && value.is_sign_negative() => "wp.copysign(0.0, -1.0)".to_owned(),
        (_, true, _) => digits,
        (_, _, true) => "wp.inf".to_owned(),
        _ => "-wp.inf".to_owned(),
    }
}

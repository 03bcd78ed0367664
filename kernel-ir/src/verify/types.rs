//! The typing rules of expressions.

use super::tiles;
use crate::diag::Diagnostic;
use crate::ir::{
    CallArg, Callee, Expr, ExprKind, Kernel, Literal, Local, Message, Param, ParamId, Piece, Scalar, Shape, Span, Stmt,
    StmtKind, Type, pieces,
};
use crate::ops::Op;

/// Checks the types that `stmt` itself requires of its expressions.
pub(super) fn check(stmt: &Stmt, ret: Option<Type>, mistakes: &mut Vec<Diagnostic>) {
    match &stmt.kind {
        StmtKind::If { cond, .. } | StmtKind::While { cond, .. } => check_cond(cond, mistakes),
        StmtKind::Print(message) => check_message(message, stmt.span, mistakes),
        StmtKind::Return(result) => check_result(result.as_ref(), ret, stmt.span, mistakes),
        StmtKind::Let { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Update { .. }
        | StmtKind::Atomic { .. }
        | StmtKind::For { .. }
        | StmtKind::Break
        | StmtKind::Continue => {}
    }
}

fn check_result(result: Option<&Expr>, ret: Option<Type>, span: Span, mistakes: &mut Vec<Diagnostic>) {
    let name = |ty: Option<Type>| ty.map_or_else(|| "no value".to_owned(), Type::rust_name);
    let found = result.map(|result| result.ty);
    if found != ret {
        let message = format!("a `return` of {} where {} is expected", name(found), name(ret));
        mistakes.push(Diagnostic::new(span, message));
    }
}

fn check_message(message: &Message, span: Span, mistakes: &mut Vec<Diagnostic>) {
    let places =
        pieces(&message.text).map(|pieces| pieces.iter().filter(|piece| matches!(piece, Piece::Value { .. })).count());
    if places != Ok(message.args.len()) {
        mistakes.push(Diagnostic::new(span, "a message whose text does not fit its values"));
    }
    for arg in message.args.iter().filter(|arg| !arg.ty.is_scalar()) {
        mistakes.push(Diagnostic::new(arg.span, format!("a message cannot print {}", arg.ty.rust_name())));
    }
}

fn check_cond(cond: &Expr, mistakes: &mut Vec<Diagnostic>) {
    if cond.ty.is_tile() {
        let message = "a condition over the elements of a tile chooses between values, and not between statements";
        mistakes.push(Diagnostic::new(cond.span, message).help("make both sides of the `if` one expression"));
    } else if cond.ty != Type::BOOL {
        mistakes.push(Diagnostic::new(cond.span, format!("expected a condition, found {}", cond.ty.rust_name())));
    }
}

/// Checks `expr` itself. The walk visits its operands separately.
pub(super) fn check_expr(kernel: &Kernel, expr: &Expr, mistakes: &mut Vec<Diagnostic>) {
    tiles::check_size(expr.ty, expr.span, mistakes);
    let found = match &expr.kind {
        ExprKind::Literal(value) => value.ty(),
        ExprKind::Local(local) => kernel.local(*local).ty,
        ExprKind::LocalElement { local, index } => {
            check_local_index(kernel.local(*local), index, mistakes);
            kernel.local(*local).ty
        }
        ExprKind::Param(param) => kernel.param(*param).elem(),
        ExprKind::Tid(_) | ExprKind::Extent { .. } => Type::INDEX,
        ExprKind::Present(_) => Type::BOOL,
        ExprKind::Load { array, index } => {
            check_index(kernel, *array, index, expr.span, mistakes);
            tiles::check_part(kernel.param(*array), expr.ty, expr.span, mistakes);
            kernel.param(*array).elem().over([expr.ty])
        }
        ExprKind::Op(op, args) => return check_operation(*op, args, expr, mistakes),
        ExprKind::Call(callee, args) => {
            check_call(kernel, callee, args, expr.span, mistakes);
            callee.function.ret
        }
        ExprKind::Cast(inner) => return check_cast(inner.ty, expr, mistakes),
        ExprKind::Component(base, index) => match component(base.ty, index, mistakes) {
            Some(ty) => ty,
            None => return,
        },
        ExprKind::Column(base, index) => match column(base.ty, index, mistakes) {
            Some(ty) => ty,
            None => return,
        },
        ExprKind::Field(base, number) => match field(base.ty, *number, expr.span, mistakes) {
            Some(ty) => ty,
            None => return,
        },
        ExprKind::Struct(values) => return check_struct(values, expr, mistakes),
        ExprKind::Tile(op, args) => return tiles::check(*op, args, expr, mistakes),
        ExprKind::Select { .. } if expr.children().any(|part| part.ty.is_tile()) => {
            return tiles::check_select(expr, mistakes);
        }
        ExprKind::Select { cond, then, other } => {
            check_cond(cond, mistakes);
            if then.ty != other.ty {
                let message =
                    format!("the two sides of the `if` differ: {} and {}", then.ty.rust_name(), other.ty.rust_name());
                mistakes.push(Diagnostic::new(expr.span, message));
            }
            then.ty
        }
    };
    if found != expr.ty {
        mistakes.push(mismatch(expr.span, expr.ty, found));
    }
}

/// A separate cold function, as the next one, because the checks run often and fail rarely.
#[cold]
pub(super) fn mismatch(span: Span, expected: Type, found: Type) -> Diagnostic {
    Diagnostic::new(span, format!("expected {}, found {}", expected.rust_name(), found.rust_name()))
}

#[cold]
fn no_row(op: Op, args: &[Expr], expr: &Expr) -> Diagnostic {
    let names: Vec<String> = args.iter().map(|arg| arg.ty.rust_name()).collect();
    let message = format!("`{}` does not take {} to {}", author_name(op), names.join(" and "), expr.ty.rust_name());
    Diagnostic::new(expr.span, message)
}

fn check_call(kernel: &Kernel, callee: &Callee, args: &[Expr], span: Span, mistakes: &mut Vec<Diagnostic>) {
    let (name, params) = (callee.function.name(), &callee.function.code.params);
    let arrays = params.iter().filter(|param| param.rank() > 0).count();
    let mut count = |what: &str, wanted: usize, found: usize| {
        if wanted != found {
            mistakes.push(Diagnostic::new(span, format!("`{name}` takes {wanted} {what}, not {found}")));
        }
    };
    count("arguments", params.len() - arrays, args.len());
    count("arrays", arrays, callee.arrays.len());
    for (_, param, argument) in callee.arguments(args) {
        match argument {
            CallArg::Value(value) if value.ty != param.elem() => {
                mistakes.push(mismatch(value.span, param.elem(), value.ty));
            }
            CallArg::Value(_) => {}
            CallArg::Array(array) => check_array(param, kernel.param(array), span, mistakes),
        }
    }
}

/// Checks that a function may take the array `given` as `param`.
fn check_array(param: &Param, given: &Param, span: Span, mistakes: &mut Vec<Diagnostic>) {
    if (given.elem(), given.rank()) != (param.elem(), param.rank()) {
        let (wanted, found) = (param.rust_type(), given.rust_type());
        mistakes.push(Diagnostic::new(span, format!("expected {wanted}, found `{}`, which is {found}", given.name)));
    }
    // Analyses of the arrays that a kernel writes do not look into functions.
    if given.is_mutable() {
        mistakes.push(Diagnostic::new(span, format!("`{}` is mutable, and a function only reads", given.name)));
    }
}

/// Checks the number and types of the indices into `array`.
pub(super) fn check_index(kernel: &Kernel, array: ParamId, index: &[Expr], span: Span, mistakes: &mut Vec<Diagnostic>) {
    let param = kernel.param(array);
    if index.len() != param.rank() {
        let message = format!("`{}` has {} axes, but {} indices", param.name, param.rank(), index.len());
        mistakes.push(Diagnostic::new(span, message));
    }
    for index in index {
        check_usize(index, mistakes);
    }
}

/// Checks the index of an element of a local array.
pub(super) fn check_local_index(array: &Local, index: &Expr, mistakes: &mut Vec<Diagnostic>) {
    check_usize(index, mistakes);
    let len = array.len.unwrap_or_default();
    if let Some(number) = index.as_integer().filter(|number| *number >= len.into()) {
        let message = format!("`{}` has {len} elements; there is no element {number}", array.name);
        mistakes.push(
            Diagnostic::new(index.span, message).help(format!("its elements are 0 to {}", len.saturating_sub(1))),
        );
    }
}

pub(super) fn check_usize(index: &Expr, mistakes: &mut Vec<Diagnostic>) {
    if index.ty != Type::INDEX {
        mistakes.push(mismatch(index.span, Type::INDEX, index.ty));
    }
}

fn check_operation(op: Op, args: &[Expr], expr: &Expr, mistakes: &mut Vec<Diagnostic>) {
    if op.row_of(args, expr.ty).is_none() || !tiles::fit(args.iter().map(|arg| arg.ty), expr.ty) {
        mistakes.push(no_row(op, args, expr));
    } else if let (Op::Row, [Expr { ty: Type { shape: Shape::Matrix(rows, _), .. }, .. }, number]) = (op, args) {
        check_number(number, *rows, "row", true, mistakes);
    }
}

/// The operator or method that the author writes for `op`.
pub(super) fn author_name(op: Op) -> &'static str {
    op.def().rust.word()
}

fn check_cast(from: Type, expr: &Expr, mistakes: &mut Vec<Diagnostic>) {
    let allowed = match (from.element(), expr.ty.element()) {
        _ if from.as_tile() != expr.ty.as_tile() => false,
        (Type::BOOL, Type { scalar: to, shape: Shape::Scalar }) => !to.is_float(),
        // Floats of 16 bits are converted from and to `f32` only: so every rounding to 16 bits is one step.
        (Type { scalar: from, shape: Shape::Scalar }, Type { scalar: to, shape: Shape::Scalar })
            if from.is_half() || to.is_half() =>
        {
            from == Scalar::F32 || to == Scalar::F32
        }
        (Type { shape: Shape::Scalar, .. }, Type { scalar: to, shape: Shape::Scalar }) => to != Scalar::Bool,
        _ => false,
    };
    if !allowed {
        let message = format!("there is no cast from {} to {}", from.rust_name(), expr.ty.rust_name());
        mistakes.push(Diagnostic::new(expr.span, message));
    }
}

/// The type of a component of a value of type `base`; `None`, with a diagnostic, if it has none.
pub(super) fn component(base: Type, index: &Expr, mistakes: &mut Vec<Diagnostic>) -> Option<Type> {
    match base {
        Type { scalar, shape: Shape::Vector(n) } => {
            check_number(index, n, "component", false, mistakes);
            Some(Type::of(scalar))
        }
        Type { scalar, shape: Shape::Quat } => {
            check_number(index, 4, "component", true, mistakes);
            Some(Type::of(scalar))
        }
        Type { shape: Shape::Scalar | Shape::Matrix(..) | Shape::Struct(_) | Shape::Tile(..), .. } => {
            let message = format!("{} has no components", base.rust_name());
            mistakes.push(Diagnostic::new(index.span, message));
            None
        }
    }
}

/// The type of a column of a value of type `base`; `None`, with a diagnostic, if it has none.
pub(super) fn column(base: Type, index: &Expr, mistakes: &mut Vec<Diagnostic>) -> Option<Type> {
    let Type { shape: Shape::Matrix(_, columns), .. } = base else {
        let message = format!("{} has no columns", base.rust_name());
        mistakes.push(Diagnostic::new(index.span, message));
        return None;
    };
    check_number(index, columns, "column", false, mistakes);
    Some(base.part())
}

/// The type of the field with this number of a value of type `base`; `None`, with a diagnostic, if it has none.
pub(super) fn field(base: Type, number: u8, span: Span, mistakes: &mut Vec<Diagnostic>) -> Option<Type> {
    let field = base.fields().get(usize::from(number));
    if field.is_none() {
        mistakes.push(Diagnostic::new(span, format!("{} has no field number {number}", base.rust_name())));
    }
    field.map(|field| field.ty)
}

fn check_struct(values: &[Expr], expr: &Expr, mistakes: &mut Vec<Diagnostic>) {
    let fields = expr.ty.fields();
    if !expr.ty.is_struct() || fields.len() != values.len() {
        let message = format!("{} is not a struct of {} fields", expr.ty.rust_name(), values.len());
        mistakes.push(Diagnostic::new(expr.span, message));
    }
    for (value, field) in values.iter().zip(fields).filter(|(value, field)| value.ty != field.ty) {
        mistakes.push(mismatch(value.span, field.ty, value.ty));
    }
}

/// Checks the number of one of `count` components, columns or rows.
fn check_number(number: &Expr, count: u8, part: &str, must_be_literal: bool, mistakes: &mut Vec<Diagnostic>) {
    check_usize(number, mistakes);
    let message = if let ExprKind::Literal(literal) = number.kind {
        let Literal::Index(value) = literal else { return };
        if value < u32::from(count) {
            return;
        }
        format!("there is no {part} {value}; there are {count}")
    } else if must_be_literal {
        format!("the number of the {part} must be a literal")
    } else {
        return;
    };
    let help = format!("write a number from 0 to {}", count - 1);
    mistakes.push(Diagnostic::new(number.span, message).help(help));
}

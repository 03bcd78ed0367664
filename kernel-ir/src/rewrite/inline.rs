//! Inlines device functions, so that their code is differentiated.
//!
//! Two kinds of calls stay: calls of a function whose author gives the derivative, and calls through which no
//! derivative goes, unless structs are passed or returned. A function that is one expression is always inlined, because
//! its value may be an index, and the index analyses do not look into calls.

use super::build::{self, assign, branch, declare, expr, local_place, not, stmt};
use super::eliminate_returns::{eliminate_returns, is_return};
use super::split_structs;
use super::views::{Arguments, View};
use crate::ir::{Block, Callee, Expr, ExprKind, Function, Kernel, Local, LocalId, ParamId, Stmt, StmtKind, Type};
use crate::ops::Op;
use std::collections::{HashMap, HashSet};

/// Inlines the calls in `kernel`.
pub(crate) fn inline_calls(kernel: &mut Kernel) {
    inline_selected(kernel, Selection::ForDerivatives);
}

fn inline_selected(kernel: &mut Kernel, selection: Selection) {
    let body = std::mem::take(&mut kernel.body);
    kernel.body = Inliner { locals: &mut kernel.locals, selection }.block(body);
}

/// The calls that are inlined.
enum Selection {
    /// Those that a derivative goes through.
    ForDerivatives,
    /// Those that take one of these arrays.
    Taking(HashSet<ParamId>),
}

impl Selection {
    fn has(&self, callee: &Callee) -> bool {
        match self {
            Selection::ForDerivatives => is_differentiated(&callee.function),
            Selection::Taking(arrays) => callee.arrays.iter().any(|array| arrays.contains(array)),
        }
    }

    /// The selection in the code of the function that is called.
    fn inside(&self, callee: &Callee) -> Selection {
        match self {
            Selection::ForDerivatives => Selection::ForDerivatives,
            Selection::Taking(arrays) => {
                let params = callee.function.code.param_ids().filter(|(_, param)| param.is_array());
                let taken = params.zip(&callee.arrays).filter(|(_, array)| arrays.contains(array));
                Selection::Taking(taken.map(|((id, _), _)| id).collect())
            }
        }
    }

    fn is_in(&self, expr: &Expr) -> bool {
        expr.any(&mut |expr| matches!(&expr.kind, ExprKind::Call(callee, _) if self.has(callee)))
    }
}

/// Whether calls of the function are inlined for derivatives.
fn is_differentiated(function: &Function) -> bool {
    let types = || function.code.params.iter().map(|param| param.elem());
    let is_smooth = function.ret.is_float() && types().any(Type::is_float);
    // The passes behind this one know no structs.
    let has_structs = function.ret.is_struct() || types().any(Type::is_struct);
    let is_expression = matches!(function.code.body.as_slice(), [Stmt { kind: StmtKind::Return(_), .. }]);
    function.gradient.is_none() && (is_smooth || is_expression || has_structs)
}

struct Inliner<'a> {
    /// The locals of the kernel that receives the code.
    locals: &'a mut Vec<Local>,
    selection: Selection,
}

impl Inliner<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut out = Block::new();
        for stmt in block {
            self.stmt(stmt, &mut out);
        }
        out
    }

    fn stmt(&mut self, mut stmt: Stmt, out: &mut Block) {
        if let StmtKind::While { cond, body } = &mut stmt.kind
            && self.selection.is_in(cond)
        {
            // The calls in the condition become statements, which must run before every trip. So the condition moves
            // into the body, as `if !cond { break }`.
            let mut cond = std::mem::replace(cond, build::bool(true));
            let mut trip = Block::new();
            self.expr(&mut cond, &mut trip);
            trip.extend(branch(not(cond), vec![build::stmt(StmtKind::Break)], Vec::new()));
            trip.append(body);
            *body = trip;
        }
        for value in stmt.exprs_mut() {
            self.expr(value, out);
        }
        for block in stmt.blocks_mut() {
            *block = self.block(std::mem::take(block));
        }
        out.push(stmt);
    }

    /// Inlines the calls in `value`. The code that must run before it goes to `out`.
    fn expr(&mut self, value: &mut Expr, out: &mut Block) {
        if !self.selection.is_in(value) {
            return;
        }
        let (ty, span) = (value.ty, value.span);
        match &mut value.kind {
            // A `Select` evaluates one side only. Code of a side must therefore run in a branch.
            ExprKind::Select { cond, then, other } if self.selection.is_in(then) || self.selection.is_in(other) => {
                self.expr(cond, out);
                let chosen = Local::fresh(self.locals, "chosen", ty);
                out.push(stmt(StmtKind::Let { local: chosen, init: None }));
                let then = self.side(chosen, then);
                let other = self.side(chosen, other);
                out.push(Stmt { kind: StmtKind::If { cond: (**cond).clone(), then, other }, span });
                value.kind = ExprKind::Local(chosen);
            }
            // `&&` and `||` evaluate their second operand conditionally, for the same reason.
            ExprKind::Op(op, args) if op.is_lazy() && self.selection.is_in(&args[1]) => {
                self.expr(&mut args[0], out);
                let holds = Local::fresh(self.locals, "holds", Type::BOOL);
                out.push(declare(holds, args[0].clone()));
                let known = expr(ExprKind::Local(holds), Type::BOOL);
                let cond = if *op == Op::And { known } else { not(known) };
                let second = self.side(holds, &mut args[1]);
                out.extend(branch(cond, second, Vec::new()));
                value.kind = ExprKind::Local(holds);
            }
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::LocalElement { .. }
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
            | ExprKind::Load { .. }
            | ExprKind::Op(..)
            | ExprKind::Call(..)
            | ExprKind::Cast(_)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Field(..)
            | ExprKind::Tile(..)
            | ExprKind::Struct(_)
            | ExprKind::Select { .. } => {
                for child in value.children_mut() {
                    self.expr(child, out);
                }
                if let ExprKind::Call(callee, args) = &mut value.kind
                    && self.selection.has(callee)
                {
                    let (callee, args) = (callee.clone(), std::mem::take(args));
                    *value = Expr { span, ..self.call(&callee, ty, args, out) };
                }
            }
        }
    }

    /// The block that computes `value` and assigns it to `target`.
    fn side(&mut self, target: LocalId, value: &mut Expr) -> Block {
        let mut block = Block::new();
        self.expr(value, &mut block);
        block.push(assign(local_place(target, value.ty), value.clone()));
        block
    }

    /// Inlines one call: the code of the function goes to `out`, and the result is returned.
    fn call(&mut self, callee: &Callee, ret: Type, args: Vec<Expr>, out: &mut Block) -> Expr {
        let mut code = callee.function.code.clone();
        inline_selected(&mut code, self.selection.inside(callee));
        let arrays: Vec<View> = callee.arrays.iter().copied().map(View::whole).collect();
        let result = insert(code, Some(ret), &arrays, args, self.locals, out);
        // A function without a result is no callee.
        result.unwrap_or_else(|| build::zero(ret))
    }
}

/// Inserts the code of a function, with its result if `ret` is its type: the statements go to `out`, and the result is
/// returned. `arrays` are arrays of the caller, or parts of such, for the array parameters, `args` the values of the
/// others, and `locals` the locals of the caller. Arguments become locals, unless they can be duplicated or the function reads them only once
/// and has no statements.
pub(crate) fn insert(
    mut code: Kernel,
    ret: Option<Type>,
    arrays: &[View],
    args: Vec<Expr>,
    locals: &mut Vec<Local>,
    out: &mut Block,
) -> Option<Expr> {
    let own = code.param_ids().filter(|(_, param)| param.is_array()).map(|(id, _)| id);
    let views: HashMap<ParamId, View> = own.zip(arrays.iter().cloned()).collect();
    // A call passes whole arrays only.
    let parts = views.iter().filter(|(_, view)| view.as_param().is_none()).map(|(id, _)| *id);
    inline_selected(&mut code, Selection::Taking(parts.collect()));
    let result = match ret {
        // A variable cannot be a tuple.
        Some(ret) if ret.is_tuple() => {
            let result = take_result(&mut code, ret);
            Some(expr(ExprKind::Struct(split_structs::split_result(&mut code, result)), ret))
        }
        Some(ret) => Some(take_result(&mut code, ret)),
        None => {
            eliminate_returns(&mut code);
            None
        }
    };
    let once = code.body.is_empty();
    let mut params = HashMap::new();
    let values = code.param_ids().filter(|(_, param)| !param.is_array());
    // The code may change a variable of the caller that is an argument, too.
    let lent: Vec<LocalId> = arrays.iter().filter_map(View::local).collect();
    let may_change = |arg: &Expr| matches!(arg.kind, ExprKind::Local(local) if lent.contains(&local));
    for ((id, param), arg) in values.zip(args) {
        let reads_once = || once && result.as_ref().is_none_or(|result| reads(result, id) == 1);
        let value = match is_name(&arg) && !may_change(&arg) || reads_once() {
            true => arg,
            false => {
                let local = Local::fresh(locals, &param.name, arg.ty);
                locals[local.0 as usize].mutable = false;
                let ty = arg.ty;
                out.push(declare(local, arg));
                expr(ExprKind::Local(local), ty)
            }
        };
        params.insert(id, value);
    }
    // The locals of the function are renumbered to follow those of the caller, and its parameters become the arguments.
    // Arguments mention locals of the caller, so they are substituted after the renumbering.
    let before = locals.len() as u32;
    locals.append(&mut code.locals);
    let name = |local: LocalId| LocalId(before + local.0);
    let arguments = Arguments { values: params, views };
    for mut stmt in code.body {
        stmt.rename_locals(&name);
        arguments.replace_in(&mut stmt);
        out.push(stmt);
    }
    let mut result = result?;
    result.rename_locals(&name);
    arguments.replace_in_expr(&mut result);
    Some(result)
}

/// Removes the results from the code of a function, and returns an expression for the result. Afterwards the code has
/// no `return`.
fn take_result(code: &mut Kernel, ret: Type) -> Expr {
    let count = code.body.iter().filter(|stmt| stmt.any(&mut |stmt| is_return(&stmt.kind))).count();
    if count == 1
        && let Some(Stmt { kind: StmtKind::Return(Some(_)), .. }) = code.body.last()
        && let Some(Stmt { kind: StmtKind::Return(Some(result)), .. }) = code.body.pop()
    {
        return result;
    }
    let local = Local::fresh(&mut code.locals, "result", ret);
    let mut body = std::mem::take(&mut code.body);
    // Behind a loop that returns, a flag tells whether there is a result, and no path shows it.
    let returns_from_a_loop = |stmt: &Stmt| stmt.is_loop() && stmt.any(&mut |stmt| is_return(&stmt.kind));
    let init = body.iter().any(|stmt| stmt.any(&mut |stmt| returns_from_a_loop(stmt))).then(|| build::zero(ret));
    body = store_results(body, local);
    code.body = body;
    eliminate_returns(code);
    code.body.insert(0, stmt(StmtKind::Let { local, init }));
    expr(ExprKind::Local(local), ret)
}

/// Turns every `return value` into `result = value; return`.
fn store_results(block: Block, result: LocalId) -> Block {
    let mut out = Block::new();
    for mut stmt in block {
        if let StmtKind::Return(value) = &mut stmt.kind
            && let Some(value) = value.take()
        {
            out.push(assign(local_place(result, value.ty), value));
        }
        for block in stmt.blocks_mut() {
            *block = store_results(std::mem::take(block), result);
        }
        out.push(stmt);
    }
    out
}

/// Whether the value is a name or a constant, which may be substituted for each use of a parameter.
pub(crate) fn is_name(value: &Expr) -> bool {
    matches!(
        value.kind,
        ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
    )
}

fn reads(value: &Expr, param: ParamId) -> usize {
    let mut count = 0;
    value.walk(&mut |expr| count += usize::from(expr.kind == ExprKind::Param(param)));
    count
}

//! Device functions, and the search for the functions of a kernel.

use super::{Callee, Expr, ExprKind, Function, Gradient, Kernel, Param, ParamId, ParamKind, Stmt};
use std::sync::Arc;

impl Function {
    /// The name of the function.
    pub fn name(&self) -> &str {
        &self.code.name
    }
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub enum CallArg<'a> {
    /// A value.
    Value(&'a Expr),
    /// An array parameter of the caller.
    Array(ParamId),
}

impl Callee {
    /// A call of a function that takes no arrays.
    pub fn of_values(function: Arc<Function>) -> Box<Callee> {
        Box::new(Callee { function, arrays: Vec::new() })
    }

    /// The parameters of the function with their arguments, where `args` are the values of the call.
    pub fn arguments<'a>(&'a self, args: &'a [Expr]) -> impl Iterator<Item = (ParamId, &'a Param, CallArg<'a>)> {
        let (mut arrays, mut values) = (self.arrays.iter(), args.iter());
        self.function.code.param_ids().map_while(move |(id, param)| {
            let argument = match param.kind {
                ParamKind::Value(_) => CallArg::Value(values.next()?),
                ParamKind::Array { .. } => CallArg::Array(*arrays.next()?),
            };
            Some((id, param, argument))
        })
    }

    /// The value among `args` that the function takes as `param`; `None` if that is an array.
    pub fn value<'a>(&'a self, param: ParamId, args: &'a [Expr]) -> Option<&'a Expr> {
        self.arguments(args).find_map(|(id, _, argument)| match argument {
            CallArg::Value(value) if id == param => Some(value),
            CallArg::Value(_) | CallArg::Array(_) => None,
        })
    }

    /// The caller's array that the function takes as `param`; `None` if that is not an array.
    pub fn array(&self, param: ParamId) -> Option<ParamId> {
        let arrays = self.function.code.param_ids().filter(|(_, param)| param.rank() > 0);
        arrays.zip(&self.arrays).find(|((id, _), _)| *id == param).map(|(_, array)| *array)
    }
}

impl Gradient {
    /// The derivative by `param`; `None` if the author gives none.
    pub fn part(&self, param: ParamId) -> Option<&Arc<Function>> {
        self.parts.iter().find(|(of, _)| *of == param).map(|(_, function)| function)
    }
}

/// The functions that a search visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Search {
    /// The functions that may run.
    Calls,
    /// The functions that are named: those that may run, and their derivatives.
    Names,
    /// The functions that are named where Warp's own functions take the place of ours.
    Warp,
}

impl Kernel {
    /// The functions that the kernel runs, directly or through others, without duplicates. A function comes after the
    /// functions that it calls.
    pub fn called(&self) -> Vec<Arc<Function>> {
        self.search(Search::Calls)
    }

    /// The functions that the kernel names: those that it runs, and their derivatives. Without duplicates; a function
    /// comes after the functions that it names.
    pub fn functions(&self) -> Vec<Arc<Function>> {
        self.search(Search::Names)
    }

    /// The [functions](Kernel::functions) that a text for Warp defines: without those that Warp has itself, and without
    /// what only these name.
    pub fn functions_for_warp(&self) -> Vec<Arc<Function>> {
        self.search(Search::Warp)
    }

    /// Whether the kernel calls a function whose derivative is declared to differ from the true one.
    pub fn has_surrogate(&self) -> bool {
        self.called().iter().any(|function| function.gradient.as_ref().is_some_and(|gradient| gradient.surrogate))
    }

    /// Applies `change` to the code of each function that the kernel names. `change` also gets the position of the
    /// function in [`functions`](Kernel::functions).
    pub fn change_functions(&mut self, change: &mut dyn FnMut(usize, &mut Kernel)) {
        let mut changed: Vec<(Arc<Function>, Arc<Function>)> = Vec::new();
        // Functions come after those that they name, so the replacements of the latter exist already.
        for (place, function) in self.functions().into_iter().enumerate() {
            let mut new = Function::clone(&function);
            new.code.replace_functions(&changed);
            for (_, part) in new.gradient.iter_mut().flat_map(|gradient| &mut gradient.parts) {
                replace_function(part, &changed);
            }
            change(place, &mut new.code);
            changed.push((function, Arc::new(new)));
        }
        self.replace_functions(&changed);
    }

    /// Replaces the first function of each pair by the second in all calls.
    fn replace_functions(&mut self, pairs: &[(Arc<Function>, Arc<Function>)]) {
        let replace = |expr: &mut Expr| {
            if let ExprKind::Call(callee, _) = &mut expr.kind {
                replace_function(&mut callee.function, pairs);
            }
        };
        let in_stmt = &mut |stmt: &mut Stmt| stmt.exprs_mut().for_each(|expr| expr.walk_mut(&mut |expr| replace(expr)));
        self.body.iter_mut().for_each(|stmt| stmt.walk_mut(in_stmt));
    }

    fn search(&self, search: Search) -> Vec<Arc<Function>> {
        let mut found = Vec::new();
        self.collect(search, &mut found);
        found
    }

    fn collect(&self, search: Search, found: &mut Vec<Arc<Function>>) {
        self.walk_exprs(&mut |expr: &Expr| {
            if let ExprKind::Call(callee, _) = &expr.kind {
                collect_function(&callee.function, search, found);
            }
        });
    }
}

fn collect_function(function: &Arc<Function>, search: Search, found: &mut Vec<Arc<Function>>) {
    if found.contains(function) || search == Search::Warp && function.warp.is_some() {
        return;
    }
    function.code.collect(search, found);
    if let (Search::Names | Search::Warp, Some(gradient)) = (search, &function.gradient) {
        gradient.parts.iter().for_each(|(_, part)| collect_function(part, search, found));
    }
    found.push(Arc::clone(function));
}

fn replace_function(function: &mut Arc<Function>, pairs: &[(Arc<Function>, Arc<Function>)]) {
    if let Some((_, new)) = pairs.iter().find(|(old, _)| old == function) {
        *function = Arc::clone(new);
    }
}

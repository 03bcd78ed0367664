//! Device functions: what a kernel calls.

use super::{Expr, ExprKind, Function, Gradient, Kernel, ParamId, Stmt};
use std::sync::Arc;

impl Function {
    /// The author's name for it.
    pub fn name(&self) -> &str {
        &self.code.name
    }
}

impl Gradient {
    /// The function for a parameter.
    pub fn part(&self, param: ParamId) -> Option<&Arc<Function>> {
        self.parts.iter().find(|(of, _)| *of == param).map(|(_, function)| function)
    }
}

/// Which functions a search finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Search {
    /// Those that may run.
    Calls,
    /// Those that are named: the derivatives of what may run, too.
    Names,
}

impl Kernel {
    /// The functions that run in it, each once, behind those that it calls itself.
    pub fn called(&self) -> Vec<Arc<Function>> {
        self.search(Search::Calls)
    }

    /// The functions that it names, each once, behind those that it names itself: those that run, with their
    /// derivatives.
    pub fn functions(&self) -> Vec<Arc<Function>> {
        self.search(Search::Names)
    }

    /// Whether it calls a function with a derivative that is meant to differ from the true one.
    pub fn has_surrogate(&self) -> bool {
        self.called().iter().any(|function| function.gradient.as_ref().is_some_and(|gradient| gradient.surrogate))
    }

    /// Changes the code of the functions that it names. `change` also gets their place in [`functions`](Kernel::functions).
    pub fn change_functions(&mut self, change: &mut dyn FnMut(usize, &mut Kernel)) {
        let mut changed: Vec<(Arc<Function>, Arc<Function>)> = Vec::new();
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

    /// Calls others instead: each first one is replaced by the second.
    fn replace_functions(&mut self, pairs: &[(Arc<Function>, Arc<Function>)]) {
        let replace = |expr: &mut Expr| {
            if let ExprKind::Call(function, _) = &mut expr.kind {
                replace_function(function, pairs);
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
            if let ExprKind::Call(function, _) = &expr.kind {
                collect_function(function, search, found);
            }
        });
    }
}

fn collect_function(function: &Arc<Function>, search: Search, found: &mut Vec<Arc<Function>>) {
    if found.contains(function) {
        return;
    }
    function.code.collect(search, found);
    if let (Search::Names, Some(gradient)) = (search, &function.gradient) {
        gradient.parts.iter().for_each(|(_, part)| collect_function(part, search, found));
    }
    found.push(Arc::clone(function));
}

fn replace_function(function: &mut Arc<Function>, pairs: &[(Arc<Function>, Arc<Function>)]) {
    if let Some((_, new)) = pairs.iter().find(|(old, _)| old == function) {
        *function = Arc::clone(new);
    }
}

//! Scopes and definite assignment.
//!
//! A walk in the order of execution tracks for each local whether it has a value: on no path, on some paths, on all
//! paths. Where paths meet, the states are joined. A loop is walked twice: the first walk finds the state that a trip
//! may leave for the next one, and the second walk reports.

use crate::diag::Diagnostic;
use crate::ir::{Block, Expr, ExprKind, Kernel, Literal, LocalId, Place, PlaceRoot, Span, Stmt, StmtKind, Type};

pub(super) fn check(kernel: &Kernel, ret: Option<Type>, mistakes: &mut Vec<Diagnostic>) {
    let count = kernel.locals.len();
    let mut flow = Flow {
        kernel,
        mistakes,
        declared: vec![0; count],
        visible: vec![false; count],
        loop_variable: vec![false; count],
        state: Some(vec![Assigned::Never; count]),
        loops: Vec::new(),
        probing: false,
    };
    flow.count_declarations();
    flow.block(&kernel.body);
    if ret.is_some() && flow.state.is_some() {
        flow.report(Span::NONE, format!("`{}` may end without a value", kernel.name));
    }
}

/// On which of the paths that lead here a local has been assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Assigned {
    Never,
    Sometimes,
    Always,
}

/// The state of every local; `None` in unreachable code.
type State = Option<Vec<Assigned>>;

/// The state where two paths meet. An unreachable path has no influence.
fn join(a: State, b: State) -> State {
    match (a, b) {
        (Some(a), Some(b)) => {
            let meet = |(a, b)| if a == b { a } else { Assigned::Sometimes };
            Some(a.into_iter().zip(b).map(meet).collect())
        }
        (a, b) => a.or(b),
    }
}

/// The states at the exits of a loop, and at the start of its next trip.
#[derive(Default)]
struct Exits {
    breaks: State,
    continues: State,
}

struct Flow<'a> {
    kernel: &'a Kernel,
    mistakes: &'a mut Vec<Diagnostic>,
    /// The number of declarations of each local.
    declared: Vec<usize>,
    visible: Vec<bool>,
    loop_variable: Vec<bool>,
    state: State,
    loops: Vec<Exits>,
    /// Whether this is the first walk through a loop, whose diagnostics are discarded.
    probing: bool,
}

impl Flow<'_> {
    fn report(&mut self, span: Span, message: String) {
        self.mistakes.push(Diagnostic::new(span, message));
    }

    fn count_declarations(&mut self) {
        let kernel = self.kernel;
        kernel.walk_stmts(&mut |stmt| {
            if let Some(local) = stmt.declared_local() {
                self.declared[local.0 as usize] += 1;
                self.loop_variable[local.0 as usize] |= stmt.is_loop();
            }
        });
        for (local, count) in kernel.locals.iter().zip(self.declared.clone()) {
            if count != 1 {
                self.report(local.span, format!("`{}` is declared {count} times", local.name));
            }
        }
    }

    fn block(&mut self, block: &Block) {
        for stmt in block {
            self.stmt(stmt);
        }
        for stmt in block {
            if let Some(local) = stmt.declared_local() {
                self.visible[local.0 as usize] = false;
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        // The condition of a `while` is read in each trip, not here.
        if !matches!(stmt.kind, StmtKind::While { .. }) {
            stmt.any_expr(|expr| {
                self.read(expr);
                false
            });
        }
        match &stmt.kind {
            StmtKind::Let { local, init } => {
                let has_value = init.is_some() || self.kernel.local(*local).len.is_some();
                self.declare(*local, if has_value { Assigned::Always } else { Assigned::Never });
            }
            StmtKind::Assign { place, .. } => match place.path.as_slice() {
                [] => self.assign_root(place),
                _ => self.update(place),
            },
            StmtKind::Update { place, .. } => self.update(place),
            StmtKind::Atomic { result, .. } => {
                if let Some(local) = result {
                    self.assign(*local, stmt.span);
                }
            }
            StmtKind::If { then, other, .. } => {
                let before = self.state.clone();
                self.block(then);
                let after_then = std::mem::replace(&mut self.state, before);
                self.block(other);
                self.state = join(after_then, self.state.take());
            }
            StmtKind::For { local, body, .. } => self.repeat(None, Some(*local), body),
            StmtKind::While { cond, body } => self.repeat(Some(cond), None, body),
            StmtKind::Break | StmtKind::Continue => self.leave_trip(stmt),
            StmtKind::Return(_) => self.state = None,
            StmtKind::Print(_) => {}
        }
    }

    fn leave_trip(&mut self, stmt: &Stmt) {
        let state = self.state.take();
        let Some(exits) = self.loops.last_mut() else {
            let word = if stmt.kind == StmtKind::Break { "break" } else { "continue" };
            return self.report(stmt.span, format!("`{word}` outside of a loop"));
        };
        let exit = if stmt.kind == StmtKind::Break { &mut exits.breaks } else { &mut exits.continues };
        *exit = join(exit.take(), state);
    }

    fn repeat(&mut self, cond: Option<&Expr>, variable: Option<LocalId>, body: &Block) {
        // The effect of a trip on the state does not depend on the state before it, so an inner loop need not be probed
        // again inside a probe.
        if !self.probing {
            self.probing = true;
            let (entry, mistakes) = (self.state.clone(), self.mistakes.len());
            let next = self.trip(cond, variable, body);
            self.mistakes.truncate(mistakes);
            self.state = join(entry, next);
            self.probing = false;
        }
        self.trip(cond, variable, body);
    }

    /// Walks one trip. Sets the state to that after the loop, and returns the state at the start of the next trip.
    fn trip(&mut self, cond: Option<&Expr>, variable: Option<LocalId>, body: &Block) -> State {
        if let Some(cond) = cond {
            self.read(cond);
        }
        // A `while true` is left by `break` only.
        let is_endless = cond.is_some_and(|cond| cond.kind == ExprKind::Literal(Literal::Bool(true)));
        let skipped = if is_endless { None } else { self.state.clone() };
        if let Some(variable) = variable {
            self.declare(variable, Assigned::Always);
        }
        self.loops.push(Exits::default());
        self.block(body);
        if let Some(variable) = variable {
            self.visible[variable.0 as usize] = false;
        }
        let exits = self.loops.pop().unwrap_or_default();
        let next = join(self.state.take(), exits.continues);
        self.state = join(skipped, exits.breaks);
        next
    }

    fn declare(&mut self, local: LocalId, value: Assigned) {
        self.visible[local.0 as usize] = true;
        self.set(local, value);
    }

    fn set(&mut self, local: LocalId, value: Assigned) {
        if let Some(state) = &mut self.state {
            state[local.0 as usize] = value;
        }
    }

    /// The state of `local`; `None` in unreachable code.
    fn value_of(&self, local: LocalId) -> Option<Assigned> {
        self.state.as_ref().map(|state| state[local.0 as usize])
    }

    /// Whether `local` is visible; reports a mistake if it is not.
    fn check_visible(&mut self, local: LocalId, span: Span) -> bool {
        let visible = self.visible[local.0 as usize];
        if !visible {
            self.report_invisible(local, span);
        }
        visible
    }

    #[cold]
    fn report_invisible(&mut self, local: LocalId, span: Span) {
        let known = self.kernel.local(local);
        let message = format!("`{}` is not declared here", known.name);
        self.mistakes.push(Diagnostic::new(span, message).related(known.span, "it is declared here"));
    }

    fn read(&mut self, expr: &Expr) {
        expr.walk(&mut |expr| {
            if let ExprKind::Local(local) | ExprKind::LocalElement { local, .. } = expr.kind
                && self.check_visible(local, expr.span)
            {
                self.check_has_value(local, expr.span);
            }
        });
    }

    fn check_has_value(&mut self, local: LocalId, span: Span) {
        if self.value_of(local).is_some_and(|value| value != Assigned::Always) {
            self.report_no_value(local, span);
            // One report for each local is enough.
            self.set(local, Assigned::Always);
        }
    }

    #[cold]
    fn report_no_value(&mut self, local: LocalId, span: Span) {
        let known = self.kernel.local(local);
        let mistake = Diagnostic::new(span, format!("`{}` may not have a value yet", known.name))
            .related(known.span, "it is declared here")
            .help("give it a value where it is declared, or on every path to here");
        self.mistakes.push(mistake);
    }

    fn assign_root(&mut self, place: &Place) {
        match place.root {
            PlaceRoot::Local(local) => self.assign(local, place.span),
            PlaceRoot::LocalElement { .. } => self.update(place),
            PlaceRoot::Element { .. } => {}
        }
    }

    /// Checks an assignment of a whole local.
    fn assign(&mut self, local: LocalId, span: Span) {
        if self.check_visible(local, span) {
            let has_value = self.value_of(local).is_some_and(|value| value != Assigned::Never);
            self.check_may_change(local, has_value, span);
            self.set(local, Assigned::Always);
        }
    }

    /// Checks a change of a value that must exist already.
    fn update(&mut self, place: &Place) {
        if let PlaceRoot::Local(local) | PlaceRoot::LocalElement { local, .. } = place.root
            && self.check_visible(local, place.span)
        {
            self.check_has_value(local, place.span);
            self.check_may_change(local, true, place.span);
        }
    }

    fn check_may_change(&mut self, local: LocalId, has_value: bool, span: Span) {
        let known = self.kernel.local(local);
        if self.loop_variable[local.0 as usize] {
            self.report(span, format!("cannot assign `{}`: it is the variable of a `for`", known.name));
        } else if has_value && !known.mutable {
            let message = format!("cannot assign `{}` again: it is not declared `mut`", known.name);
            let mistake = Diagnostic::new(span, message).related(known.span, "it is declared here");
            self.mistakes.push(mistake.help(format!("declare it with `let mut {}`", known.name)));
        }
    }
}

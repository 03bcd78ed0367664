//! The body of a kernel for a group of threads that go in step: see [`InStep`].
//!
//! What stands between the loops, and the body of each, is a loop over the lanes, the threads of the group. A local that
//! a thread keeps from one of them to another is an array with an element for each lane. Additions to an element that is
//! the same for all lanes are made behind the loop over the lanes, in their order, because one that waits for another
//! would keep the loop from becoming vector instructions.

use super::literal;
use super::writer::Writer;
use crate::analysis::InStep;
use crate::check::CheckedKernel;
use crate::ir::{Expr, ExprKind, LocalId, ParamId, Place, PlaceRoot, Stmt, StmtKind};
use std::collections::BTreeSet;

/// How the text names what the code around it supplies. No author has such names.
#[derive(Clone, Copy, Debug)]
pub struct GroupNames<'a> {
    /// The variable of loops over the lanes.
    pub lane: &'a str,
    /// Statements at the head of such a loop, which supply the thread index.
    pub head: &'a str,
    /// The number of lanes.
    pub lanes: usize,
}

/// The statements of the body of `kernel` for a group.
pub(super) fn write(kernel: &CheckedKernel, in_step: &InStep, names: GroupNames<'_>) -> String {
    let mut writer = Writer::for_body(kernel);
    writer.called();
    writer.names.keep(&in_step.kept, names.lane);
    let mut head = names.head.to_owned();
    head.extend(writer.thread_index_line());
    let mut group = Group { kernel, in_step, names, head, sums: Vec::new() };
    for &local in &in_step.kept {
        let known = kernel.local(local);
        let name = writer.names.whole(local);
        writer.line(&format!("let mut {name} = [{}; {}];", literal::zero(known.ty), names.lanes));
    }
    let mut run: Vec<&Stmt> = Vec::new();
    for (place, stmt) in kernel.body.iter().enumerate() {
        match &stmt.kind {
            StmtKind::For { .. } if in_step.loops.contains(&place) => {
                group.lanes(&mut writer, &run, place);
                run.clear();
                group.repeat(&mut writer, place);
            }
            _ => run.push(stmt),
        }
    }
    group.lanes(&mut writer, &run, kernel.body.len());
    writer.finish()
}

struct Group<'a> {
    kernel: &'a CheckedKernel,
    in_step: &'a InStep,
    names: GroupNames<'a>,
    /// The head of a loop over the lanes.
    head: String,
    /// The additions of the current loop to elements that are the same for all lanes, with the names of their values.
    sums: Vec<(&'a Stmt, String)>,
}

impl<'a> Group<'a> {
    /// A loop over the lanes around statements; `place`: where they end in the body.
    fn lanes(&mut self, writer: &mut Writer<'_>, run: &[&'a Stmt], place: usize) {
        if run.is_empty() {
            return;
        }
        let own: BTreeSet<LocalId> = run.iter().filter_map(|stmt| declared(stmt)).collect();
        self.open_lanes(writer, &own, place);
        self.stmts(writer, run);
        writer.close("}");
    }

    /// A loop that the lanes do in step. Its indices are tested once a trip, so that the lanes need no tests.
    fn repeat(&mut self, writer: &mut Writer<'_>, place_in_body: usize) {
        let stmt: &'a Stmt = &self.kernel.body[place_in_body];
        let StmtKind::For { local: variable, range, body } = &stmt.kind else { return };
        let variable = *variable;
        let all: Vec<&Stmt> = body.iter().collect();
        self.sums = all
            .iter()
            .filter(|stmt| self.is_shared_sum(stmt, variable))
            .map(|stmt| (*stmt, writer.names.fresh("part")))
            .collect();
        for (stmt, name) in &self.sums {
            if let StmtKind::Atomic { place, .. } = &stmt.kind {
                writer.line(&format!("let mut {name} = [{}; {}];", literal::zero(place.ty), self.names.lanes));
            }
        }
        let head = writer.for_head(variable, range);
        writer.open(&head);
        let tests = self.tests(writer, stmt);
        if tests.is_empty() {
            self.trip(writer, &all, place_in_body);
        } else {
            writer.open(&format!("if {} {{", tests.join(" && ")));
            self.trip(writer, &all, place_in_body);
            writer.reopen("} else {");
            self.trip(writer, &all, place_in_body);
            writer.close("}");
        }
        for (stmt, name) in &self.sums {
            let StmtKind::Atomic { op, place, .. } = &stmt.kind else { continue };
            writer.open(&format!("for {} in 0..{} {{", self.names.lane, self.names.lanes));
            writer.line(&self.head);
            self.declare_cheap(writer, &BTreeSet::new(), place_in_body);
            let target = writer.place(place);
            writer.line(&format!("{}(&mut {target}, {name}[{}]);", op.name(), self.names.lane));
            writer.close("}");
        }
        writer.close("}");
        self.sums.clear();
    }

    fn trip(&self, writer: &mut Writer<'_>, body: &[&'a Stmt], place: usize) {
        self.open_lanes(writer, &BTreeSet::new(), place);
        self.stmts(writer, body);
        writer.close("}");
    }

    fn open_lanes(&self, writer: &mut Writer<'_>, own: &BTreeSet<LocalId>, place: usize) {
        writer.open(&format!("for {} in 0..{} {{", self.names.lane, self.names.lanes));
        writer.line(&self.head);
        self.declare_cheap(writer, own, place);
    }

    /// Computes the cheap locals that are declared before `place` in the body, but for `own`.
    fn declare_cheap(&self, writer: &mut Writer<'_>, own: &BTreeSet<LocalId>, place: usize) {
        for stmt in &self.kernel.body[..place] {
            if declared(stmt).is_some_and(|local| self.in_step.cheap.contains(&local) && !own.contains(&local)) {
                writer.block(std::slice::from_ref(stmt));
            }
        }
    }

    fn stmts(&self, writer: &mut Writer<'_>, run: &[&'a Stmt]) {
        for stmt in run {
            let name = self.sums.iter().find(|(sum, _)| std::ptr::eq(*sum, *stmt)).map(|(_, name)| name);
            match (&stmt.kind, name) {
                (StmtKind::Atomic { value, .. }, Some(name)) => {
                    let value = writer.typed(value);
                    writer.line(&format!("{name}[{}] = {};", self.names.lane, value.text));
                }
                (StmtKind::Let { local, init }, _) if self.in_step.kept.contains(local) => {
                    if let Some(init) = init {
                        let place =
                            Place { root: PlaceRoot::Local(*local), path: Vec::new(), ty: init.ty, span: stmt.span };
                        let kind = StmtKind::Assign { place, value: init.clone() };
                        writer.block(&[Stmt { kind, span: stmt.span }]);
                    }
                }
                _ => writer.block(std::slice::from_ref(*stmt)),
            }
        }
    }

    /// Whether the statement adds to an element that is the same for all lanes.
    fn is_shared_sum(&self, stmt: &Stmt, variable: LocalId) -> bool {
        let StmtKind::Atomic { place, .. } = &stmt.kind else { return false };
        let PlaceRoot::Element { array, index } = &place.root else { return false };
        let last = self.kernel.dim - 1;
        let by_last =
            |axis: u8| self.in_step.fits.iter().any(|fit| fit.array == *array && fit.axis == axis && fit.tid == last);
        let is_step = |index: &Expr| index.kind == ExprKind::Local(variable);
        (0..).zip(index).all(|(axis, index)| is_step(index) || !by_last(axis))
    }

    /// What must hold for no index of the loop to be out of bounds, besides that the launch fits the arrays.
    fn tests(&self, writer: &Writer<'_>, stmt: &Stmt) -> Vec<String> {
        let StmtKind::For { local: variable, .. } = stmt.kind else { return Vec::new() };
        let mut tests = BTreeSet::new();
        let mut test = |array: ParamId, index: &[Expr]| {
            for (axis, index) in index.iter().enumerate() {
                if index.kind == ExprKind::Local(variable) {
                    let (name, variable) = (writer.param(array), writer.names.local(variable));
                    tests.insert(match self.kernel.param(array).rank() {
                        1 => format!("{variable} < {name}.len()"),
                        _ => format!("{variable} < {name}.shape()[{axis}]"),
                    });
                }
            }
        };
        stmt.walk(&mut |stmt| {
            for expr in stmt.exprs() {
                expr.walk(&mut |expr| {
                    if let ExprKind::Load { array, index } = &expr.kind {
                        test(*array, index);
                    }
                });
            }
            if let StmtKind::Atomic { place, .. } | StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } =
                &stmt.kind
                && let PlaceRoot::Element { array, index } = &place.root
            {
                test(*array, index);
            }
        });
        tests.into_iter().collect()
    }
}

fn declared(stmt: &Stmt) -> Option<LocalId> {
    match stmt.kind {
        StmtKind::Let { local, .. } => Some(local),
        _ => None,
    }
}

//! Writes the body of a kernel for a group of threads in lockstep; see [`Lockstep`].
//!
//! The statements between the lockstep loops, and the body of each of these loops, become loops over the lanes, which
//! are the threads of the group. A local that a thread keeps between lane loops becomes an array with one element for
//! each lane. A kept vector or matrix becomes one such array for each component (structure of arrays), which suits
//! vector instructions. A lane loop loads the kept locals that it uses at its start, and stores those that it changes
//! at its end.
//!
//! The values that lanes add to array elements go to arrays of the group first. They are added after the lane loop, in
//! the order of the lanes. So the memory accesses in the lane loop do not alias, and no addition waits for an earlier
//! one; either would prevent vectorisation. Additions to an element that all lanes share do form a chain, but the
//! chains of different elements run side by side.

use super::literal;
use super::writer::Writer;
use crate::analysis::Lockstep;
use crate::back::parts::stored_place;
use crate::ir::{AtomicOp, Expr, ExprKind, LocalId, ParamId, Place, PlaceRoot, Shape, Stmt, StmtKind, Type};
use crate::verify::VerifiedKernel;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The names that the surrounding code supplies. They cannot collide with names of the author.
#[derive(Clone, Copy, Debug)]
pub struct GroupNames<'a> {
    /// The variable of lane loops.
    pub lane: &'a str,
    /// Statements at the start of a lane loop that supply the thread index.
    pub head: &'a str,
    /// The number of lanes.
    pub lanes: usize,
    /// A variable with the number of lanes, opaque to the compiler. A constant would make it unroll the sums over the
    /// lanes, and LLVM gives up alias analysis for an array with more than 100 uses, so that the loops that fill the
    /// array would not be vectorised.
    pub lanes_at_run_time: &'a str,
}

/// The statements of the body of `kernel` for a group.
pub(super) fn write(kernel: &VerifiedKernel, lockstep: &Lockstep, names: GroupNames<'_>) -> String {
    let mut writer = Writer::for_body(kernel);
    writer.called();
    let mut head = names.head.to_owned();
    head.extend(writer.thread_index_line());
    let mut kept = BTreeMap::new();
    for &local in &lockstep.kept {
        let name = writer.names.local(local);
        let name = writer.names.fresh(&format!("{}_kept", name.trim_start_matches("r#")));
        writer.names.set_apart(local);
        let ty = kernel.local(local).ty;
        let lanes = format!("[{}; {}]", literal::zero(Type::of(ty.scalar())), names.lanes);
        let parts = if ty.is_scalar() { lanes } else { format!("[{lanes}; {}]", ty.components()) };
        writer.line(&format!("let mut {name} = {parts};"));
        kept.insert(local, name);
    }
    let group = Group { kernel, lockstep, names, head, kept };
    let mut start = 0;
    // The body is split at the lockstep loops: the statements before each, the loop, the statements after the last.
    for &place in &lockstep.loops {
        group.lanes(&mut writer, start..place);
        group.repeat(&mut writer, place);
        start = place + 1;
    }
    group.lanes(&mut writer, start..kernel.body.len());
    writer.finish()
}

/// An addition in a lockstep loop.
struct Sum<'a> {
    stmt: &'a Stmt,
    op: AtomicOp,
    place: &'a Place,
    /// Whether all lanes add to the same element.
    is_shared: bool,
    /// The name of the array with the terms of the lanes.
    parts: String,
}

struct Group<'a> {
    kernel: &'a VerifiedKernel,
    lockstep: &'a Lockstep,
    names: GroupNames<'a>,
    /// The statements at the start of a lane loop.
    head: String,
    /// The names of the arrays of kept locals.
    kept: BTreeMap<LocalId, String>,
}

impl<'a> Group<'a> {
    /// Writes a lane loop around statements of the body.
    fn lanes(&self, writer: &mut Writer<'_>, run: Range<usize>) {
        if run.is_empty() {
            return;
        }
        let stmts: Vec<&Stmt> = self.kernel.body[run.clone()].iter().collect();
        self.each_lane(writer, &stmts, &[], run.start);
    }

    /// Writes a lockstep loop. Its indices are tested once per trip; in the branch where they fit, the lanes need no
    /// bounds checks.
    fn repeat(&self, writer: &mut Writer<'_>, place_in_body: usize) {
        let stmt: &'a Stmt = &self.kernel.body[place_in_body];
        let StmtKind::For { local: variable, range, body } = &stmt.kind else { return };
        let moved = body.iter().filter_map(|stmt| self.addition(stmt, *variable));
        let sums: Vec<Sum<'a>> = moved.map(|sum| Sum { parts: writer.names.fresh("part"), ..sum }).collect();
        for Sum { place, parts, .. } in &sums {
            writer.line(&format!("let mut {parts} = [{}; {}];", literal::zero(place.ty), self.names.lanes));
        }
        let head = writer.for_head(*variable, range);
        writer.open(&head);
        let tests = self.tests(writer, stmt);
        if tests.is_empty() {
            self.trip(writer, body, &sums, place_in_body);
        // The trip is written twice. In the first copy the test proves the indices in bounds; the second panics as the
        // source does.
        } else {
            writer.open(&format!("if {} {{", tests.join(" && ")));
            self.trip(writer, body, &sums, place_in_body);
            writer.reopen("} else {");
            self.trip(writer, body, &sums, place_in_body);
            writer.close("}");
        }
        writer.close("}");
    }

    fn trip(&self, writer: &mut Writer<'_>, body: &'a [Stmt], sums: &[Sum<'a>], place: usize) {
        self.each_lane(writer, &body.iter().collect::<Vec<_>>(), sums, place);
        let GroupNames { lane, lanes, lanes_at_run_time, .. } = self.names;
        // Lanes that add to different elements: lane by lane, in the order of the threads.
        for Sum { op, place: target, parts, .. } in sums.iter().filter(|sum| !sum.is_shared) {
            writer.open(&format!("for {lane} in 0..{lanes} {{"));
            self.supply(writer, place);
            let target = writer.place(target);
            writer.line(&format!("{}(&mut {target}, {parts}[{lane}]);", op.name()));
            writer.close("}");
        }
        let shared: Vec<(&Sum<'a>, String)> =
            sums.iter().filter(|sum| sum.is_shared).map(|sum| (sum, writer.names.fresh("total"))).collect();
        if shared.is_empty() {
            return;
        }
        // All lanes share these elements, so the indices of lane 0 are used.
        writer.open("{");
        writer.line(&format!("let {lane} = 0;"));
        self.supply(writer, place);
        for (Sum { place, .. }, total) in &shared {
            let value = writer.place_value(place);
            writer.line(&format!("let mut {total} = {};", value.text));
        }
        writer.open(&format!("for {lane} in 0..{lanes_at_run_time} {{"));
        for (Sum { op, parts, .. }, total) in &shared {
            let sign = if *op == AtomicOp::Sub { "-=" } else { "+=" };
            writer.line(&format!("{total} {sign} {parts}[{lane}];"));
        }
        writer.close("}");
        for (Sum { place, .. }, total) in &shared {
            let place = writer.place(place);
            writer.line(&format!("{place} = {total};"));
        }
        writer.close("}");
    }

    /// Writes a lane loop around statements that begin at position `place` of the body.
    fn each_lane(&self, writer: &mut Writer<'_>, stmts: &[&'a Stmt], sums: &[Sum<'a>], place: usize) {
        let GroupNames { lane, lanes, .. } = self.names;
        let uses = LocalUses::by(stmts);
        writer.open(&format!("for {lane} in 0..{lanes} {{"));
        self.supply(writer, place);
        for (local, array) in self.kept.iter().filter(|(local, _)| uses.finds(**local)) {
            let (name, ty) = (writer.names.local(*local), self.kernel.local(*local).ty);
            let parts = self.parts(array, ty);
            let value = match ty.shape {
                // Kernels with structs do not run in lockstep.
                Shape::Scalar | Shape::Struct(_) | Shape::Tile(..) => parts,
                Shape::Vector(_) | Shape::Quat => {
                    format!("{}::from_array({parts})", ty.rust_path())
                }
                Shape::Matrix(..) => format!("{}::from_cols_array_2d({parts})", ty.rust_path()),
            };
            writer.line(&format!("let mut {name} = {value};"));
        }
        for stmt in stmts {
            match (&stmt.kind, sums.iter().find(|sum| std::ptr::eq(sum.stmt, *stmt))) {
                (StmtKind::Atomic { value, .. }, Some(Sum { parts, .. })) => {
                    let value = writer.typed(value);
                    writer.line(&format!("{parts}[{lane}] = {};", value.text));
                }
                // The declaration is the load from the array.
                (StmtKind::Let { local, init: None }, _) if self.kept.contains_key(local) => {}
                _ => writer.block(std::slice::from_ref(*stmt)),
            }
        }
        for (local, array) in self.kept.iter().filter(|(local, _)| uses.changed.contains(local)) {
            let (name, ty) = (writer.names.local(*local), self.kernel.local(*local).ty);
            let value = match ty.shape {
                Shape::Scalar | Shape::Struct(_) | Shape::Tile(..) => name.to_owned(),
                Shape::Vector(_) | Shape::Quat => format!("{name}.to_array()"),
                Shape::Matrix(..) => format!("{name}.to_cols_array_2d()"),
            };
            writer.line(&format!("{} = {value};", self.parts(array, ty)));
        }
        writer.close("}");
    }

    /// The scalars of a kept local, for the current lane.
    fn parts(&self, array: &str, ty: Type) -> String {
        let lane = self.names.lane;
        if ty.is_scalar() {
            return format!("{array}[{lane}]");
        }
        let parts: Vec<String> = (0..ty.components()).map(|part| format!("{array}[{part}][{lane}]")).collect();
        let list = |parts: &[String]| format!("[{}]", parts.join(", "));
        match ty.shape {
            Shape::Matrix(rows, _) => list(&parts.chunks(rows.into()).map(list).collect::<Vec<String>>()),
            Shape::Scalar | Shape::Vector(_) | Shape::Quat | Shape::Struct(_) | Shape::Tile(..) => list(&parts),
        }
    }

    /// Supplies the thread index, and recomputes the cheap locals that are declared before position `place` of the
    /// body.
    fn supply(&self, writer: &mut Writer<'_>, place: usize) {
        writer.line(&self.head);
        for stmt in &self.kernel.body[..place] {
            if matches!(stmt.kind, StmtKind::Let { local, .. } if self.lockstep.cheap.contains(&local)) {
                writer.block(std::slice::from_ref(stmt));
            }
        }
    }

    /// The addition that the statement makes, if the indices of its element do not depend on values that the trip
    /// computes.
    fn addition(&self, stmt: &'a Stmt, variable: LocalId) -> Option<Sum<'a>> {
        let StmtKind::Atomic { op, place, result: None, .. } = &stmt.kind else { return None };
        let PlaceRoot::Element { array, index } = &place.root else { return None };
        // The terms of the lanes are kept as numbers.
        if !place.ty.is_scalar() {
            return None;
        }
        let mut is_known = true;
        // The index must be available after the lane loop, where only the loop variable and cheap locals are.
        for index in index {
            index.walk(&mut |expr| {
                if let ExprKind::Local(local) = expr.kind {
                    is_known &= local == variable || self.lockstep.cheap.contains(&local);
                }
            });
        }
        let last = self.kernel.dim - 1;
        let by_last = |axis: u8| {
            self.lockstep.preconditions.iter().any(|precondition| {
                precondition.array == *array && precondition.axis == axis && precondition.tid == last
            })
        };
        let is_step = |index: &Expr| index.kind == ExprKind::Local(variable);
        let is_shared = (0..).zip(index).all(|(axis, index)| is_step(index) || !by_last(axis));
        is_known.then_some(Sum { stmt, op: *op, place, is_shared, parts: String::new() })
    }

    /// The conditions under which no index in the loop is out of bounds, provided that the launch fits the arrays.
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
            stmt.walk_exprs(&mut |expr| {
                if let ExprKind::Load { array, index } = &expr.kind {
                    test(*array, index);
                }
            });
            if let Some(place) = stored_place(stmt)
                && let PlaceRoot::Element { array, index } = &place.root
            {
                test(*array, index);
            }
        });
        tests.into_iter().collect()
    }
}

/// The locals that statements use.
#[derive(Default)]
struct LocalUses {
    used: BTreeSet<LocalId>,
    /// The locals that they declare with a value.
    declared: BTreeSet<LocalId>,
    /// The locals that they assign, in a declaration or later.
    changed: BTreeSet<LocalId>,
}

impl LocalUses {
    fn by(stmts: &[&Stmt]) -> LocalUses {
        let mut uses = LocalUses::default();
        for stmt in stmts {
            stmt.walk(&mut |stmt| {
                if let StmtKind::Let { local, init: Some(_) } = stmt.kind {
                    uses.declared.insert(local);
                    uses.changed.insert(local);
                }
                uses.changed.extend(stmt.assigned_local());
                stmt.walk_exprs(&mut |expr| {
                    if let ExprKind::Local(local) = expr.kind {
                        uses.used.insert(local);
                    }
                });
            });
        }
        uses
    }

    /// Whether they use or change a local that they do not declare with a value.
    fn finds(&self, local: LocalId) -> bool {
        !self.declared.contains(&local) && (self.used.contains(&local) || self.changed.contains(&local))
    }
}

//! Which values a derivative goes through: those that depend on a float input (*varied*) and reach an output (*useful*).
//!
//! Every float parameter is an input, the elements of mutable arrays before the launch among them; the elements of
//! mutable arrays after it are the outputs. The analysis does not look at the order of statements: a local is varied if
//! one of its values is.

use crate::ir::{AtomicOp, Expr, ExprKind, Kernel, LocalId, ParamId, PlaceRoot, Stmt, StmtKind, Type};
use crate::ops::{self, Op};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// What the analysis found.
#[derive(Debug)]
pub(super) struct Activity {
    varied: HashSet<LocalId>,
    useful: HashSet<LocalId>,
    /// Locals whose adjoints are not zero for reasons of control flow.
    certain: HashSet<LocalId>,
    /// Locals that may hold infinity or NaN although the inputs are finite.
    wild: HashSet<LocalId>,
}

impl Activity {
    pub(super) fn of(kernel: &Kernel) -> Activity {
        let mut found =
            Activity { varied: HashSet::new(), useful: HashSet::new(), certain: certain(kernel), wild: HashSet::new() };
        // Both sets only grow, so this ends.
        loop {
            let before = (found.varied.len(), found.useful.len(), found.wild.len());
            kernel.walk_stmts(&mut |stmt| found.visit(stmt));
            if before == (found.varied.len(), found.useful.len(), found.wild.len()) {
                return found;
            }
        }
    }

    fn visit(&mut self, stmt: &Stmt) {
        if let StmtKind::Atomic { result: Some(result), place, .. } = &stmt.kind
            && place.ty.is_float()
        {
            // What other threads have added.
            self.varied.insert(*result);
        }
        let (root, value) = match &stmt.kind {
            StmtKind::Let { local, init: Some(init) } => (PlaceRoot::Local(*local), init),
            StmtKind::Assign { place, value }
            | StmtKind::Update { place, value, .. }
            | StmtKind::Atomic { place, value, .. } => (place.root.clone(), value),
            _ => return,
        };
        let useful = match root {
            PlaceRoot::Local(local) | PlaceRoot::Slot { local, .. } => {
                if self.is_varied(value) {
                    self.varied.insert(local);
                }
                if self.is_wild(value) {
                    self.wild.insert(local);
                }
                self.useful.contains(&local)
            }
            PlaceRoot::Element { .. } => true,
        };
        if useful {
            smooth_leaves(value, &mut |leaf| {
                if let ExprKind::Local(local) = leaf.kind {
                    self.useful.insert(local);
                }
            });
        }
    }

    /// Whether the value of `expr` has a derivative by some input.
    pub(super) fn is_varied(&self, expr: &Expr) -> bool {
        let mut varied = false;
        smooth_leaves(expr, &mut |leaf| {
            varied |= match &leaf.kind {
                ExprKind::Local(local) => self.varied.contains(local),
                _ => true,
            };
        });
        varied
    }

    /// Whether the adjoint of the local is zero only if the gradient itself is.
    pub(super) fn is_certain(&self, local: LocalId) -> bool {
        self.certain.contains(&local)
    }

    /// Whether a derivative rule in `expr` may meet infinity or NaN although the inputs are finite. Times an adjoint of
    /// zero, which a branch that is not taken leaves, that would be NaN.
    pub(super) fn is_wild(&self, expr: &Expr) -> bool {
        let mut wild = false;
        expr.walk(&mut |expr| {
            wild |= match &expr.kind {
                ExprKind::Local(local) => self.wild.contains(local),
                ExprKind::Op(op, args) => is_singular(*op, args, expr.ty),
                // What its author gives as the derivative may be anything.
                ExprKind::Call(function, _) => function.gradient.is_some(),
                _ => false,
            };
        });
        wild
    }

    /// Whether a derivative goes through the local.
    pub(super) fn is_active(&self, local: LocalId) -> bool {
        self.varied.contains(&local) && self.useful.contains(&local)
    }
}

/// Calls `visit` on the locals, parameters and loads that `expr` depends on smoothly.
pub(super) fn smooth_leaves<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    if !expr.ty.is_float() {
        return;
    }
    match &expr.kind {
        ExprKind::Local(_) | ExprKind::Param(_) | ExprKind::Load { .. } => visit(expr),
        ExprKind::Literal(_) | ExprKind::Tid(_) | ExprKind::Extent { .. } | ExprKind::Slot { .. } => {}
        ExprKind::Op(op, args) => {
            let types: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
            for arg in &args[..ops::differentiable(*op, &types, expr.ty)] {
                smooth_leaves(arg, visit);
            }
        }
        ExprKind::Call(function, args) => {
            for (param, _) in function.gradient.iter().flat_map(|gradient| &gradient.parts) {
                smooth_leaves(&args[param.0 as usize], visit);
            }
        }
        ExprKind::Cast(inner) | ExprKind::Component(inner, _) | ExprKind::Column(inner, _) => {
            smooth_leaves(inner, visit);
        }
        ExprKind::Select { then, other, .. } => {
            smooth_leaves(then, visit);
            smooth_leaves(other, visit);
        }
    }
}

/// The arrays that `expr` reads where its value depends on them smoothly.
pub(super) fn smooth_loads(expr: &Expr) -> Vec<(&Expr, ParamId)> {
    let mut loads = Vec::new();
    smooth_leaves(expr, &mut |leaf| {
        if let ExprKind::Load { array, .. } = leaf.kind {
            loads.push((leaf, array));
        }
    });
    loads
}

/// Whether an operation, or its derivative, may be infinite or NaN for finite operands.
fn is_singular(op: Op, args: &[Expr], ty: Type) -> bool {
    /// An operation, the types of its operands, and that of its result.
    type Row = (Op, Vec<Type>, Type);
    thread_local! {
        /// Facts of the table, which are asked for every expression and take long to find.
        static KNOWN: RefCell<HashMap<Row, bool>> = RefCell::default();
    }
    let types: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
    KNOWN.with_borrow_mut(|known| {
        let find = |key: &Row| may_be_infinite(op, &key.1, ty);
        *known.entry((op, types, ty)).or_insert_with_key(find)
    })
}

fn may_be_infinite(op: Op, types: &[Type], ty: Type) -> bool {
    let (result, adjoint) = (LocalId(types.len() as u32), LocalId(types.len() as u32 + 1));
    let grows = |rule: &Expr| {
        let mut found = false;
        rule.walk(&mut |expr| {
            found |= match &expr.kind {
                // Divisors, and results in a product: those of exponentials overflow.
                ExprKind::Op(Op::Div | Op::Recip | Op::Powf | Op::Powi | Op::Exp | Op::Sinh | Op::Cosh, _) => true,
                ExprKind::Op(Op::Mul, args) => args.iter().any(|arg| arg.kind == ExprKind::Local(result)),
                _ => false,
            };
        });
        found && rule.kind != ExprKind::Local(adjoint)
    };
    ops::pullback(op, types, ty).iter().flatten().any(grows)
}

/// The locals that are assigned and read on every path through the block of their declaration, and so pass an adjoint on
/// that is not zero only because a branch was not taken.
fn certain(kernel: &Kernel) -> HashSet<LocalId> {
    let mut flow = Flow::default();
    flow.block(&kernel.body);
    loop {
        let before = flow.certain.len();
        for (local, reader) in &flow.reads {
            let reaches = reader.is_none_or(|reader| flow.certain.contains(&reader));
            if reaches && !flow.nested.contains(local) {
                flow.certain.insert(*local);
            }
        }
        if flow.certain.len() == before {
            return flow.certain;
        }
    }
}

#[derive(Default)]
struct Flow {
    blocks: u32,
    /// The number of the block that declares each local.
    home: HashMap<LocalId, u32>,
    /// Locals that are assigned in a block inside that of their declaration.
    nested: HashSet<LocalId>,
    /// Reads in the block of the declaration: by which local, or by an array.
    reads: Vec<(LocalId, Option<LocalId>)>,
    certain: HashSet<LocalId>,
}

impl Flow {
    fn block(&mut self, block: &[Stmt]) {
        self.blocks += 1;
        let here = self.blocks;
        for stmt in block {
            if let StmtKind::Let { local, .. } = stmt.kind {
                self.home.insert(local, here);
            }
            if let Some(local) = stmt.assigned_local()
                && self.home.get(&local) != Some(&here)
            {
                self.nested.insert(local);
            }
            let (reader, value) = match &stmt.kind {
                StmtKind::Let { local, init: Some(init) } => (Some(*local), Some(init)),
                StmtKind::Assign { value, .. } | StmtKind::Update { value, .. } => (stmt.assigned_local(), Some(value)),
                StmtKind::Atomic { op: AtomicOp::Add | AtomicOp::Sub, value, .. } => (None, Some(value)),
                _ => (None, None),
            };
            if let Some(value) = value {
                smooth_leaves(value, &mut |leaf| match leaf.kind {
                    ExprKind::Local(local) if self.home.get(&local) == Some(&here) => self.reads.push((local, reader)),
                    _ => {}
                });
            }
            stmt.blocks().into_iter().for_each(|block| self.block(block));
        }
    }
}

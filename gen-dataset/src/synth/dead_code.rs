//! Dead-code elimination and renumbering of a generated kernel.
//!
//! Statements without an effect are removed first, then parameters that nothing reads. Locals are numbered in order of
//! occurrence. A local is `mut` only if it is assigned again.

use kernel_ir::ir::{
    Block, Expr, ExprKind, Kernel, Local, LocalId, ParamId, ParamKind, Place, PlaceRoot, SizeExpr, Stmt, StmtKind,
};
use std::collections::HashSet;

/// Removes dead parameters of `kernel`, numbers its locals, and fixes their `mut`. Its dead statements must be gone.
pub(super) fn clean_up(kernel: &mut Kernel) {
    drop_dead_params(kernel);
    number_locals(kernel);
    find_mutable(kernel);
    name_unread(kernel);
}

/// Removes statements without an effect, until none is left.
pub(super) fn drop_dead_statements(kernel: &mut Kernel) {
    loop {
        let live = live(kernel);
        retain(&mut kernel.body, &live);
        // A removed change may have been the last reader of something else.
        if !drop_last_changes(&mut kernel.body) {
            return;
        }
    }
}

/// The live locals: those that statements with an effect read. A fixed point, because locals read locals.
pub(crate) fn live(kernel: &Kernel) -> HashSet<LocalId> {
    let mut live = HashSet::new();
    loop {
        let before = live.len();
        let mut found = live.clone();
        for stmt in &kernel.body {
            reads_of(stmt, &live, &mut found);
        }
        live = found;
        if live.len() == before {
            return live;
        }
    }
}

/// Removes trailing changes of locals that nothing reads afterwards. Returns whether there were any.
fn drop_last_changes(body: &mut Block) -> bool {
    let mut read = HashSet::new();
    let before = body.len();
    let mut kept = Vec::with_capacity(before);
    for stmt in std::mem::take(body).into_iter().rev() {
        let changes = match &stmt.kind {
            StmtKind::Assign { .. } | StmtKind::Update { .. } => stmt.assigned_local(),
            _ => None,
        };
        if changes.is_some_and(|local| !read.contains(&local)) {
            continue;
        }
        stmt.walk(&mut |stmt| {
            stmt.walk_exprs(&mut |expr| {
                if let ExprKind::Local(local) | ExprKind::LocalElement { local, .. } = expr.kind {
                    read.insert(local);
                }
            });
            // A change of a part reads the rest of the local.
            read.extend(stmt.assigned_local());
        });
        kept.push(stmt);
    }
    kept.reverse();
    *body = kept;
    body.len() < before
}

/// Whether the statement affects a live local, another thread, or the control flow.
fn matters(stmt: &Stmt, live: &HashSet<LocalId>) -> bool {
    match &stmt.kind {
        StmtKind::Let { local, .. } => live.contains(local),
        StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => match place.root {
            PlaceRoot::Local(local) | PlaceRoot::LocalElement { local, .. } => live.contains(&local),
            PlaceRoot::Element { .. } => true,
        },
        StmtKind::Atomic { .. } | StmtKind::Return(_) | StmtKind::Print(_) => true,
        // A jump matters exactly if its loop does.
        StmtKind::Break | StmtKind::Continue => false,
        StmtKind::If { then, other, .. } => then.iter().chain(other).any(|stmt| matters(stmt, live)),
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => body.iter().any(|stmt| matters(stmt, live)),
    }
}

/// Whether the statement may end a trip of the enclosing loop.
pub(crate) fn jumps(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Break | StmtKind::Continue => true,
        StmtKind::If { then, other, .. } => then.iter().chain(other).any(jumps),
        _ => false,
    }
}

/// Adds to `found` the locals that the remaining statements read.
fn reads_of(stmt: &Stmt, live: &HashSet<LocalId>, found: &mut HashSet<LocalId>) {
    if !matters(stmt, live) && !jumps(stmt) {
        return;
    }
    for expr in stmt.exprs() {
        expr.walk(&mut |expr| {
            if let ExprKind::Local(local) | ExprKind::LocalElement { local, .. } = expr.kind {
                found.insert(local);
            }
        });
    }
    if let StmtKind::Atomic { result, .. } = &stmt.kind {
        found.extend(result);
    }
    for block in stmt.blocks() {
        for stmt in block {
            reads_of(stmt, live, found);
        }
    }
}

fn retain(block: &mut Block, live: &HashSet<LocalId>) {
    block.retain(|stmt| matters(stmt, live) || jumps(stmt));
    for stmt in block {
        for inner in stmt.blocks_mut() {
            retain(inner, live);
        }
    }
}

fn drop_dead_params(kernel: &mut Kernel) {
    let mut used = HashSet::new();
    kernel.walk_exprs(&mut |expr| used.extend(expr.params()));
    kernel.walk_stmts(&mut |stmt| {
        if let Some(Place { root: PlaceRoot::Element { array, .. }, .. }) = stmt.place() {
            used.insert(*array);
        }
    });
    keep_params(kernel, used);
}

/// Keeps the parameters `used`, and those that their extents and domains name.
pub(super) fn keep_params(kernel: &mut Kernel, mut used: HashSet<ParamId>) {
    // A size refers only to earlier parameters, so one pass from the end finds all uses.
    for (place, param) in kernel.params.iter().enumerate().rev() {
        if used.contains(&ParamId(place as u32)) {
            for size in param.sizes() {
                used.extend(size.params());
            }
        }
    }
    let mut next = 0;
    let numbers: Vec<Option<ParamId>> = (0..kernel.params.len() as u32)
        .map(|id| {
            used.contains(&ParamId(id)).then(|| {
                next += 1;
                ParamId(next - 1)
            })
        })
        .collect();
    if numbers.iter().all(Option::is_some) {
        return;
    }
    let renumber = |id: &mut ParamId| *id = numbers[id.0 as usize].unwrap_or(*id);
    let mut place = 0;
    kernel.params.retain(|_| {
        place += 1;
        numbers[place - 1].is_some()
    });
    for param in &mut kernel.params {
        param.sizes_mut().for_each(|size| renumber_size(size, &renumber));
    }
    each_expr(&mut kernel.body, &mut |expr| expr.params_mut().iter_mut().for_each(&renumber));
    each_stmt(&mut kernel.body, &mut |stmt| {
        if let Some(Place { root: PlaceRoot::Element { array, .. }, .. }) = stmt.place_mut() {
            renumber(array);
        }
    });
}

fn renumber_size(size: &mut SizeExpr, renumber: &impl Fn(&mut ParamId)) {
    match size {
        SizeExpr::Literal(_) | SizeExpr::Dim(_) => {}
        SizeExpr::Param(id) | SizeExpr::Extent(id, _) => renumber(id),
        SizeExpr::Add(a, b) | SizeExpr::Sub(a, b) | SizeExpr::Mul(a, b) | SizeExpr::Div(a, b) => {
            renumber_size(a, renumber);
            renumber_size(b, renumber);
        }
    }
}

/// Numbers the locals in order of declaration, and removes those without a declaration.
pub(crate) fn number_locals(kernel: &mut Kernel) {
    let mut order = Vec::new();
    kernel.walk_stmts(&mut |stmt| order.extend(stmt.declared_local()));
    let mut numbers = vec![LocalId(0); kernel.locals.len()];
    for (number, old) in order.iter().enumerate() {
        numbers[old.0 as usize] = LocalId(number as u32);
    }
    let locals: Vec<Local> = order.iter().map(|old| kernel.local(*old).clone()).collect();
    kernel.locals = locals;
    kernel.body.iter_mut().for_each(|stmt| stmt.rename_locals(&|id| numbers[id.0 as usize]));
}

fn find_mutable(kernel: &mut Kernel) {
    let mut started = HashSet::new();
    let mut assigned = HashSet::new();
    kernel.walk_stmts(&mut |stmt| {
        if let StmtKind::Let { local, init: Some(_) } = &stmt.kind {
            started.insert(*local);
        }
        assigned.extend(stmt.assigned_local());
    });
    for (id, local) in (0..).map(LocalId).zip(&mut kernel.locals) {
        if started.contains(&id) {
            local.mutable = assigned.contains(&id);
        }
    }
}

/// Renames loop variables that nothing reads to `_`.
fn name_unread(kernel: &mut Kernel) {
    let mut read = HashSet::new();
    kernel.walk_exprs(&mut |expr| {
        if let ExprKind::Local(local) = expr.kind {
            read.insert(local);
        }
    });
    let mut unread = Vec::new();
    kernel.walk_stmts(&mut |stmt| {
        if let StmtKind::For { local, .. } = &stmt.kind
            && !read.contains(local)
        {
            unread.push(*local);
        }
    });
    for local in unread {
        kernel.locals[local.0 as usize].name = "_".to_owned();
    }
}

/// Calls `change` on every statement.
fn each_stmt(block: &mut Block, change: &mut dyn FnMut(&mut Stmt)) {
    block.iter_mut().for_each(|stmt| stmt.walk_mut(&mut |stmt| change(stmt)));
}

/// Calls `change` on every expression and its subexpressions.
fn each_expr(block: &mut Block, change: &mut dyn FnMut(&mut Expr)) {
    each_stmt(block, &mut |stmt| stmt.exprs_mut().for_each(|expr| expr.walk_mut(&mut |part| change(part))));
}

/// The kernel with all literals and all bounds made equal. The skeleton hash is computed of it.
pub(crate) fn without_constants(kernel: &Kernel) -> Kernel {
    let mut bare = kernel.clone();
    bare.change_functions(&mut |_, code| one_constant(&mut code.body));
    one_constant(&mut bare.body);
    for param in &mut bare.params {
        param.domain = None;
        if let ParamKind::Array { shape, .. } = &mut param.kind {
            for size in shape {
                if let SizeExpr::Literal(value) = size {
                    *value = 1;
                }
            }
        }
    }
    bare
}

/// Replaces every number by 1.
fn one_constant(body: &mut Block) {
    use kernel_ir::ir::Literal;
    each_expr(body, &mut |expr| {
        if let ExprKind::Literal(literal) = &mut expr.kind {
            *literal = match *literal {
                Literal::Bool(value) => Literal::Bool(value),
                Literal::I8(_) => Literal::I8(1),
                Literal::U8(_) => Literal::U8(1),
                Literal::I16(_) => Literal::I16(1),
                Literal::U16(_) => Literal::U16(1),
                Literal::I32(_) => Literal::I32(1),
                Literal::U32(_) => Literal::U32(1),
                Literal::I64(_) => Literal::I64(1),
                Literal::U64(_) => Literal::U64(1),
                Literal::Index(_) => Literal::Index(1),
                Literal::F16(_) => Literal::F16(1f32.to_bits()),
                Literal::BF16(_) => Literal::BF16(1f32.to_bits()),
                Literal::F32(_) => Literal::f32(1.0),
                Literal::F64(_) => Literal::f64(1.0),
            };
        }
    });
}

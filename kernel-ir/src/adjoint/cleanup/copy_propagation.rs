//! Copy propagation, and fusion of a zero initialisation with the first addition.
//!
//! The pass first turns `d = 0; …; d += e` into `d = e`, then drops stores of an unchanged copy, then merges locals
//! that are copies of each other. No step changes a computed value, except that `0 + e` becomes `e`, which differs in
//! the sign of a zero only.

use crate::adjoint::terms::neg;
use crate::ir::{Block, Expr, ExprKind, Local, LocalId, LocalMap, LocalSet, Place, PlaceRoot, Stmt, StmtKind, TileOp};
use crate::ops::Op;
use crate::rewrite::build::zero;

/// Simplifies `body`, and marks the locals that are never assigned after their declaration as immutable.
pub(crate) fn propagate_copies(body: &mut Block, locals: &mut [Local]) {
    // The order matters: the fusion of sums exposes stores of unchanged copies, and these expose mergeable copies.
    start_sums_with_values(body);
    drop_given_back(body);
    let mut uses = Uses::of(body, locals.len());
    merge_copies(body, &mut uses);
    for (local, written) in locals.iter_mut().zip(&uses.written) {
        // A local array is written by element, which `written` does not count.
        local.mutable = *written > 0 || local.len.is_some();
    }
}

/// The numbers of reads and writes of each local, indexed by its id.
struct Uses {
    read: Vec<usize>,
    written: Vec<usize>,
}

impl Uses {
    fn of(body: &Block, locals: usize) -> Uses {
        let mut uses = Uses { read: vec![0; locals], written: vec![0; locals] };
        for stmt in body {
            stmt.walk(&mut |stmt| {
                stmt.walk_exprs(&mut |expr| {
                    if let Some(local) = expr.local_read() {
                        uses.read[local.0 as usize] += 1;
                    }
                });
                if let Some(local) = stmt.assigned_local() {
                    uses.written[local.0 as usize] += 1;
                }
            });
        }
        uses
    }

    /// Transfers the counts of `local` to `name`, which replaces it.
    fn join(&mut self, local: LocalId, name: LocalId) {
        for counts in [&mut self.read, &mut self.written] {
            let more = std::mem::take(&mut counts[local.0 as usize]);
            counts[name.0 as usize] += more;
        }
    }
}

/// Fuses `d = 0` and a later `d += e` in the same block into `d = e`, if nothing between them names `d`.
fn start_sums_with_values(block: &mut Block) {
    for stmt in block.iter_mut() {
        stmt.blocks_mut().for_each(start_sums_with_values);
    }
    // The locals that are zero and not named since, with the position of the statement that sets them.
    let mut zeros: Vec<(LocalId, usize)> = Vec::new();
    let mut is_moved = vec![false; block.len()];
    for place in 0..block.len() {
        let start = zeros.iter().find(|(local, _)| adds_to(&block[place], *local)).map(|(_, start)| *start);
        if let Some(start) = start {
            // `Return(None)` is a placeholder. The statement at `start` is removed below.
            let from = std::mem::replace(&mut block[start].kind, StmtKind::Return(None));
            block[place].kind = match (from, std::mem::replace(&mut block[place].kind, StmtKind::Return(None))) {
                (StmtKind::Let { local, .. }, StmtKind::Update { op, value, .. }) => {
                    zeros.retain(|(zero, _)| *zero != local);
                    StmtKind::Let { local, init: Some(term(op, value)) }
                }
                (StmtKind::Assign { place, .. }, StmtKind::Update { op, value, .. }) => {
                    StmtKind::Assign { place, value: term(op, value) }
                }
                (_, other) => other,
            };
            is_moved[start] = true;
        }
        if !zeros.is_empty() {
            block[place].walk(&mut |stmt| {
                stmt.walk_exprs(&mut |expr| {
                    if let Some(local) = expr.local_read() {
                        zeros.retain(|(zero, _)| *zero != local);
                    }
                });
                if let Some(local) = stmt.assigned_local() {
                    zeros.retain(|(zero, _)| *zero != local);
                }
            });
        }
        // After the tests, so that a statement that sets a local to zero does not end its own entry.
        zeros.extend(set_to_zero(&block[place]).map(|local| (local, place)));
    }
    let mut is_moved = is_moved.into_iter();
    block.retain(|_| is_moved.next() == Some(false));
}

/// The term that an update with `op` and `value` adds.
fn term(op: Op, value: Expr) -> Expr {
    if op == Op::Sub { neg(value) } else { value }
}

/// Whether the value is the zero of its type.
fn is_zero(value: &Expr) -> bool {
    // Few values are zeros, and building one for the comparison is slower than this test.
    let may_be = matches!(
        value.kind,
        ExprKind::Literal(_)
            | ExprKind::Op(Op::Splat | Op::FromDiagonal | Op::QuatNew, _)
            | ExprKind::Tile(TileOp::Broadcast, _)
    );
    may_be && *value == zero(value.ty)
}

/// The local that the statement sets to zero.
fn set_to_zero(stmt: &Stmt) -> Option<LocalId> {
    if let StmtKind::Let { local, init: Some(init) } = &stmt.kind {
        return is_zero(init).then_some(*local);
    }
    let StmtKind::Assign { place: Place { root: PlaceRoot::Local(local), path, .. }, value } = &stmt.kind else {
        return None;
    };
    (path.is_empty() && is_zero(value)).then_some(*local)
}

/// Whether the statement adds to the local a term that does not read the local.
fn adds_to(stmt: &Stmt, local: LocalId) -> bool {
    let StmtKind::Update { place, op: Op::Add | Op::Sub, value } = &stmt.kind else { return false };
    place.root == PlaceRoot::Local(local) && place.path.is_empty() && !value.reads(local)
}

/// Drops `d = g` directly after `let g = d`.
fn drop_given_back(block: &mut Block) {
    for stmt in block.iter_mut() {
        stmt.blocks_mut().for_each(drop_given_back);
    }
    let mut place = 1;
    while place < block.len() {
        if is_given_back(&block[place - 1], &block[place]) {
            block.remove(place);
        } else {
            place += 1;
        }
    }
}

/// Whether `first` declares a copy of a local and `second` assigns that copy back.
fn is_given_back(first: &Stmt, second: &Stmt) -> bool {
    match (&first.kind, &second.kind) {
        (StmtKind::Let { local, init: Some(init) }, StmtKind::Assign { place, value }) => {
            let is_of = |of: LocalId| init.kind == ExprKind::Local(of) && value.kind == ExprKind::Local(*local);
            place.path.is_empty() && matches!(place.root, PlaceRoot::Local(of) if is_of(of))
        }
        _ => false,
    }
}

/// Removes locals that are copies of others. A merge may make another copy removable, so the search repeats until it
/// finds none.
fn merge_copies(body: &mut Block, uses: &mut Uses) {
    let mut names = Merged::default();
    loop {
        let mut found = Vec::new();
        find_copies(body, uses, &names, &mut LocalSet::default(), &mut found);
        if found.is_empty() {
            break;
        }
        names.0.extend(found.iter().map(|copy| (copy.local, copy.name)));
        // The counts change only after the search, because whether a copy is removable must not depend on the order in
        // which copies are found.
        found.iter().for_each(|copy| uses.read[copy.original.0 as usize] -= 1);
        found.iter().for_each(|copy| uses.join(copy.local, names.of(copy.local)));
    }
    if !names.0.is_empty() {
        body.iter_mut().for_each(|stmt| stmt.rename_locals(&|local| names.of(local)));
    }
}

/// A forest of merged locals: each local maps to the local that replaced it.
#[derive(Default)]
struct Merged(LocalMap<LocalId>);

impl Merged {
    /// The representative of `local`.
    fn of(&self, mut local: LocalId) -> LocalId {
        while let Some(next) = self.0.get(local) {
            local = *next;
        }
        local
    }
}

/// A declaration `let b = a` that can be removed by merging `a` and `b`.
struct Merge {
    /// The `a` of the declaration.
    original: LocalId,
    /// The local that disappears, `a` or `b`.
    local: LocalId,
    /// The local that replaces it.
    name: LocalId,
}

/// Finds the removable declarations `let b = a`, and removes them. `gone` holds the locals that disappear in this
/// search.
fn find_copies(block: &mut Block, uses: &Uses, names: &Merged, gone: &mut LocalSet, found: &mut Vec<Merge>) {
    let mut declared: Vec<LocalId> = Vec::new();
    block.retain_mut(|stmt| {
        if let StmtKind::Let { local, init: Some(init) } = &stmt.kind {
            let copy = names.of(*local);
            if let ExprKind::Local(original) = init.kind
                && let original = names.of(original)
                && !gone.contains(original)
            {
                let fixed = |local: LocalId| uses.written[local.0 as usize] == 0;
                // If neither is assigned, `b` is `a`. If `a` has no other read and is declared in this block, then `b`
                // may take over the declaration of `a`, even if `b` is assigned later.
                let merged = if fixed(original) && fixed(copy) {
                    Some(Merge { original, local: copy, name: original })
                } else if fixed(original) && uses.read[original.0 as usize] == 1 && declared.contains(&original) {
                    Some(Merge { original, local: original, name: copy })
                } else {
                    None
                };
                if let Some(merged) = merged {
                    gone.insert(merged.local);
                    found.push(merged);
                    return false;
                }
            }
            declared.push(copy);
        }
        for block in stmt.blocks_mut() {
            find_copies(block, uses, names, gone, found);
        }
        true
    });
}

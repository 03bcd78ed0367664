//! Type annotations: which declarations need one.
//!
//! rustc infers the type of an unsuffixed number from its uses, in any order, with one exception: it must know the type
//! of a receiver when it reaches a method call. So a declaration such as `let mut sum = 0.0` needs an annotation in two
//! cases: if no use relates the variable to a known type, or if a method is called on a value whose type follows only
//! from the variable.

use super::literal;
use crate::ir::{Expr, ExprKind, Kernel, LocalId, Place, PlaceRoot, Projection, StmtKind, Type};
use crate::ops::{Op, Syntax};
use std::collections::{HashMap, HashSet};

/// The type information that the text of a kernel needs.
#[derive(Debug)]
pub(super) struct Typing {
    /// The locals whose type rustc infers from their uses: declared without a type, with a value that leaves it open.
    inferred: HashSet<LocalId>,
}

impl Typing {
    pub(super) fn new(kernel: &Kernel) -> Typing {
        let open = open_declarations(kernel);
        if open.is_empty() {
            return Typing { inferred: open };
        }
        // `i32` and `f64` are the defaults of rustc, so such locals need no use that determines them.
        let mut unknown: HashSet<LocalId> = open.iter().copied().filter(|l| !is_default(kernel.local(*l).ty)).collect();
        loop {
            let constrained = constrained(kernel, &unknown);
            let before = unknown.len();
            unknown.retain(|local| !constrained.contains(local));
            if unknown.len() == before {
                break;
            }
        }
        let inferred = open.difference(&unknown).copied().collect();
        let early = receivers(kernel, &inferred);
        Typing { inferred: inferred.difference(&early).copied().collect() }
    }

    /// Whether the local is declared without a type although its initial value leaves the type open.
    pub(super) fn is_inferred(&self, local: LocalId) -> bool {
        self.inferred.contains(&local)
    }

    /// Whether the text of `expr` determines its type without suffixes.
    pub(super) fn fixes_type(&self, expr: &Expr) -> bool {
        fixes_type(expr, &self.inferred)
    }
}

/// Whether the type is the default of an unsuffixed number.
fn is_default(ty: Type) -> bool {
    matches!(ty, Type::I32 | Type::F64)
}

fn fixes_type(expr: &Expr, unknown: &HashSet<LocalId>) -> bool {
    match &expr.kind {
        ExprKind::Literal(value) => !literal::is_open(*value),
        ExprKind::Local(local) => !unknown.contains(local),
        ExprKind::Op(op, args) => match op.def().rust {
            Syntax::Infix("<<" | ">>") | Syntax::Prefix(_) => fixes_type(&args[0], unknown),
            Syntax::Infix(_) if keeps_type(expr, args) => args.iter().any(|arg| fixes_type(arg, unknown)),
            Syntax::Infix(_) | Syntax::Method(_) | Syntax::Assoc(_) | Syntax::Function(_) | Syntax::Draw(_) => true,
        },
        ExprKind::Select { then, other, .. } => fixes_type(then, unknown) || fixes_type(other, unknown),
        ExprKind::LocalElement { .. }
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Present(_)
        | ExprKind::Load { .. }
        | ExprKind::Call(..)
        | ExprKind::Cast(_)
        | ExprKind::Component(..)
        | ExprKind::Column(..)
        | ExprKind::Field(..)
        | ExprKind::Tile(..)
        | ExprKind::Struct(_) => true,
    }
}

/// Whether operands and result are scalars of one type.
fn keeps_type(expr: &Expr, args: &[Expr]) -> bool {
    expr.ty.is_scalar() && args.iter().all(|arg| arg.ty == expr.ty)
}

/// The locals whose declaration leaves the type open, because its value consists of literals.
fn open_declarations(kernel: &Kernel) -> HashSet<LocalId> {
    let nothing = HashSet::new();
    let mut open = HashSet::new();
    kernel.walk_stmts(&mut |stmt| match &stmt.kind {
        StmtKind::Let { local, init: Some(init) } if !fixes_type(init, &nothing) => {
            open.insert(*local);
        }
        StmtKind::For { local, range, .. }
            if !fixes_type(&range.start, &nothing) && !fixes_type(&range.end, &nothing) =>
        {
            open.insert(*local);
        }
        StmtKind::Let { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Update { .. }
        | StmtKind::Atomic { .. }
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::While { .. }
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Print(_) => {}
    });
    open
}

/// The locals in `unknown` that some use relates to a known type.
fn constrained(kernel: &Kernel, unknown: &HashSet<LocalId>) -> HashSet<LocalId> {
    let mut constraints = Constraints { unknown, locals: HashSet::new() };
    kernel.walk_stmts(&mut |stmt| match &stmt.kind {
        StmtKind::Assign { place, value } => constraints.place(place, value),
        StmtKind::Update { place, op, value } if !is_shift(*op) => constraints.place(place, value),
        StmtKind::Update { place, .. } => constraints.indices(place),
        StmtKind::Atomic { place, compare, value, .. } => {
            compare.iter().chain([value]).for_each(|operand| constraints.place(place, operand));
        }
        StmtKind::For { range, .. } => {
            constraints.pair(&range.start, &range.end);
            constraints.all(&range.step);
        }
        StmtKind::Return(result) => constraints.all(result),
        StmtKind::Print(message) => constraints.all(&message.args),
        StmtKind::Let { .. } | StmtKind::If { .. } | StmtKind::While { .. } | StmtKind::Break | StmtKind::Continue => {}
    });
    kernel.walk_exprs(&mut |expr| match &expr.kind {
        ExprKind::Load { index, .. } => constraints.all(index),
        ExprKind::LocalElement { index, .. } | ExprKind::Component(_, index) | ExprKind::Column(_, index) => {
            constraints.known(index)
        }
        ExprKind::Call(_, args) | ExprKind::Struct(args) => constraints.all(args),
        ExprKind::Op(op, args) => match op.def().rust {
            Syntax::Infix(_) if is_shift(*op) => {}
            Syntax::Infix(_) => constraints.pair(&args[0], &args[1]),
            Syntax::Prefix(_) => {}
            Syntax::Method(_) => constraints.all(&args[1..]),
            Syntax::Assoc(_) | Syntax::Function(_) | Syntax::Draw(_) => constraints.all(args),
        },
        ExprKind::Literal(_)
        | ExprKind::Local(_)
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Present(_)
        | ExprKind::Cast(_)
        | ExprKind::Field(..)
        | ExprKind::Tile(..)
        | ExprKind::Select { .. } => {}
    });
    constraints.locals
}

fn is_shift(op: Op) -> bool {
    matches!(op, Op::Shl | Op::Shr)
}

struct Constraints<'a> {
    unknown: &'a HashSet<LocalId>,
    locals: HashSet<LocalId>,
}

impl Constraints<'_> {
    /// Records that `expr` is used where its type is known.
    fn known(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Local(local) => {
                self.locals.insert(*local);
            }
            ExprKind::Op(op, args) => match op.def().rust {
                Syntax::Infix("<<" | ">>") | Syntax::Prefix(_) => self.known(&args[0]),
                Syntax::Infix(_) if keeps_type(expr, args) => self.all(args),
                Syntax::Infix(_) | Syntax::Method(_) | Syntax::Assoc(_) => {}
                Syntax::Function(_) | Syntax::Draw(_) => {}
            },
            ExprKind::Select { then, other, .. } => {
                self.known(then);
                self.known(other);
            }
            ExprKind::Literal(_)
            | ExprKind::LocalElement { .. }
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
            | ExprKind::Load { .. }
            | ExprKind::Call(..)
            | ExprKind::Cast(_)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Field(..)
            | ExprKind::Tile(..)
            | ExprKind::Struct(_) => {}
        }
    }

    fn all<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        exprs.into_iter().for_each(|expr| self.known(expr));
    }

    /// Records that the two operands of an operator have one type.
    fn pair(&mut self, a: &Expr, b: &Expr) {
        if fixes_type(a, self.unknown) {
            self.known(b);
        }
        if fixes_type(b, self.unknown) {
            self.known(a);
        }
    }

    /// Records that a place and its value have one type.
    fn place(&mut self, place: &Place, value: &Expr) {
        self.indices(place);
        match (&place.root, place.path.as_slice()) {
            (PlaceRoot::Local(local), []) if self.unknown.contains(local) => {
                if fixes_type(value, self.unknown) {
                    self.locals.insert(*local);
                }
            }
            _ => self.known(value),
        }
    }

    fn indices(&mut self, place: &Place) {
        match &place.root {
            PlaceRoot::Local(_) => {}
            PlaceRoot::LocalElement { index, .. } => self.known(index),
            PlaceRoot::Element { index, .. } => self.all(index),
        }
        place.path.iter().filter_map(Projection::index).for_each(|index| self.known(index));
    }
}

/// The locals in `inferred` that need an annotation, because a method is called on a value whose type follows only from
/// them.
fn receivers(kernel: &Kernel, inferred: &HashSet<LocalId>) -> HashSet<LocalId> {
    let mut early = HashSet::new();
    let following = following(kernel, inferred);
    let open: HashSet<LocalId> = following.keys().chain(inferred).copied().collect();
    kernel.walk_exprs(&mut |expr| {
        if let ExprKind::Op(op, args) = &expr.kind
            && let Syntax::Method(_) = op.def().rust
            && !fixes_type(&args[0], &open)
        {
            add_locals(&args[0], &following, &mut early);
        }
    });
    early
}

/// The locals whose type follows only from those in `inferred`, such as `k` in `for k in 0..n`, with the values of their
/// declarations.
fn following<'k>(kernel: &'k Kernel, inferred: &HashSet<LocalId>) -> HashMap<LocalId, Vec<&'k Expr>> {
    let mut declared: Vec<(LocalId, Vec<&Expr>)> = Vec::new();
    kernel.walk_stmts(&mut |stmt| match &stmt.kind {
        StmtKind::Let { local, init: Some(init) } => declared.push((*local, vec![init])),
        StmtKind::For { local, range, .. } => declared.push((*local, vec![&range.start, &range.end])),
        StmtKind::Let { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Update { .. }
        | StmtKind::Atomic { .. }
        | StmtKind::If { .. }
        | StmtKind::While { .. }
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Print(_) => {}
    });
    let (mut open, mut found) = (inferred.clone(), HashMap::new());
    // A local stands behind those that it follows from.
    for (local, values) in declared {
        if !open.contains(&local) && !values.iter().any(|value| fixes_type(value, &open)) {
            open.insert(local);
            found.insert(local, values);
        }
    }
    found
}

/// Adds the locals of `expr`, and those that they follow from.
fn add_locals(expr: &Expr, following: &HashMap<LocalId, Vec<&Expr>>, found: &mut HashSet<LocalId>) {
    expr.walk(&mut |part| {
        if let ExprKind::Local(local) = part.kind
            && found.insert(local)
        {
            following.get(&local).into_iter().flatten().for_each(|value| add_locals(value, following, found));
        }
    });
}

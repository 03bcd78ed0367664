//! Scalar promotion: an array element that belongs to one thread becomes a local. It is loaded before its first use and
//! stored after its last use, so that the reverse sweep sees assignments of locals in place of overwritten memory.

use crate::adjoint::analyze::array_classes::ArrayClass;
use crate::analysis::{Affine, Indices, cannot_fail};
use crate::diag::Diagnostic;
use crate::ir::{
    Block, Expr, ExprKind, ForRange, Kernel, Local, LocalId, LocalMap, LocalSet, ParamId, Place, PlaceRoot, Span, Stmt,
    StmtKind, Type,
};
use crate::ops::Op;
use crate::rewrite::build::{self, assign, branch, compare, expr, local_place, stmt, zero};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Promotes the elements of `Owned` arrays in `kernel`, which has no `return`.
///
/// # Errors
/// A diagnostic for an element that is accessed under a condition only and may lie outside its array otherwise.
pub(crate) fn promote(kernel: &mut Kernel, classes: &BTreeMap<ParamId, ArrayClass>) -> Result<(), Vec<Diagnostic>> {
    if !classes.values().any(|class| *class == ArrayClass::Owned) {
        return Ok(());
    }
    let mut mistakes = Vec::new();
    let source = kernel.clone();
    let indices = Indices::of(&source);
    // Each element gets its own local. Distinct affine indices never coincide here, because the class excludes it.
    for (array, param) in source.param_ids().filter(|(id, _)| classes.get(id) == Some(&ArrayClass::Owned)) {
        for element in elements(&source, &indices, array) {
            let local = Local::fresh(&mut kernel.locals, format!("{}_value", param.name), param.elem());
            let mut owner = Owner { element: &element, indices: &indices, local, ty: param.elem(), mistake: None };
            let body = std::mem::take(&mut kernel.body);
            kernel.body = owner.block(body, &LocalSet::default());
            mistakes.extend(owner.mistake);
        }
    }
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
}

/// An array element that belongs to the thread.
#[derive(Debug)]
struct Element<'a> {
    array: ParamId,
    at: Vec<Affine>,
    /// The index expressions of the first access.
    index: &'a [Expr],
    span: Span,
    /// The values of locals that are declared or counted once. They replace locals in `index` where the locals are not
    /// visible.
    values: Rc<LocalMap<&'a Expr>>,
}

/// The distinct elements of `array` that a thread accesses.
fn elements<'a>(kernel: &'a Kernel, indices: &Indices<'_>, array: ParamId) -> Vec<Element<'a>> {
    let mut values = LocalMap::default();
    kernel.walk_stmts(&mut |stmt| {
        // The index of an owned element does not change within a thread. If it contains a loop variable, the loop has
        // one trip, and the variable has its start value.
        if let StmtKind::Let { local, init: Some(value) }
        | StmtKind::For { local, range: ForRange { start: value, .. }, .. } = &stmt.kind
        {
            values.insert(*local, value);
        }
    });
    let values = Rc::new(values);
    let mut found: Vec<Element<'a>> = Vec::new();
    let mut add = |index: &'a [Expr], span: Span| {
        let Some(at) = affine(indices, index) else { return };
        if found.iter().all(|element| element.at != at) {
            found.push(Element { array, at, index, span, values: Rc::clone(&values) });
        }
    };
    kernel.walk_stmts(&mut |stmt| {
        stmt.walk_exprs(&mut |expr| {
            if let ExprKind::Load { array: of, index } = &expr.kind
                && *of == array
            {
                add(index, expr.span);
            }
        });
        if let Some(Place { root: PlaceRoot::Element { array: of, index }, span, .. }) = stmt.place()
            && *of == array
        {
            add(index, *span);
        }
    });
    found
}

fn affine(indices: &Indices<'_>, index: &[Expr]) -> Option<Vec<Affine>> {
    index.iter().map(|index| indices.affine(index)).collect()
}

/// Replaces one element by a local.
struct Owner<'a> {
    element: &'a Element<'a>,
    indices: &'a Indices<'a>,
    local: LocalId,
    ty: Type,
    mistake: Option<Diagnostic>,
}

impl Owner<'_> {
    /// Promotes the element in `block`: in the smallest run of statements that touch it. `visible`: the locals that are
    /// declared with a value around the block.
    fn block(&mut self, block: Block, visible: &LocalSet) -> Block {
        let touching: Vec<usize> = (0..block.len()).filter(|&place| self.touches(&block[place])).collect();
        let (Some(&first), Some(&last)) = (touching.first(), touching.last()) else { return block };
        let mut visible = visible.clone();
        visible.extend(block[..first].iter().filter_map(|stmt| {
            let has_value = matches!(stmt.kind, StmtKind::Let { init: Some(_), .. });
            stmt.declared_local().filter(|_| has_value)
        }));
        let mut block = block;
        // If only one branch of a single `if` touches the element, the promotion goes into that branch. The load is
        // then not executed on the other path.
        if first == last
            && !block[first].exprs().any(|expr| self.reads(expr))
            && let StmtKind::If { then, other, .. } = &mut block[first].kind
        {
            let side = match (then.iter().any(|s| self.touches(s)), other.iter().any(|s| self.touches(s))) {
                (true, false) => Some(then),
                (false, true) => Some(other),
                _ => None,
            };
            if let Some(side) = side {
                *side = self.block(std::mem::take(side), &visible);
                return block;
            }
        }
        let index: Vec<Expr> = self.element.index.iter().map(|index| self.inlined(index, &visible)).collect();
        // If a thread may skip all accesses, the element need not exist, and the load must be guarded.
        let is_safe = index.iter().all(is_safe);
        let is_certain = |array: ParamId, at: &[Expr]| {
            let is_same = || at.iter().map(|at| self.inlined(at, &visible)).eq(index.iter().cloned());
            self.is_element(array, at) && (is_safe || is_same())
        };
        let exists = match always_accesses(&block[first..=last], &is_certain) {
            true => None,
            false => Some(self.exists(&index, &block[first])),
        };
        for stmt in &mut block[first..=last] {
            self.replace(stmt);
        }
        let [load, store] = self.transfers(index, exists);
        block.splice(last + 1..last + 1, store);
        block.splice(first..first, load);
        block
    }

    /// The blocks that load and store the element, guarded by `exists` if present.
    fn transfers(&self, index: Vec<Expr>, exists: Option<Expr>) -> [Block; 2] {
        let (array, span) = (self.element.array, self.element.span);
        let load = Expr { span, ..expr(ExprKind::Load { array, index: index.clone() }, self.ty) };
        let element = Place { root: PlaceRoot::Element { array, index }, path: Vec::new(), ty: self.ty, span };
        let store = assign(element, expr(ExprKind::Local(self.local), self.ty));
        let declare = |init| stmt(StmtKind::Let { local: self.local, init });
        match exists {
            None => [vec![declare(Some(load))], vec![store]],
            Some(exists) => {
                let set = |value| vec![assign(local_place(self.local, self.ty), value)];
                let mut loading = vec![declare(None)];
                loading.extend(branch(exists.clone(), set(load), set(zero(self.ty))));
                [loading, branch(exists, vec![store], Vec::new())]
            }
        }
    }

    /// The condition that the element is within the bounds of the array. `guard`: the statement that may skip the
    /// access.
    fn exists(&mut self, index: &[Expr], guard: &Stmt) -> Expr {
        // The condition is evaluated even if the source does not evaluate the index, so the index must not overflow.
        if !index.iter().all(is_safe) && self.mistake.is_none() {
            let message = "no exact gradient: the gradient needs this element, but its index may be out of bounds \
                 where it is not used";
            let condition = guard.exprs().next().map_or(guard.span, |cond| cond.span);
            let help = "use the element once before this condition; or compute its index without subtraction; or mark the \
                        kernel `no_grad`";
            self.mistake = Some(
                Diagnostic::new(self.element.span, message)
                    .related(condition, "this condition decides whether the element is used")
                    .help(help),
            );
        }
        let array = self.element.array;
        let within = |(axis, index): (u8, &Expr)| {
            let extent = expr(ExprKind::Extent { array, axis }, Type::INDEX);
            compare(Op::Lt, index.clone(), extent)
        };
        let all = (0..).zip(index).map(within);
        all.reduce(|a, b| compare(Op::And, a, b)).unwrap_or_else(|| build::bool(true))
    }

    /// `index`, with invisible locals replaced by their values.
    fn inlined(&self, index: &Expr, visible: &LocalSet) -> Expr {
        let mut index = index.clone();
        index.replace(&mut |expr| {
            let local = expr.local_read().filter(|local| !visible.contains(*local))?;
            self.element.values.get(local).map(|value| self.inlined(value, visible))
        });
        index
    }

    fn is_element(&self, array: ParamId, index: &[Expr]) -> bool {
        array == self.element.array && affine(self.indices, index).as_ref() == Some(&self.element.at)
    }

    fn is_place(&self, stmt: &Stmt) -> bool {
        match stmt.place().map(|place| &place.root) {
            Some(PlaceRoot::Element { array, index }) => self.is_element(*array, index),
            Some(PlaceRoot::Local(_) | PlaceRoot::LocalElement { .. }) | None => false,
        }
    }

    fn is_load(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Load { array, index } if self.is_element(*array, index))
    }

    /// Whether `expr` reads the element.
    fn reads(&self, expr: &Expr) -> bool {
        expr.any(&mut |expr| self.is_load(expr))
    }

    fn touches(&self, stmt: &Stmt) -> bool {
        stmt.any(&mut |stmt| self.is_place(stmt) || stmt.any_expr(|expr| self.reads(expr)))
    }

    fn replace(&self, stmt: &mut Stmt) {
        stmt.walk_mut(&mut |stmt| {
            if self.is_place(stmt)
                && let Some(place) = stmt.place_mut()
            {
                place.root = PlaceRoot::Local(self.local);
            }
            for expr in stmt.exprs_mut() {
                expr.replace(&mut |expr| {
                    self.is_load(expr).then_some(Expr { kind: ExprKind::Local(self.local), ..*expr })
                });
            }
        });
    }
}

/// Whether every thread that runs these statements makes one of the `wanted` accesses. The statements are in no loop, so
/// no thread leaves them early.
///
/// A wanted access shows that the element exists and that the index of the promotion can be evaluated: it has the same
/// index, or the one of the promotion never fails. Two indices may be equal of which only one overflows on the way, such
/// as `i` and `i - 1 + 1`.
fn always_accesses(block: &[Stmt], wanted: &dyn Fn(ParamId, &[Expr]) -> bool) -> bool {
    block.iter().any(|stmt| {
        let place = stmt.place().map(|place| &place.root);
        let is_place = matches!(place, Some(PlaceRoot::Element { array, index }) if wanted(*array, index));
        let on_both_sides = || {
            matches!(&stmt.kind, StmtKind::If { then, other, .. }
                if always_accesses(then, wanted) && always_accesses(other, wanted))
        };
        is_place || stmt.exprs().any(|expr| always_loads(expr, wanted)) || on_both_sides()
    })
}

/// Whether a `wanted` load in `expr` is evaluated whenever `expr` is evaluated.
fn always_loads(expr: &Expr, wanted: &dyn Fn(ParamId, &[Expr]) -> bool) -> bool {
    if let ExprKind::Load { array, index } = &expr.kind {
        return wanted(*array, index);
    }
    expr.always_evaluated().any(|child| always_loads(child, wanted))
}

/// Whether the index can be evaluated without overflow in every launch that succeeds. Only a subtraction can go below
/// zero; large values do not occur in indices.
fn is_safe(index: &Expr) -> bool {
    !index.any(&mut |expr| matches!(expr.kind, ExprKind::Op(Op::Sub, _))) || cannot_fail(index)
}

//! Splits structs into the values in them, so that the passes behind this one know no structs.
//!
//! A local that is a struct becomes a local for each value in it, where a *value* is a field, or a value in a field that
//! is a struct itself. A statement that declares or assigns a struct becomes one for each value.

use super::build::{assign, declare, expr, local_place, stmt};
use crate::ir::{
    Block, Expr, ExprKind, Kernel, Local, LocalId, LocalMap, Place, PlaceRoot, Projection, Stmt, StmtKind, Type,
};
use std::ops::Range;

/// Splits the structs in `kernel`, which calls no function that takes or returns one.
pub(crate) fn split_structs(kernel: &mut Kernel) {
    let mut has_structs = kernel.locals.iter().any(|local| local.ty.is_struct());
    kernel.walk_exprs(&mut |expr| has_structs |= expr.ty.is_struct());
    if !has_structs {
        return;
    }
    let mut splitter = Splitter::of(kernel, Type::is_struct);
    kernel.body = splitter.block(std::mem::take(&mut kernel.body));
    splitter.finish(kernel, &mut []);
}

/// Splits the tuples in the code of a function whose result is one. Returns the values of the result.
pub(crate) fn split_result(code: &mut Kernel, result: Expr) -> Vec<Expr> {
    let mut splitter = Splitter::of(code, Type::is_tuple);
    code.body = splitter.block(std::mem::take(&mut code.body));
    let mut values = splitter.values(result);
    splitter.finish(code, &mut values);
    values
}

struct Splitter {
    /// Whether values of this type are split.
    splits: fn(Type) -> bool,
    /// The locals for the values in each local that is split.
    values: LocalMap<Vec<LocalId>>,
    locals: Vec<Local>,
}

impl Splitter {
    /// A splitter of the types for which `splits` is true. It takes the locals of `code`.
    fn of(code: &mut Kernel, splits: fn(Type) -> bool) -> Splitter {
        let mut splitter = Splitter { splits, values: LocalMap::default(), locals: std::mem::take(&mut code.locals) };
        for id in (0..splitter.locals.len() as u32).map(LocalId) {
            let local = splitter.locals[id.0 as usize].clone();
            if splits(local.ty) {
                let mut values = Vec::new();
                splitter.declare(&local, local.name.clone(), local.ty, &mut values);
                splitter.values.insert(id, values);
            }
        }
        splitter
    }

    /// Gives the locals to `code`, without those that were split. `results` are expressions over them.
    fn finish(self, code: &mut Kernel, results: &mut [Expr]) {
        let mut numbers = LocalMap::default();
        for (id, local) in (0..).map(LocalId).zip(self.locals) {
            if !self.values.contains(id) {
                numbers.insert(id, LocalId(code.locals.len() as u32));
                code.locals.push(local);
            }
        }
        let name = |local: LocalId| numbers.get(local).copied().unwrap_or(local);
        code.body.iter_mut().for_each(|stmt| stmt.rename_locals(&name));
        results.iter_mut().for_each(|result| result.rename_locals(&name));
    }

    /// Appends a local for each value in a part of type `ty` of the local `whole`.
    fn declare(&mut self, whole: &Local, name: String, ty: Type, values: &mut Vec<LocalId>) {
        if (self.splits)(ty) {
            for field in ty.fields() {
                self.declare(whole, format!("{name}_{}", field.name), field.ty, values);
            }
        } else {
            values.push(LocalId(self.locals.len() as u32));
            self.locals.push(Local { name, ty, ..whole.clone() });
        }
    }

    fn block(&mut self, block: Block) -> Block {
        let mut out = Block::new();
        for stmt in block {
            self.stmt(stmt, &mut out);
        }
        out
    }

    fn stmt(&mut self, mut stmt: Stmt, out: &mut Block) {
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::Let { local, init } if let Some(values) = self.values.get(*local).cloned() => {
                for local in &values {
                    out.push(Stmt { kind: StmtKind::Let { local: *local, init: None }, span });
                }
                if let Some(init) = init.take() {
                    let before = out.len() - values.len();
                    self.assign(&values, init, out);
                    join(out, before, values.len());
                }
            }
            StmtKind::Assign { place, value }
                if (self.splits)(place.ty)
                    && let Some((values, _)) = self.values_of(place) =>
            {
                let value = std::mem::replace(value, expr(ExprKind::Struct(Vec::new()), place.ty));
                self.assign(&values, value, out);
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
            | StmtKind::Print(_) => {
                if let Some(place) = stmt.place_mut()
                    && let Some((values, fields)) = self.values_of(place)
                {
                    place.root = PlaceRoot::Local(values[0]);
                    place.path.drain(..fields);
                }
                stmt.exprs_mut().for_each(|value| self.split(value));
                for block in stmt.blocks_mut() {
                    *block = self.block(std::mem::take(block));
                }
                out.push(stmt);
            }
        }
    }

    /// The locals for the values in a place in a struct, and the number of its projections that are fields of structs.
    /// `None` for other places.
    fn values_of(&self, place: &Place) -> Option<(Vec<LocalId>, usize)> {
        let PlaceRoot::Local(root) = place.root else { return None };
        let values = self.values.get(root)?;
        let (mut ty, mut range, mut fields) = (self.locals[root.0 as usize].ty, 0..values.len(), 0);
        for step in &place.path {
            let Projection::Field(number) = step else { break };
            if !(self.splits)(ty) {
                break;
            }
            range = self.range_of(ty, *number, range.start);
            ty = ty.field(*number);
            fields += 1;
        }
        Some((values[range].to_vec(), fields))
    }

    /// Appends the statements that assign the struct `value` to these locals.
    fn assign(&mut self, locals: &[LocalId], value: Expr, out: &mut Block) {
        let span = value.span;
        if let ExprKind::Select { cond, then, other } = value.kind {
            let mut cond = *cond;
            self.split(&mut cond);
            let [then, other] = [then, other].map(|side| {
                let mut block = Block::new();
                self.assign(locals, *side, &mut block);
                block
            });
            out.push(Stmt { kind: StmtKind::If { cond, then, other }, span });
            return;
        }
        let mut values = self.values(value);
        // All values are taken before the first local changes.
        let is_changed = |place: usize, value: &Expr| locals[..place].iter().any(|local| value.reads(*local));
        if values.iter().enumerate().any(|(place, value)| is_changed(place, value)) {
            for value in &mut values {
                let (ty, local) = (value.ty, Local::fresh(&mut self.locals, "before", value.ty));
                out.push(declare(local, std::mem::replace(value, expr(ExprKind::Local(local), ty))));
            }
        }
        let changes = |(local, value): &(&LocalId, Expr)| value.kind != ExprKind::Local(**local);
        for (local, value) in locals.iter().zip(values).filter(changes) {
            out.push(Stmt { span, ..assign(local_place(*local, value.ty), value) });
        }
    }

    /// The values in a struct; the value itself if it is not split.
    fn values(&mut self, value: Expr) -> Vec<Expr> {
        let splits = (self.splits)(value.ty);
        match value.kind {
            ExprKind::Local(local) if splits => {
                let values = self.values.get(local).cloned().unwrap_or_default();
                values.into_iter().map(|local| expr(ExprKind::Local(local), self.locals[local.0 as usize].ty)).collect()
            }
            ExprKind::Struct(fields) if splits => fields.into_iter().flat_map(|field| self.values(field)).collect(),
            ExprKind::Field(base, number) if splits => {
                let range = self.range_of(base.ty, number, 0);
                self.values(*base).drain(range).collect()
            }
            ExprKind::Select { mut cond, then, other } if splits => {
                self.split(&mut cond);
                let sides = self.values(*then).into_iter().zip(self.values(*other));
                let select = |(then, other): (Expr, Expr)| {
                    let ty = then.ty;
                    let [then, other] = [then, other].map(Box::new);
                    expr(ExprKind::Select { cond: cond.clone(), then, other }, ty)
                };
                sides.map(select).collect()
            }
            // A parameter or an element stays whole, and its fields are read.
            _ if splits => {
                let mut value = value;
                value.children_mut().for_each(|child| self.split(child));
                self.fields_of(value)
            }
            _ => {
                let mut value = value;
                self.split(&mut value);
                vec![value]
            }
        }
    }

    /// The values in a part of a struct that stays whole.
    fn fields_of(&self, value: Expr) -> Vec<Expr> {
        if !(self.splits)(value.ty) {
            return vec![value];
        }
        let fields = 0..value.ty.fields().len() as u8;
        fields.flat_map(|number| self.fields_of(value.clone().field(number))).collect()
    }

    /// The number of values in a value of type `ty`.
    fn count(&self, ty: Type) -> usize {
        if (self.splits)(ty) { ty.fields().iter().map(|field| self.count(field.ty)).sum() } else { 1 }
    }

    /// The range of the field with this number among the values of the struct `ty`, the first of which has the number
    /// `start`.
    fn range_of(&self, ty: Type, number: u8, start: usize) -> Range<usize> {
        let fields = &ty.fields()[..usize::from(number)];
        let start = start + fields.iter().map(|field| self.count(field.ty)).sum::<usize>();
        start..start + self.count(ty.field(number))
    }

    /// Replaces the structs in an expression that is none itself.
    fn split(&mut self, value: &mut Expr) {
        if let ExprKind::Field(base, number) = &mut value.kind
            && (self.splits)(base.ty)
        {
            let (ty, span) = (base.ty, value.span);
            let range = self.range_of(ty, *number, 0);
            let base = std::mem::replace(&mut **base, expr(ExprKind::Struct(Vec::new()), ty));
            if let Some(field) = self.values(base).drain(range).next() {
                *value = Expr { span, ..field };
            }
        } else {
            value.children_mut().for_each(|child| self.split(child));
        }
    }
}

/// Joins the `count` declarations at `at`, and the assignments of the declared locals behind them, to declarations with
/// values, if nothing else is behind them.
fn join(out: &mut Block, at: usize, count: usize) {
    let is_plain = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Assign { .. });
    if out.len() != at + 2 * count || !out[at + count..].iter().all(is_plain) {
        return;
    }
    for Stmt { kind, span } in out.drain(at..).skip(count).collect::<Block>() {
        let StmtKind::Assign { place: Place { root: PlaceRoot::Local(local), .. }, value } = kind else { continue };
        out.push(Stmt { span, ..stmt(StmtKind::Let { local, init: Some(value) }) });
    }
}

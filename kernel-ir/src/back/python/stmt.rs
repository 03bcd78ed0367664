//! Statements.

use super::expr::{LOWEST, SUM};
use super::types::{short_name, zero};
use super::writer::Writer;
use crate::back::parts::{self, Results, root_type};
use crate::back::printf::{Caller, printed};
use crate::ir::{
    AtomicOp, Block, Expr, ExprKind, Local, LocalId, Message, Place, PlaceRoot, Projection, Stmt, StmtKind, Type,
};
use crate::ops::{Op, Spelling};

impl Writer<'_> {
    /// Statements in sequence. A call and the declarations of its results become one statement.
    pub(super) fn stmts<'s>(&mut self, stmts: impl IntoIterator<Item = &'s Stmt, IntoIter: Clone>) {
        let mut rest = stmts.into_iter();
        while let Some(stmt) = rest.clone().next() {
            let results = Results::at_start(self.kernel, rest.clone());
            let line = results.as_ref().and_then(|results| self.results(results));
            match (results, line) {
                (Some(Results { count, .. }), Some(line)) => {
                    self.line(&line);
                    rest.nth(count - 1);
                }
                _ => {
                    rest.next();
                    if rest.clone().next().is_some_and(|next| parts::is_draw(stmt, next)) {
                        self.in_place = true;
                        rest.next();
                    }
                    self.stmt(stmt);
                }
            }
        }
    }

    pub(super) fn block(&mut self, block: &Block) {
        self.nested(|w| w.stmts(block));
    }

    /// `a, b = f(x)`, if every value of the result is bound to a name.
    fn results(&mut self, results: &Results<'_>) -> Option<String> {
        let name = |stmt: &Option<&Stmt>| match stmt.map(|stmt| &stmt.kind) {
            Some(StmtKind::Let { local, .. }) => Some(self.names.local(*local).to_owned()),
            Some(_) | None => None,
        };
        let names = results.values.iter().map(name).collect::<Option<Vec<String>>>()?;
        let call = self.expr(results.call, LOWEST);
        Some(format!("{} = {call}", names.join(", ")))
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if self.tile_stmt(stmt) {
            return;
        }
        match &stmt.kind {
            StmtKind::Let { local, .. } if self.unread.contains(*local) => {}
            StmtKind::Let { local, init: Some(init) } => self.assign_local(*local, init),
            StmtKind::Let { local, init: None } => self.declare(*local),
            StmtKind::Assign { place, value } => self.assign(place, value),
            StmtKind::Update { place, op, value } => self.update(place, *op, value),
            StmtKind::Atomic { op, place, compare, value, result } => {
                self.atomic(*op, place, compare.as_ref(), value, *result);
            }
            StmtKind::If { cond, then, other } => self.branch("if", cond, then, other),
            StmtKind::For { local, range, body } => self.for_loop(*local, range, body),
            StmtKind::While { cond, body } => {
                let cond = self.expr(cond, LOWEST);
                self.line(&format!("while {cond}:"));
                self.block(body);
            }
            StmtKind::Print(message) => self.message(message),
            StmtKind::Break => self.line("break"),
            StmtKind::Continue => self.line("continue"),
            StmtKind::Return(None) => self.line("return"),
            StmtKind::Return(Some(result)) => {
                let result = if let ExprKind::Struct(values) = &result.kind
                    && result.ty.is_tuple()
                {
                    self.list(values)
                } else {
                    self.expr(result, LOWEST)
                };
                self.line(&["return ", &result].concat());
            }
        }
    }

    /// Python needs no declarations, but Warp must know a variable that a loop changes before the loop starts.
    fn declare(&mut self, local: LocalId) {
        let Local { ty, len, .. } = *self.kernel.local(local);
        if let Some(len) = len {
            let line = format!("{} = wp.zeros(shape={len}, dtype={})", self.names.local(local), short_name(ty));
            self.line(&line);
        } else if ty.is_tile() {
            self.assign_local(local, &Expr::zero(ty));
        } else if self.declarations.carried(local) {
            let zero = if ty.is_struct() { format!("{}()", self.type_name(ty)) } else { zero(ty) };
            let line = format!("{} = {zero}", self.names.local(local));
            self.line(&line);
        }
    }

    fn assign_local(&mut self, local: LocalId, value: &Expr) {
        let mut text = self.expr(value, LOWEST);
        if self.declarations.needs_type(local, value) {
            text = format!("{}({text})", short_name(value.ty));
        }
        let line = [self.names.local(local), " = ", &text].concat();
        self.line(&line);
    }

    fn assign(&mut self, place: &Place, value: &Expr) {
        if let (PlaceRoot::Local(local), []) = (&place.root, place.path.as_slice()) {
            self.assign_local(*local, value);
            return;
        }
        let value = self.expr(value, LOWEST);
        self.with_place(place, |w, target| w.line(&[target, " = ", &value].concat()));
    }

    fn update(&mut self, place: &Place, op: Op, value: &Expr) {
        let operands = [place.ty, value.ty];
        let (row, _) = op.row(&operands, place.ty).expect("a checked kernel uses rows of the table");
        if let Spelling::Infix(symbol) = row.py
            && !place.ty.scalar().is_half()
            && accepts_update(place, symbol)
        {
            let value = self.expr(value, LOWEST);
            self.with_place(place, |w, target| w.line(&[target, " ", symbol, "= ", &value].concat()));
        } else {
            let kind = ExprKind::Op(op, vec![place.read(self.kernel), value.clone()]);
            self.assign(place, &Expr { kind, ty: place.ty, span: place.span });
        }
    }

    fn atomic(&mut self, op: AtomicOp, place: &Place, compare: Option<&Expr>, value: &Expr, result: Option<LocalId>) {
        let PlaceRoot::Element { array, index } = &place.root else { return };
        if op.is_sum() && !place.path.is_empty() {
            // Warp has no function for a part of an element, but there these updates of elements are atomic.
            let symbol = if op == AtomicOp::Sub { "-=" } else { "+=" };
            if let Some((transform, ty, field)) = self.field_of_transform(place) {
                let (name, numbers) = (self.names.fresh("value"), value.ty.components());
                let value = self.expr(value, LOWEST);
                self.line(&format!("{name} = {value}"));
                for (k, number) in (ty.field_offset(field)..).take(numbers).enumerate() {
                    self.line(&format!("{transform}[{number}] {symbol} {name}[{k}]"));
                }
                return;
            }
            let value = self.expr(value, LOWEST);
            return self.with_place(place, |w, target| w.line(&[target, " ", symbol, " ", &value].concat()));
        }
        let index = self.list(index);
        let operands: Vec<String> =
            compare.into_iter().chain([value]).map(|operand| self.expr(operand, LOWEST)).collect();
        let operands = operands.join(", ");
        let call = format!("wp.{}({}, {index}, {operands})", op.name(), self.names.param(*array));
        match result {
            Some(local) => self.line(&format!("{} = {call}", self.names.local(local).to_owned())),
            None => self.line(&call),
        }
    }

    fn message(&mut self, message: &Message) {
        let (format, args) = printed(message, Caller::Warp);
        let args: String = args.iter().map(|arg| [", ", &self.expr(arg, LOWEST)].concat()).collect();
        self.line(&format!("wp.printf({format}{args})"));
        if message.fails {
            self.line("assert False");
        }
    }

    fn branch(&mut self, keyword: &str, cond: &Expr, then: &Block, other: &Block) {
        let mut line = [keyword, " "].concat();
        self.test(cond, LOWEST, &mut line);
        line.push(':');
        self.line(&line);
        self.block(then);
        match other.as_slice() {
            [] => {}
            [Stmt { kind: StmtKind::If { cond, then, other }, .. }] => self.branch("elif", cond, then, other),
            _ => {
                self.line("else:");
                self.block(other);
            }
        }
    }

    /// The transform inside of another struct, with its type, whose field is the place. Warp cannot assign such a field.
    fn field_of_transform(&mut self, place: &Place) -> Option<(String, Type, u8)> {
        let (Projection::Field(field), path @ [_, ..]) = place.path.split_last()? else { return None };
        let root_type = root_type(self.kernel, place);
        let ty = path.iter().fold(root_type, |ty, projection| match projection {
            Projection::Field(number) => ty.field(*number),
            Projection::Component(_) | Projection::Column(_) => ty.part(),
        });
        ty.as_struct()?.warp.as_ref()?;
        let root = self.root(place);
        Some((self.target(root, root_type, path), ty, *field))
    }

    /// The text of the variable or element.
    fn root(&mut self, place: &Place) -> String {
        match &place.root {
            PlaceRoot::Local(local) => self.names.local(*local).to_owned(),
            PlaceRoot::LocalElement { local, index } => self.local_element(*local, index),
            PlaceRoot::Element { array, index } => self.element(*array, index),
        }
    }

    /// Writes an assignment to `place`, whose text is passed to `write`. Warp can assign neither a column of an array
    /// element nor a field of a transform inside of a struct, so the whole is copied to a variable, changed there, and stored back.
    fn with_place(&mut self, place: &Place, write: impl FnOnce(&mut Self, &str)) {
        if let Some((transform, ty, field)) = self.field_of_transform(place) {
            let copy = self.names.fresh("transform");
            let name = self.field_name(ty, field);
            self.line(&format!("{copy} = {transform}"));
            write(self, &format!("{copy}.{name}"));
            self.line(&format!("{transform} = {copy}"));
            return;
        }
        let root = self.root(place);
        if let (PlaceRoot::Element { .. }, [Projection::Column(column)]) = (&place.root, place.path.as_slice()) {
            let matrix = self.names.fresh("matrix");
            let column = self.expr(column, LOWEST);
            self.line(&format!("{matrix} = {root}"));
            write(self, &format!("{matrix}[:, {column}]"));
            self.line(&format!("{root} = {matrix}"));
            return;
        }
        let target = self.target(root, root_type(self.kernel, place), &place.path);
        write(self, &target);
    }

    /// The part of `root`, which has the type `ty`, at the end of `path`.
    fn target(&mut self, root: String, ty: Type, path: &[Projection]) -> String {
        match path {
            [] => root,
            [Projection::Column(column), Projection::Component(row), rest @ ..] => {
                let index = self.list([row, column]);
                self.target(format!("{root}[{index}]"), ty.part().part(), rest)
            }
            [Projection::Column(column), rest @ ..] => {
                let column = self.expr(column, LOWEST);
                self.target(format!("{root}[:, {column}]"), ty.part(), rest)
            }
            // A field of Warp's transforms is a copy, but their numbers are places.
            [Projection::Field(number), Projection::Component(index), rest @ ..]
                if ty.as_struct().is_some_and(|id| id.warp.is_some()) =>
            {
                let before = ty.field_offset(*number) as i128;
                let index = match index.as_integer() {
                    Some(index) => (before + index).to_string(),
                    None if before == 0 => self.expr(index, LOWEST),
                    None => format!("{before} + {}", self.expr(index, SUM)),
                };
                self.target(format!("{root}[{index}]"), ty.field(*number).part(), rest)
            }
            [Projection::Field(number), rest @ ..] => {
                self.target(format!("{root}.{}", self.field_name(ty, *number)), ty.field(*number), rest)
            }
            [Projection::Component(index), rest @ ..] => {
                let component = self.component(index, ty);
                self.target(format!("{root}{component}"), ty.part(), rest)
            }
        }
    }
}

/// Whether Warp supports `place symbol= value`. For parts of array elements or of matrices it supports sums only.
fn accepts_update(place: &Place, symbol: &str) -> bool {
    let is_sum = matches!(symbol, "+" | "-");
    let whole = place.path.is_empty();
    let in_local = matches!(place.root, PlaceRoot::Local(_)) && place.ty.is_scalar();
    is_sum || (matches!(symbol, "*" | "/" | "//" | "%" | "&" | "|" | "^" | "<<" | ">>") && (whole || in_local))
}

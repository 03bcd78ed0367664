//! Statements other than `for`.

use super::expr::{Code, Level};
use super::types;
use super::writer::Writer;
use crate::back::parts::stored_place;
use crate::back::printf::{Caller, printed};
use crate::back::wrap::ASSIGNMENTS;
use crate::ir::{
    AtomicOp, Block, Expr, ExprKind, Field, LocalId, Message, Place, PlaceRoot, Projection, Stmt, StmtKind, Type,
};
use crate::ops::{Op, Spelling, Syntax};

/// Whether an update takes the updated variable itself as its operand, as in `v -= v`. clang warns of that for a struct.
fn is_itself(place: &Place, value: &Expr) -> bool {
    let is_local = matches!((&place.root, &value.kind), (PlaceRoot::Local(a), ExprKind::Local(b)) if a == b);
    is_local && place.path.is_empty() && !place.ty.is_scalar()
}

impl Writer<'_> {
    /// Appends the statements of a block. A declaration and the atomic that initialises it become one statement.
    pub(super) fn block(&mut self, block: &[Stmt]) {
        let mut rest = block;
        while let [stmt, after @ ..] = rest {
            rest = after;
            if self.is_of_block() && !self.is_list(stmt, after) {
                self.block_stmt(stmt, after);
                continue;
            }
            if let Some((local, values, changes_later)) = self.kernel.declared_values(stmt, after)
                && !values.is_empty()
                && self.kernel.local(local).ty != Type::BOOL
            {
                self.declare_array(local, &values, changes_later);
                rest = &after[values.len()..];
                continue;
            }
            match (&stmt.kind, after.first().map(|next| &next.kind)) {
                (
                    StmtKind::Let { local, init: None },
                    Some(StmtKind::Atomic { op, place, compare, value, result: Some(result) }),
                ) if local == result => {
                    let operands = || compare.iter().chain([value]);
                    let noted = self.note_element(&after[0]);
                    self.each(|writer, _| {
                        writer.declare(*local, Some(|w: &mut Self| w.atomic(*op, place, operands())))
                    });
                    self.check_stored(&after[0], noted);
                    rest = &after[1..];
                }
                _ => self.single(stmt),
            }
        }
    }

    /// Appends a statement.
    pub(super) fn single(&mut self, stmt: &Stmt) {
        let noted = self.note_element(stmt);
        // The launch loops declare the thread index.
        let is_declared = matches!(stmt.kind, StmtKind::Let { local, .. } if !self.frame.declares(local));
        if !is_declared {
            self.stmt(&stmt.kind);
        }
        self.check_stored(stmt, noted);
    }

    /// Whether the statement declares a local array that never changes behind its list of first values.
    fn is_list(&self, stmt: &Stmt, after: &[Stmt]) -> bool {
        let declared = self.kernel.declared_values(stmt, after);
        declared.is_some_and(|(local, values, changes_later)| {
            !values.is_empty() && !changes_later && self.kernel.local(local).ty != Type::BOOL
        })
    }

    /// In checked text, a pointer to the element that a statement is about to store, if the store may change what its index
    /// is computed from.
    fn note_element(&mut self, stmt: &Stmt) -> Option<String> {
        self.frame.watch.as_ref()?;
        let PlaceRoot::Element { array, index } = &stored_place(stmt)?.root else { return None };
        let elem = self.kernel.param(*array).elem();
        let reads = index.iter().any(|index| index.any(&mut |expr| matches!(expr.kind, ExprKind::Load { .. })));
        if !reads || self.float_values(elem).is_empty() {
            return None;
        }
        let (ty, pointer) = (self.ty(elem), self.names.fresh("stored"));
        self.push(&format!("const {ty}* const {pointer} = &"));
        let _ = self.element(*array, index);
        self.push(";");
        self.end_line();
        Some(pointer)
    }

    /// In checked text, appends a check of the floats that a statement has stored in an array element, to which `noted`
    /// points if it is given.
    fn check_stored(&mut self, stmt: &Stmt, noted: Option<String>) {
        let Some(watch) = self.frame.watch.clone() else { return };
        let Some(place) = stored_place(stmt) else { return };
        let PlaceRoot::Element { array, index } = &place.root else { return };
        let param = self.frame.number(*array);
        for (fields, ty) in self.float_values(self.kernel.param(*array).elem()) {
            let (scalar, count) = (types::scalar_name(ty.scalar()), ty.components());
            self.push(&format!("{watch}.stored({param}, (const {scalar}*)"));
            match (&noted, fields.strip_prefix('.')) {
                (Some(pointer), None) => self.push(pointer),
                (Some(pointer), Some(field)) => self.push(&format!("&{pointer}->{field}")),
                (None, _) => {
                    self.push("&");
                    let _ = self.element(*array, index);
                    self.push(&fields);
                }
            }
            self.push(&format!(", {count});"));
            self.end_line();
        }
    }

    /// The values in a type that consist of floats: all of it, or in a struct such fields, with the text that selects each.
    fn float_values(&self, ty: Type) -> Vec<(String, Type)> {
        if !ty.is_struct() {
            return if ty.is_float() { vec![(String::new(), ty)] } else { Vec::new() };
        }
        let of_field = |(number, field): (u8, &Field)| {
            let name = self.structs.field(ty, number);
            let values = self.float_values(field.ty).into_iter();
            values.map(move |(inner, ty)| (format!(".{name}{inner}"), ty)).collect::<Vec<_>>()
        };
        (0..).zip(ty.fields()).flat_map(of_field).collect()
    }

    fn stmt(&mut self, stmt: &StmtKind) {
        match stmt {
            StmtKind::Let { local, init } => {
                self.declare(*local, init.as_ref().map(|init| |w: &mut Self| w.expr(init)));
            }
            StmtKind::Assign { place, value } => {
                self.place(place);
                self.push(" = ");
                self.expr(value);
                self.push(";");
                self.end_line();
            }
            StmtKind::Update { place, op, value } => self.update(place, *op, value),
            StmtKind::Atomic { op, place, compare, value, result } => {
                self.each(|writer, _| {
                    // In CUDA, the element of a reduction is the thread's partial sum, so a plain update suffices.
                    if let Some(op) = op.op().filter(|_| op.is_sum() && writer.is_grid_reduction(place)) {
                        return writer.update(place, op, value);
                    }
                    if let Some(local) = result {
                        writer.local(*local);
                        writer.push(" = ");
                    }
                    writer.atomic(*op, place, compare.iter().chain([value]));
                    writer.push(";");
                    writer.end_line();
                });
            }
            StmtKind::If { cond, then, other } => self.branch(cond, then, other),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                self.loop_head(stmt);
                self.block(body);
                self.lines.close();
            }
            StmtKind::Print(message) => self.message(message),
            StmtKind::Break => self.lines.line("break;"),
            StmtKind::Continue => self.lines.line("continue;"),
            StmtKind::Return(None) => self.lines.line(self.frame.exit_statement()),
            StmtKind::Return(Some(result)) => {
                self.push("return ");
                self.expr(result);
                self.push(";");
                self.end_line();
            }
        }
    }

    /// Declares a local array with its first values. (C computes with `bool` as `int`, which a list of `bool` does not
    /// take.)
    fn declare_array(&mut self, local: LocalId, values: &[&Expr], changes_later: bool) {
        let declared = self.kernel.local(local);
        let constant = if changes_later { "" } else { "const " };
        let ty = self.dialect.type_name(declared.ty);
        self.line.extend([constant, ty, " ", self.names.local(local)]);
        self.push(&format!("[{}] = {{", values.len()));
        for (place, value) in values.iter().enumerate() {
            self.push(if place > 0 { ", " } else { "" });
            self.expr(value);
        }
        self.push("};");
        self.ty(declared.ty);
        self.end_line();
    }

    fn declare(&mut self, local: LocalId, init: Option<impl FnOnce(&mut Self) -> Code>) {
        let declared = self.kernel.local(local);
        // A constant without a value is assigned later, so it cannot be `const` in C.
        let constant = if declared.mutable || init.is_none() { "" } else { "const " };
        let ty = self.structs.of(declared.ty).unwrap_or_else(|| self.dialect.type_name(declared.ty));
        self.line.extend([constant, ty, " ", self.names.local(local)]);
        match (init, declared.len) {
            (Some(init), _) => {
                self.push(" = ");
                init(self);
            }
            (None, None) => {}
            (None, Some(len)) => self.push(&format!("[{len}] = {{}}")),
        }
        self.push(";");
        // The declaration may need the vector type in the prelude.
        self.ty(declared.ty);
        self.end_line();
    }

    /// `place op= value` if C has that operator, else `place = op(place, value)`.
    fn update(&mut self, place: &Place, op: Op, value: &Expr) {
        self.place(place);
        let tys = [place.ty, value.ty];
        let (row, _) = op.row(&tys, place.ty).expect("a checked kernel uses rows of the table");
        match (row.c, op.def().rust) {
            (Spelling::Infix(symbol), Syntax::Infix(own))
                if symbol == own && !place.ty.scalar().is_half() && !is_itself(place, value) =>
            {
                self.line.extend([" ", symbol, "= "]);
                self.expr(value);
                if let Some(sign) = ASSIGNMENTS.into_iter().find(|sign| sign.strip_suffix('=') == Some(symbol)) {
                    self.preludes.operator(sign, tys.into_iter(), place.ty);
                }
            }
            _ => {
                self.push(" = ");
                let kind = ExprKind::Op(op, vec![place.read(self.kernel), value.clone()]);
                self.expr(&Expr { kind, ty: place.ty, span: place.span });
            }
        }
        self.push(";");
        self.end_line();
    }

    fn atomic<'e>(&mut self, op: AtomicOp, place: &Place, operands: impl Iterator<Item = &'e Expr>) -> Code {
        let function = self.preludes.function(op.name(), [place.ty].into_iter(), place.ty);
        let code = self.primary(&function.name);
        self.push("(&");
        self.place(place);
        for operand in operands {
            self.push(", ");
            self.expr(operand);
        }
        self.push(")");
        code
    }

    fn message(&mut self, message: &Message) {
        let ty = Type::BOOL;
        let (format, args) = printed(message, Caller::C);
        let print = self.preludes.function("print", [ty].into_iter(), ty);
        self.push(&[&print.name, "(", &format].concat());
        for arg in &args {
            self.push(", ");
            let arg = (self.expr(arg), arg.ty);
            if let (arg, Type::BOOL) = arg {
                self.at(arg, Level::Or);
                self.push(" ? \"true\" : \"false\"");
            }
        }
        self.push(");");
        self.end_line();
        if message.fails {
            let trap = self.preludes.function("trap", [ty].into_iter(), ty);
            self.push(&[&trap.name, "();"].concat());
            self.end_line();
        }
    }

    fn branch(&mut self, cond: &Expr, then: &Block, other: &Block) {
        self.push("if (");
        self.expr(cond);
        self.open_line();
        self.block(then);
        let mut other = other;
        while let [Stmt { kind: StmtKind::If { cond, then, other: last }, .. }] = other.as_slice() {
            self.push("} else if (");
            self.expr(cond);
            // The head of an `else if` closes the block before it, so it is one level further out.
            self.lines.depth -= 1;
            self.open_line();
            self.block(then);
            other = last;
        }
        if !other.is_empty() {
            self.lines.reopen("else");
            self.block(other);
        }
        self.lines.close();
    }

    fn place(&mut self, place: &Place) -> Code {
        let (root, ty) = match &place.root {
            PlaceRoot::Local(local) => (self.local(*local), self.kernel.local(*local).ty),
            PlaceRoot::LocalElement { local, index } => {
                (self.local_element(*local, index), self.kernel.local(*local).ty)
            }
            PlaceRoot::Element { array, index } => (self.element(*array, index), self.kernel.param(*array).elem()),
        };
        let part = |(base, ty): (Code, Type), step: &Projection| match step {
            Projection::Component(at) | Projection::Column(at) => (self.part(base, ty, at), ty.part()),
            Projection::Field(number) => (self.struct_field(base, ty, *number), ty.field(*number)),
        };
        place.path.iter().fold((root, ty), part).0
    }
}

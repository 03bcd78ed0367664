//! Statements. A declaration and the statement that gives it its value are joined where the author wrote one `let`.

use super::code::{Code, Level};
use super::literal;
use super::matches::Match;
use super::optional::{accesses, accesses_in};
use super::writer::Writer;
use crate::back::parts::{Results, is_draw, returned_call};
use crate::ir::{
    AtomicOp, Block, Direction, Expr, ExprKind, ForRange, Literal, LocalId, Message, ParamId, Place, PlaceRoot, Stmt,
    StmtKind,
};
use crate::ops::{Op, Syntax};

impl Writer<'_> {
    pub(super) fn block(&mut self, block: &[Stmt]) {
        let mut rest = block;
        while let Some((stmt, after)) = rest.split_first() {
            let indices = self.thread_index(rest);
            if indices > 0 {
                rest = &rest[indices..];
                continue;
            }
            if let Some(array) = self.unwrapped_below(stmt, after) {
                self.let_else(array, stmt);
                rest = after;
                continue;
            }
            if let Some(results) = Results::at_start(self.kernel, rest) {
                self.results(&results);
                rest = &rest[results.count..];
                continue;
            }
            if let Some((local, values, changes_later)) = self.kernel.declared_values(stmt, after) {
                self.declare_array(local, &values, changes_later);
                rest = &after[values.len()..];
                continue;
            }
            rest = match (&stmt.kind, after) {
                (_, [next, after @ ..]) if let Some(call) = returned_call(stmt, next) => {
                    let call = self.typed(call);
                    self.line(&["return ", &call.text, ";"].concat());
                    after
                }
                (_, [next, after @ ..]) if is_draw(stmt, next) => {
                    self.in_place = true;
                    self.stmt(stmt);
                    after
                }
                (StmtKind::Let { local, init: None }, [next, after @ ..]) if self.bind_effect(*local, next) => after,
                _ => {
                    self.stmt(stmt);
                    after
                }
            };
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if self.store_tile(stmt) {
            return;
        }
        match &stmt.kind {
            StmtKind::Let { local, init: Some(init) } => self.bind(*local, init),
            StmtKind::Let { local, init: None } => self.declare(*local),
            StmtKind::Assign { place, value } => self.assign(place, value),
            StmtKind::Update { place, op, value } => self.update(place, *op, value),
            StmtKind::Atomic { op, place, compare, value, result } => {
                let old = result.map(|local| format!("{} = ", self.names.local(local))).unwrap_or_default();
                self.atomic(&old, *op, place, compare.iter().chain([value]));
            }
            StmtKind::Print(message) => self.message(message),
            StmtKind::If { cond, then, other } => self.branch("", cond, then, other, None, ""),
            StmtKind::For { local, range, body } => self.for_loop(*local, range, body),
            StmtKind::While { cond, body } => {
                let head = match cond.kind == ExprKind::Literal(Literal::Bool(true)) {
                    true => "loop {".to_owned(),
                    false => format!("while {} {{", self.condition(cond)),
                };
                self.braced(&head, body);
            }
            StmtKind::Break => self.line("break;"),
            StmtKind::Continue => self.line("continue;"),
            StmtKind::Return(None) => self.line("return;"),
            StmtKind::Return(Some(result)) => {
                let result = self.typed(result);
                self.line(&["return ", &result.text, ";"].concat());
            }
        }
    }

    /// Writes `let (a, b) = f(x);` or `(a, b) = f(x);`.
    fn results(&mut self, results: &Results<'_>) {
        let call = self.typed(results.call);
        let is_assigned = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::Assign { .. });
        let head = if results.values.iter().flatten().any(is_assigned) { "" } else { "let " };
        let mut name = |stmt: &Option<&Stmt>| match stmt.map(|stmt| &stmt.kind) {
            Some(StmtKind::Let { local, .. }) if self.kernel.local(*local).mutable => {
                format!("mut {}", self.names.local(*local))
            }
            Some(StmtKind::Let { local, .. }) => self.names.local(*local).to_owned(),
            Some(StmtKind::Assign { place, .. }) => self.place(place),
            Some(_) | None => "_".to_owned(),
        };
        let names: Vec<String> = results.values.iter().map(&mut name).collect();
        self.line(&format!("{head}({}) = {};", names.join(", "), call.text));
    }

    fn braced(&mut self, head: &str, body: &Block) {
        if body.is_empty() {
            return self.line(&format!("{head}}}"));
        }
        self.open(head);
        self.where_unwrapped(Vec::new(), |w| w.block(body));
        self.close("}");
    }

    /// `let name` or `let mut name`.
    fn head_of(&self, local: LocalId) -> String {
        let mutable = if self.kernel.local(local).mutable { "mut " } else { "" };
        ["let ", mutable, self.names.local(local)].concat()
    }

    fn bind(&mut self, local: LocalId, init: &Expr) {
        if self.copies.contains_key(&local) {
            return;
        }
        let ty = init.ty.rust_name();
        if self.consts.contains(&local) {
            let value = self.typed(init);
            return self.line(&format!("const {}: {ty} = {};", self.names.local(local), value.text));
        }
        let is_fixed = self.typing.fixes_type(init);
        let value = if is_fixed { self.open_expr(init) } else { self.typed(init) };
        let head = self.head_of(local);
        let head = match is_fixed || self.typing.is_inferred(local) {
            true => [&head, " = "].concat(),
            false => [&head, ": ", &ty, " = "].concat(),
        };
        self.set(&head, value, init, is_fixed);
    }

    /// Writes a declaration without a value.
    fn declare(&mut self, local: LocalId) {
        let (head, known) = (self.head_of(local), self.kernel.local(local));
        self.line(&format!("{head}: {};", known.ty.rust_name()));
    }

    /// Writes the declaration of a local array, with its first values or with zeros.
    fn declare_array(&mut self, local: LocalId, values: &[&Expr], changes_later: bool) {
        let known = self.kernel.local(local);
        let mutable = if changes_later { "mut " } else { "" };
        let head = ["let ", mutable, self.names.local(local)].concat();
        let (ty, len) = (known.ty, known.len.unwrap_or_default());
        if values.is_empty() && self.block.is_some() && self.kernel.block_memory().contains(local) {
            let shared = self.supplied("shared");
            return self.line(&format!("{head} = {shared}::<{}, {len}>();", ty.rust_name()));
        }
        if values.is_empty() {
            return self.line(&format!("{head} = [{}; {len}];", literal::zero(ty)));
        }
        // Rust infers the type of all values from that of one.
        let is_fixed = values.iter().any(|value| self.typing.fixes_type(value));
        let head = if is_fixed { head } else { format!("{head}: [{}; {len}]", ty.rust_name()) };
        let values: Vec<String> = values.iter().map(|value| self.typed(value).text).collect();
        self.line(&format!("{head} = [{}];", values.join(", ")));
    }

    /// Writes `head value;`. A long `if` expression takes several lines.
    fn set(&mut self, head: &str, code: Code, value: &Expr, is_fixed: bool) {
        let line = [head, &code.text, ";"].concat();
        let is_chain =
            matches!(&value.kind, ExprKind::Select { other, .. } if matches!(other.kind, ExprKind::Select { .. }));
        let ExprKind::Select { cond, then, other } = &value.kind else { return self.line(&line) };
        if value.ty.is_tile() {
            return self.line(&line);
        }
        if let Some(found) = self.match_of_values(cond, then, other) {
            return self.choose_value(head, &found, is_fixed);
        }
        if !is_chain && self.has_room(&line) {
            return self.line(&line);
        }
        let test = self.test(cond, |array| accesses(then, array));
        self.open(&[head, "if ", &test.code.at(Level::Or), " {"].concat());
        self.where_unwrapped(test.unwrapped, |w| w.tail(then, is_fixed));
        let mut rest = &**other;
        while let ExprKind::Select { cond, then, other } = &rest.kind {
            let test = self.test(cond, |array| accesses(then, array));
            self.reopen(&["} else if ", &test.code.at(Level::Or), " {"].concat());
            self.where_unwrapped(test.unwrapped, |w| w.tail(then, is_fixed));
            rest = other;
        }
        self.reopen("} else {");
        self.tail(rest, is_fixed);
        self.close("};");
    }

    /// Writes `head match … { … };`, where the arms are values.
    fn choose_value(&mut self, head: &str, found: &Match<'_, Expr>, is_fixed: bool) {
        let subject = self.matched(found.subject);
        self.open(&[head, "match ", &subject.text, " {"].concat());
        let rest = ("_".to_owned(), found.rest);
        for (pattern, value) in found.arms.iter().chain([&rest]) {
            let code = self.tail_code(value, is_fixed);
            let line = [pattern, " => ", &code, ","].concat();
            if self.has_room(&line) {
                self.line(&line);
            } else {
                self.open(&[pattern, " => {"].concat());
                self.line(&code);
                self.close("}");
            }
        }
        self.close("};");
    }

    /// Writes `head match … { … }`, where the arms are blocks; with a `target`, as an expression.
    fn choose_block(&mut self, head: &str, found: &Match<'_, Block>, target: Option<LocalId>, end: &str) {
        let subject = self.matched(found.subject);
        self.open(&[head, "match ", &subject.text, " {"].concat());
        let rest = ("_".to_owned(), found.rest);
        for (pattern, block) in found.arms.iter().chain([&rest]) {
            if block.is_empty() {
                self.line(&[pattern, " => {}"].concat());
                continue;
            }
            self.open(&[pattern, " => {"].concat());
            self.side(block, target, Vec::new());
            self.close("}");
        }
        self.close(&["}", end].concat());
    }

    /// The subject of a `match`: of an enum its value.
    fn matched(&mut self, subject: &Expr) -> Code {
        let value = self.enum_read(subject).map_or(subject, |(value, _)| value);
        self.typed(value)
    }

    /// Writes the value of a block.
    pub(super) fn tail(&mut self, value: &Expr, is_fixed: bool) {
        let code = self.tail_code(value, is_fixed);
        self.line(&code);
    }

    fn tail_code(&mut self, value: &Expr, is_fixed: bool) -> String {
        let code = if is_fixed && self.typing.fixes_type(value) { self.open_expr(value) } else { self.typed(value) };
        code.text
    }

    fn assign(&mut self, place: &Place, value: &Expr) {
        if let Some((place, of)) = self.assigned_enum(place) {
            let code = self.assigned_value(of, value);
            let target = self.place(&place);
            return self.line(&[&target, " = ", &code.text, ";"].concat());
        }
        let code = self.typed(value);
        let target = self.place(place);
        self.set(&[&target, " = "].concat(), code, value, false);
    }

    fn update(&mut self, place: &Place, op: Op, value: &Expr) {
        let Some(sign) = assignment(op) else {
            let (target, old) = (self.place(place), self.place_value(place));
            let value = self.applied(op, old, value);
            return self.line(&[&target, " = ", &value, ";"].concat());
        };
        let value = if matches!(op, Op::Shl | Op::Shr) {
            self.distance(value)
        } else if place.ty.is_scalar() {
            self.typed(value)
        } else if matches!(value.kind, ExprKind::Literal(_)) || !self.is_borrowed(place) {
            self.factor(value)
        } else {
            self.hoisted(place, value, true, "value")
        };
        let target = self.place(place);
        self.line(&[&target, " ", sign, "= ", &value.text, ";"].concat());
    }

    fn atomic<'e>(&mut self, head: &str, op: AtomicOp, place: &Place, operands: impl Iterator<Item = &'e Expr>) {
        let operands: Vec<String> =
            operands.map(|operand| self.hoisted(place, operand, true, "value").text.to_string()).collect();
        let target = self.place(place);
        let name = self.supplied(op.name());
        self.line(&[head, &name, "(&mut ", &target, ", ", &operands.join(", "), ");"].concat());
    }

    fn message(&mut self, message: &Message) {
        let head = match message.fails {
            true => "kernel_assert!(false, ",
            false => "kernel_print!(",
        };
        let args: String = message.args.iter().map(|arg| [", ", &self.typed(arg).text].concat()).collect();
        self.line(&format!("{head}{:?}{args});", message.text));
    }

    /// Writes a declaration together with the statement that gives it its value, if the two are one statement in Rust:
    /// `let old = atomic_add(…)`, `let x = if … { …; a } else { b }`. Returns whether it has written them.
    fn bind_effect(&mut self, local: LocalId, next: &Stmt) -> bool {
        if let StmtKind::Atomic { op, place, compare, value, result: Some(result) } = &next.kind
            && *result == local
        {
            let head = format!("{} = ", self.head_of(local));
            self.atomic(&head, *op, place, compare.iter().chain([value]));
            return true;
        }
        let is_branch = self.kernel.local(local).len.is_none() && gives(next, local);
        if let (true, StmtKind::If { cond, then, other }) = (is_branch, &next.kind) {
            let head = format!("{}: {} = ", self.head_of(local), self.kernel.local(local).ty.rust_name());
            self.branch(&head, cond, then, other, Some(local), ";");
        }
        is_branch
    }

    /// Writes an `if`; with a `target`, as an expression whose value is that of `target`.
    fn branch(&mut self, head: &str, cond: &Expr, then: &Block, other: &Block, target: Option<LocalId>, end: &str) {
        if let Some(found) = self.match_of_blocks(cond, then, other) {
            return self.choose_block(head, &found, target, end);
        }
        let test = self.test(cond, |array| accesses_in(then, array));
        self.open(&[head, "if ", &test.code.at(Level::Or), " {"].concat());
        self.side(then, target, test.unwrapped);
        let mut rest = other;
        while let [Stmt { kind: StmtKind::If { cond, then, other }, .. }] = rest.as_slice() {
            let test = self.test(cond, |array| accesses_in(then, array));
            self.reopen(&["} else if ", &test.code.at(Level::Or), " {"].concat());
            self.side(then, target, test.unwrapped);
            rest = other;
        }
        if !rest.is_empty() {
            self.reopen("} else {");
            self.side(rest, target, Vec::new());
        }
        self.close(&["}", end].concat());
    }

    /// Writes one side of a branch, where the arrays `unwrapped` are; with a `target`, the last statement
    /// becomes the value of the block.
    fn side(&mut self, block: &Block, target: Option<LocalId>, unwrapped: Vec<ParamId>) {
        self.where_unwrapped(unwrapped, |w| w.side_of(block, target));
    }

    fn side_of(&mut self, block: &Block, target: Option<LocalId>) {
        let (Some(target), Some((last, before))) = (target, block.split_last()) else { return self.block(block) };
        self.block(before);
        match &last.kind {
            StmtKind::Assign { place, value } if is_whole(place, target) => self.tail(value, false),
            StmtKind::If { cond, then, other } => self.branch("", cond, then, other, Some(target), ""),
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Update { .. }
            | StmtKind::Atomic { .. }
            | StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Print(_) => self.stmt(last),
        }
    }

    fn for_loop(&mut self, local: LocalId, range: &ForRange, body: &Block) {
        if let (Direction::Phase, Some(block)) = (range.direction, &self.block) {
            let head = format!("{block}.phase(|{}| {{", self.names.local(local));
            self.open(&head);
            self.where_unwrapped(Vec::new(), |w| w.block(body));
            return self.close("});");
        }
        let head = self.for_head(local, range);
        self.braced(&head, body);
    }

    /// The head of a loop, `for local in range {`.
    pub(super) fn for_head(&mut self, local: LocalId, range: &ForRange) -> String {
        let dots = if range.inclusive { "..=" } else { ".." };
        let (start, end) = match (self.typing.fixes_type(&range.start), self.typing.fixes_type(&range.end)) {
            (true, _) => (self.open_expr(&range.start), self.typed(&range.end)),
            (false, true) => (self.typed(&range.start), self.open_expr(&range.end)),
            _ if self.typing.is_inferred(local) => (self.typed(&range.start), self.typed(&range.end)),
            _ => (self.typed(&range.start), self.open_expr(&range.end)),
        };
        let bound = |code: Code| code.at(super::code::Level::Or);
        let mut text = [&bound(start), dots, &bound(end)].concat();
        if range.direction == Direction::Down || range.step.is_some() {
            text = format!("({text})");
        }
        if range.direction == Direction::Down {
            text += ".rev()";
        }
        if let Some(step) = &range.step {
            text += &format!(".step_by({})", self.typed(step).text);
        }
        ["for ", self.names.local(local), " in ", &text, " {"].concat()
    }
}

/// The operator `op` in `place op= value`; `None` if Rust has no such assignment.
fn assignment(op: Op) -> Option<&'static str> {
    let Syntax::Infix(sign) = op.def().rust else { return None };
    matches!(sign, "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>").then_some(sign)
}

/// Whether the place is the whole local.
fn is_whole(place: &Place, local: LocalId) -> bool {
    place.root == PlaceRoot::Local(local) && place.path.is_empty()
}

/// Whether an `if` has the meaning of `let local = if …`. Every side that ends must assign `local` last and not before,
/// and at least one side must end. An `if` whose sides only choose a value is excluded, because the front end makes a
/// `Select` of it.
fn gives(branch: &Stmt, local: LocalId) -> bool {
    let StmtKind::If { then, other, .. } = &branch.kind else { return false };
    let side = |block: &Block| {
        let Some((last, before)) = block.split_last() else { return false };
        let last_gives = match &last.kind {
            StmtKind::Assign { place, .. } => is_whole(place, local),
            StmtKind::If { .. } => gives(last, local),
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) => true,
            StmtKind::Let { .. }
            | StmtKind::Update { .. }
            | StmtKind::Atomic { .. }
            | StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Print(_) => false,
        };
        last_gives && !before.iter().any(|stmt| stmt.any(&mut |stmt| stmt.assigned_local() == Some(local)))
    };
    let ends = |block: &Block| !block.last().is_some_and(Stmt::is_jump);
    side(then) && side(other) && (ends(then) || ends(other)) && !is_plain(branch, local)
}

/// Whether the statement only chooses between values for `local`.
fn is_plain(stmt: &Stmt, local: LocalId) -> bool {
    let side = |block: &Block| matches!(block.as_slice(), [only] if is_plain(only, local));
    match &stmt.kind {
        StmtKind::Assign { place, .. } => is_whole(place, local),
        StmtKind::If { then, other, .. } => side(then) && side(other),
        StmtKind::Let { .. }
        | StmtKind::Update { .. }
        | StmtKind::Atomic { .. }
        | StmtKind::For { .. }
        | StmtKind::While { .. }
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Print(_) => false,
    }
}

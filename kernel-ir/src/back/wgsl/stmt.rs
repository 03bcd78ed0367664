//! Statements other than `for`.

use super::expr::Access;
use super::memory::{self, Memory, Unit, from_bits, to_bits};
use super::prelude::is_operator;
use super::text::Text;
use super::types::{self, part_suffix};
use super::writer::Writer;
use crate::back::halves::in_f32;
use crate::ir::{AtomicOp, Block, Expr, ExprKind, LocalId, Place, PlaceRoot, Projection, Scalar, Stmt, StmtKind, Type};
use crate::ops::build::Operand;
use crate::ops::{Op, Spelling};

impl Writer<'_, '_> {
    /// Appends the statements of a block.
    pub(super) fn block(&mut self, block: &Block) {
        let mut rest = block.as_slice();
        while let [stmt, after @ ..] = rest {
            rest = after;
            if let Some((local, values, _)) = self.kernel.declared_values(stmt, after)
                && !values.is_empty()
            {
                let values: Vec<Text> = values.into_iter().map(|value| self.expr(value)).collect();
                rest = &after[values.len()..];
                self.declare_array(local, values);
                continue;
            }
            match (&stmt.kind, after.first().map(|next| &next.kind)) {
                (StmtKind::Let { local, .. }, _) if !self.declares(*local) => {}
                (
                    StmtKind::Let { local, init: None },
                    Some(StmtKind::Atomic { op, place, compare, value, result: Some(result) }),
                ) if local == result => {
                    let old = self.atomic(*op, place, compare.as_ref(), value);
                    let keyword = if self.is_assigned_again(*local) { "var" } else { "let" };
                    let name = self.names.local(*local).to_owned();
                    self.lines.line(format!("{keyword} {name} = {};", old.text));
                    rest = &after[1..];
                }
                (kind, _) => self.stmt(kind),
            }
            self.check_stored();
            // A compiler of WGSL rejects what no path reaches.
            if matches!(stmt.kind, StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue) {
                break;
            }
        }
    }

    /// Whether a local that an atomic operation sets is assigned elsewhere.
    fn is_assigned_again(&self, local: LocalId) -> bool {
        let mut count = 0;
        self.kernel.walk_stmts(&mut |stmt| count += usize::from(stmt.assigned_local() == Some(local)));
        count > 1
    }

    fn stmt(&mut self, stmt: &StmtKind) {
        match stmt {
            StmtKind::Let { local, init } => self.declare(*local, init.as_ref()),
            StmtKind::Assign { place, value } => {
                let value = self.expr(value);
                self.assign(place, value);
            }
            StmtKind::Update { place, op, value } => self.update(place, *op, value),
            StmtKind::Atomic { op, place, compare, value, result } => {
                let old = self.atomic(*op, place, compare.as_ref(), value);
                match result {
                    Some(local) => {
                        let name = self.names.local(*local).to_owned();
                        self.lines.line(format!("{name} = {};", old.text));
                    }
                    None => self.lines.line(format!("{};", old.text)),
                }
            }
            StmtKind::If { cond, then, other } => self.branch(cond, then, other),
            StmtKind::For { local, range, body } => self.for_loop(*local, range, body),
            StmtKind::While { cond, body } => {
                let cond = self.in_loop(|writer| writer.without_own_lines(|writer| writer.expr(cond)));
                self.lines.open(format!("while ({})", cond.text));
                self.in_loop(|writer| writer.block(body));
                self.lines.close();
            }
            // WGSL cannot print, and a message changes no result.
            StmtKind::Print(_) => {}
            StmtKind::Break => self.lines.line("break;"),
            StmtKind::Continue => self.lines.line("continue;"),
            StmtKind::Return(None) => self.lines.line("return;"),
            StmtKind::Return(Some(result)) => {
                let result = self.expr(result);
                self.lines.line(format!("return {};", result.text));
            }
        }
    }

    pub(super) fn declare(&mut self, local: LocalId, init: Option<&Expr>) {
        let declared = self.kernel.local(local);
        if let (Some(len), None) = (declared.len, init) {
            let elem = self.shared.ty(declared.ty);
            let name = self.names.local(local).to_owned();
            // In a loop, a variable without a value would keep the one of the trip before.
            return self.lines.line(format!("var {name} = array<{elem}, {len}>();"));
        }
        let ty = self.shared.ty(declared.ty);
        let name = self.names.local(local).to_owned();
        match init {
            None => self.lines.line(format!("var {name}: {ty};")),
            Some(init) => {
                let keyword = if declared.mutable { "var" } else { "let" };
                // The text of a literal has a type of its own.
                let is_literal =
                    matches!(init.kind, ExprKind::Literal(_)) && types::scalar_name(declared.ty.scalar()) == "i32";
                let ty = if is_literal { format!(": {ty}") } else { String::new() };
                let value = self.expr(init);
                self.lines.line(format!("{keyword} {name}{ty} = {};", value.text));
            }
        }
    }

    /// Declares a local array with its first values.
    fn declare_array(&mut self, local: LocalId, values: Vec<Text>) {
        let elem = self.shared.ty(self.kernel.local(local).ty);
        let array = Text::call(&format!("array<{elem}, {}>", values.len()), values);
        let name = self.names.local(local).to_owned();
        self.lines.line(format!("var {name} = {};", array.text));
    }

    fn assign(&mut self, place: &Place, value: Text) {
        match self.place_in_memory(place) {
            Some(access) => self.store(&access, value),
            None => {
                let place = self.place(place);
                self.lines.line(format!("{} = {};", place.text, value.text));
            }
        }
    }

    /// `place op= value`.
    fn update(&mut self, place: &Place, op: Op, value: &Expr) {
        if let Some(computed) = in_f32(op, &[place.read(self.kernel), value.clone()], place.ty) {
            let value = self.expr(&computed);
            return self.assign(place, value);
        }
        let types = [place.ty, value.ty];
        let (row, t) = op.row(&types, place.ty).expect("a checked kernel uses rows of the table");
        let access = self.place_in_memory(place);
        let is_plain = access.as_ref().is_none_or(|access| self.shared.array(access.array).1.is_plain());
        let right = self.expr(value);
        if let (Spelling::Infix(symbol @ ("+" | "-" | "*" | "/" | "%" | "&" | "|" | "^")), true) = (row.c, is_plain)
            && is_operator(&types)
            && (place.ty.is_scalar() || access.is_none())
        {
            let place = match access {
                Some(access) => self.load(&access),
                None => self.place(place),
            };
            return self.lines.line(format!("{} {symbol}= {};", place.text, right.text));
        }
        let left = match &access {
            Some(access) => self.load(access),
            None => self.expr(&place.read(self.kernel)),
        };
        let right = if matches!(op, Op::Shl | Op::Shr) { self.expr(&value.cast(Type::U32)) } else { right };
        let new = self.operation(row.c, op, vec![left, right], &types, t, place.ty);
        self.assign(place, new);
    }

    /// A place in a local.
    fn place(&mut self, place: &Place) -> Text {
        let (root, ty) = match &place.root {
            PlaceRoot::Local(local) => (self.local(*local), self.kernel.local(*local).ty),
            PlaceRoot::LocalElement { local, index } => {
                (self.local_element(*local, index), self.kernel.local(*local).ty)
            }
            PlaceRoot::Element { array, .. } => (Text::primary(""), self.kernel.param(*array).elem()),
        };
        let mut part = (root, ty);
        for step in &place.path {
            let (base, ty) = part;
            part = match step {
                Projection::Component(index) | Projection::Column(index) => {
                    let at = self.expr(index);
                    (types::part(base, ty, index, at), ty.part())
                }
                Projection::Field(number) => (base.field(self.shared.structs.field(ty, *number)), ty.field(*number)),
            };
        }
        part.0
    }

    /// Stores a value in memory: by one assignment, or by a function of the text.
    fn store(&mut self, access: &Access, value: Text) {
        let (name, memory) = self.shared.array(access.array);
        let name = name.to_owned();
        for function in ["bitcast", "atomicStore", "atomicAnd", "atomicOr"] {
            self.shared.prelude.calls(function);
        }
        self.shared.conversions(memory);
        let scalar = access.ty.scalar();
        if access.ty.is_scalar() && memory.is_word(scalar) {
            let lines = memory.store(&name, scalar, access.at.clone(), value);
            return lines.into_iter().for_each(|line| self.lines.line(line));
        }
        let (function, at) = match &access.element {
            Some(element) => (self.storer(&name, memory, access.ty, true), element.clone()),
            None => (self.storer(&name, memory, access.ty, false), access.at.clone()),
        };
        let call = Text::call(&function, [at, value]);
        self.lines.line(format!("{};", call.text));
    }

    /// The function that stores an element, or a part of one.
    fn storer(&mut self, name: &str, memory: Memory, ty: Type, is_element: bool) -> String {
        let function = if is_element { format!("store_{name}") } else { format!("store_{name}_{}", ty.name()) };
        if self.shared.accesses.iter().any(|(known, _)| *known == function) {
            return function;
        }
        let type_name = self.shared.ty(ty);
        let (param, first) = match (is_element, memory.size()) {
            (true, 1) => ("index", "index".to_owned()),
            (true, size) => ("index", format!("index * {size}u")),
            (false, _) => ("at", "at".to_owned()),
        };
        let field = |ty, number| self.shared.structs.field(ty, number).to_owned();
        let values = memory::taken_apart(memory, ty, &Text::primary("first"), &Text::primary("value"), &field);
        let mut text = format!("fn {function}({param}: u32, value: {type_name}) {{\n    let first = {first};\n");
        for (scalar, at, value) in values {
            for line in memory.store(name, scalar, at, value) {
                text.extend(["    ", &line, "\n"]);
            }
        }
        text.push_str("}\n");
        self.access(function, text)
    }

    /// An atomic operation, whose value is the old one.
    fn atomic(&mut self, op: AtomicOp, place: &Place, compare: Option<&Expr>, value: &Expr) -> Text {
        let access = self.place_in_memory(place).expect("atomic operations update arrays");
        let args = compare.into_iter().chain([value]).map(|arg| self.expr(arg)).collect::<Vec<Text>>();
        let (name, memory) = self.shared.array(access.array);
        let name = name.to_owned();
        let scalar = access.ty.scalar();
        let is_direct = access.ty.is_scalar() && !scalar.is_float() && memory.unit == Unit::Scalar(scalar);
        if let (true, Some(function)) = (is_direct, direct(op)) {
            self.shared.prelude.calls(function);
            let target = Text::primary(format!("&{name}[{}]", access.at.text));
            return Text::call(function, [target].into_iter().chain(args));
        }
        let function = self.atomic_function(op, &name, memory, access.ty);
        Text::call(&function, [access.at].into_iter().chain(args))
    }

    /// The function of the text that updates a value by an atomic operation, or each number in it by one of its own.
    fn atomic_function(&mut self, op: AtomicOp, name: &str, memory: Memory, ty: Type) -> String {
        let function = match ty == Type::of(memory.elem.scalar()) {
            true => format!("{}_{name}", op.name()),
            false => format!("{}_{name}_{}", op.name(), ty.name()),
        };
        if self.shared.accesses.iter().any(|(known, _)| *known == function) {
            return function;
        }
        let text = if ty.is_scalar() {
            self.exchange_loop(op, &function, name, memory, ty.scalar())
        } else {
            let part = self.part_function(op, name, memory, ty.part());
            let (type_name, stride) = (self.shared.ty(ty), memory.stride(ty));
            let parts = (0..usize::from(ty.parts())).map(|number| {
                let at = memory::plus(Text::primary("at"), number * stride);
                format!("{part}({}, value{})", at.text, part_suffix(ty, number))
            });
            let parts: Vec<String> = parts.collect();
            format!(
                "// Each number is updated by an atomic operation of its own. Returns the values from before.\n\
                 fn {function}(at: u32, value: {type_name}) -> {type_name} {{\n    return {type_name}({});\n}}\n",
                parts.join(", ")
            )
        };
        self.access(function, text)
    }

    /// The function that updates a part of a value.
    pub(super) fn part_function(&mut self, op: AtomicOp, name: &str, memory: Memory, ty: Type) -> String {
        let is_direct = ty.is_scalar() && !ty.is_float() && memory.unit == Unit::Scalar(ty.scalar());
        let Some(direct) = direct(op).filter(|_| is_direct) else {
            return self.atomic_function(op, name, memory, ty);
        };
        let (function, ty) = (format!("{}_{name}", op.name()), self.shared.ty(ty));
        let text =
            format!("fn {function}(at: u32, value: {ty}) -> {ty} {{\n    return {direct}(&{name}[at], value);\n}}\n");
        self.access(function, text)
    }

    /// An operation that WGSL lacks: the bits are exchanged until no other thread has come between.
    fn exchange_loop(&mut self, op: AtomicOp, function: &str, name: &str, memory: Memory, scalar: Scalar) -> String {
        let stored = match (memory.unit, scalar.bits()) {
            (Unit::Scalar(_), _) => memory.stored(scalar),
            (Unit::Word | Unit::Byte, Some(32)) | (Unit::Byte, Some(16)) => Scalar::U32,
            (Unit::Word | Unit::Byte, _) => {
                let what = format!("atomic operations on `{}` in structs of several types", scalar.name());
                self.shared.refusals.push(what);
                return String::new();
            }
        };
        self.shared.conversions(memory);
        if scalar.is_half() {
            ["extractBits", "insertBits"].iter().for_each(|name| self.shared.prelude.calls(name));
        }
        let (ty, own) = (types::scalar_name(scalar), Type::of(scalar.computed_in()));
        let seen = match scalar.is_half() {
            true => memory::of_half(scalar, "extractBits(seen, first, 16u)"),
            false => from_bits(stored, scalar, Text::primary("seen")),
        };
        let value = Text::primary("value");
        let new = match op {
            AtomicOp::Exch | AtomicOp::Cas => value,
            AtomicOp::Add
            | AtomicOp::Sub
            | AtomicOp::Min
            | AtomicOp::Max
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor => {
                let op = op.op().expect("only exchanges have no operation");
                let (row, t) = op.row(&[own, own], own).expect("atomic operations are in the table");
                self.operation(row.c, op, vec![seen.clone(), value], &[own, own], t, own)
            }
        };
        let new = match scalar.is_half() {
            true => format!("insertBits(seen, {}, first, 16u)", memory::bits_of_half(scalar, &new.text)),
            false => to_bits(scalar, stored, new).text,
        };
        let (head, word) = match (scalar.is_half(), memory.unit) {
            (true, _) => ("let first = 8u * (at & 3u);\n    ", "at >> 2u"),
            (false, Unit::Byte) => ("", "at >> 2u"),
            (false, Unit::Scalar(_) | Unit::Word) => ("", "at"),
        };
        let (compare, stops) = match op {
            AtomicOp::Cas => {
                let differs = Text::prefix("!", Text::infix(seen.clone(), "==", Text::primary("compare")));
                (format!("compare: {ty}, "), format!("        if ({}) {{ break; }}\n", differs.text))
            }
            AtomicOp::Add
            | AtomicOp::Sub
            | AtomicOp::Min
            | AtomicOp::Max
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor
            | AtomicOp::Exch => (String::new(), String::new()),
        };
        format!(
            "// The bits are exchanged until no other thread has come between. Returns the value from before.\n\
             fn {function}(at: u32, {compare}value: {ty}) -> {ty} {{\n    \
             {head}var seen = atomicLoad(&{name}[{word}]);\n    \
             loop {{\n{stops}        \
             let exchange = atomicCompareExchangeWeak(&{name}[{word}], seen, {new});\n        \
             if (exchange.exchanged) {{ break; }}\n        \
             seen = exchange.old_value;\n    \
             }}\n    \
             return {};\n}}\n",
            seen.text
        )
    }

    fn branch(&mut self, cond: &Expr, then: &Block, other: &Block) {
        let head = self.expr(cond);
        self.lines.open(format!("if ({})", head.text));
        self.block(then);
        let mut other = other;
        while let [Stmt { kind: StmtKind::If { cond, then, other: last }, .. }] = other.as_slice() {
            let head = self.without_own_lines(|writer| writer.expr(cond));
            self.lines.reopen(format!("else if ({})", head.text));
            self.block(then);
            other = last;
        }
        if !other.is_empty() {
            self.lines.reopen("else");
            self.block(other);
        }
        self.lines.close();
    }
}

/// The function of WGSL for an atomic operation on integers.
fn direct(op: AtomicOp) -> Option<&'static str> {
    Some(match op {
        AtomicOp::Add => "atomicAdd",
        AtomicOp::Sub => "atomicSub",
        AtomicOp::Min => "atomicMin",
        AtomicOp::Max => "atomicMax",
        AtomicOp::And => "atomicAnd",
        AtomicOp::Or => "atomicOr",
        AtomicOp::Xor => "atomicXor",
        AtomicOp::Exch => "atomicExchange",
        // The one of WGSL may fail without a reason.
        AtomicOp::Cas => return None,
    })
}

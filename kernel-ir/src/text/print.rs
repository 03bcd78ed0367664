//! The printer.

use super::syntax::{COMPONENTS, RESERVED, precedence};
use crate::ir::{
    Block, CallArg, Direction, Domain, Expr, ExprKind, ForRange, Function, Kernel, Literal, LocalId, Message, Param,
    ParamId, ParamKind, Place, PlaceRoot, Projection, SizeExpr, Stmt, StmtKind, Struct, TileOp, Type, ValueRange,
};
use crate::ops::{Op, Syntax};

/// Prints `kernel`, which must pass [`verify`](crate::verify).
pub fn print(kernel: &Kernel) -> String {
    let mut out = String::new();
    for id in kernel.structs().into_iter().filter(|id| !id.is_tuple()) {
        structure(&id, &mut out);
    }
    for function in kernel.functions() {
        let mut printer = Printer { kernel: &function.code, out, indent: 0, numbers: true };
        printer.function(&function);
        out = printer.out;
    }
    let mut printer = Printer { kernel, out, indent: 0, numbers: true };
    printer.kernel();
    printer.out
}

/// Prints the definition of a struct or enum.
fn structure(of: &Struct, out: &mut String) {
    of.doc.iter().for_each(|line| doc_line(line, out));
    if let Some(warp) = &of.warp {
        out.push_str(&format!("#[device(warp = {warp})]\n"));
    }
    if of.is_enum() {
        out.push_str(&format!("enum {}: {} {{\n", of.name, of.repr()));
        of.variants.iter().for_each(|(name, number)| out.push_str(&format!("    {name} = {number},\n")));
        return out.push_str("}\n\n");
    }
    out.push_str(&format!("struct {} {{\n", of.name));
    of.fields.iter().for_each(|field| out.push_str(&format!("    {}: {},\n", field.name, field.ty)));
    out.push_str("}\n\n");
}

/// Prints a line of a doc comment.
fn doc_line(line: &str, out: &mut String) {
    let space = if line.is_empty() { "" } else { " " };
    out.push_str(&format!("///{space}{line}\n"));
}

/// Prints an expression of `kernel` for a message. Locals are printed without ids, which mean nothing to a reader.
pub(crate) fn print_expr(kernel: &Kernel, expr: &Expr) -> String {
    let mut printer = Printer { kernel, out: String::new(), indent: 0, numbers: false };
    printer.expr(expr);
    printer.out
}

struct Printer<'a> {
    kernel: &'a Kernel,
    out: String,
    indent: usize,
    /// Whether locals are printed with their ids.
    numbers: bool,
}

impl Printer<'_> {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn begin_line(&mut self) {
        for _ in 0..self.indent {
            self.push("    ");
        }
    }

    fn line(&mut self, text: &str) {
        self.begin_line();
        self.push(text);
        self.push("\n");
    }

    fn kernel(&mut self) {
        let kernel = self.kernel;
        self.doc();
        let more = kernel.arguments();
        let block = kernel.block.map_or_else(String::new, |size| format!(", block = {size}"));
        self.line(&format!("#[kernel(family = {:?}, dim = {}{block}{more})]", kernel.family, kernel.dim));
        self.definition("");
    }

    fn function(&mut self, function: &Function) {
        self.doc();
        let gradient = function.gradient.as_ref().map(|gradient| {
            let parts = commas(&gradient.parts, |(param, part)| format!("{} = {}", self.param(*param), part.name()));
            format!("grad({parts}){}", if gradient.surrogate { ", surrogate" } else { "" })
        });
        let warp = function.warp.as_ref().map(|name| format!("warp = {name}"));
        let arguments: Vec<String> = gradient.into_iter().chain(warp).collect();
        let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
        self.line(&format!("#[device{arguments}]"));
        self.definition(&format!(" -> {}", function.ret));
        self.line("");
    }

    fn doc(&mut self) {
        for line in self.kernel.doc.iter().flat_map(|line| line.split('\n')) {
            doc_line(line, &mut self.out);
        }
    }

    /// Name, parameters and body.
    fn definition(&mut self, result: &str) {
        let kernel = self.kernel;
        self.line(&format!("fn {}(", kernel.name));
        self.indent += 1;
        for param in &kernel.params {
            let text = self.signature(param);
            self.line(&text);
        }
        self.indent -= 1;
        self.line(&format!("){result} {{"));
        self.block(&kernel.body);
        self.line("}");
    }

    fn signature(&self, param: &Param) -> String {
        let kind = match &param.kind {
            ParamKind::Value(ty) => ty.name().to_owned(),
            ParamKind::Array { elem, mutable, optional, shape } => {
                let access = if *mutable { "&mut " } else { "&" };
                // The arrays of a function have axes, and no extents.
                let extent = |size: &SizeExpr| match self.kernel.dim {
                    0 => "_".to_owned(),
                    _ => self.size(size, precedence::LOOSEST),
                };
                let array = format!("{access}[{elem}; {}]", commas(shape, extent));
                if *optional { format!("Option<{array}>") } else { array }
            }
        };
        let domain = match &param.domain {
            None => String::new(),
            Some(Domain { range, structure }) => {
                let structure = structure.map_or_else(String::new, |structure| format!(" as {}", structure.name()));
                format!(" in {}{structure}", self.value_range(range))
            }
        };
        format!("{}: {kind}{domain},", word(&param.name))
    }

    fn value_range(&self, range: &ValueRange) -> String {
        match range {
            ValueRange::Bool => "false..=true".to_owned(),
            ValueRange::Float { low, high } => {
                format!("{}..{}", literal(Literal::F64(*low)), literal(Literal::F64(*high)))
            }
            ValueRange::Int { low, high } => {
                format!("{}..{}", self.size(low, precedence::LOOSEST), self.size(high, precedence::LOOSEST))
            }
        }
    }

    fn size(&self, size: &SizeExpr, around: u8) -> String {
        let infix = |a: &SizeExpr, sign: &str, b: &SizeExpr| {
            let own = precedence::infix(sign);
            bracket(format!("{} {sign} {}", self.size(a, own), self.size(b, own + 1)), own, around)
        };
        match size {
            SizeExpr::Literal(value) => value.to_string(),
            SizeExpr::Dim(axis) => format!("dim({axis})"),
            SizeExpr::Param(id) => self.param(*id),
            SizeExpr::Extent(id, axis) => format!("{}.extent({axis})", self.param(*id)),
            SizeExpr::Add(a, b) => infix(a, "+", b),
            SizeExpr::Sub(a, b) => infix(a, "-", b),
            SizeExpr::Mul(a, b) => infix(a, "*", b),
            SizeExpr::Div(a, b) => infix(a, "/", b),
        }
    }

    fn param(&self, id: ParamId) -> String {
        word(&self.kernel.param(id).name)
    }

    fn block(&mut self, block: &Block) {
        self.indent += 1;
        for stmt in block {
            self.stmt(stmt);
        }
        self.indent -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.begin_line();
        match &stmt.kind {
            StmtKind::Let { local, init } => {
                self.push("let ");
                self.declaration(*local);
                if let Some(init) = init {
                    self.push(" = ");
                    self.expr(init);
                }
            }
            StmtKind::Print(Message { text, args, fails }) => {
                self.push(if *fails { "fail(" } else { "print(" });
                self.push(&format!("{text:?}"));
                for arg in args {
                    self.push(", ");
                    self.expr(arg);
                }
                self.push(")");
            }
            StmtKind::Assign { place, value } => {
                self.place(place);
                self.push(" = ");
                self.expr(value);
            }
            StmtKind::Update { place, op, value } => {
                self.place(place);
                self.push(" ");
                self.push(update_sign(*op));
                self.push("= ");
                self.expr(value);
            }
            StmtKind::Atomic { op, place, compare, value, result } => {
                if let Some(local) = result {
                    self.local(*local);
                    self.push(" = ");
                }
                self.push(op.name());
                self.push("(");
                self.place(place);
                for operand in compare.iter().chain([value]) {
                    self.push(", ");
                    self.expr(operand);
                }
                self.push(")");
            }
            StmtKind::If { cond, then, other } => return self.branch(cond, then, other),
            StmtKind::For { local, range, body } => {
                self.push("for ");
                self.declaration(*local);
                self.push(" in ");
                self.range(range);
                return self.braced(body);
            }
            StmtKind::While { cond, body } => {
                self.push("while ");
                self.expr(cond);
                return self.braced(body);
            }
            StmtKind::Break => self.push("break"),
            StmtKind::Continue => self.push("continue"),
            StmtKind::Return(result) => {
                self.push("return");
                if let Some(result) = result {
                    self.push(" ");
                    self.expr(result);
                }
            }
        }
        self.push(";\n");
    }

    /// A block in braces, on a line that has begun.
    fn braced(&mut self, body: &Block) {
        self.push(" {\n");
        self.block(body);
        self.line("}");
    }

    /// An `if` with all its `else` branches, on a line that has begun.
    fn branch(&mut self, cond: &Expr, then: &Block, other: &Block) {
        self.push("if ");
        self.expr(cond);
        self.push(" {\n");
        self.block(then);
        self.begin_line();
        match other.as_slice() {
            [] => self.push("}\n"),
            [Stmt { kind: StmtKind::If { cond, then, other }, .. }] => {
                self.push("} else ");
                self.branch(cond, then, other);
            }
            _ => {
                self.push("} else");
                self.braced(other);
            }
        }
    }

    fn range(&mut self, range: &ForRange) {
        self.push("(");
        self.expr(&range.start);
        self.push(if range.inclusive { "..=" } else { ".." });
        self.expr(&range.end);
        self.push(")");
        match range.direction {
            Direction::Up => {}
            Direction::Down => self.push(".rev()"),
            Direction::Phase => self.push(".phase()"),
        }
        if let Some(step) = &range.step {
            self.push(".step_by(");
            self.expr(step);
            self.push(")");
        }
    }

    fn declaration(&mut self, id: LocalId) {
        let local = self.kernel.local(id);
        if local.mutable {
            self.push("mut ");
        }
        self.local(id);
        self.push(": ");
        match local.len {
            None => self.push(local.ty.name()),
            Some(len) => self.push(&format!("[{}; {len}]", local.ty)),
        }
    }

    fn local(&mut self, id: LocalId) {
        self.push(&self.kernel.local(id).name);
        if self.numbers {
            self.push(".");
            self.push(&id.0.to_string());
        }
    }

    fn place(&mut self, place: &Place) {
        let mut ty = match &place.root {
            PlaceRoot::Local(local) => {
                self.local(*local);
                self.kernel.local(*local).ty
            }
            PlaceRoot::LocalElement { local, index } => {
                self.slot(*local, index);
                self.kernel.local(*local).ty
            }
            PlaceRoot::Element { array, index } => {
                self.element(*array, index);
                self.kernel.param(*array).elem()
            }
        };
        for step in &place.path {
            match step {
                Projection::Component(index) => self.component(index),
                Projection::Column(index) => self.column(index),
                Projection::Field(number) => self.field(ty, *number),
            }
            ty = match step {
                Projection::Component(_) | Projection::Column(_) => ty.part(),
                Projection::Field(number) => ty.field(*number),
            };
        }
    }

    fn field(&mut self, base: Type, number: u8) {
        self.push(".");
        self.push(&base.fields()[usize::from(number)].name);
    }

    fn element(&mut self, array: ParamId, index: &[Expr]) {
        self.push(&self.param(array));
        self.push("[");
        self.list(index);
        self.push("]");
    }

    fn slot(&mut self, local: LocalId, index: &Expr) {
        self.local(local);
        self.push("[");
        self.expr(index);
        self.push("]");
    }

    fn component(&mut self, index: &Expr) {
        match index.kind {
            ExprKind::Literal(Literal::Index(number @ 0..4)) => {
                self.push(".");
                self.push(COMPONENTS[number as usize]);
            }
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::LocalElement { .. }
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
            | ExprKind::Load { .. }
            | ExprKind::Op(..)
            | ExprKind::Call(..)
            | ExprKind::Cast(_)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Field(..)
            | ExprKind::Tile(..)
            | ExprKind::Struct(_)
            | ExprKind::Select { .. } => {
                self.push("[");
                self.expr(index);
                self.push("]");
            }
        }
    }

    fn column(&mut self, index: &Expr) {
        self.push(".col(");
        self.expr(index);
        self.push(")");
    }

    fn list(&mut self, exprs: &[Expr]) {
        for (place, expr) in exprs.iter().enumerate() {
            self.push(if place == 0 { "" } else { ", " });
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        self.operand(expr, precedence::LOOSEST);
    }

    /// Prints `expr` as an operand in a context of precedence `around`.
    fn operand(&mut self, expr: &Expr, around: u8) {
        let in_brackets = binding(expr) < around;
        self.push(if in_brackets { "(" } else { "" });
        match &expr.kind {
            ExprKind::Literal(value) => self.push(&literal(*value)),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::LocalElement { local, index } => self.slot(*local, index),
            ExprKind::Param(param) => self.push(&self.param(*param)),
            ExprKind::Tid(axis) => self.push(&format!("tid({axis})")),
            ExprKind::Extent { array, axis } => {
                self.push(&self.param(*array));
                self.push(&format!(".extent({axis})"));
            }
            ExprKind::Present(array) => {
                self.push(&self.param(*array));
                self.push(".is_some()");
            }
            ExprKind::Load { array, index } if expr.ty.is_tile() => {
                self.push(&format!("{}<{}>(", TileOp::LOAD, expr.ty));
                self.element(*array, index);
                self.push(")");
            }
            ExprKind::Load { array, index } => self.element(*array, index),
            ExprKind::Tile(op, args) => {
                self.push(&format!("{}<{}>(", op.name(), expr.ty));
                self.list(args);
                self.push(")");
            }
            ExprKind::Op(op, args) => self.operation(*op, args, expr.ty),
            ExprKind::Call(callee, args) => {
                self.push(callee.function.name());
                self.push("(");
                for (id, _, argument) in callee.arguments(args) {
                    self.push(if id.0 == 0 { "" } else { ", " });
                    match argument {
                        CallArg::Value(value) => self.expr(value),
                        CallArg::Array(array) => self.push(&self.param(array)),
                    }
                }
                self.push(")");
            }
            ExprKind::Cast(inner) => {
                self.operand(inner, precedence::CAST);
                self.push(" as ");
                self.push(expr.ty.name());
            }
            ExprKind::Component(base, index) => {
                self.operand(base, precedence::ATOM);
                self.component(index);
            }
            ExprKind::Column(base, index) => {
                self.operand(base, precedence::ATOM);
                self.column(index);
            }
            ExprKind::Field(base, number) => {
                self.operand(base, precedence::ATOM);
                self.field(base.ty, *number);
            }
            ExprKind::Struct(fields) => {
                if let Some(id) = expr.ty.as_struct() {
                    self.push(&id.name);
                }
                self.push("(");
                self.list(fields);
                self.push(")");
            }
            ExprKind::Select { cond, then, other } => {
                self.push("if ");
                self.expr(cond);
                self.push(" { ");
                self.expr(then);
                self.push(" } else { ");
                self.expr(other);
                self.push(" }");
            }
        }
        self.push(if in_brackets { ")" } else { "" });
    }

    fn operation(&mut self, op: Op, args: &[Expr], ty: Type) {
        match (op.def().rust, args) {
            (Syntax::Infix(sign), [a, b]) => {
                let own = precedence::infix(sign);
                self.operand(a, own);
                self.push(" ");
                self.push(sign);
                self.push(" ");
                self.operand(b, own + 1);
            }
            (Syntax::Prefix(sign), [a]) => {
                self.push(sign);
                // `-1i32` is a literal. Parentheses distinguish the negation of a literal from it.
                let is_literal = matches!(a.kind, ExprKind::Literal(_));
                self.push(if is_literal { "(" } else { "" });
                self.operand(a, precedence::PREFIX);
                self.push(if is_literal { ")" } else { "" });
            }
            _ => {
                self.push(op.name());
                // The parser infers the type from the operands if the table has one row for them.
                let types: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
                if op.results(&types) != [ty] {
                    self.push(&format!("<{ty}>"));
                }
                self.push("(");
                self.list(args);
                self.push(")");
            }
        }
    }
}

/// The precedence of the outermost operation of an expression.
fn binding(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Op(op, args) => match (op.def().rust, args.len()) {
            (Syntax::Infix(sign), 2) => precedence::infix(sign),
            (Syntax::Prefix(_), 1) => precedence::PREFIX,
            _ => precedence::ATOM,
        },
        ExprKind::Cast(_) => precedence::CAST,
        ExprKind::Select { .. } => precedence::LOOSEST,
        ExprKind::Literal(_)
        | ExprKind::Local(_)
        | ExprKind::LocalElement { .. }
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Present(_)
        | ExprKind::Load { .. }
        | ExprKind::Call(..)
        | ExprKind::Component(..)
        | ExprKind::Column(..)
        | ExprKind::Field(..)
        | ExprKind::Tile(..)
        | ExprKind::Struct(_) => precedence::ATOM,
    }
}

/// The text before the `=` of an update.
fn update_sign(op: Op) -> &'static str {
    match op.def().rust {
        Syntax::Infix(sign) if precedence::has_assignment(sign) => sign,
        Syntax::Infix(_)
        | Syntax::Prefix(_)
        | Syntax::Method(_)
        | Syntax::Assoc(_)
        | Syntax::Function(_)
        | Syntax::Draw(_) => op.name(),
    }
}

/// Parenthesises a text of precedence `own` in a context of precedence `around`, if needed.
fn bracket(text: String, own: u8, around: u8) -> String {
    if own < around { format!("({text})") } else { text }
}

fn commas<T>(items: &[T], print: impl Fn(&T) -> String) -> String {
    items.iter().map(print).collect::<Vec<_>>().join(", ")
}

fn literal(value: Literal) -> String {
    match value {
        Literal::Bool(value) => value.to_string(),
        Literal::I8(value) => format!("{value}i8"),
        Literal::U8(value) => format!("{value}u8"),
        Literal::I16(value) => format!("{value}i16"),
        Literal::U16(value) => format!("{value}u16"),
        Literal::I32(value) => format!("{value}i32"),
        Literal::U32(value) => format!("{value}u32"),
        Literal::I64(value) => format!("{value}i64"),
        Literal::U64(value) => format!("{value}u64"),
        Literal::Index(value) => format!("{value}usize"),
        // `{:?}` of a float is the shortest text that parses to the same bits. A NaN with a payload is printed as bits.
        Literal::F16(bits) | Literal::BF16(bits) => {
            let name = value.scalar().name();
            match f32::from_bits(bits) {
                f32::INFINITY => format!("{name}::INFINITY"),
                f32::NEG_INFINITY => format!("{name}::NEG_INFINITY"),
                value if value.is_nan() => format!("{name}::NAN"),
                value => format!("{value:?}{name}"),
            }
        }
        Literal::F32(bits) => match f32::from_bits(bits) {
            f32::INFINITY => "f32::INFINITY".to_owned(),
            f32::NEG_INFINITY => "f32::NEG_INFINITY".to_owned(),
            value if value.is_nan() && bits != f32::NAN.to_bits() => format!("f32::from_bits({bits:#x})"),
            value if value.is_nan() => "f32::NAN".to_owned(),
            value => format!("{value:?}f32"),
        },
        Literal::F64(bits) => match f64::from_bits(bits) {
            f64::INFINITY => "f64::INFINITY".to_owned(),
            f64::NEG_INFINITY => "f64::NEG_INFINITY".to_owned(),
            value if value.is_nan() && bits != f64::NAN.to_bits() => format!("f64::from_bits({bits:#x})"),
            value if value.is_nan() => "f64::NAN".to_owned(),
            value => format!("{value:?}f64"),
        },
    }
}

/// A bare name; a raw identifier if it is a keyword of the text form.
fn word(name: &str) -> String {
    if RESERVED.contains(&name) { format!("r#{name}") } else { name.to_owned() }
}

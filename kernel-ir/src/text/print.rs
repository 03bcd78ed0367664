//! IR → text.

use super::{COMPONENTS, RESERVED, precedence, result_types};
use crate::ir::{
    Block, Direction, Domain, Expr, ExprKind, ForRange, Kernel, Literal, LocalId, Param, ParamId, ParamKind, Place,
    PlaceRoot, Projection, SizeExpr, Stmt, StmtKind, Type,
};
use crate::ops::{Op, Syntax};

/// Prints `kernel`, which passes the [check](crate::check).
pub fn print(kernel: &Kernel) -> String {
    let mut printer = Printer { kernel, out: String::new(), indent: 0 };
    printer.kernel();
    printer.out
}

struct Printer<'a> {
    kernel: &'a Kernel,
    out: String,
    indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn kernel(&mut self) {
        let kernel = self.kernel;
        for line in kernel.doc.iter().flat_map(|line| line.split('\n')) {
            self.line(&if line.is_empty() { "///".to_owned() } else { format!("/// {line}") });
        }
        self.line(&format!("#[kernel(family = {:?}, dim = {})]", kernel.family, kernel.dim));
        self.line(&format!("fn {}(", kernel.name));
        self.indent += 1;
        for param in &kernel.params {
            let text = self.signature(param);
            self.line(&text);
        }
        self.indent -= 1;
        self.line(") {");
        self.block(&kernel.body);
        self.line("}");
    }

    fn signature(&self, param: &Param) -> String {
        let kind = match &param.kind {
            ParamKind::Value(ty) => ty.name(),
            ParamKind::Array { elem, mutable, shape } => {
                let access = if *mutable { "&mut " } else { "&" };
                format!("{access}[{elem}; {}]", commas(shape, |size| self.size(size, precedence::LOOSEST)))
            }
        };
        let domain = match &param.domain {
            None => String::new(),
            Some(Domain::Float { low, high }) => {
                format!(" in {}..{}", literal(Literal::F64(*low)), literal(Literal::F64(*high)))
            }
            Some(Domain::Int { low, high }) => {
                format!(" in {}..{}", self.size(low, precedence::LOOSEST), self.size(high, precedence::LOOSEST))
            }
        };
        format!("{}: {kind}{domain},", word(&param.name))
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

    fn local(&self, id: LocalId) -> String {
        format!("{}.{}", self.kernel.local(id).name, id.0)
    }

    fn declaration(&self, id: LocalId) -> String {
        let local = self.kernel.local(id);
        let ty = match local.len {
            None => local.ty.name(),
            Some(len) => format!("[{}; {len}]", local.ty),
        };
        format!("{}{}: {ty}", if local.mutable { "mut " } else { "" }, self.local(id))
    }

    fn block(&mut self, block: &Block) {
        self.indent += 1;
        for stmt in block {
            self.stmt(stmt);
        }
        self.indent -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let text = match &stmt.kind {
            StmtKind::Let { local, init: None } => format!("let {};", self.declaration(*local)),
            StmtKind::Let { local, init: Some(init) } => {
                format!("let {} = {};", self.declaration(*local), self.expr(init))
            }
            StmtKind::Assign { place, value } => format!("{} = {};", self.place(place), self.expr(value)),
            StmtKind::Update { place, op, value } => {
                format!("{} {}= {};", self.place(place), update_sign(*op), self.expr(value))
            }
            StmtKind::Atomic { op, place, value, result } => {
                let result = result.map(|local| format!("{} = ", self.local(local))).unwrap_or_default();
                format!("{result}{}({}, {});", op.name(), self.place(place), self.expr(value))
            }
            StmtKind::If { cond, then, other } => return self.branch("if", cond, then, other),
            StmtKind::For { local, range, body } => {
                let head = format!("for {} in {} {{", self.declaration(*local), self.range(range));
                return self.braced(&head, body);
            }
            StmtKind::While { cond, body } => {
                let head = format!("while {} {{", self.expr(cond));
                return self.braced(&head, body);
            }
            StmtKind::Break => "break;".to_owned(),
            StmtKind::Continue => "continue;".to_owned(),
            StmtKind::Return => "return;".to_owned(),
        };
        self.line(&text);
    }

    fn braced(&mut self, head: &str, body: &Block) {
        self.line(head);
        self.block(body);
        self.line("}");
    }

    fn branch(&mut self, word: &str, cond: &Expr, then: &Block, other: &Block) {
        self.line(&format!("{word} {} {{", self.expr(cond)));
        self.block(then);
        match other.as_slice() {
            [] => self.line("}"),
            [Stmt { kind: StmtKind::If { cond, then, other }, .. }] => self.branch("} else if", cond, then, other),
            _ => self.braced("} else {", other),
        }
    }

    fn range(&self, range: &ForRange) -> String {
        let dots = if range.inclusive { "..=" } else { ".." };
        let mut text = format!("({}{dots}{})", self.expr(&range.start), self.expr(&range.end));
        if range.direction == Direction::Down {
            text.push_str(".rev()");
        }
        if let Some(step) = &range.step {
            text.push_str(&format!(".step_by({})", self.expr(step)));
        }
        text
    }

    fn place(&self, place: &Place) -> String {
        let mut text = match &place.root {
            PlaceRoot::Local(local) => self.local(*local),
            PlaceRoot::Slot { local, index } => self.slot(*local, index),
            PlaceRoot::Element { array, index } => self.element(*array, index),
        };
        for step in &place.path {
            match step {
                Projection::Component(index) => text.push_str(&self.component(index)),
                Projection::Column(index) => text.push_str(&self.column(index)),
            }
        }
        text
    }

    fn element(&self, array: ParamId, index: &[Expr]) -> String {
        format!("{}[{}]", self.param(array), commas(index, |index| self.expr(index)))
    }

    fn slot(&self, local: LocalId, index: &Expr) -> String {
        format!("{}[{}]", self.local(local), self.expr(index))
    }

    fn component(&self, index: &Expr) -> String {
        match index.kind {
            ExprKind::Literal(Literal::Index(number @ 0..4)) => format!(".{}", COMPONENTS[number as usize]),
            _ => format!("[{}]", self.expr(index)),
        }
    }

    fn column(&self, index: &Expr) -> String {
        format!(".col({})", self.expr(index))
    }

    fn expr(&self, expr: &Expr) -> String {
        self.expr_within(expr, precedence::LOOSEST)
    }

    /// Prints `expr` as an operand of something that binds as tightly as `around`.
    fn expr_within(&self, expr: &Expr, around: u8) -> String {
        let atom = |expr: &Expr| self.expr_within(expr, precedence::ATOM);
        match &expr.kind {
            ExprKind::Literal(value) => literal(*value),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Slot { local, index } => self.slot(*local, index),
            ExprKind::Param(param) => self.param(*param),
            ExprKind::Tid(axis) => format!("tid({axis})"),
            ExprKind::Extent { array, axis } => format!("{}.extent({axis})", self.param(*array)),
            ExprKind::Load { array, index } => self.element(*array, index),
            ExprKind::Op(op, args) => self.operation(*op, args, expr.ty, around),
            ExprKind::Cast(inner) => {
                let text = format!("{} as {}", self.expr_within(inner, precedence::CAST), expr.ty);
                bracket(text, precedence::CAST, around)
            }
            ExprKind::Component(base, index) => atom(base) + &self.component(index),
            ExprKind::Column(base, index) => atom(base) + &self.column(index),
            ExprKind::Select { cond, then, other } => {
                let text = format!("if {} {{ {} }} else {{ {} }}", self.expr(cond), self.expr(then), self.expr(other));
                bracket(text, precedence::LOOSEST, around)
            }
        }
    }

    fn operation(&self, op: Op, args: &[Expr], ty: Type, around: u8) -> String {
        match (op.def().rust, args) {
            (Syntax::Infix(sign), [a, b]) => {
                let own = precedence::infix(sign);
                let text = format!("{} {sign} {}", self.expr_within(a, own), self.expr_within(b, own + 1));
                bracket(text, own, around)
            }
            (Syntax::Prefix(sign), [a]) => {
                // `-1i32` is a literal; the negative of a literal keeps them apart.
                let inner = match a.kind {
                    ExprKind::Literal(_) => format!("({})", self.expr(a)),
                    _ => self.expr_within(a, precedence::PREFIX),
                };
                bracket(format!("{sign}{inner}"), precedence::PREFIX, around)
            }
            _ => {
                let types: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
                let ty = if result_types(op, &types) == [ty] { String::new() } else { format!("<{ty}>") };
                format!("{}{ty}({})", op.name(), commas(args, |arg| self.expr(arg)))
            }
        }
    }
}

/// What stands before the `=` of an update.
fn update_sign(op: Op) -> &'static str {
    match op.def().rust {
        Syntax::Infix(sign) if precedence::has_assignment(sign) => sign,
        _ => op.name(),
    }
}

/// Puts brackets round something that binds as tightly as `own` inside something that binds as tightly as `around`.
fn bracket(text: String, own: u8, around: u8) -> String {
    if own < around { format!("({text})") } else { text }
}

fn commas<T>(items: &[T], print: impl Fn(&T) -> String) -> String {
    items.iter().map(print).collect::<Vec<_>>().join(", ")
}

fn literal(value: Literal) -> String {
    match value {
        Literal::Bool(value) => value.to_string(),
        Literal::I32(value) => format!("{value}i32"),
        Literal::U32(value) => format!("{value}u32"),
        Literal::I64(value) => format!("{value}i64"),
        Literal::U64(value) => format!("{value}u64"),
        Literal::Index(value) => format!("{value}usize"),
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

/// A bare name, marked as one if it is also a word of the text form.
fn word(name: &str) -> String {
    if RESERVED.contains(&name) { format!("r#{name}") } else { name.to_owned() }
}

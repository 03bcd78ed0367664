//! Generates doc comments: what a kernel computes, in words and formulas.

use kernel_ir::ir::{CallArg, Expr, ExprKind, Kernel, Literal, LocalId, ParamId, PlaceRoot, Stmt, StmtKind};
use kernel_ir::ops::{Op, Syntax};
use std::collections::HashMap;

/// The largest length of a comment line.
const WIDTH: usize = 108;
/// The largest length of a formula.
const LONGEST: usize = 84;

/// Breaks `text` into lines.
pub(super) fn lines(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let line = &mut lines[last];
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// The formula of `expr`, if it is short. Named values are expanded as long as the formula stays short. `None` for a
/// lone name, which explains nothing.
pub(super) fn formula(kernel: &Kernel, mut expr: Expr) -> Option<String> {
    let values = values(kernel);
    let mut found = None;
    loop {
        let text = Writer { kernel }.write(&expr, 0);
        if text.chars().count() > LONGEST {
            return found;
        }
        let mut opened = false;
        let inside = expr.copy_with(&mut |part| match part.kind {
            ExprKind::Local(id) => {
                opened |= values.contains_key(&id);
                values.get(&id).map(|value| Expr::clone(value))
            }
            _ => None,
        });
        if !matches!(expr.kind, ExprKind::Local(_)) {
            found = Some(text);
        }
        if !opened {
            return found;
        }
        expr = inside;
    }
}

/// The locals with a value that never changes: declared outside branches and loops, never assigned, and reading nothing
/// that changes. Only these may be expanded in a formula.
fn values(kernel: &Kernel) -> HashMap<LocalId, &Expr> {
    let mut values = HashMap::new();
    for stmt in &kernel.body {
        if let StmtKind::Let { local, init: Some(value) } = &stmt.kind {
            let is_constant = |id: LocalId| !kernel.local(id).mutable;
            let changes = value.any(&mut |part| match part.kind {
                ExprKind::Local(id) => !is_constant(id),
                ExprKind::LocalElement { .. } => true,
                _ => false,
            });
            let is_thread = matches!(value.kind, ExprKind::Tid(_));
            if is_constant(*local) && !changes && !is_thread && !reads_changed(kernel, value) {
                values.insert(*local, value);
            }
        }
    }
    values
}

/// Whether the expression reads an array that the kernel writes to.
fn reads_changed(kernel: &Kernel, expr: &Expr) -> bool {
    expr.any(&mut |part| matches!(part.kind, ExprKind::Load { array, .. } if kernel.param(array).is_mutable()))
}

/// `a, b and c`.
pub(super) fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// A name as words: without a trailing number, with spaces for underscores.
pub(super) fn words(name: &str) -> String {
    name.trim_end_matches(|c: char| c.is_ascii_digit()).replace('_', " ")
}

/// The names of the inputs that the kernel reads, as words.
pub(super) fn inputs(kernel: &Kernel) -> Vec<String> {
    let mut read = Vec::new();
    kernel.walk_exprs(&mut |expr| {
        if let ExprKind::Extent { .. } = expr.kind {
            return;
        }
        for id in expr.params() {
            let name = words(&kernel.param(*id).name);
            if !read.contains(&name) {
                read.push(name);
            }
        }
    });
    read
}

/// The names of the arrays that the kernel writes.
pub(super) fn outputs(kernel: &Kernel) -> Vec<String> {
    kernel.params.iter().filter(|param| param.is_mutable()).map(|param| param.name.clone()).collect()
}

/// The operator and the value of the only store to array `name`, such as `+=`. If the array is changed in place through
/// a local that changes once, the change of that local.
pub(super) fn stored(kernel: &Kernel, name: &str) -> Option<(&'static str, Expr)> {
    let is_array = |array: ParamId| kernel.param(array).name == name;
    let mut stores = Vec::new();
    kernel.walk_stmts(&mut |stmt| {
        if let StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } = &stmt.kind
            && matches!(place.root, PlaceRoot::Element { array, .. } if is_array(array))
        {
            stores.push(stmt);
        }
    });
    let [store] = stores[..] else { return None };
    let (sign, value) = change(store)?;
    match value.kind {
        ExprKind::Local(local) if sign == "=" && kernel.local(local).mutable => changed_once(kernel, local, name),
        _ => Some((sign, value.clone())),
    }
}

/// The operator and the value of a statement that changes a whole place.
fn change(stmt: &Stmt) -> Option<(&'static str, &Expr)> {
    match &stmt.kind {
        StmtKind::Assign { place, value } if place.path.is_empty() => Some(("=", value)),
        StmtKind::Update { place, op, value } if place.path.is_empty() => {
            let signs = [(Op::Add, "+="), (Op::Sub, "−="), (Op::Mul, "·="), (Op::Div, "/=")];
            signs.into_iter().find(|(sign, _)| sign == op).map(|(_, sign)| (sign, value))
        }
        _ => None,
    }
}

/// The only change of a local that starts as an element of array `name`, in terms of that element.
fn changed_once(kernel: &Kernel, local: LocalId, name: &str) -> Option<(&'static str, Expr)> {
    let mut changes = 0;
    kernel.walk_stmts(&mut |stmt| changes += usize::from(stmt.assigned_local() == Some(local)));
    let start = kernel.body.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Let { local: declared, init: Some(start) } if *declared == local => Some(start),
        _ => None,
    })?;
    let is_element = matches!(start.kind, ExprKind::Load { array, .. } if kernel.param(array).name == name);
    let only = kernel.body.iter().find(|stmt| stmt.assigned_local() == Some(local))?;
    let (sign, value) = change(only)?;
    let start_of = |part: &Expr| matches!(part.kind, ExprKind::Local(id) if id == local).then(|| start.clone());
    (changes == 1 && is_element).then(|| (sign, value.copy_with(&mut { start_of })))
}

struct Writer<'a> {
    kernel: &'a Kernel,
}

impl Writer<'_> {
    /// The formula, in parentheses if it binds less tightly than `level`: 1 for sums, 2 for products, 3 for atoms.
    fn write(&self, expr: &Expr, level: u8) -> String {
        let at = |own: u8, text: String| if own < level { format!("({text})") } else { text };
        match &expr.kind {
            ExprKind::Literal(value) => literal(*value),
            ExprKind::Local(id) => self.kernel.local(*id).name.clone(),
            ExprKind::LocalElement { local, .. } => self.kernel.local(*local).name.clone(),
            ExprKind::Param(id) => self.kernel.param(*id).name.clone(),
            ExprKind::Tid(axis) => format!("tid{axis}"),
            ExprKind::Extent { array, .. } => format!("|{}|", self.kernel.param(*array).name),
            ExprKind::Present(array) => format!("{} is given", self.kernel.param(*array).name),
            ExprKind::Load { array, index } => {
                let name = &self.kernel.param(*array).name;
                let parts: Vec<String> = index.iter().map(|index| self.write(index, 0)).collect();
                format!("{name}[{}]", parts.join(", "))
            }
            ExprKind::Call(callee, args) => {
                let args = callee.arguments(args).map(|(.., arg)| match arg {
                    CallArg::Value(value) => self.write(value, 0),
                    CallArg::Array(array) => self.kernel.param(array).name.clone(),
                });
                format!("{}({})", callee.function.name(), args.collect::<Vec<_>>().join(", "))
            }
            ExprKind::Cast(inner) => self.write(inner, level),
            ExprKind::Component(base, index) => format!("{}.{}", self.write(base, 3), self.part(index)),
            ExprKind::Column(base, index) => format!("{}.column({})", self.write(base, 3), self.part(index)),
            ExprKind::Field(base, number) => {
                format!("{}.{}", self.write(base, 3), base.ty.fields()[usize::from(*number)].name)
            }
            ExprKind::Struct(fields) => {
                let fields: Vec<String> = fields.iter().map(|field| self.write(field, 0)).collect();
                format!("({})", fields.join(", "))
            }
            ExprKind::Tile(op, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.write(arg, 0)).collect();
                format!("{}({})", op.name(), args.join(", "))
            }
            ExprKind::Select { cond, then, other } => {
                at(0, format!("{} if {} else {}", self.write(then, 1), self.write(cond, 0), self.write(other, 0)))
            }
            ExprKind::Op(op, args) => self.operation(*op, args, &at),
        }
    }

    fn operation(&self, op: Op, args: &[Expr], at: &dyn Fn(u8, String) -> String) -> String {
        let list = || args.iter().map(|arg| self.write(arg, 0)).collect::<Vec<_>>().join(", ");
        match (op, args) {
            (Op::Mul, [a, b]) => at(2, format!("{}·{}", self.write(a, 2), self.write(b, 3))),
            (Op::Div, [a, b]) => at(2, format!("{}/{}", self.write(a, 2), self.write(b, 3))),
            (Op::Add, [a, b]) => at(1, format!("{} + {}", self.write(a, 1), self.write(b, 2))),
            (Op::Sub, [a, b]) => at(1, format!("{} − {}", self.write(a, 1), self.write(b, 2))),
            (Op::Neg, [a]) => at(1, format!("−{}", self.write(a, 2))),
            (Op::Sqrt, [a]) => format!("√{}", self.write(a, 3)),
            (Op::Abs | Op::Length, [a]) => format!("|{}|", self.write(a, 0)),
            _ => match (op.def().rust, args) {
                (Syntax::Infix(sign), [a, b]) => at(0, format!("{} {sign} {}", self.write(a, 2), self.write(b, 2))),
                (Syntax::Prefix(sign), [a]) => format!("{sign}{}", self.write(a, 3)),
                _ => format!("{}({})", op.name(), list()),
            },
        }
    }

    fn part(&self, index: &Expr) -> String {
        match index.kind {
            ExprKind::Literal(Literal::Index(k)) if k < 4 => ["x", "y", "z", "w"][k as usize].to_owned(),
            _ => self.write(index, 0),
        }
    }
}

fn literal(value: Literal) -> String {
    match value {
        Literal::Bool(value) => value.to_string(),
        Literal::I8(value) => value.to_string(),
        Literal::U8(value) => value.to_string(),
        Literal::I16(value) => value.to_string(),
        Literal::U16(value) => value.to_string(),
        Literal::I32(value) => value.to_string(),
        Literal::U32(value) => value.to_string(),
        Literal::I64(value) => value.to_string(),
        Literal::U64(value) => value.to_string(),
        Literal::Index(value) => value.to_string(),
        Literal::F16(bits) | Literal::BF16(bits) | Literal::F32(bits) => f32::from_bits(bits).to_string(),
        Literal::F64(bits) => f64::from_bits(bits).to_string(),
    }
}

//! Tiles in Warp: `wp.tile_load`, `wp.tile_map` and the like, in a kernel that `wp.launch_tiled` launches.
//!
//! All tiles have two axes here, so rows and columns of arrays with one axis are reshaped. Sums and differences of tiles are
//! written as such. Any other pointwise operation is a `wp.tile_map`, whose function is a device function that [`for_warp`] makes
//! of the expression.

#![expect(clippy::wildcard_enum_match_arm, reason = "what is not about tiles is written elsewhere")]

use super::expr::{ATOM, LOWEST, Prec, SUM};
use super::types::short_name;
use super::writer::Writer;
use crate::ir::{
    AtomicOp, Callee, Expr, ExprKind, Function, Kernel, Local, LocalId, Param, ParamId, ParamKind, Place, PlaceRoot,
    Span, Stmt, StmtKind, TileOp, Type,
};
use crate::ops::Op;
use crate::ops::build::Operand;
use crate::verify::tile_phases::{arg_reduced, present};
use std::sync::Arc;

/// The kernel in the form that is written: pointwise operations on tiles are calls of device functions with tiles as arguments.
pub(super) fn for_warp(kernel: &Kernel) -> Kernel {
    let mut kernel = kernel.clone();
    let mut body = std::mem::take(&mut kernel.body);
    let mut functions = Functions { kernel: &kernel, made: Vec::new() };
    for stmt in &mut body {
        stmt.walk_mut(&mut |stmt| {
            for value in stmt.exprs_mut() {
                functions.rewrite(value);
            }
        });
    }
    kernel.body = body;
    kernel
}

/// The functions of the elements of tiles.
struct Functions<'a> {
    kernel: &'a Kernel,
    made: Vec<Arc<Function>>,
}

impl Functions<'_> {
    fn rewrite(&mut self, value: &mut Expr) {
        if let ExprKind::Tile(TileOp::Pad, args) = &value.kind
            && args[1] != Expr::zero(args[1].ty)
        {
            // Warp pads with zeros only.
            let [load, padding] = [&args[0], &args[1]];
            *value = Expr { span: value.span, ..present(load).select(load.clone(), padding.clone()) };
        }
        // Warp finds the largest of all elements only.
        if let ExprKind::Tile(op @ (TileOp::ArgMax | TileOp::ArgMin), args) = &value.kind
            && value.ty.is_tile()
        {
            *value = Expr { span: value.span, ..arg_reduced(*op, &args[0], value.ty) };
        }
        if value.ty.is_tile() && value.is_pointwise() && !is_operator(value) {
            *value = self.mapped(value);
        }
        value.children_mut().for_each(|child| self.rewrite(child));
    }

    /// The call of a function of the elements.
    fn mapped(&mut self, value: &Expr) -> Expr {
        let (mut tiles, mut numbers) = (Vec::new(), Vec::new());
        arguments(value, &mut tiles, &mut numbers);
        // Warp takes tiles first.
        let args: Vec<Expr> = tiles.into_iter().chain(numbers).collect();
        let mut code = value.clone();
        let mut params = Vec::new();
        for arg in &args {
            let name = match &arg.kind {
                ExprKind::Local(local) => self.kernel.local(*local).name.clone(),
                ExprKind::Param(param) => self.kernel.param(*param).name.clone(),
                ExprKind::Tile(TileOp::Index(0), _) => "i".to_owned(),
                ExprKind::Tile(TileOp::Index(_), _) => "j".to_owned(),
                _ => "value".to_owned(),
            };
            let taken = |name: &str| params.iter().any(|param: &Param| param.name == name);
            let mut names = std::iter::once(name.clone()).chain((2..).map(|count| format!("{name}_{count}")));
            let name = names.find(|name| !taken(name)).unwrap_or(name);
            let ty = arg.ty.element();
            params.push(Param { name, kind: ParamKind::Value(ty), domain: None, span: Span::NONE });
        }
        // All at once, because parameters of the function have the numbers of those of the kernel.
        code.replace(&mut |part| {
            let number = args.iter().position(|arg| arg == part)?;
            Some(Expr::param(ParamId(number as u32), part.ty.element()))
        });
        code.walk_mut(&mut |part| part.ty = part.ty.element());
        let ret = code.ty;
        let function = self.function(params, code, ret);
        Expr { kind: ExprKind::Call(Callee::of_values(function), args), ty: value.ty, span: value.span }
    }

    /// A function that returns `value`; an earlier one, if it is the same.
    fn function(&mut self, params: Vec<Param>, value: Expr, ret: Type) -> Arc<Function> {
        let name_of = |number: usize| {
            let name = self.kernel.name.trim_start_matches("r#");
            if number == 0 { format!("{name}_element") } else { format!("{name}_element_{}", number + 1) }
        };
        let of = |name: String| Function {
            code: Kernel {
                name,
                family: String::new(),
                doc: Vec::new(),
                dim: 0,
                block: None,
                no_grad: false,
                in_order: false,
                slots: None,
                params: params.clone(),
                locals: Vec::<Local>::new(),
                body: vec![Stmt::new(StmtKind::Return(Some(value.clone())))],
            },
            ret,
            gradient: None,
            warp: None,
        };
        let same = self.made.iter().find(|made| of(made.name().to_owned()) == ***made).cloned();
        same.unwrap_or_else(|| {
            let function = Arc::new(of(name_of(self.made.len())));
            self.made.push(Arc::clone(&function));
            function
        })
    }
}

/// Whether Warp has the operation on tiles: a sum, a difference, a product, or a quotient of floats, with a tile first.
fn is_operator(value: &Expr) -> bool {
    let ExprKind::Op(op, args) = &value.kind else { return false };
    args.first().is_some_and(|arg| arg.ty.is_tile())
        && match op {
            Op::Add | Op::Sub | Op::Mul => args.len() == 2 && !value.ty.scalar().is_half(),
            Op::Div => value.ty.is_float() && !value.ty.scalar().is_half(),
            _ => false,
        }
}

/// The tiles that a pointwise expression reads, and the single values.
fn arguments(value: &Expr, tiles: &mut Vec<Expr>, numbers: &mut Vec<Expr>) {
    let is_constant = matches!(value.kind, ExprKind::Literal(_));
    match (value.ty.is_tile(), value.is_pointwise()) {
        (_, true) => value.children().for_each(|part| arguments(part, tiles, numbers)),
        (true, false) if !tiles.contains(value) => tiles.push(value.clone()),
        (false, false) if !is_constant && !numbers.contains(value) => numbers.push(value.clone()),
        _ => {}
    }
}

fn shape(ty: Type) -> String {
    let (rows, columns) = ty.as_tile().unwrap_or((1, 1));
    format!("shape=({rows}, {columns})")
}

impl Writer<'_> {
    /// Appends an expression over tiles; `None` for any other.
    pub(super) fn tile(&mut self, expr: &Expr, out: &mut String) -> Option<Prec> {
        match &expr.kind {
            ExprKind::Load { array, index } if expr.ty.is_tile() => self.tile_load(*array, index, expr.ty, out),
            ExprKind::Call(callee, args) if expr.ty.is_tile() => {
                out.push_str("wp.tile_map(");
                self.push_function(&callee.function, out);
                for arg in args {
                    out.push_str(", ");
                    self.write(arg, LOWEST, out);
                }
                out.push(')');
            }
            ExprKind::Op(op, args) if expr.ty.is_tile() => {
                let is_sum = args.iter().all(|arg| arg.ty.is_tile());
                let (symbol, name) = match op {
                    Op::Add => ("+", "wp.add"),
                    Op::Sub => ("-", "wp.sub"),
                    Op::Mul => ("*", "wp.mul"),
                    _ => ("/", "wp.div"),
                };
                if is_sum && matches!(op, Op::Add | Op::Sub) {
                    self.write(&args[0], SUM, out);
                    out.extend([" ", symbol, " "]);
                    self.write(&args[1], SUM + 1, out);
                    return Some(SUM);
                }
                out.extend(["wp.tile_map(", name]);
                for arg in args {
                    out.push_str(", ");
                    self.write(arg, LOWEST, out);
                }
                out.push(')');
            }
            ExprKind::Tile(op, args) => self.tile_operation(*op, args, expr.ty, out),
            _ => return None,
        }
        Some(ATOM)
    }

    fn tile_load(&mut self, array: ParamId, index: &[Expr], ty: Type, out: &mut String) {
        let (rows, columns) = ty.as_tile().unwrap_or((1, 1));
        let is_line = index.len() == 1;
        out.extend([if is_line { "wp.tile_reshape(" } else { "" }, "wp.tile_load(", self.names.param(array), ", "]);
        out.push_str(&if is_line { format!("shape={}", rows.max(columns)) } else { shape(ty) });
        self.tile_offset(index, out);
        out.push(')');
        if is_line {
            out.extend([", ", &shape(ty), ")"]);
        }
    }

    fn tile_offset(&mut self, index: &[Expr], out: &mut String) {
        out.push_str(", offset=");
        if let [index] = index {
            return self.write(index, LOWEST, out);
        }
        out.push('(');
        for (place, index) in index.iter().enumerate() {
            out.push_str(if place == 0 { "" } else { ", " });
            self.write(index, LOWEST, out);
        }
        out.push(')');
    }

    fn tile_operation(&mut self, op: TileOp, args: &[Expr], ty: Type, out: &mut String) {
        let dtype = short_name(ty.element());
        let call = |w: &mut Self, name: &str, end: &str, out: &mut String| {
            out.extend([name, "("]);
            for (place, arg) in args.iter().enumerate() {
                out.push_str(if place == 0 { "" } else { ", " });
                w.write(arg, LOWEST, out);
            }
            out.extend([end, ")"]);
        };
        match op {
            TileOp::Broadcast if args[0].ty.is_tile() => {
                call(self, "wp.tile_broadcast", &[", ", &shape(ty)].concat(), out)
            }
            TileOp::Broadcast if args[0] == Expr::zero(args[0].ty) => {
                out.push_str(&format!("wp.tile_zeros({}, dtype={dtype})", shape(ty)));
            }
            TileOp::Broadcast => {
                out.push_str(&format!("wp.tile_full({}, value=", shape(ty)));
                self.write(&args[0], LOWEST, out);
                out.push_str(&format!(", dtype={dtype})"));
            }
            // Warp pads with zeros.
            TileOp::Pad => self.write(&args[0], LOWEST, out),
            TileOp::Matmul | TileOp::StrongMatmul(_) => call(self, "wp.tile_matmul", "", out),
            TileOp::Transpose => call(self, "wp.tile_transpose", "", out),
            TileOp::Reshape => call(self, "wp.tile_reshape", &[", ", &shape(ty)].concat(), out),
            // Only adjoints go backwards, and Warp makes its own.
            TileOp::Scan(scan) if scan.exclusive => call(self, "wp.tile_scan_exclusive", "", out),
            TileOp::Scan(_) => call(self, "wp.tile_scan_inclusive", "", out),
            TileOp::ArgMax | TileOp::ArgMin => {
                let name = if op == TileOp::ArgMax { "wp.tile_argmax" } else { "wp.tile_argmin" };
                out.extend([dtype.as_str(), "("]);
                call(self, name, "", out);
                out.push_str("[0])");
            }
            TileOp::Index(axis) => {
                let (rows, columns) = ty.as_tile().unwrap_or((1, 1));
                let (count, line) = if axis == 0 { (rows, (rows, 1)) } else { (columns, (1, columns)) };
                let line = Type::new(ty.scalar(), crate::ir::Shape::Tile(line.0, line.1));
                let numbers = format!("wp.tile_reshape(wp.tile_arange({count}, dtype=int), {})", shape(line));
                match line == ty {
                    true => out.push_str(&numbers),
                    false => out.push_str(&format!("wp.tile_broadcast({numbers}, {})", shape(ty))),
                }
            }
            TileOp::Sum | TileOp::Max | TileOp::Min if ty.is_tile() => {
                out.push_str("wp.tile_reshape(");
                self.reduction(op, &args[0], ty, out);
                out.extend([", ", &shape(ty), ")"]);
            }
            TileOp::Sum | TileOp::Max | TileOp::Min => {
                self.reduction(op, &args[0], ty, out);
                out.push_str("[0]");
            }
        }
    }

    /// A reduction, whose result has one axis.
    fn reduction(&mut self, op: TileOp, of: &Expr, ty: Type, out: &mut String) {
        out.push_str(match op {
            TileOp::Max => "wp.tile_reduce(wp.max, ",
            TileOp::Min => "wp.tile_reduce(wp.min, ",
            _ => "wp.tile_sum(",
        });
        self.write(of, LOWEST, out);
        out.push_str(match ty.as_tile() {
            None => ")",
            Some((_, 1)) => ", axis=1)",
            Some(_) => ", axis=0)",
        });
    }

    /// Writes a statement that stores a tile. Returns whether it is one.
    pub(super) fn tile_stmt(&mut self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Assign { place, value } if is_part(place) => self.store_tile("wp.tile_store", place, value),
            StmtKind::Atomic { op: AtomicOp::Add, place, value, .. } if is_part(place) => {
                self.store_tile("wp.tile_atomic_add", place, value);
            }
            StmtKind::Update { place: Place { root: PlaceRoot::Local(local), ty, .. }, op, value } if ty.is_tile() => {
                self.update_tile(*local, *ty, *op, value);
            }
            _ => return false,
        }
        true
    }

    fn store_tile(&mut self, name: &str, place: &Place, value: &Expr) {
        let PlaceRoot::Element { array, index } = &place.root else { return };
        let (rows, columns) = place.ty.as_tile().unwrap_or((1, 1));
        let mut line = [name, "(", self.names.param(*array), ", "].concat();
        if let (1, ExprKind::Tile(op @ (TileOp::Sum | TileOp::Max | TileOp::Min), args)) = (index.len(), &value.kind) {
            self.reduction(*op, &args[0], place.ty, &mut line);
        } else if index.len() == 1 {
            line.push_str("wp.tile_reshape(");
            self.write(value, LOWEST, &mut line);
            line.push_str(&format!(", shape=({},))", rows.max(columns)));
        } else {
            self.write(value, LOWEST, &mut line);
        }
        self.tile_offset(index, &mut line);
        line.push(')');
        self.line(&line);
    }

    /// `t op= value`. A product that is added is accumulated in place.
    fn update_tile(&mut self, local: LocalId, ty: Type, op: Op, value: &Expr) {
        if let (Op::Add, ExprKind::Tile(TileOp::Matmul, factors)) = (op, &value.kind) {
            let mut line = "wp.tile_matmul(".to_owned();
            for factor in factors {
                self.write(factor, LOWEST, &mut line);
                line.push_str(", ");
            }
            line.extend([self.names.local(local), ")"]);
            return self.line(&line);
        }
        let old = Expr::local(local, ty);
        let value = Expr::op_to(op, [old, value.clone()], ty);
        let text = self.expr(&value, LOWEST);
        let line = [self.names.local(local), " = ", &text].concat();
        self.line(&line);
    }
}

fn is_part(place: &Place) -> bool {
    place.ty.is_tile() && matches!(place.root, PlaceRoot::Element { .. })
}

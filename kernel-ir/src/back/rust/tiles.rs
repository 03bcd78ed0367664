//! Tiles: loads and stores, methods, and closures for what is done with each element.
//!
//! A pointwise operation that Rust writes as `+`, `-`, `*` or `/` is one on tiles. Any other is the closure of `map`, `zip_map` or
//! `map_with_location`, over the tiles that it reads.

#![expect(clippy::wildcard_enum_match_arm, reason = "what is not about tiles is written elsewhere")]

use super::code::Code;
use super::elements::{Elements, has_operator};
use super::writer::Writer;
use crate::ir::{
    AtomicOp, Expr, ExprKind, Over, ParamId, PlaceRoot, REDUCTIONS, SCANS, Stmt, StmtKind, TileForm, TileOp, Type,
    tile_steps,
};
use crate::ops::Op;
use crate::rewrite::build::index;

impl Writer<'_> {
    /// A tile, or a reduction of one; `None` for a variable and for what is no tile.
    pub(super) fn tile(&mut self, expr: &Expr) -> Option<Code> {
        match &expr.kind {
            ExprKind::Tile(TileOp::Index(axis), _) => Some(Code::name(&self.tile_names[usize::from(*axis)].clone())),
            ExprKind::Tile(op, args) => Some(self.tile_operation(*op, args, expr.ty)),
            ExprKind::Load { array, index } if expr.ty.is_tile() => Some(self.load_tile(*array, index, expr.ty, None)),
            _ if !expr.ty.is_tile() || !expr.is_pointwise() => None,
            ExprKind::Op(op, args) if has_operator(expr) => {
                let operands: Vec<Code> = args.iter().map(|arg| self.tile_operand(arg)).collect();
                let sign = op.def().rust.word();
                let mut operands = operands.into_iter();
                Some(match (operands.next(), operands.next()) {
                    (Some(a), Some(b)) => Code::infix(sign, a, b),
                    (Some(a), None) => Code::prefix(sign, a),
                    _ => return None,
                })
            }
            _ => Some(self.over_elements(expr)),
        }
    }

    /// An operand of an operator on tiles. Rows and columns are repeated by the operator.
    fn tile_operand(&mut self, operand: &Expr) -> Code {
        match &operand.kind {
            ExprKind::Tile(TileOp::Broadcast, args) if args[0].ty.is_tile() => self.open_expr(&args[0]),
            _ => self.factor(operand),
        }
    }

    fn tile_operation(&mut self, op: TileOp, args: &[Expr], ty: Type) -> Code {
        match (op, args) {
            (TileOp::Broadcast, [value]) => {
                let is_zero = *value == Expr::zero(value.ty);
                let name = if is_zero { "zeros" } else { "splat" };
                let value = if is_zero { String::new() } else { self.typed(value).text };
                Code::atom(format!("{}::{name}({value})", ty.rust_path()))
            }
            (TileOp::Pad, [Expr { kind: ExprKind::Load { array, index }, .. }, padding]) => {
                let padding = self.typed(padding).text;
                self.load_tile(*array, index, ty, Some(padding))
            }
            (TileOp::Matmul, [a, b]) => {
                let b = self.open_expr(b).text;
                self.open_expr(a).method("matmul", &b)
            }
            (TileOp::Transpose, [of]) => self.open_expr(of).method("transpose", ""),
            (TileOp::Reshape, [of]) => {
                let shape = ty.as_tile().unwrap_or((1, 1));
                let form = TileForm::of(shape);
                let sizes: Vec<String> = form.sizes(shape).iter().map(u16::to_string).collect();
                self.open_expr(of).method(&format!("reshape_{}::<{}>", form.word(), sizes.join(", ")), "")
            }
            (TileOp::Scan(scan), [of]) => {
                let named = SCANS.iter().find(|(_, known)| *known == scan);
                let (name, _) = named.expect("the kernel has been tested");
                self.open_expr(of).method(name, "")
            }
            (op, [of]) => {
                let over = match ty.as_tile() {
                    None => Over::All,
                    Some((_, 1)) => Over::Rows,
                    Some(_) => Over::Columns,
                };
                let named = REDUCTIONS.iter().find(|(_, known, of)| (*known, *of) == (op, over));
                let (name, ..) = named.expect("the kernel has been tested");
                self.open_expr(of).method(name, "")
            }
            _ => unreachable!("the kernel has been tested"),
        }
    }

    /// `x.map(|x| …)` and the like.
    fn over_elements(&mut self, expr: &Expr) -> Code {
        let Elements { locals, has_index } = Elements::of(expr).unwrap_or_default();
        let names: Vec<String> = locals.iter().map(|local| self.names.local(*local).to_owned()).collect();
        let mut params = Vec::new();
        if has_index {
            self.tile_names = [self.names.fresh("i"), self.names.fresh("j")];
            let [row, column] = self.tile_names.clone();
            match TileForm::of(expr.ty.as_tile().unwrap_or((1, 1))) {
                TileForm::Row => params.push(column),
                TileForm::Col => params.push(row),
                TileForm::Tile => params.extend([row, column]),
            }
        }
        let (of, name) = match (names.as_slice(), has_index) {
            ([], _) => (Code::atom(format!("{}::zeros()", expr.ty.rust_path())), "map_with_location"),
            ([of, ..], true) => (Code::name(of), "map_with_location"),
            ([of], false) => (Code::name(of), "map"),
            ([of, ..], false) => (Code::name(of), "zip_map"),
        };
        params.extend(names.iter().cloned());
        if names.is_empty() {
            params.push("_".to_owned());
        }
        let mut element = expr.clone();
        element.walk_mut(&mut |part| part.ty = part.ty.element());
        let body = self.open_expr(&element).text;
        let others: String = names.iter().skip(1).map(|other| [other, ", "].concat()).collect();
        of.method(name, &format!("{others}|{}| {body}", params.join(", ")))
    }

    fn load_tile(&mut self, array: ParamId, at: &[Expr], ty: Type, padding: Option<String>) -> Code {
        let (name, index) = self.tile_place("load", at, ty);
        let shape = ty.as_tile().unwrap_or((1, 1));
        let sizes: Vec<String> = TileForm::of(shape).sizes(shape).iter().map(u16::to_string).collect();
        let sizes = sizes.join(", ");
        let (end, padding) = match padding {
            Some(padding) => ("_or", [", ", &padding].concat()),
            None => ("", String::new()),
        };
        let call = format!("{name}{end}::<{sizes}>({index}{padding})");
        Code::atom([self.param(array), ".", &call].concat())
    }

    /// `y.store_tile([i, k], value);`, or `y.atomic_add_tile([i, k], value);`. Returns whether the statement is one of these.
    pub(super) fn store_tile(&mut self, stmt: &Stmt) -> bool {
        let (head, place, value) = match &stmt.kind {
            StmtKind::Assign { place, value } => ("store", place, value),
            StmtKind::Atomic { op: AtomicOp::Add, place, value, .. } => ("atomic_add", place, value),
            _ => return false,
        };
        let (PlaceRoot::Element { array, index }, true) = (&place.root, place.ty.is_tile()) else { return false };
        let (name, index) = self.tile_place(head, index, place.ty);
        let value = self.open_expr(value).text;
        let line = [self.param(*array), ".", &name, "(", &index, ", ", &value, ");"].concat();
        self.line(&line);
        true
    }

    /// The name of the method and its index: in tiles where that is a whole number, else in elements.
    fn tile_place(&mut self, head: &str, at: &[Expr], ty: Type) -> (String, String) {
        let shape = ty.as_tile().unwrap_or((1, 1));
        let form = TileForm::of(shape).word();
        let counted: Option<Vec<Expr>> =
            at.iter().zip(tile_steps(shape, at.len())).map(|(index, step)| counted(index, step.into())).collect();
        let end = if counted.is_some() { "" } else { "_at" };
        let index: Vec<String> =
            counted.unwrap_or_else(|| at.to_vec()).iter().map(|index| self.typed(index).text).collect();
        let index = if index.len() == 1 { index.concat() } else { format!("[{}]", index.join(", ")) };
        (format!("{head}_{form}{end}"), index)
    }
}

/// The number of tiles before an index, if it counts whole tiles of `step` elements.
fn counted(at: &Expr, step: u32) -> Option<Expr> {
    if step == 1 {
        return Some(at.clone());
    }
    if let Some(number) = at.as_integer() {
        return (number % i128::from(step) == 0).then(|| index((number / i128::from(step)) as u32));
    }
    let ExprKind::Op(Op::Mul, args) = &at.kind else { return None };
    (args[1].as_integer() == Some(step.into())).then(|| args[0].clone())
}

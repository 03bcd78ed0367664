//! Splits the parameters of a kernel that are structs, or arrays of structs, into *columns*: a parameter for each value
//! in the struct, where a value is a field, or a value in a field that is a struct itself.
//!
//! Data has columns: arguments of the interpreter, samples and records. The adjoint's passes work on columns too, so no
//! rule of differentiation knows arrays of structs; [`merge`] then puts the columns of the adjoint together again. The
//! memory of a launch has structs, and so have the texts.

use super::build::{assign, declare, expr};
use super::inline::is_name;
use crate::ir::{
    Block, Domain, Expr, ExprKind, Kernel, Local, Param, ParamId, ParamKind, Place, PlaceRoot, Projection, Scalar,
    Stmt, StmtKind, Type,
};
use std::ops::Range;

/// A kernel without structs among its parameters.
pub(crate) struct Columns {
    pub(crate) kernel: Kernel,
    /// The columns of each parameter of the original; itself, with its new number, if it is no struct.
    pub(crate) of: Vec<Vec<ParamId>>,
}

/// Whether a parameter is a struct or an array of structs.
pub(crate) fn has_columns(kernel: &Kernel) -> bool {
    kernel.params.iter().any(|param| param.elem().is_struct())
}

/// Splits the parameters of `kernel`.
pub(crate) fn split(kernel: &Kernel) -> Columns {
    let mut kernel = kernel.clone();
    kernel.change_functions(&mut |_, code| {
        split_code(code, |param| param.rank() > 0);
    });
    let of = split_code(&mut kernel, |_| true);
    Columns { kernel, of }
}

/// Splits those parameters of `code` that are structs and for which `splits` is true.
fn split_code(code: &mut Kernel, splits: impl Fn(&Param) -> bool) -> Vec<Vec<ParamId>> {
    let before = std::mem::take(&mut code.params);
    let mut of = Vec::new();
    for param in &before {
        let first = code.params.len() as u32;
        match param.elem().is_struct() && splits(param) {
            true => add_columns(param, &param.name, param.elem(), &mut code.params),
            false => code.params.push(param.clone()),
        }
        of.push((first..code.params.len() as u32).map(ParamId).collect::<Vec<_>>());
    }
    code.params.iter_mut().flat_map(Param::sizes_mut).for_each(|size| size.rename_params(&|id| of[id.0 as usize][0]));
    let mut splitter = Splitter { params: &before, columns: &code.params, of: &of, locals: &mut code.locals };
    code.body = splitter.block(std::mem::take(&mut code.body));
    of
}

/// Appends a parameter for each value in the part of `param` that is the struct `ty`.
fn add_columns(param: &Param, name: &str, ty: Type, columns: &mut Vec<Param>) {
    for field in ty.fields() {
        // No other parameter has a name with a dot.
        let name = format!("{name}.{}", field.name);
        match field.ty.is_struct() {
            true => add_columns(param, &name, field.ty, columns),
            false => columns.push(column(param, name, ty, field.ty)),
        }
    }
}

/// The column of a field of type `ty` of the struct `of`, which is `param` or a part of it.
fn column(param: &Param, name: String, of: Type, ty: Type) -> Param {
    let kind = match &param.kind {
        ParamKind::Value(_) => ParamKind::Value(ty),
        ParamKind::Array { mutable, optional, shape, .. } => {
            ParamKind::Array { elem: ty, mutable: *mutable, optional: *optional, shape: shape.clone() }
        }
    };
    let domain = match of.as_enum() {
        // The numbers of an enum among parameters have no gaps. Others are no values of the enum.
        Some(of) => Some(Domain::ints(0, of.variants.len() as i64)),
        // The domain of a struct is the range of its floats; other values get the usual one.
        None => param.domain.as_ref().map(|domain| match ty.scalar() {
            scalar if scalar.is_float() => domain.clone(),
            Scalar::Bool => Domain::bools(),
            _ => Domain::ints(0, 8),
        }),
    };
    Param { name, kind, domain, span: param.span }
}

struct Splitter<'a> {
    /// The parameters before the split, and after it.
    params: &'a [Param],
    columns: &'a [Param],
    of: &'a [Vec<ParamId>],
    locals: &'a mut Vec<Local>,
}

impl Splitter<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut out = Block::new();
        for mut stmt in block {
            stmt.exprs_mut().for_each(|value| self.expr(value));
            for block in stmt.blocks_mut() {
                *block = self.block(std::mem::take(block));
            }
            self.stmt(stmt, &mut out);
        }
        out
    }

    /// Replaces the place of a statement whose expressions are split.
    fn stmt(&mut self, mut stmt: Stmt, out: &mut Block) {
        let Some(place) = stmt.place_mut() else { return out.push(stmt) };
        let PlaceRoot::Element { array, .. } = &mut place.root else { return out.push(stmt) };
        let whole = self.params[array.0 as usize].elem();
        let columns = &self.of[array.0 as usize][fields_of(whole, &mut place.path)];
        *array = columns[0];
        match stmt.kind {
            StmtKind::Assign { place, value } if place.ty.is_struct() => self.store(&place, columns, value, out),
            kind => out.push(Stmt { kind, ..stmt }),
        }
    }

    /// Appends the statements that store a struct in the `columns` of an element.
    fn store(&mut self, place: &Place, columns: &[ParamId], value: Expr, out: &mut Block) {
        let PlaceRoot::Element { index, .. } = &place.root else { return };
        // The value, and the indices, may read the element that the first store changes.
        let mut keep = |name, value: &Expr, out: &mut Block| {
            if is_name(value) {
                return value.clone();
            }
            let local = Local::fresh(self.locals, name, value.ty);
            self.locals[local.0 as usize].mutable = false;
            out.push(Stmt { span: value.span, ..declare(local, value.clone()) });
            expr(ExprKind::Local(local), value.ty)
        };
        let value = keep("element", &value, out);
        let index: Vec<Expr> = index.iter().map(|index| keep("at", index, out)).collect();
        let mut values = Vec::new();
        add_values(value, &mut values);
        for (array, value) in columns.iter().zip(values) {
            let root = PlaceRoot::Element { array: *array, index: index.clone() };
            let place = Place { root, path: Vec::new(), ty: value.ty, span: place.span };
            out.push(Stmt { span: place.span, ..assign(place, value) });
        }
    }

    fn expr(&self, value: &mut Expr) {
        value.children_mut().for_each(|child| self.expr(child));
        let (ty, span) = (value.ty, value.span);
        match &mut value.kind {
            ExprKind::Call(callee, _) => {
                callee.arrays = callee.arrays.iter().flat_map(|array| self.of[array.0 as usize].clone()).collect();
            }
            ExprKind::Param(param)
            | ExprKind::Load { array: param, .. }
            | ExprKind::Extent { array: param, .. }
            | ExprKind::Present(param) => {
                let columns = &self.of[param.0 as usize];
                let is_split = ty.is_struct() && self.columns[columns[0].0 as usize].elem() != ty;
                *param = columns[0];
                if is_split {
                    *value = Expr { span, ..in_columns(value, ty, &mut columns.iter().copied()) };
                }
            }
            // Only the column of this field is read.
            ExprKind::Field(base, number) => {
                if let ExprKind::Struct(fields) = &mut base.kind {
                    *value = fields.swap_remove(usize::from(*number));
                }
            }
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::LocalElement { .. }
            | ExprKind::Tid(_)
            | ExprKind::Op(..)
            | ExprKind::Cast(_)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Tile(..)
            | ExprKind::Struct(_)
            | ExprKind::Select { .. } => {}
        }
    }
}

/// The struct of type `ty` whose values are `value`, a parameter or an element, of these columns.
fn in_columns(value: &Expr, ty: Type, columns: &mut impl Iterator<Item = ParamId>) -> Expr {
    if ty.is_struct() {
        let fields = ty.fields().iter().map(|field| in_columns(value, field.ty, columns)).collect();
        return expr(ExprKind::Struct(fields), ty);
    }
    let mut value = Expr { ty, ..value.clone() };
    if let (ExprKind::Param(param) | ExprKind::Load { array: param, .. }, Some(column)) =
        (&mut value.kind, columns.next())
    {
        *param = column;
    }
    value
}

/// Appends the values in a struct, which is a name.
fn add_values(value: Expr, values: &mut Vec<Expr>) {
    if !value.ty.is_struct() {
        return values.push(value);
    }
    for number in 0..value.ty.fields().len() as u8 {
        add_values(value.clone().field(number), values);
    }
}

/// Removes the projections at the start of `path` that are fields of structs, where `ty` is the type of the whole.
/// Returns the columns of the part.
fn fields_of(mut ty: Type, path: &mut Vec<Projection>) -> Range<usize> {
    let mut columns = 0..ty.leaves().len();
    let mut fields = 0;
    for step in path.iter() {
        let Projection::Field(number) = step else { break };
        let before = ty.fields()[..usize::from(*number)].iter().map(|field| field.ty.leaves().len()).sum::<usize>();
        ty = ty.field(*number);
        columns = columns.start + before..columns.start + before + ty.leaves().len();
        fields += 1;
    }
    path.drain(..fields);
    columns
}

//! Puts the columns of an adjoint together again: its parameters become structs where those of the kernel are structs.

use super::backward::{Backward, Source};
use super::transform::signature::Names;
use crate::analysis::Promise;
use crate::diag::Diagnostic;
use crate::ir::{Expr, ExprKind, Kernel, Param, ParamId, ParamKind, PlaceRoot, Projection, Stmt, Type};
use crate::verify::verify;

/// The adjoint of `kernel`, where `backward` is that of its columns, and `columns` are those of each parameter.
///
/// # Errors
/// A diagnostic for each struct of which some columns are needed from before the launch, and others from after it.
pub(super) fn merge(
    kernel: &Kernel,
    columns: &[Vec<ParamId>],
    backward: Backward,
) -> Result<Backward, Vec<Diagnostic>> {
    let mut merge = Merge { kernel, columns, names: Names::of(kernel), params: Vec::new(), sources: Vec::new() };
    let places = backward.sources.iter().zip(&backward.kernel.params);
    let places: Vec<Part> = places.map(|(source, param)| merge.part(*source, param)).collect();
    let name = |id: ParamId| places[id.0 as usize].param;
    merge.params.iter_mut().flat_map(Param::sizes_mut).for_each(|size| size.rename_params(&name));
    merge.check()?;
    let mut adjoint = Kernel { params: merge.params.clone(), ..Kernel::clone(&backward.kernel) };
    // Passes name locals after columns.
    adjoint.locals.iter_mut().for_each(|local| local.name = local.name.replace('.', "_"));
    for stmt in &mut adjoint.body {
        stmt.walk_mut(&mut |stmt| merge.stmt(stmt, &places));
    }
    let promises = backward.promises.iter().map(|promise| Promise { array: merge.origin(promise.array).0, ..*promise });
    let promises = promises.collect();
    Ok(Backward { kernel: verify(adjoint)?, sources: merge.sources, promises })
}

/// The part of a parameter that a column is.
struct Part {
    /// The parameter of the adjoint.
    param: ParamId,
    /// The fields that lead to the column, outermost first; empty if the parameter is no struct.
    fields: Vec<u8>,
}

struct Merge<'a> {
    /// The original kernel.
    kernel: &'a Kernel,
    columns: &'a [Vec<ParamId>],
    names: Names,
    /// The parameters of the adjoint so far, whose sizes still name columns.
    params: Vec<Param>,
    sources: Vec<Source>,
}

impl Merge<'_> {
    /// Adds the parameter for a column, unless another column has added it.
    fn part(&mut self, source: Source, column: &Param) -> Part {
        let Some(id) = source.param() else {
            let name = self.names.new_name(column.name.clone());
            return Part { param: self.add(source, Param { name, ..column.clone() }), fields: Vec::new() };
        };
        let (of, place) = self.origin(id);
        let (source, prefix, suffix) = match source {
            Source::Primal(_) => (Source::Primal(of), "", ""),
            Source::Result(_) => (Source::Result(of), "", ""),
            Source::Winners(_) => (Source::Winners(of), "", "_winners"),
            Source::Adjoint(_) => (Source::Adjoint(of), "adj_", ""),
            Source::Counting => (source, "", ""),
        };
        let original = self.kernel.param(of);
        let fields = path_to(original.elem(), place);
        let known = self.sources.iter().position(|known| *known == source);
        let param = match known {
            Some(known) => {
                if let ParamKind::Array { mutable, .. } = &mut self.params[known].kind {
                    *mutable |= column.is_mutable();
                }
                ParamId(known as u32)
            }
            None => {
                let name = original.name.clone();
                // An array may be passed both as it was before the launch and as it is after it.
                let is_second = matches!(source, Source::Result(_)) && self.sources.contains(&Source::Primal(of));
                let suffix = if is_second { "_after" } else { suffix };
                let is_own = prefix.is_empty() && suffix.is_empty();
                let wish = || [prefix, name.trim_start_matches("r#"), suffix].concat();
                let name = if is_own { name.clone() } else { self.names.new_name(wish()) };
                let mut param = Param { name, ..column.clone() };
                if original.elem().is_struct() {
                    set_elem(&mut param.kind, original.elem());
                }
                // The column may be one of integers, and the domain of a struct is that of its floats. Other domains name
                // parameters, and those of the column have the numbers of columns.
                if is_own && original.elem().is_struct() {
                    param.domain = original.domain.clone();
                }
                self.add(source, param)
            }
        };
        Part { param, fields }
    }

    fn add(&mut self, source: Source, param: Param) -> ParamId {
        self.sources.push(source);
        self.params.push(param);
        ParamId(self.params.len() as u32 - 1)
    }

    /// The parameter of the original kernel to which a column belongs, and the number of the column in it.
    fn origin(&self, column: ParamId) -> (ParamId, usize) {
        let mut all = (0..).map(ParamId).zip(self.columns);
        let found = all.find_map(|(of, columns)| Some((of, columns.iter().position(|own| *own == column)?)));
        found.expect("every column belongs to a parameter")
    }

    /// Checks that an array of structs is passed as it is before the launch, or as it is after the launch.
    fn check(&self) -> Result<(), Vec<Diagnostic>> {
        let under_extrema = self
            .kernel
            .param_ids()
            .filter(|(id, param)| param.elem().is_struct() && self.sources.contains(&Source::Winners(*id)));
        let mistakes: Vec<Diagnostic> = under_extrema.map(|(_, param)| extremum(param)).collect();
        if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
    }

    fn stmt(&self, stmt: &mut Stmt, parts: &[Part]) {
        stmt.exprs_mut().for_each(|value| self.expr(value, parts));
        let Some(place) = stmt.place_mut() else { return };
        let PlaceRoot::Element { array, .. } = &mut place.root else { return };
        let Part { param, fields } = &parts[array.0 as usize];
        *array = *param;
        place.path.splice(0..0, fields.iter().map(|field| Projection::Field(*field)));
    }

    fn expr(&self, value: &mut Expr, parts: &[Part]) {
        value.children_mut().for_each(|child| self.expr(child, parts));
        let span = value.span;
        match &mut value.kind {
            ExprKind::Param(id) | ExprKind::Load { array: id, .. } => {
                let Part { param, fields } = &parts[id.0 as usize];
                *id = *param;
                if !fields.is_empty() {
                    let whole = Expr { ty: self.params[param.0 as usize].elem(), ..value.clone() };
                    *value = fields.iter().fold(whole, |base, field| Expr { span, ..base.field(*field) });
                }
            }
            ExprKind::Extent { array, .. } | ExprKind::Present(array) => *array = parts[array.0 as usize].param,
            ExprKind::Call(callee, _) => {
                callee.arrays.iter_mut().for_each(|array| *array = parts[array.0 as usize].param);
            }
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::LocalElement { .. }
            | ExprKind::Tid(_)
            | ExprKind::Op(..)
            | ExprKind::Cast(_)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Field(..)
            | ExprKind::Tile(..)
            | ExprKind::Struct(_)
            | ExprKind::Select { .. } => {}
        }
    }
}

/// The fields that lead to the value with this number in a struct, outermost first; empty if `ty` is no struct.
fn path_to(ty: Type, mut value: usize) -> Vec<u8> {
    for (number, field) in (0..).zip(ty.fields()) {
        let values = field.ty.leaves().len();
        if value < values {
            return [vec![number], path_to(field.ty, value)].concat();
        }
        value -= values;
    }
    Vec::new()
}

fn set_elem(kind: &mut ParamKind, ty: Type) {
    match kind {
        ParamKind::Value(elem) | ParamKind::Array { elem, .. } => *elem = ty,
    }
}

fn extremum(param: &Param) -> Diagnostic {
    let name = &param.name;
    let message = format!("no gradient: `atomic_min` or `atomic_max` updates a field of `{name}`");
    Diagnostic::new(param.span, message)
        .note("the adjoint needs the array as it was before the launch, and this field as it is after the launch")
        .help("keep the field in an array of its own, or mark the kernel `no_grad`")
}

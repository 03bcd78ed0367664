//! The parameters of the adjoint kernel: what it needs of the arguments, then the adjoints.

use super::context::{Adjoint, Facts, adjoint_param};
use crate::adjoint::analyze::array_classes::ArrayClass;
use crate::adjoint::backward::{Backward, Source};
use crate::diag::Diagnostic;
use crate::ir::{
    Block, Domain, ExprKind, Kernel, Local, LocalId, LocalMap, Param, ParamId, ParamKind, Place, PlaceRoot, SizeExpr,
    Span,
};
use crate::verify::verify;
use std::collections::{BTreeMap, BTreeSet};

/// The kernel that `adjoint` is, with the parameters that it needs.
///
/// # Errors
/// The body reads an array whose contents are unavailable.
pub(crate) fn finish(source: &Kernel, adjoint: Adjoint, facts: &Facts) -> Result<Backward, Vec<Diagnostic>> {
    let Adjoint { mut body, locals, .. } = adjoint;
    let used = Used::of(&body);
    let unavailable = used.loads.iter().filter(|(array, _)| facts.classes.get(array) == Some(&ArrayClass::Opaque));
    let unavailable: Vec<Diagnostic> =
        unavailable.map(|(array, span)| overwritten(source.param(*array), *span, facts.writes.get(array))).collect();
    if !unavailable.is_empty() {
        return Err(unavailable);
    }
    let primal = primals(source, &used);
    let adjoint: Vec<ParamId> =
        source.param_ids().filter(|(_, param)| param.elem().is_float()).map(|(id, _)| id).collect();
    let mut numbers = Numbers {
        source,
        names: adjoint_names(source),
        primal: BTreeMap::new(),
        adjoint: BTreeMap::new(),
        locals: LocalMap::default(),
    };
    for (place, id) in (0..).zip(&primal) {
        numbers.primal.insert(*id, ParamId(place));
    }
    for (place, id) in (primal.len() as u32..).zip(&adjoint) {
        numbers.adjoint.insert(*id, ParamId(place));
    }
    let mut params = Vec::new();
    let mut sources = Vec::new();
    for id in primal {
        params.push(numbers.primal_param(id));
        sources.push(match facts.classes.get(&id) {
            Some(ArrayClass::Extremum) => Source::Result(id),
            _ => Source::Primal(id),
        });
    }
    for id in adjoint {
        params.push(numbers.adjoint_param(id, &used));
        sources.push(Source::Adjoint(id));
    }
    let locals = numbers.number_locals(&body, locals);
    for stmt in &mut body {
        stmt.rename_locals(&|local| numbers.local(local));
        stmt.rename_params(&|param| numbers.named(param));
    }
    let kernel = Kernel {
        name: [source.name.trim_start_matches("r#"), "_backward"].concat(),
        family: source.family.clone(),
        doc: vec![["The adjoint of `", &source.name, "`."].concat()],
        dim: source.dim,
        no_grad: true,
        slots: None,
        params,
        locals,
        body,
    };
    let extrema =
        source.param_ids().map(|(id, _)| id).filter(|id| facts.classes.get(id) == Some(&ArrayClass::Extremum));
    Ok(Backward { kernel: verify(kernel)?, sources, extrema: extrema.collect() })
}

fn overwritten(param: &Param, span: Span, write: Option<&Span>) -> Diagnostic {
    let name = &param.name;
    Diagnostic::new(
        span,
        format!("no exact gradient: it depends on what `{name}` holds here, and the kernel overwrites it"),
    )
    .related(write.copied().unwrap_or(param.span), format!("`{name}` is written here"))
    .help(format!(
        "pass what is read of `{name}` in an array that the kernel does not write to, or mark the kernel `no_grad`"
    ))
}

/// What a body names.
struct Used {
    /// Array parameters that are loaded, with a place where.
    loads: BTreeMap<ParamId, Span>,
    /// Arrays whose extents are read.
    extents: BTreeSet<ParamId>,
    /// By-value parameters.
    values: BTreeSet<ParamId>,
    /// Arrays that are written.
    written: BTreeSet<ParamId>,
}

impl Used {
    fn of(body: &Block) -> Used {
        let mut used = Used {
            loads: BTreeMap::new(),
            extents: BTreeSet::new(),
            values: BTreeSet::new(),
            written: BTreeSet::new(),
        };
        for stmt in body {
            stmt.walk(&mut |stmt| {
                stmt.walk_exprs(&mut |expr| match &expr.kind {
                    ExprKind::Load { array, .. } => {
                        used.loads.entry(*array).or_insert(expr.span);
                    }
                    ExprKind::Param(param) => {
                        used.values.insert(*param);
                    }
                    ExprKind::Extent { array, .. } => {
                        used.extents.insert(*array);
                    }
                    ExprKind::Literal(_)
                    | ExprKind::Local(_)
                    | ExprKind::LocalElement { .. }
                    | ExprKind::Tid(_)
                    | ExprKind::Op(..)
                    | ExprKind::Call(..)
                    | ExprKind::Cast(_)
                    | ExprKind::Component(..)
                    | ExprKind::Column(..)
                    | ExprKind::Select { .. } => {}
                });
                if let Some(Place { root: PlaceRoot::Element { array, .. }, .. }) = stmt.place() {
                    used.written.insert(*array);
                }
            });
        }
        used
    }
}

/// The parameters whose arguments the adjoint needs: those that its body reads, and those that sizes are made of.
fn primals(source: &Kernel, used: &Used) -> Vec<ParamId> {
    let is_source = |id: ParamId| (id.0 as usize) < source.params.len();
    let has_adjoint = |id: ParamId| source.param(id).elem().is_float();
    let mut needed: BTreeSet<ParamId> = used.values.iter().chain(used.loads.keys()).copied().collect();
    // An array without an adjoint must be there itself for its extents.
    needed.extend(used.extents.iter().filter(|id| is_source(**id) && !has_adjoint(**id)));
    needed.retain(|id| is_source(*id));
    // Sizes look back only, so one walk from behind finds all that sizes of sizes need.
    for (id, param) in source.param_ids().collect::<Vec<_>>().into_iter().rev() {
        let kept = needed.contains(&id);
        if kept || has_adjoint(id) {
            for size in param.sizes().into_iter().flat_map(SizeExpr::params) {
                // The adjoint of an array has its extents, but stands behind the primals.
                let by_adjoint = !kept && has_adjoint(size) && source.param(size).rank() > 0;
                if !by_adjoint {
                    needed.insert(size);
                }
            }
        }
    }
    source.param_ids().map(|(id, _)| id).filter(|id| needed.contains(id)).collect()
}

/// What the adjoint of each parameter is called: `adj_x` for `x`, longer where another parameter or adjoint has that name.
fn adjoint_names(source: &Kernel) -> Vec<String> {
    let mut taken: BTreeSet<String> = source.params.iter().map(|param| param.name.clone()).collect();
    let mut name = |param: &Param| {
        let mut wish = ["adj_", param.name.trim_start_matches("r#")].concat();
        while !taken.insert(wish.clone()) {
            wish.push('_');
        }
        wish
    };
    source.params.iter().map(&mut name).collect()
}

/// The numbers of parameters and locals in the adjoint kernel.
struct Numbers<'a> {
    source: &'a Kernel,
    /// What the adjoint of each parameter is called.
    names: Vec<String>,
    primal: BTreeMap<ParamId, ParamId>,
    adjoint: BTreeMap<ParamId, ParamId>,
    locals: LocalMap<LocalId>,
}

impl Numbers<'_> {
    fn primal_param(&self, id: ParamId) -> Param {
        let mut param = self.source.param(id).clone();
        if let ParamKind::Array { mutable, shape, .. } = &mut param.kind {
            *mutable = false;
            shape.iter_mut().for_each(|size| *size = self.size(size));
        }
        if let Some(Domain::Int { low, high }) = &mut param.domain {
            (*low, *high) = (self.size(low), self.size(high));
        }
        param
    }

    fn adjoint_param(&self, id: ParamId, used: &Used) -> Param {
        let of = self.source.param(id);
        let own = adjoint_param(self.source, id);
        let shape = match &of.kind {
            ParamKind::Value(_) => vec![SizeExpr::Literal(1)],
            ParamKind::Array { shape, .. } => shape.iter().map(|size| self.size(size)).collect(),
        };
        Param {
            name: self.names[id.0 as usize].clone(),
            kind: ParamKind::Array { elem: of.elem(), mutable: used.written.contains(&own), shape },
            domain: None,
            span: of.span,
        }
    }

    fn size(&self, size: &SizeExpr) -> SizeExpr {
        let both = |a: &SizeExpr, b: &SizeExpr| (Box::new(self.size(a)), Box::new(self.size(b)));
        match size {
            SizeExpr::Literal(_) | SizeExpr::Dim(_) => size.clone(),
            SizeExpr::Param(id) => SizeExpr::Param(self.value(*id)),
            SizeExpr::Extent(id, axis) => SizeExpr::Extent(self.value(*id), *axis),
            SizeExpr::Add(a, b) => {
                let (a, b) = both(a, b);
                SizeExpr::Add(a, b)
            }
            SizeExpr::Sub(a, b) => {
                let (a, b) = both(a, b);
                SizeExpr::Sub(a, b)
            }
            SizeExpr::Mul(a, b) => {
                let (a, b) = both(a, b);
                SizeExpr::Mul(a, b)
            }
            SizeExpr::Div(a, b) => {
                let (a, b) = both(a, b);
                SizeExpr::Div(a, b)
            }
        }
    }

    /// The parameter that stands for one of the source: itself, or its adjoint, which has the same extents.
    fn value(&self, id: ParamId) -> ParamId {
        self.primal.get(&id).or_else(|| self.adjoint.get(&id)).copied().unwrap_or(id)
    }

    /// The number of a parameter or adjoint that the body names.
    fn named(&self, id: ParamId) -> ParamId {
        match id.0.checked_sub(self.source.params.len() as u32) {
            Some(of) => self.adjoint.get(&ParamId(of)).copied().unwrap_or(id),
            None => self.value(id),
        }
    }

    /// Drops the locals that nothing declares and numbers the others in the order of their declarations.
    fn number_locals(&mut self, body: &Block, locals: Vec<Local>) -> Vec<Local> {
        let mut locals: Vec<Option<Local>> = locals.into_iter().map(Some).collect();
        let mut kept = Vec::with_capacity(locals.len());
        for stmt in body {
            stmt.walk(&mut |stmt| {
                if let Some(local) = stmt.declared_local() {
                    self.locals.insert(local, LocalId(kept.len() as u32));
                    kept.extend(locals[local.0 as usize].take());
                }
            });
        }
        kept
    }

    fn local(&self, local: LocalId) -> LocalId {
        self.locals.get(local).copied().unwrap_or(local)
    }
}

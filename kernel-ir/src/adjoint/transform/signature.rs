//! Builds the signature of the adjoint kernel. The parameters are, in order: the primal arguments that the body or the
//! sizes need, `counting` and the winner counts if there are winners, and the adjoints.
//!
//! The body refers to parameters by the provisional numbers of [`context`](super::context); this module replaces them
//! by final ones.

use super::context::{Adjoint, Facts, adjoint_param, counting_param, winners_param};
use crate::adjoint::analyze::aliases::Aliases;
use crate::adjoint::analyze::array_classes::ArrayClass;
use crate::adjoint::backward::{Backward, Source};
use crate::analysis::Moment;
use crate::diag::Diagnostic;
use crate::ir::drop_undeclared;
use crate::ir::{
    Block, ExprKind, Kernel, LocalId, LocalMap, Param, ParamId, ParamKind, Place, PlaceRoot, Scalar, SizeExpr, Span,
    Type,
};
use crate::verify::verify;
use std::collections::{BTreeMap, BTreeSet};

/// Completes `adjoint` to a verified kernel.
///
/// # Errors
/// A diagnostic for each array of integers that the body reads and the kernel overwrites, and for each array of which it
/// needs a value that is neither from before the launch nor from after it.
pub(crate) fn finish(source: &Kernel, adjoint: Adjoint, facts: &Facts) -> Result<Backward, Vec<Diagnostic>> {
    let Adjoint { mut body, mut locals, .. } = adjoint;
    // The old contents of an integer array are lost after the launch, and nothing saves them.
    let used = Used::of(&body);
    let unavailable = used.loads.iter().filter(|(array, _)| facts.classes.get(array) == Some(&ArrayClass::Opaque));
    let unavailable =
        unavailable.map(|(array, span)| overwritten(source.param(*array), *span, facts.writes.get(array)));
    let between = used.loads.iter().filter_map(|(alias, span)| match facts.aliases.of.get(alias)? {
        (array, Moment::Between(earlier, later)) => Some(passing(source.param(*array), *span, *earlier, *later)),
        (_, Moment::Before | Moment::After) => None,
    });
    let unavailable: Vec<Diagnostic> = unavailable.chain(between).collect();
    if !unavailable.is_empty() {
        return Err(unavailable);
    }
    let is_extremum = |id: &ParamId| facts.classes.get(id) == Some(&ArrayClass::Extremum);
    let extrema: Vec<ParamId> = source.param_ids().map(|(id, _)| id).filter(is_extremum).collect();
    let primal = primals(source, &used, &extrema, &facts.aliases);
    let of_primal = primal.into_iter().map(|id| match facts.aliases.after(id) {
        Some(array) => Source::Result(array),
        None if is_extremum(&id) => Source::Result(id),
        None => Source::Primal(id),
    });
    let counting = (!extrema.is_empty()).then_some(Source::Counting);
    let winners = extrema.into_iter().map(Source::Winners);
    let has_adjoint = |(id, param): &(ParamId, &Param)| param.elem().is_float() && !facts.aliases.of.contains_key(id);
    let adjoint = source.param_ids().filter(has_adjoint).map(|(id, _)| Source::Adjoint(id));
    let sources: Vec<Source> = of_primal.chain(counting).chain(winners).chain(adjoint).collect();
    let mut numbers = Numbers::new(source, &facts.aliases, &sources);
    let mut names = Names::of(source);
    let params = sources.iter().map(|of| numbers.param(*of, &used, &mut names)).collect();
    numbers.locals = drop_undeclared(&body, &mut locals);
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
        block: source.block,
        in_order: false,
        slots: None,
        params,
        locals,
        body,
    };
    Ok(Backward { kernel: verify(kernel)?, sources, promises: facts.promises.iter().copied().collect() })
}

fn overwritten(param: &Param, span: Span, write: Option<&Span>) -> Diagnostic {
    let name = &param.name;
    Diagnostic::new(
        span,
        format!("no exact gradient: the gradient depends on the value of `{name}` here, and the kernel overwrites it"),
    )
    .related(write.copied().unwrap_or(param.span), format!("`{name}` is written here"))
    .help("read the value from an array that the kernel does not write to, or mark the kernel `no_grad`")
}

/// The diagnostic for a value that is neither from before the launch nor from after it.
fn passing(param: &Param, span: Span, earlier: Span, later: Span) -> Diagnostic {
    let name = &param.name;
    let message = format!(
        "no exact gradient: the gradient depends on the value of `{name}` here, which is neither its first nor its last"
    );
    let (place, when) = if later == span { (earlier, "before") } else { (later, "behind") };
    Diagnostic::new(span, message)
        .related(place, format!("a write here may reach the same element {when} it"))
        .help(format!(
            "write each element of `{name}` once: compute in a local variable, and assign it at the end; or put the second \
             part into another kernel; or mark the kernel `no_grad`"
        ))
}

/// The parameters that a body uses, by kind of use.
struct Used {
    /// The array parameters that are loaded, with the place of the first load.
    loads: BTreeMap<ParamId, Span>,
    /// The arrays whose extents are read, or whose presence is tested. The adjoint of an array has both.
    extents: BTreeSet<ParamId>,
    /// The by-value parameters that are read.
    values: BTreeSet<ParamId>,
    /// The arrays that are written.
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
                    ExprKind::Load { .. } | ExprKind::Call(..) => {
                        for array in expr.params() {
                            used.loads.entry(*array).or_insert(expr.span);
                        }
                    }
                    ExprKind::Param(param) => {
                        used.values.insert(*param);
                    }
                    ExprKind::Extent { array, .. } | ExprKind::Present(array) => {
                        used.extents.insert(*array);
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
                });
                if let Some(Place { root: PlaceRoot::Element { array, .. }, .. }) = stmt.place() {
                    used.written.insert(*array);
                }
            });
        }
        used
    }
}

/// The parameters whose arguments the adjoint takes: those that its body reads, the arrays with winners, and the
/// parameters that sizes refer to.
fn primals(source: &Kernel, used: &Used, extrema: &[ParamId], aliases: &Aliases) -> Vec<ParamId> {
    let is_source = |id: ParamId| (id.0 as usize) < source.params.len();
    let has_adjoint = |id: ParamId| source.param(id).elem().is_float() && !aliases.of.contains_key(&id);
    let mut needed: BTreeSet<ParamId> = used.values.iter().chain(used.loads.keys()).copied().collect();
    // The adjoint of an array has the extents of the array, and is present where the array is. Without an adjoint, the array itself must be passed for
    // them.
    needed.extend(used.extents.iter().filter(|id| is_source(**id) && !has_adjoint(**id)));
    needed.retain(|id| is_source(*id));
    needed.extend(extrema);
    // A size refers to earlier parameters only, so one walk from the last parameter to the first finds all
    // dependencies.
    for (id, param) in source.param_ids().collect::<Vec<_>>().into_iter().rev() {
        let kept = needed.contains(&id);
        if kept || has_adjoint(id) {
            for size in param.sizes().into_iter().flat_map(SizeExpr::params) {
                // An adjoint could provide the extents, but it comes after the primals, and a size of a primal may
                // refer to earlier parameters only.
                let by_adjoint = !kept && has_adjoint(size) && source.param(size).rank() > 0;
                if !by_adjoint {
                    needed.insert(size);
                }
            }
        }
    }
    source.param_ids().map(|(id, _)| id).filter(|id| needed.contains(id)).collect()
}

/// Names for added parameters, such as `adj_x`. An underscore is appended while the name is taken.
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    pub(crate) fn of(source: &Kernel) -> Names {
        Names(source.params.iter().map(|param| param.name.clone()).collect())
    }

    pub(crate) fn new_name(&mut self, mut wish: String) -> String {
        while !self.0.insert(wish.clone()) {
            wish.push('_');
        }
        wish
    }
}

/// Maps provisional numbers of parameters and locals to final ones.
struct Numbers<'a> {
    source: &'a Kernel,
    aliases: &'a Aliases,
    primal: BTreeMap<ParamId, ParamId>,
    /// The added parameters, by their provisional numbers.
    added: BTreeMap<ParamId, ParamId>,
    locals: LocalMap<LocalId>,
}

impl<'a> Numbers<'a> {
    fn new(source: &'a Kernel, aliases: &'a Aliases, sources: &[Source]) -> Numbers<'a> {
        let (primal, added, locals) = (BTreeMap::new(), BTreeMap::new(), LocalMap::default());
        let mut numbers = Numbers { source, aliases, primal, added, locals };
        for (of, place) in sources.iter().zip((0..).map(ParamId)) {
            match *of {
                Source::Primal(id) => numbers.primal.insert(id, place),
                Source::Result(id) => numbers.primal.insert(aliases.of_result(id).unwrap_or(id), place),
                Source::Counting => numbers.added.insert(counting_param(source), place),
                Source::Winners(id) => numbers.added.insert(winners_param(source, id), place),
                Source::Adjoint(id) => numbers.added.insert(adjoint_param(source, id), place),
            };
        }
        numbers
    }

    fn param(&self, of: Source, used: &Used, names: &mut Names) -> Param {
        match of {
            Source::Primal(id) => self.primal_param(id),
            Source::Result(id) => match self.aliases.of_result(id) {
                // Without the array from before the launch, its name is free.
                Some(alias) if !self.primal.contains_key(&id) => {
                    Param { name: self.source.param(id).name.clone(), ..self.primal_param(alias) }
                }
                alias => self.primal_param(alias.unwrap_or(id)),
            },
            Source::Counting => {
                let kind = ParamKind::Value(Type::BOOL);
                Param { name: names.new_name("counting".to_owned()), kind, domain: None, span: Span::NONE }
            }
            Source::Winners(id) => self.winners_param(id, names),
            Source::Adjoint(id) => self.adjoint_param(id, used, names),
        }
    }

    fn primal_param(&self, id: ParamId) -> Param {
        let mut param = self.source.param(id).clone();
        if let ParamKind::Array { mutable, .. } = &mut param.kind {
            *mutable = false;
        }
        param.sizes_mut().for_each(|size| *size = self.size(size));
        param
    }

    fn winners_param(&self, id: ParamId, names: &mut Names) -> Param {
        let of = self.source.param(id);
        let elem = Type { scalar: Scalar::U32, ..of.elem() };
        Param {
            name: names.new_name([of.name.trim_start_matches("r#"), "_winners"].concat()),
            kind: ParamKind::Array { elem, mutable: true, optional: of.is_optional(), shape: self.shape(id) },
            domain: None,
            span: of.span,
        }
    }

    fn adjoint_param(&self, id: ParamId, used: &Used, names: &mut Names) -> Param {
        let of = self.source.param(id);
        let own = adjoint_param(self.source, id);
        Param {
            name: names.new_name(["adj_", of.name.trim_start_matches("r#")].concat()),
            kind: ParamKind::Array {
                elem: of.elem(),
                mutable: used.written.contains(&own),
                optional: of.is_optional(),
                shape: self.shape(id),
            },
            domain: None,
            span: of.span,
        }
    }

    /// The shape of the adjoint or winner counts of a source parameter.
    fn shape(&self, id: ParamId) -> Vec<SizeExpr> {
        match &self.source.param(id).kind {
            ParamKind::Value(_) => vec![SizeExpr::Literal(1)],
            ParamKind::Array { shape, .. } => shape.iter().map(|size| self.size(size)).collect(),
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

    /// The final number of a source parameter in a size: itself, or its adjoint, which has the same extents.
    fn value(&self, id: ParamId) -> ParamId {
        let adjoint = || self.added.get(&adjoint_param(self.source, id));
        self.primal.get(&id).or_else(adjoint).copied().unwrap_or(id)
    }

    /// The final number of a parameter that the body refers to.
    fn named(&self, id: ParamId) -> ParamId {
        self.added.get(&id).copied().unwrap_or_else(|| self.value(id))
    }

    fn local(&self, local: LocalId) -> LocalId {
        self.locals.get(local).copied().unwrap_or(local)
    }
}

//! The shared state of the reverse sweep: the source kernel, the facts about it, and the adjoint so far.

use crate::adjoint::analyze::activity::Activity;
use crate::adjoint::analyze::aliases::Aliases;
use crate::adjoint::analyze::array_classes::ArrayClass;
use crate::adjoint::analyze::atomic_results::AtomicResults;
use crate::adjoint::analyze::magnitude::Magnitudes;
use crate::adjoint::terms::is_plain;
use crate::analysis::Promise;
use crate::ir::{
    Block, Expr, ExprKind, ForRange, Kernel, Local, LocalId, LocalMap, LocalSet, ParamId, Place, Projection, Span, Type,
};
use crate::rewrite::build::{declare, expr, local_place};
use std::collections::{BTreeMap, BTreeSet};

/// The facts that the analyses have found about the source kernel.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) activity: Activity,
    pub(crate) magnitudes: Magnitudes,
    /// Whether products are guarded even where the derivative is provably finite.
    pub(crate) all_guards: bool,
    pub(crate) atomic_results: AtomicResults,
    pub(crate) classes: BTreeMap<ParamId, ArrayClass>,
    /// What the classes and the moments rest on.
    pub(crate) promises: BTreeSet<Promise>,
    /// The parameters that stand for rewritten arrays after the launch, and in between.
    pub(crate) aliases: Aliases,
    /// The arrays whose adjoints need no atomic additions.
    pub(crate) exclusive: BTreeSet<ParamId>,
    /// The first write to each array.
    pub(crate) writes: BTreeMap<ParamId, Span>,
}

/// Maps the locals of the source to the locals of the adjoint that hold their current values.
pub(super) type Env = LocalMap<LocalId>;

/// The unfinished adjoint kernel. Until `signature::finish`, it refers to adjoint parameters by numbers after those of
/// the source: [`adjoint_param`], [`winners_param`], [`counting_param`].
#[derive(Debug, Default)]
pub(crate) struct Adjoint {
    pub(crate) body: Block,
    pub(crate) locals: Vec<Local>,
    /// The locals that accumulate the adjoints of by-value parameters.
    pub(crate) sums: BTreeMap<ParamId, LocalId>,
    /// Locals that stand for the result of an atomic operation, which the adjoint cannot know. Each maps to the local
    /// of the source that received the result.
    pub(crate) unavailable: LocalMap<LocalId>,
}

/// The state of the reverse sweep.
pub(super) struct ReverseSweep<'a> {
    /// The source; `reverse` has taken its body.
    pub(super) kernel: &'a mut Kernel,
    pub(super) facts: &'a Facts,
    pub(super) adjoint: &'a mut Adjoint,
    /// Whether the copied code is that of the launch that counts winners.
    pub(super) counts_winners: bool,
    /// The adjoints of the source's locals, made on demand.
    adjoints: LocalMap<LocalId>,
}

impl<'a> ReverseSweep<'a> {
    pub(super) fn new(kernel: &'a mut Kernel, facts: &'a Facts, adjoint: &'a mut Adjoint) -> ReverseSweep<'a> {
        ReverseSweep { kernel, facts, adjoint, counts_winners: false, adjoints: LocalMap::default() }
    }

    /// A new local of the adjoint kernel.
    pub(super) fn fresh(&mut self, name: impl Into<String>, ty: Type) -> LocalId {
        Local::fresh(&mut self.adjoint.locals, name, ty)
    }

    /// A new local of the adjoint kernel with the name and type of a local of the source.
    pub(super) fn renamed(&mut self, local: LocalId) -> LocalId {
        let Local { name, ty, .. } = self.kernel.local(local);
        Local::fresh(&mut self.adjoint.locals, name, *ty)
    }

    pub(super) fn adjoint_place(&mut self, local: LocalId) -> Place {
        let ty = self.kernel.local(local).ty;
        local_place(self.adjoint_local(local), ty)
    }

    pub(super) fn adjoint_local(&mut self, local: LocalId) -> LocalId {
        if let Some(adjoint) = self.adjoints.get(local) {
            return *adjoint;
        }
        let Local { name, ty, .. } = self.kernel.local(local);
        let (name, ty) = (["adj_", name.trim_start_matches("r#")].concat(), *ty);
        let adjoint = self.fresh(name, ty);
        self.adjoints.insert(local, adjoint);
        adjoint
    }

    /// The adjoints made so far: of locals and of by-value parameters.
    pub(super) fn adjoint_locals(&self) -> LocalSet {
        self.adjoints.iter().map(|(_, adjoint)| adjoint).chain(self.adjoint.sums.values()).copied().collect()
    }

    /// `expr` with the locals of the source replaced by their current names.
    pub(super) fn rename(&self, expr: &Expr, env: &Env) -> Expr {
        let name = |local: LocalId| env.get(local).copied().unwrap_or(local);
        expr.copy_with(&mut |part| {
            let local = name(part.local_read()?);
            let kind = if let ExprKind::LocalElement { index, .. } = &part.kind {
                ExprKind::LocalElement { local, index: Box::new(self.rename(index, env)) }
            } else {
                ExprKind::Local(local)
            };
            Some(Expr { kind, ..*part })
        })
    }

    pub(super) fn rename_range(&self, range: &ForRange, env: &Env) -> ForRange {
        ForRange {
            start: self.rename(&range.start, env),
            end: self.rename(&range.end, env),
            inclusive: range.inclusive,
            direction: range.direction,
            step: range.step.as_ref().map(|step| self.rename(step, env)),
        }
    }

    pub(super) fn rename_path(&self, path: &[Projection], env: &Env) -> Vec<Projection> {
        path.iter()
            .map(|step| match step {
                Projection::Component(index) => Projection::Component(self.rename(index, env)),
                Projection::Column(index) => Projection::Column(self.rename(index, env)),
                Projection::Field(number) => Projection::Field(*number),
            })
            .collect()
    }

    /// A new local that stands for an atomic result in the adjoint.
    pub(super) fn unavailable(&mut self, local: LocalId) -> LocalId {
        let unavailable = self.renamed(local);
        self.adjoint.unavailable.insert(unavailable, local);
        unavailable
    }

    /// Binds the value to a new local.
    pub(super) fn bind(&mut self, name: &str, value: Expr, out: &mut Block) -> Expr {
        let ty = value.ty;
        let local = self.fresh(name, ty);
        out.push(declare(local, value));
        expr(ExprKind::Local(local), ty)
    }

    /// The value in a form that can be duplicated: itself, or a new local.
    pub(super) fn bound(&mut self, value: Expr, forward: &mut Block) -> Expr {
        if is_plain(&value) { value } else { self.bind("t", value, forward) }
    }

    /// The adjoint `g`, bound to a local if it `is_named_again` and is not cheap to duplicate.
    pub(super) fn bound_if(&mut self, is_named_again: bool, g: Expr, back: &mut Block) -> Expr {
        if is_named_again && !is_plain(&g) { self.bind("g", g, back) } else { g }
    }

    /// The local that accumulates the adjoint of a by-value parameter.
    pub(super) fn sum(&mut self, param: ParamId) -> LocalId {
        if let Some(local) = self.adjoint.sums.get(&param) {
            return *local;
        }
        let param_of = self.kernel.param(param);
        let name = [param_of.name.trim_start_matches("r#"), "_sum"].concat();
        let local = self.fresh(name, param_of.elem());
        self.adjoint.sums.insert(param, local);
        local
    }

    /// See [`adjoint_param`].
    pub(super) fn adjoint_param(&self, param: ParamId) -> ParamId {
        adjoint_param(self.kernel, param)
    }
}

/// The provisional number of the adjoint of a parameter: after those of the source.
pub(crate) fn adjoint_param(source: &Kernel, param: ParamId) -> ParamId {
    ParamId(param.0 + source.params.len() as u32)
}

/// The provisional number of the winner counts of an array: after those of the adjoints.
pub(crate) fn winners_param(source: &Kernel, param: ParamId) -> ParamId {
    adjoint_param(source, adjoint_param(source, param))
}

/// The provisional number of the parameter that says whether the launch counts winners: after all others.
pub(crate) fn counting_param(source: &Kernel) -> ParamId {
    winners_param(source, ParamId(source.params.len() as u32))
}

//! The solver: inference variables with union-find, constraints, and propagation to a fixpoint.

use super::candidates::{Candidate, MOST_VARS};
use crate::diag::Diagnostic;
use crate::ir::{Op, ScalarSet, Span, Type, TypeSet};

/// An inference variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::front) struct TypeVar(usize);

/// A constraint. After solving, it tells the operation that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::front) struct ConstraintId(usize);

/// The kind of an unsuffixed literal, which decides its default type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LiteralKind {
    Integer,
    Float,
}

#[derive(Debug)]
pub(super) struct Var {
    /// The parent in the union-find forest; the variable itself if it is a root.
    pub(super) parent: usize,
    pub(super) set: TypeSet,
    pub(super) literal: Option<LiteralKind>,
    /// Where a local of this type is declared, if there is one.
    pub(super) declared: Option<Span>,
    /// Whether the variable took part in a reported mistake. No further mistake is reported for it.
    pub(super) broken: bool,
}

/// The construct that a constraint comes from, for messages.
#[derive(Clone, Debug)]
pub(in crate::front) enum About {
    /// `a + b`.
    Infix(&'static str),
    /// `-a`.
    Prefix(&'static str),
    /// `a.sin()`.
    Method(String),
    /// `Vec3::new(…)`.
    Assoc(String),
    /// `a as T`.
    Cast,
    /// `v.x`, `m.x_axis`.
    Field(String),
    /// `v[k]`.
    Index,
}

#[derive(Debug)]
pub(super) struct Constraint {
    pub(super) vars: Vec<TypeVar>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) about: About,
    pub(super) span: Span,
    pub(super) reported: bool,
}

/// The inference variables of one kernel, and the constraints on them.
#[derive(Debug, Default)]
pub(in crate::front) struct Infer {
    pub(super) vars: Vec<Var>,
    constraints: Vec<Constraint>,
}

impl Infer {
    /// A new variable with a type in `set`.
    pub(in crate::front) fn var(&mut self, set: TypeSet) -> TypeVar {
        self.vars.push(Var { parent: self.vars.len(), set, literal: None, declared: None, broken: false });
        TypeVar(self.vars.len() - 1)
    }

    /// A new variable of any type.
    pub(in crate::front) fn any(&mut self) -> TypeVar {
        self.var(TypeSet::every())
    }

    /// A new variable of the type `ty`.
    pub(in crate::front) fn known(&mut self, ty: Type) -> TypeVar {
        self.var(TypeSet::only(ty))
    }

    /// A new variable for an expression with a reported mistake.
    pub(in crate::front) fn broken(&mut self) -> TypeVar {
        let var = self.any();
        self.vars[var.0].broken = true;
        var
    }

    /// A new variable for an integer literal without a suffix.
    pub(in crate::front) fn integer_literal(&mut self) -> TypeVar {
        let var = self.var(TypeSet::scalars(ScalarSet::INTEGERS));
        self.vars[var.0].literal = Some(LiteralKind::Integer);
        var
    }

    /// A new variable for a float literal without a suffix.
    pub(in crate::front) fn float_literal(&mut self) -> TypeVar {
        let var = self.var(TypeSet::scalars(ScalarSet::FLOATS));
        self.vars[var.0].literal = Some(LiteralKind::Float);
        var
    }

    /// Notes that a local of this type is declared at `span`.
    pub(in crate::front) fn declare(&mut self, ty: TypeVar, span: Span) {
        let root = self.root(ty);
        self.vars[root].declared.get_or_insert(span);
    }

    /// Unifies two variables. Returns a diagnostic at `span` if their sets are disjoint.
    pub(in crate::front) fn equate(&mut self, expected: TypeVar, found: TypeVar, span: Span) -> Option<Diagnostic> {
        let (a, b) = (self.root(expected), self.root(found));
        if a == b {
            return None;
        }
        // Disjoint sets are reported once: the variables are broken afterwards.
        let broken = self.vars[a].broken || self.vars[b].broken;
        let both = self.vars[a].set.and(&self.vars[b].set);
        if both.is_empty() {
            let diagnostic = (!broken).then(|| self.mismatch(a, b, span));
            self.vars[a].broken = true;
            self.vars[b].broken = true;
            return diagnostic;
        }
        let literal = match (self.vars[a].literal, self.vars[b].literal) {
            (Some(a), Some(_)) => Some(a),
            (a, b) => a.or(b),
        };
        self.vars[a].declared = self.vars[a].declared.or(self.vars[b].declared);
        self.vars[b].parent = a;
        self.vars[a].set = both;
        self.vars[a].literal = literal;
        self.vars[a].broken = broken;
        None
    }

    /// Constrains `vars` to the combinations of types that `candidates` allow.
    pub(in crate::front) fn constrain(
        &mut self,
        vars: Vec<TypeVar>,
        candidates: Vec<Candidate>,
        about: About,
        span: Span,
    ) -> ConstraintId {
        self.constraints.push(Constraint { vars, candidates, about, span, reported: false });
        ConstraintId(self.constraints.len() - 1)
    }

    /// Gives a literal the type `ty` if it may have it. A cast directly around a literal prefers its own type, as in
    /// Rust.
    pub(in crate::front) fn prefer(&mut self, literal: TypeVar, ty: Type) {
        let root = self.root(literal);
        if self.vars[root].literal.is_some() && self.vars[root].set.contains(ty) {
            self.vars[root].set = TypeSet::only(ty);
        }
    }

    /// Narrows all types by the constraints so far, and leaves open what they do not decide. Returns the diagnostics.
    pub(in crate::front) fn settle(&mut self) -> Vec<Diagnostic> {
        self.propagate()
    }

    /// Whether the variable may have this type.
    pub(in crate::front) fn may_be(&self, var: TypeVar, ty: Type) -> bool {
        self.vars[self.root(var)].set.contains(ty)
    }

    /// Solves all constraints. Returns the diagnostics.
    pub(in crate::front) fn solve(&mut self) -> Vec<Diagnostic> {
        let mut diagnostics = self.propagate();
        // Only literals that no constraint has decided get a default, so this comes after the first propagation.
        for root in 0..self.vars.len() {
            if self.vars[root].parent == root {
                self.default_literal(root);
            }
        }
        diagnostics.extend(self.propagate());
        diagnostics
    }

    fn default_literal(&mut self, root: usize) {
        let default = match self.vars[root].literal {
            Some(LiteralKind::Integer) => Type::I32,
            Some(LiteralKind::Float) => Type::F64,
            None => return,
        };
        if self.vars[root].set.contains(default) {
            self.vars[root].set = TypeSet::only(default);
        }
    }

    /// The type, if it is known. Before [`solve`](Infer::solve) it may still be open.
    pub(in crate::front) fn ty(&self, var: TypeVar) -> Option<Type> {
        let root = &self.vars[self.root(var)];
        root.set.single().filter(|_| !root.broken)
    }

    /// Whether the variable can only have a type made of floats.
    pub(in crate::front) fn is_float(&self, var: TypeVar) -> bool {
        self.vars[self.root(var)].set.is_made_of(ScalarSet::ANY_FLOATS)
    }

    /// Whether the variable took part in a reported mistake.
    pub(in crate::front) fn is_broken(&self, var: TypeVar) -> bool {
        self.vars[self.root(var)].broken
    }

    /// The operation that was chosen for a constraint.
    pub(in crate::front) fn op(&self, constraint: ConstraintId) -> Option<Op> {
        self.constraints[constraint.0].candidates.first().and_then(|candidate| candidate.op)
    }

    fn root(&self, var: TypeVar) -> usize {
        let mut place = var.0;
        while self.vars[place].parent != place {
            place = self.vars[place].parent;
        }
        place
    }

    fn propagate(&mut self) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let mut constraints = std::mem::take(&mut self.constraints);
        loop {
            let mut changed = false;
            for constraint in &mut constraints {
                changed |= self.narrow(constraint, &mut diagnostics);
            }
            if !changed {
                break;
            }
        }
        self.constraints = constraints;
        diagnostics
    }

    /// Removes the candidates that do not fit, and narrows the variables. Returns whether anything changed.
    fn narrow(&mut self, constraint: &mut Constraint, diagnostics: &mut Vec<Diagnostic>) -> bool {
        let mut roots = [0; MOST_VARS];
        let roots = &mut roots[..constraint.vars.len()];
        roots.iter_mut().zip(&constraint.vars).for_each(|(root, var)| *root = self.root(*var));
        let roots: &[usize] = roots;
        // A broken operand says nothing about the overloads, so the constraint counts as failed without a message.
        if constraint.reported || roots.iter().any(|root| self.vars[*root].broken) {
            return self.spread_damage(constraint, roots);
        }
        let sets = roots.iter().map(|root| &self.vars[*root].set);
        let candidates: Vec<Candidate> =
            constraint.candidates.iter().filter_map(|candidate| candidate.narrowed(sets.clone())).collect();
        if candidates.is_empty() {
            diagnostics.push(self.report(constraint, roots));
            return self.spread_damage(constraint, roots);
        }
        constraint.candidates = candidates;
        let mut changed = false;
        for (place, root) in roots.iter().enumerate() {
            let set = &mut self.vars[*root].set;
            // A decided type stays, even if no candidate allows it: the mistake is reported at the constraint, with
            // that type.
            if set.single().is_none() {
                let narrowed =
                    set.and(&constraint.candidates.iter().flat_map(|candidate| candidate.image(place)).collect());
                changed |= narrowed != *set;
                *set = narrowed;
            }
        }
        changed
    }

    /// Marks the result of a failed constraint as broken, to suppress follow-up mistakes. Returns whether the failure
    /// is new.
    fn spread_damage(&mut self, constraint: &mut Constraint, roots: &[usize]) -> bool {
        let first = !constraint.reported;
        constraint.reported = true;
        if let Some(result) = roots.last() {
            self.vars[*result].broken = true;
        }
        first
    }
}

//! Type inference by elimination.
//!
//! There are only a few dozen types, so an unknown type is the *set* of those that it may still be. Every operation
//! contributes a constraint: the list of operand and result types that the table allows for it. Solving strikes out
//! list entries that no longer fit the sets, and types that no entry needs, until nothing changes. Literals that are
//! still undecided then become `i32` and `f64`, as in Rust, and solving goes on. rustc judges the same body, so this may
//! be more generous than rustc where that is simpler.

mod report;

use crate::diag::Diagnostic;
use crate::ir::{Scalar, Span, Type};
use crate::ops::{Op, Syntax, TABLE};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A set of types: a bit for each, by its [number](Type::number).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TypeSet(u32);

static ALL: LazyLock<Vec<Type>> = LazyLock::new(|| Type::all().collect());

impl TypeSet {
    /// No type.
    pub(super) const EMPTY: TypeSet = TypeSet(0);

    /// Every type.
    const EVERY: TypeSet = TypeSet((1 << 28) - 1);

    /// The types for which `keep` holds.
    pub(super) fn of(keep: impl Fn(Type) -> bool) -> TypeSet {
        ALL.iter().filter(|ty| keep(**ty)).fold(TypeSet::EMPTY, |set, ty| set.with(*ty))
    }

    fn with(self, ty: Type) -> TypeSet {
        TypeSet(self.0 | 1 << ty.number())
    }

    fn contains(self, ty: Type) -> bool {
        self.and(TypeSet::EMPTY.with(ty)) != TypeSet::EMPTY
    }

    fn and(self, other: TypeSet) -> TypeSet {
        TypeSet(self.0 & other.0)
    }

    /// The only member.
    fn single(self) -> Option<Type> {
        (self.0.count_ones() == 1).then(|| ALL[self.0.trailing_zeros() as usize])
    }
}

/// An unknown type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TypeVar(usize);

/// A constraint, to ask after solving which of its entries held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ConstraintId(usize);

/// An unsuffixed literal: what its type is if nothing else decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LiteralKind {
    Integer,
    Float,
}

#[derive(Debug)]
struct Var {
    /// The variable that this one was made equal to; itself if none.
    parent: usize,
    set: TypeSet,
    literal: Option<LiteralKind>,
    /// Taken part in a reported mistake: says nothing more.
    broken: bool,
}

/// What a constraint is about, for its message.
#[derive(Clone, Debug)]
pub(super) enum About {
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

/// How many variables a constraint has at most: four operands and the result.
const MOST: usize = 5;

/// One combination of types that a constraint allows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The operation that it stands for, if it stands for one.
    op: Option<Op>,
    /// The type of each variable of the constraint; the rest means nothing.
    types: [Type; MOST],
    count: usize,
}

impl Entry {
    /// The types of the variables of a constraint, which may stand for an operation.
    pub(super) fn new(op: Option<Op>, of: &[Type]) -> Entry {
        let mut types = [Type::BOOL; MOST];
        types[..of.len()].copy_from_slice(of);
        Entry { op, types, count: of.len() }
    }

    /// The type of each variable of the constraint.
    fn types(&self) -> &[Type] {
        &self.types[..self.count]
    }
}

#[derive(Debug)]
struct Constraint {
    vars: Vec<TypeVar>,
    entries: Vec<Entry>,
    about: About,
    span: Span,
    reported: bool,
}

/// The unknown types of one kernel and what is known about them.
#[derive(Debug, Default)]
pub(super) struct Infer {
    vars: Vec<Var>,
    constraints: Vec<Constraint>,
}

impl Infer {
    /// A type out of `set`.
    pub(super) fn var(&mut self, set: TypeSet) -> TypeVar {
        self.vars.push(Var { parent: self.vars.len(), set, literal: None, broken: false });
        TypeVar(self.vars.len() - 1)
    }

    /// A type of which nothing is known.
    pub(super) fn any(&mut self) -> TypeVar {
        self.var(TypeSet::EVERY)
    }

    /// The type `ty`.
    pub(super) fn known(&mut self, ty: Type) -> TypeVar {
        self.var(TypeSet::EMPTY.with(ty))
    }

    /// A type for something that a mistake was reported for.
    pub(super) fn broken(&mut self) -> TypeVar {
        let var = self.any();
        self.vars[var.0].broken = true;
        var
    }

    /// The type of an integer literal without a suffix.
    pub(super) fn integer_literal(&mut self) -> TypeVar {
        let var = self.var(TypeSet::of(|ty| ty.is_scalar() && ty.scalar().is_integer()));
        self.vars[var.0].literal = Some(LiteralKind::Integer);
        var
    }

    /// The type of a float literal without a suffix.
    pub(super) fn float_literal(&mut self) -> TypeVar {
        let var = self.var(TypeSet::of(|ty| ty.is_scalar() && ty.is_float()));
        self.vars[var.0].literal = Some(LiteralKind::Float);
        var
    }

    /// Demands that `found` is the type `expected`; reports at `span` if that is impossible.
    pub(super) fn equate(&mut self, expected: TypeVar, found: TypeVar, span: Span) -> Option<Diagnostic> {
        let (a, b) = (self.root(expected), self.root(found));
        if a == b {
            return None;
        }
        let broken = self.vars[a].broken || self.vars[b].broken;
        let both = self.vars[a].set.and(self.vars[b].set);
        if both == TypeSet::EMPTY {
            let diagnostic = (!broken).then(|| self.mismatch(a, b, span));
            self.vars[a].broken = true;
            self.vars[b].broken = true;
            return diagnostic;
        }
        let literal = match (self.vars[a].literal, self.vars[b].literal) {
            (Some(a), Some(_)) => Some(a),
            (a, b) => a.or(b),
        };
        self.vars[b].parent = a;
        self.vars[a].set = both;
        self.vars[a].literal = literal;
        self.vars[a].broken = broken;
        None
    }

    /// Demands that `vars` have the types of one of `entries`.
    pub(super) fn constrain(
        &mut self,
        vars: Vec<TypeVar>,
        entries: Vec<Entry>,
        about: About,
        span: Span,
    ) -> ConstraintId {
        self.constraints.push(Constraint { vars, entries, about, span, reported: false });
        ConstraintId(self.constraints.len() - 1)
    }

    /// Gives a literal the type `ty` if it can have it: that of the cast directly around it, as in Rust.
    pub(super) fn prefer(&mut self, literal: TypeVar, ty: Type) {
        let root = self.root(literal);
        if self.vars[root].literal.is_some() && self.vars[root].set.contains(ty) {
            self.vars[root].set = TypeSet::EMPTY.with(ty);
        }
    }

    /// Finds every type. Returns what cannot be.
    pub(super) fn solve(&mut self) -> Vec<Diagnostic> {
        let mut diagnostics = self.propagate();
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
            self.vars[root].set = TypeSet::EMPTY.with(default);
        }
    }

    /// The type, if it is decided. Before [`solve`](Infer::solve) it may not be yet.
    pub(super) fn ty(&self, var: TypeVar) -> Option<Type> {
        let root = &self.vars[self.root(var)];
        root.set.single().filter(|_| !root.broken)
    }

    /// Whether the type can only be one that is made of floats.
    pub(super) fn is_float(&self, var: TypeVar) -> bool {
        self.vars[self.root(var)].set.and(TypeSet::of(|ty| !ty.is_float())) == TypeSet::EMPTY
    }

    /// Whether a mistake was reported for what has this type.
    pub(super) fn is_broken(&self, var: TypeVar) -> bool {
        self.vars[self.root(var)].broken
    }

    /// The operation that a constraint was decided for.
    pub(super) fn op(&self, constraint: ConstraintId) -> Option<Op> {
        self.constraints[constraint.0].entries.first().and_then(|entry| entry.op)
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

    /// Strikes out what no longer fits. Returns whether a type became better known.
    fn narrow(&mut self, constraint: &mut Constraint, diagnostics: &mut Vec<Diagnostic>) -> bool {
        let mut roots = [0; MOST];
        let roots = &mut roots[..constraint.vars.len()];
        roots.iter_mut().zip(&constraint.vars).for_each(|(root, var)| *root = self.root(*var));
        let roots: &[usize] = roots;
        if constraint.reported || roots.iter().any(|root| self.vars[*root].broken) {
            return self.spread_damage(constraint, roots);
        }
        let fits = |entry: &Entry, vars: &[Var]| {
            entry.types().iter().zip(roots).all(|(ty, root)| vars[*root].set.contains(*ty))
        };
        if !constraint.entries.iter().any(|entry| fits(entry, &self.vars)) {
            diagnostics.push(self.report(constraint, roots));
            return self.spread_damage(constraint, roots);
        }
        constraint.entries.retain(|entry| fits(entry, &self.vars));
        let mut changed = false;
        for (place, root) in roots.iter().enumerate() {
            let possible = constraint.entries.iter().fold(TypeSet::EMPTY, |set, entry| set.with(entry.types[place]));
            let narrowed = self.vars[*root].set.and(possible);
            changed |= narrowed != self.vars[*root].set;
            self.vars[*root].set = narrowed;
        }
        changed
    }

    /// After a mistake, the result of an operation says nothing more either.
    fn spread_damage(&mut self, constraint: &mut Constraint, roots: &[usize]) -> bool {
        let first = !constraint.reported;
        constraint.reported = true;
        if let Some(result) = roots.last() {
            self.vars[*result].broken = true;
        }
        first
    }
}

/// The entries of every row of the table that is written as `syntax` and takes `arity` operands.
pub(super) fn entries_of(syntax: Syntax, arity: usize) -> &'static [Entry] {
    static OF_ALL: LazyLock<HashMap<(Syntax, usize), Vec<Entry>>> = LazyLock::new(|| {
        let mut all: HashMap<(Syntax, usize), Vec<Entry>> = HashMap::new();
        for def in &TABLE {
            for (row, t) in def.rows() {
                let types: Vec<Type> = row.args.iter().chain([&row.ret]).map(|pat| pat.apply(t)).collect();
                all.entry((def.rust, row.args.len())).or_default().push(Entry::new(Some(def.op), &types));
            }
        }
        all
    });
    OF_ALL.get(&(syntax, arity)).map_or(&[], Vec::as_slice)
}

/// The entries of a cast to `to`: from any scalar, but `bool` only to integers.
pub(super) fn cast_entries(to: Type) -> Vec<Entry> {
    Scalar::ALL
        .into_iter()
        .filter(|from| *from != Scalar::Bool || !to.is_float())
        .map(|from| Entry::new(None, &[Type::Scalar(from), to]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_in_the_set_of_all() {
        assert_eq!(TypeSet::of(|_| true), TypeSet::EVERY);
    }
}

//! Type inference by elimination.
//!
//! There are only a few dozen types, so an unknown type is the *set* of those that it may still be. Every operation
//! contributes a constraint: the list of operand and result types that the table allows for it. Solving strikes out
//! list entries that no longer fit the sets, and types that no entry needs, until nothing changes. Literals that are
//! still undecided then become `i32` and `f64`, as in Rust, and solving goes on. rustc judges the same body, so this may
//! be more generous than rustc where that is simpler.

use crate::diag::Diagnostic;
use crate::ir::{Scalar, Span, Type};
use crate::ops::{Op, OpDef};
use std::sync::OnceLock;

/// A set of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TypeSet(u32);

fn all_types() -> &'static [Type] {
    static ALL: OnceLock<Vec<Type>> = OnceLock::new();
    ALL.get_or_init(|| Type::all().collect())
}

impl TypeSet {
    /// No type.
    pub(super) const EMPTY: TypeSet = TypeSet(0);

    /// The types for which `keep` holds.
    pub(super) fn of(keep: impl Fn(Type) -> bool) -> TypeSet {
        all_types().iter().filter(|ty| keep(**ty)).fold(TypeSet::EMPTY, |set, ty| set.with(*ty))
    }

    fn with(self, ty: Type) -> TypeSet {
        let bit = all_types().iter().position(|t| *t == ty).expect("every type is in the list");
        TypeSet(self.0 | 1 << bit)
    }

    fn contains(self, ty: Type) -> bool {
        self.0 & TypeSet::EMPTY.with(ty).0 != 0
    }

    fn and(self, other: TypeSet) -> TypeSet {
        TypeSet(self.0 & other.0)
    }

    /// The only member.
    fn single(self) -> Option<Type> {
        let mut members = all_types().iter().enumerate().filter(|(bit, _)| self.0 & (1 << bit) != 0);
        let first = members.next().map(|(_, ty)| *ty);
        first.filter(|_| members.next().is_none())
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

/// One combination of types that a constraint allows.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The operation that it stands for, if it stands for one.
    pub(super) op: Option<Op>,
    /// The type of each variable of the constraint.
    pub(super) types: Vec<Type>,
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
    /// Casts whose operand may still be an undecided literal, with the type cast to.
    casts: Vec<(TypeVar, Type)>,
}

impl Infer {
    /// A type out of `set`.
    pub(super) fn var(&mut self, set: TypeSet) -> TypeVar {
        self.vars.push(Var { parent: self.vars.len(), set, literal: None, broken: false });
        TypeVar(self.vars.len() - 1)
    }

    /// A type of which nothing is known.
    pub(super) fn any(&mut self) -> TypeVar {
        self.var(TypeSet::of(|_| true))
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

    fn mismatch(&self, expected: usize, found: usize, span: Span) -> Diagnostic {
        let diagnostic = Diagnostic::new(
            span,
            format!("mismatched types: expected {}, found {}", self.describe(expected), self.describe(found)),
        );
        let wants = self.vars[expected].set.single();
        match (wants, self.vars[found].literal) {
            (Some(ty), Some(LiteralKind::Integer)) if ty.is_scalar() && ty.is_float() => {
                diagnostic.help("give the number a decimal point: `1.0` instead of `1`")
            }
            (Some(ty), None) if ty.is_scalar() && self.vars[found].set.single().is_some_and(Type::is_scalar) => {
                diagnostic
                    .note("the kernel language, like Rust, converts nothing by itself")
                    .help(format!("convert it with `as {}`", ty.rust_name()))
            }
            _ => diagnostic,
        }
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

    /// Remembers a cast, so that a literal under it takes the type that it is cast to, as in Rust.
    pub(super) fn note_cast(&mut self, operand: TypeVar, to: Type) {
        self.casts.push((operand, to));
    }

    /// Finds every type. Returns what cannot be.
    pub(super) fn solve(&mut self) -> Vec<Diagnostic> {
        let mut diagnostics = self.propagate();
        for (operand, to) in std::mem::take(&mut self.casts) {
            let root = self.root(operand);
            if self.vars[root].literal.is_some() && self.vars[root].set.contains(to) {
                self.vars[root].set = TypeSet::EMPTY.with(to);
            }
        }
        diagnostics.extend(self.propagate());
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
        let roots: Vec<usize> = constraint.vars.iter().map(|var| self.root(*var)).collect();
        if constraint.reported || roots.iter().any(|root| self.vars[*root].broken) {
            return self.spread_damage(constraint, &roots);
        }
        let fits = |entry: &Entry, vars: &[Var]| {
            entry.types.iter().zip(&roots).all(|(ty, root)| vars[*root].set.contains(*ty))
        };
        if !constraint.entries.iter().any(|entry| fits(entry, &self.vars)) {
            diagnostics.push(self.report(constraint, &roots));
            return self.spread_damage(constraint, &roots);
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

    fn describe(&self, root: usize) -> String {
        let var = &self.vars[root];
        match (var.set.single(), var.literal) {
            (Some(ty), None) => format!("`{}`", ty.rust_name()),
            (_, Some(LiteralKind::Integer)) => "an integer".to_owned(),
            (_, Some(LiteralKind::Float)) => "a float".to_owned(),
            (None, None) => "a value of another type".to_owned(),
        }
    }

    fn report(&self, constraint: &Constraint, roots: &[usize]) -> Diagnostic {
        let operand = |place: usize| self.describe(roots[place]);
        let message = match &constraint.about {
            About::Infix(symbol) => {
                format!("`{symbol}` does not take {} and {}", operand(0), operand(1))
            }
            About::Prefix(symbol) => format!("`{symbol}` does not take {}", operand(0)),
            About::Method(name) => self.report_method(constraint, name, roots),
            About::Assoc(name) => {
                let args: Vec<String> = (0..roots.len() - 1).map(operand).collect();
                format!("`{name}` does not take {}", args.join(", "))
            }
            About::Cast => format!("{} cannot be cast to {}", operand(0), operand(1)),
            About::Field(name) => format!("{} has no field `{name}`", operand(0)),
            About::Index => format!("{} cannot be indexed by {}", operand(0), operand(1)),
        };
        let diagnostic = Diagnostic::new(constraint.span, message);
        match &constraint.about {
            About::Infix(_) if self.are_different_scalars(roots) => diagnostic
                .note("the kernel language, like Rust, converts nothing by itself")
                .help("convert one side with `as`, for example `k as f32`"),
            About::Method(_) if self.vars[roots[0]].literal.is_some() => {
                diagnostic.help("give the number a type, for example `2.0_f32`")
            }
            About::Method(_) if self.vars[roots[0]].set.single().is_some_and(|ty| !ty.is_float() && ty.is_scalar()) => {
                diagnostic.help("convert the value first, for example `(k as f32)`")
            }
            About::Index => diagnostic.help("indices are `usize`: convert with `as usize`"),
            _ => diagnostic,
        }
    }

    fn report_method(&self, constraint: &Constraint, name: &str, roots: &[usize]) -> String {
        let receiver_set = self.vars[roots[0]].set;
        let receiver = self.describe(roots[0]);
        let Some(entry) = constraint.entries.iter().find(|entry| receiver_set.contains(entry.types[0])) else {
            return format!("there is no `{name}` for {receiver}");
        };
        let wanted: Vec<String> =
            entry.types[1..entry.types.len() - 1].iter().map(|ty| format!("`{}`", ty.rust_name())).collect();
        let found: Vec<String> = roots[1..roots.len() - 1].iter().map(|root| self.describe(*root)).collect();
        if wanted == found {
            let result = self.describe(roots[roots.len() - 1]);
            return format!("`{name}` of {receiver} does not give {result}");
        }
        format!("`{name}` of {receiver} takes {}, found {}", wanted.join(", "), found.join(", "))
    }

    fn are_different_scalars(&self, roots: &[usize]) -> bool {
        let scalar = |root: usize| self.vars[root].set.single().filter(|ty| ty.is_scalar());
        match (scalar(roots[0]), scalar(roots[1])) {
            (Some(a), Some(b)) => a != b,
            (a, b) => a.or(b).is_some(),
        }
    }
}

/// The entries of every row of `defs` that takes `arity` operands.
pub(super) fn entries_of<'a>(defs: impl Iterator<Item = &'a &'static OpDef>, arity: usize) -> Vec<Entry> {
    let mut entries = Vec::new();
    for def in defs {
        for (row, t) in def.rows().filter(|(row, _)| row.args.len() == arity) {
            let mut types: Vec<Type> = row.args.iter().map(|pat| pat.apply(t)).collect();
            types.push(row.ret.apply(t));
            entries.push(Entry { op: Some(def.op), types });
        }
    }
    entries
}

/// The entries of a cast to `to`: from any scalar, but `bool` only to integers.
pub(super) fn cast_entries(to: Type) -> Vec<Entry> {
    Scalar::ALL
        .into_iter()
        .filter(|from| *from != Scalar::Bool || !to.is_float())
        .map(|from| Entry { op: None, types: vec![Type::Scalar(from), to] })
        .collect()
}

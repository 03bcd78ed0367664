//! What constraints allow: overloads of the table, and candidates like them for what is not an operation.

use crate::ir::{Op, ScalarSet, ShapePattern, Type, TypeFamily, TypeSet};
use crate::ops::{MOST_OPERANDS, Pat, Syntax, TABLE, image, narrow};
use std::collections::HashMap;
use std::sync::LazyLock;

/// How many variables a constraint has at most: operands and the result.
pub(super) const MOST_VARS: usize = MOST_OPERANDS + 1;

/// Combinations of types that a constraint allows: one for each type that `T` may be.
#[derive(Clone, Debug)]
pub(in crate::front) struct Candidate {
    /// The operation that it stands for, if it stands for one.
    pub(super) op: Option<Op>,
    /// What `T` may be.
    t: TypeSet,
    /// The type of each variable of the constraint, in terms of `T`; the rest means nothing.
    pats: [Pat; MOST_VARS],
    count: usize,
}

impl Candidate {
    /// A candidate for the types of the language in `family`, that stands for no operation.
    pub(in crate::front) fn of(family: TypeFamily, pats: &[Pat]) -> Candidate {
        Candidate::new(None, TypeSet::of(family), pats)
    }

    /// The candidate of a cast to `to`: from any scalar, but `bool` only to integers.
    pub(in crate::front) fn cast(to: Type) -> Candidate {
        let scalars = if to.is_float() { ScalarSet::NUMBERS } else { ScalarSet::ALL };
        Candidate::of(TypeFamily { scalars, shape: ShapePattern::Scalar }, &[Pat::T, Pat::Is(to)])
    }

    fn new(op: Option<Op>, t: TypeSet, of: &[Pat]) -> Candidate {
        let mut pats = [Pat::T; MOST_VARS];
        pats[..of.len()].copy_from_slice(of);
        Candidate { op, t, pats, count: of.len() }
    }

    fn pats(&self) -> &[Pat] {
        &self.pats[..self.count]
    }

    /// The candidate for variables whose types are in `sets`; `None` if nothing is left of it.
    pub(super) fn narrowed<'a>(&self, sets: impl Iterator<Item = &'a TypeSet> + Clone) -> Option<Candidate> {
        let t = narrow(&self.t, self.pats().iter().copied().zip(sets));
        (!t.is_empty()).then_some(Candidate { t, ..*self })
    }

    /// The types that the variable at `place` may have.
    pub(super) fn image(&self, place: usize) -> impl Iterator<Item = TypeFamily> {
        image(self.pats[place], &self.t)
    }

    /// The types of the variables for every type that `T` may be.
    pub(super) fn entries(&self) -> impl Iterator<Item = Vec<Type>> {
        self.t.types().map(|t| self.pats().iter().map(|pat| pat.apply(t)).collect())
    }
}

/// The candidates of every overload of the table that is written as `syntax` and takes `arity` operands.
pub(in crate::front) fn of_table(syntax: Syntax, arity: usize) -> &'static [Candidate] {
    static OF_ALL: LazyLock<HashMap<(Syntax, usize), Vec<Candidate>>> = LazyLock::new(|| {
        let mut all: HashMap<(Syntax, usize), Vec<Candidate>> = HashMap::new();
        for def in &TABLE {
            for overload in def.overloads {
                let pats: Vec<Pat> = overload.args.iter().chain([&overload.ret]).copied().collect();
                let row = Candidate::new(Some(def.op), TypeSet::of(overload.class.family()), &pats);
                all.entry((def.rust, overload.args.len())).or_default().push(row);
            }
        }
        all
    });
    OF_ALL.get(&(syntax, arity)).map_or(&[], Vec::as_slice)
}

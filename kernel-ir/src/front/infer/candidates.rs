//! Candidates: the alternatives that a constraint allows. Most are overloads of the table; casts, fields and indexing
//! have candidates of their own.

use crate::ir::{Op, ScalarSet, ShapePattern, Type, TypeFamily, TypeSet};
use crate::ops::{MOST_OPERANDS, Pat, Syntax, TABLE, image, narrow};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The largest number of variables in a constraint: the operands and the result.
pub(super) const MOST_VARS: usize = MOST_OPERANDS + 1;

/// The combinations of types that one alternative allows, one combination for each type that `T` may be.
#[derive(Clone, Debug)]
pub(in crate::front) struct Candidate {
    /// The operation, if the candidate is an overload of the table.
    pub(super) op: Option<Op>,
    /// The types that `T` may still be.
    t: TypeSet,
    /// The type of each variable of the constraint in terms of `T`. Entries from `count` on are unused.
    pats: [Pat; MOST_VARS],
    count: usize,
}

impl Candidate {
    /// A candidate without an operation, where `T` is any type of the language in `family`.
    pub(in crate::front) fn of(family: TypeFamily, pats: &[Pat]) -> Candidate {
        Candidate::new(None, TypeSet::of(family), pats)
    }

    /// The candidate of a field of type `field` in the struct `of`.
    pub(in crate::front) fn field(of: Type, field: Type) -> Candidate {
        Candidate::new(None, TypeSet::only(of), &[Pat::T, Pat::Is(field)])
    }

    /// The candidate of a cast to `to`: from any scalar, except from `bool` to floats, and from floats of 16 bits, which
    /// are structs for rustc.
    pub(in crate::front) fn cast(to: Type) -> Candidate {
        let scalars = ScalarSet::INTEGERS | ScalarSet::FLOATS;
        let scalars = if to.is_float() { scalars } else { scalars | ScalarSet::BOOL };
        Candidate::of(TypeFamily { scalars, shape: ShapePattern::Scalar }, &[Pat::T, Pat::Is(to)])
    }

    /// The candidate of the conversion of a float of 16 bits to the float type `to`.
    pub(in crate::front) fn widening(to: Type) -> Candidate {
        let halves = TypeFamily { scalars: ScalarSet::HALVES, shape: ShapePattern::Scalar };
        Candidate::of(halves, &[Pat::T, Pat::Is(to)])
    }

    fn new(op: Option<Op>, t: TypeSet, of: &[Pat]) -> Candidate {
        let mut pats = [Pat::T; MOST_VARS];
        pats[..of.len()].copy_from_slice(of);
        Candidate { op, t, pats, count: of.len() }
    }

    fn pats(&self) -> &[Pat] {
        &self.pats[..self.count]
    }

    /// The candidate narrowed to variables with types in `sets`; `None` if no combination is left.
    pub(super) fn narrowed<'a>(&self, sets: impl Iterator<Item = &'a TypeSet> + Clone) -> Option<Candidate> {
        let t = narrow(&self.t, self.pats().iter().copied().zip(sets));
        (!t.is_empty()).then_some(Candidate { t, ..*self })
    }

    /// The candidate narrowed to a type in `set` at `place`; `None` if no combination is left.
    pub(super) fn narrowed_at(&self, place: usize, set: &TypeSet) -> Option<Candidate> {
        let t = narrow(&self.t, std::iter::once((*self.pats().get(place)?, set)));
        (!t.is_empty()).then_some(Candidate { t, ..*self })
    }

    /// The types that the variable at `place` may have.
    pub(super) fn image(&self, place: usize) -> impl Iterator<Item = TypeFamily> {
        image(self.pats[place], &self.t)
    }

    /// The types of all variables, for every type that `T` may be.
    pub(super) fn entries(&self) -> impl Iterator<Item = Vec<Type>> {
        self.t.types().map(|t| self.pats().iter().map(|pat| pat.apply(t)).collect())
    }
}

/// The candidates for the overloads in the table that are written as `syntax` and take `arity` operands.
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

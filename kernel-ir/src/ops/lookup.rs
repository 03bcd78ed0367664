//! Lookups in the table: by operation, by name, and by operand types.

use super::def::{Accuracy, OpDef, Overload, Syntax};
use super::pattern::{Pat, image, narrow};
use super::table::TABLE;
use crate::ir::{Expr, Op, Type, TypeSet};
use std::sync::LazyLock;

impl Op {
    /// The entry of the operation.
    pub fn def(self) -> &'static OpDef {
        &TABLE[self as usize]
    }

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        self.def().name
    }

    /// For a strong operation, the plain operation that agrees with it except where an adjoint of zero meets an
    /// infinite or NaN derivative; `None` for any other operation.
    pub fn plain(self) -> Option<Op> {
        const PLAIN: [(Op, Op); 4] = [
            (Op::StrongMul, Op::Mul),
            (Op::StrongDiv, Op::Div),
            (Op::StrongDot, Op::Dot),
            (Op::StrongCross, Op::Cross),
        ];
        PLAIN.iter().find(|(strong, _)| *strong == self).map(|(_, plain)| *plain)
    }

    /// Whether the operation is a strong product or quotient, which adjoints use and authors rarely do.
    pub fn is_of_adjoints(self) -> bool {
        self.plain().is_some()
    }

    /// Whether the operation is a function of its operands that kernels made at random may use: no part of an adjoint,
    /// no check, and no random number, which a statement draws.
    pub fn is_ordinary(self) -> bool {
        !self.is_of_adjoints() && !self.is_random() && self != Op::Below
    }

    /// Whether the operation draws a random number from a state, its first operand.
    pub fn is_draw(self) -> bool {
        matches!(self.def().rust, Syntax::Draw(_))
    }

    /// Whether the operation makes a state of a random generator, or draws from one.
    pub fn is_random(self) -> bool {
        self.is_draw() || matches!(self, Op::RandInit | Op::RandSeed)
    }

    /// The state after the draw `self` from `state`.
    pub fn advanced(self, state: Expr) -> Expr {
        let steps = if self == Op::Randn { 2 } else { 1 };
        (0..steps).fold(state, |state, _| Expr::op(Op::Randu, [state]))
    }

    /// The operation with this [`name`](Op::name).
    pub fn from_name(name: &str) -> Option<Op> {
        TABLE.iter().find(|def| def.name == name).map(|def| def.op)
    }

    /// The overload with operands of the types `args` and the result type `ret`, with its `T`; `None` if there is none.
    /// No two overloads of an operation overlap. An operation on tiles has the row of its elements.
    pub fn row(self, args: &[Type], ret: Type) -> Option<(&'static Overload, Type)> {
        self.overload(args.iter().copied(), ret)
    }

    /// The [`row`](Op::row) for these operands.
    pub fn row_of(self, args: &[Expr], ret: Type) -> Option<(&'static Overload, Type)> {
        self.overload(args.iter().map(|arg| arg.ty), ret)
    }

    fn overload(
        self,
        args: impl ExactSizeIterator<Item = Type> + Clone,
        ret: Type,
    ) -> Option<(&'static Overload, Type)> {
        let (args, ret) = (args.map(Type::element), ret.element());
        self.def().overloads.iter().find_map(|overload| Some((overload, overload.t(args.clone(), ret)?)))
    }

    /// The possible result types for operands of the types `args`.
    pub(crate) fn results(self, args: &[Type]) -> Vec<Type> {
        let sets: Vec<TypeSet> = args.iter().map(|ty| TypeSet::only(ty.element())).collect();
        let overloads = self.def().overloads.iter().filter(|overload| overload.args.len() == args.len());
        let results = overloads.map(|overload| {
            let t = narrow(&TypeSet::of(overload.class.family()), overload.args.iter().copied().zip(&sets));
            image(overload.ret, &t).collect::<TypeSet>()
        });
        let results = results.flat_map(|set| set.types().collect::<Vec<Type>>());
        results.map(|ty| ty.over(args.iter().copied())).collect()
    }

    /// The accuracy of the operation on scalars. Operations on other types are exact.
    pub fn accuracy(self) -> Accuracy {
        // Cached, because the interpreter asks for every operation that it executes.
        static OF_ALL: LazyLock<Vec<Accuracy>> = LazyLock::new(|| {
            let of = |def: &OpDef| def.overloads.iter().map(|row| row.accuracy).find(|found| *found != Accuracy::Exact);
            TABLE.iter().map(|def| of(def).unwrap_or(Accuracy::Exact)).collect()
        });
        OF_ALL[self as usize]
    }

    /// Whether the second operand is evaluated only if the first one does not decide the result.
    pub fn is_lazy(self) -> bool {
        matches!(self, Op::And | Op::Or)
    }
}

impl Overload {
    /// The `T` for operands of the types `args` and the result type `ret`; `None` if the overload does not fit.
    fn t(&self, mut args: impl ExactSizeIterator<Item = Type> + Clone, ret: Type) -> Option<Type> {
        if args.len() != self.args.len() {
            return None;
        }
        // `T` itself, if an operand has it; else `T` is the result type. Each overload has one of the two.
        let told = self.args.iter().zip(args.clone()).find(|(pat, _)| **pat == Pat::T).map_or(ret, |(_, ty)| ty);
        let fits = self.class.contains(told)
            && self.ret.apply(told) == ret
            && self.args.iter().all(|pat| args.next() == Some(pat.apply(told)));
        fits.then_some(told)
    }
}

impl OpDef {
    /// Every overload with every type that its `T` may be, as far as all types in it are [usual](Type::all).
    pub fn rows(&'static self) -> impl Iterator<Item = (&'static Overload, Type)> {
        let all = self.overloads.iter().flat_map(|row| Type::all().map(move |t| (row, t)));
        all.filter(|(row, t)| {
            row.class.contains(*t) && row.args.iter().chain([&row.ret]).all(|pat| pat.apply(*t).is_usual())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{Class, MOST_OPERANDS};
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_entries_in_order() {
        let mut names = HashSet::new();
        for (place, def) in TABLE.iter().enumerate() {
            assert_eq!(def.op as usize, place);
            assert!(names.insert(def.name), "{} stands twice in the table", def.name);
        }
    }

    #[test]
    fn every_row_is_found_by_its_types() {
        for def in &TABLE {
            for (row, t) in def.rows() {
                let args: Vec<Type> = row.args.iter().map(|pat| pat.apply(t)).collect();
                let (found, of) = def.op.row(&args, row.ret.apply(t)).expect("the row is there");
                assert!(std::ptr::eq(found, row) && of == t, "{} of {t}", def.name);
                assert!(args.len() <= MOST_OPERANDS && row.args.iter().chain([&row.ret]).any(|pat| *pat == Pat::T));
            }
        }
    }

    #[test]
    fn what_is_not_exact_is_a_row_of_scalars() {
        let is_scalar = |row: &Overload| matches!(row.class, Class::Float | Class::State);
        for def in &TABLE {
            let inexact: Vec<_> = def.overloads.iter().filter(|row| row.accuracy != Accuracy::Exact).collect();
            assert!(inexact.len() <= 1 && inexact.iter().all(|row| is_scalar(row)), "{}", def.name);
        }
    }

    #[test]
    fn every_operand_list_has_one_meaning() {
        for def in &TABLE {
            let mut seen = HashSet::new();
            for (row, t) in def.rows() {
                let args: Vec<Type> = row.args.iter().map(|pat| pat.apply(t)).collect();
                let key = (args, row.ret.apply(t));
                assert!(seen.insert(key.clone()), "{}: two rows for {key:?}", def.name);
            }
        }
    }
}

//! Which threads access which elements of an array, and in which order: proofs over indices that are polynomials.
//!
//! Two accesses meet if their indices are equal along every axis. To prove that two threads never meet, the equations of
//! the indices are put together with what is known at both accesses (bounds of loops, conditions of branches, limits of
//! thread indices) and with the statement that the two threads differ. If that [has no solution](system), the threads do
//! not meet. Products such as `i * n + k` are variables of their own; inequalities that are multiplied by the sizes in
//! them connect them to their factors.
//!
//! An index that comes through an array is a symbol, of which nothing is known but what the domain of the array says:
//! elements of a `permutation` differ, and `offsets` ascend. A proof that needs this rests on a [`Promise`] of the author,
//! which a launch checks.
//!
//! The same method says whether a thread may come back to an element: one of the two accesses is then in an earlier trip
//! of a loop around both, or earlier in the same trip.

mod polynomial;
mod system;
mod trace;

use super::accesses::AccessKind;
use crate::ir::{Kernel, ParamId, Relation, Span, Structure};
use polynomial::{Monomial, Polynomial, Symbol};
use std::collections::{BTreeMap, BTreeSet};
use system::{Fact, is_impossible};
use trace::{Footprint, Trace};

/// The accesses of a kernel to the arrays that it writes.
#[derive(Debug)]
pub(crate) struct Footprints {
    trace: Trace,
    /// The arrays whose elements differ, or ascend, according to their domains.
    promises: BTreeMap<ParamId, Structure>,
}

/// What the domain of an array says about its elements, where a proof rests on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Promise {
    /// The array.
    pub array: ParamId,
    /// How its elements relate.
    pub structure: Structure,
}

/// When an element that a load reads has the value that the load gives: before the launch, after it, or only in
/// between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    Before,
    After,
    /// A write before the load and a write behind it may both reach the element: the places of the two.
    Between(Span, Span),
}

/// Two accesses by which different threads may reach one element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// The places of the accesses; that of a read comes first.
    pub(crate) places: [Span; 2],
    /// Whether one of them is a read.
    pub(crate) is_read: bool,
}

/// The largest number of products by which inequalities are multiplied.
const MOST_SCALES: usize = 6;
/// How often promises are applied: an index may come through an array of indices into another one.
const MOST_ROUNDS: usize = 3;
/// The largest number of pairs of accesses that are compared. Beyond it nothing is proven.
const MOST_PAIRS: usize = 4096;

impl Footprints {
    /// Walks `kernel`, in which calls that a derivative goes through are inlined.
    pub(crate) fn of(kernel: &Kernel) -> Footprints {
        Footprints { trace: Trace::of(kernel), promises: BTreeMap::new() }
    }

    /// The same, where what the domains of arrays say is taken to be true.
    pub(crate) fn promised(kernel: &Kernel) -> Footprints {
        let promised = kernel.param_ids().filter_map(|(id, param)| {
            let structure = param.domain.as_ref()?.structure?;
            let says = structure.relation().is_some() && param.rank() == 1;
            says.then_some((id, structure))
        });
        Footprints { promises: promised.collect(), ..Footprints::of(kernel) }
    }

    /// Whether a domain says something about elements.
    pub(crate) fn has_promises(&self) -> bool {
        !self.promises.is_empty()
    }

    /// The promises about the indices of `array`.
    pub(crate) fn promises(&self, array: ParamId) -> impl Iterator<Item = Promise> {
        let promise = |array| Some(Promise { array, structure: *self.promises.get(&array)? });
        self.index_arrays(array).into_iter().filter_map(promise)
    }

    /// The arrays with one axis through which the indices of `array`, and the conditions around its accesses, come.
    pub(crate) fn index_arrays(&self, array: ParamId) -> BTreeSet<ParamId> {
        let indices = self.accesses(array).iter().flat_map(|access| {
            let path = access.path.iter().map(Fact::polynomial);
            access.index.iter().flatten().chain(path)
        });
        let symbols = self.trace.symbols_of(indices);
        symbols.iter().filter_map(|symbol| self.trace.elements.get(symbol).map(|(array, _)| *array)).collect()
    }

    fn accesses(&self, array: ParamId) -> &[Footprint] {
        self.trace.accesses.get(&array).map_or(&[], Vec::as_slice)
    }

    /// Two accesses by which different threads may meet at an element of `array`, one of them a write; `None` if there
    /// are none.
    pub(crate) fn meeting(&self, array: ParamId) -> Option<Meeting> {
        let by_read = self.first_pair(array, &|one, other| one.is_write() != other.is_write());
        let by_writes = || self.first_pair(array, &|one, other| one.is_write() && other.is_write());
        let [one, other] = by_read.or_else(by_writes)?;
        let [one, other] = if one.is_write() { [other, one] } else { [one, other] };
        Some(Meeting { places: [one.span, other.span], is_read: !one.is_write() })
    }

    /// Whether different threads may read the same element of `array`.
    pub(crate) fn loads_meet(&self, array: ParamId) -> bool {
        self.first_pair(array, &|one, other| !one.is_write() && !other.is_write()).is_some()
    }

    /// The first two accesses of the kind that matters by which threads may meet.
    fn first_pair(&self, array: ParamId, matters: &dyn Fn(&Footprint, &Footprint) -> bool) -> Option<[&Footprint; 2]> {
        let all = self.distinct(array);
        let pairs =
            all.iter().enumerate().flat_map(|(place, one)| all[place..].iter().map(move |other| [*one, *other]));
        let mut pairs = pairs.filter(|[one, other]| matters(one, other));
        // Without a proof, threads may meet anywhere.
        let may_meet = |[one, other]: &[&Footprint; 2]| all.len().pow(2) > 2 * MOST_PAIRS || self.may_meet(one, other);
        pairs.find(may_meet)
    }

    /// The accesses to `array`, without those that another one equals in all that matters between threads.
    fn distinct(&self, array: ParamId) -> Vec<&Footprint> {
        let mut distinct: Vec<&Footprint> = Vec::new();
        for access in self.accesses(array) {
            let is_same = |known: &&Footprint| {
                known.index == access.index && known.path == access.path && known.is_write() == access.is_write()
            };
            if !distinct.iter().any(is_same) {
                distinct.push(access);
            }
        }
        distinct
    }

    /// Whether two threads may access one element, by these two accesses.
    fn may_meet(&self, one: &Footprint, other: &Footprint) -> bool {
        let Some(pair) = Pair::of(self, one, other, &|known| known.is_shared) else { return true };
        self.trace.tids.iter().any(|tid| {
            let [low, high] = [*tid, pair.renamed(*tid)];
            pair.may_meet_if(less(low, high)) || pair.may_meet_if(less(high, low))
        })
    }

    /// Whether a thread may access an element by `first`, and later by `then`.
    fn may_return(&self, first: &Footprint, then: &Footprint) -> bool {
        if let (Some(one), Some(other)) = (first.part, then.part)
            && one != other
        {
            return false;
        }
        let common = first.loops.iter().zip(&then.loops).take_while(|(a, b)| a.0 == b.0).count();
        // Outside of the loop whose trips differ, both accesses see the same values.
        let meets = |loops: usize, earlier: Option<Symbol>| {
            let is_same = |known: &trace::Known| known.is_shared || known.depth <= loops;
            let Some(pair) = Pair::of(self, then, first, &is_same) else { return true };
            match earlier {
                Some(trip) => pair.may_meet_if(less(pair.renamed(trip), trip)),
                None => pair.may_meet_if(Vec::new()),
            }
        };
        (0..common).any(|around| meets(around, Some(then.loops[around].1)))
            || (first.place < then.place && meets(common, None))
    }

    /// When each load of `array` has its value, by the number of the load among all loads of the kernel. The threads of
    /// a launch do not meet at an element that one of them writes. An element that is not written at all has its value
    /// at both moments; the array before the launch is named only if another load needs it.
    ///
    /// # Errors
    /// The place of a call that takes the array.
    pub(crate) fn moments(&self, array: ParamId) -> Result<BTreeMap<u32, Moment>, Span> {
        let all = self.accesses(array);
        let writes: Vec<&Footprint> = all.iter().filter(|access| access.is_write()).collect();
        let (mut moments, mut unwritten) = (BTreeMap::new(), Vec::new());
        for read in all.iter().filter(|access| !access.is_write()) {
            let load = read.load.ok_or(read.span)?;
            let later = writes.iter().find(|write| self.may_return(read, write));
            let earlier = writes.iter().find(|write| self.may_return(write, read));
            let moment = match (earlier, later) {
                (Some(earlier), Some(later)) => Moment::Between(earlier.span, later.span),
                (Some(_), None) => Moment::After,
                (None, Some(_)) => Moment::Before,
                (None, None) => {
                    unwritten.push(load);
                    continue;
                }
            };
            moments.insert(load, moment);
        }
        let has_before = moments.values().any(|moment| *moment == Moment::Before);
        let moment = if has_before { Moment::Before } else { Moment::After };
        moments.extend(unwritten.into_iter().map(|load| (load, moment)));
        Ok(moments)
    }
}

impl Footprint {
    fn is_write(&self) -> bool {
        self.kind != AccessKind::Read
    }
}

/// The statement that one symbol is less than another one.
fn less(low: Symbol, high: Symbol) -> Vec<Fact> {
    let [low, high] = [low, high].map(Polynomial::symbol);
    high.minus(&low).and_then(|difference| difference.plus_number(-1)).map(Fact::NotNegative).into_iter().collect()
}

/// Two accesses to the same element, as a system of facts.
struct Pair<'a> {
    trace: &'a Trace,
    /// The elements of promised arrays at both accesses: what the promise says, the element, and its index.
    elements: Vec<(Promise, Polynomial, Polynomial)>,
    /// Whether a symbol has the same value at both accesses.
    is_same: &'a dyn Fn(&trace::Known) -> bool,
    facts: Vec<Fact>,
    /// The equations of the indices.
    equations: Vec<Polynomial>,
}

impl<'a> Pair<'a> {
    /// The facts that hold if both accesses are to one element; `None` if an index is not known.
    fn of(
        footprints: &'a Footprints,
        one: &Footprint,
        other: &Footprint,
        is_same: &'a dyn Fn(&trace::Known) -> bool,
    ) -> Option<Pair<'a>> {
        let Footprints { trace, promises } = footprints;
        let mut pair = Pair { trace, elements: Vec::new(), is_same, facts: Vec::new(), equations: Vec::new() };
        for (a, b) in one.index.as_ref()?.iter().zip(other.index.as_ref()?) {
            pair.equations.push(a.minus(&b.renamed(&|symbol| pair.renamed(symbol)))?);
        }
        for (access, is_renamed) in [(one, false), (other, true)] {
            let tids: Vec<Polynomial> = trace.tids.iter().map(|tid| Polynomial::symbol(*tid)).collect();
            let trips: Vec<Polynomial> = access.loops.iter().map(|(_, trip)| Polynomial::symbol(*trip)).collect();
            let path = access.path.iter().map(Fact::polynomial);
            let symbols = trace.symbols_of(path.chain(access.index.iter().flatten()).chain(&tids).chain(&trips));
            let name = |of: &Polynomial| match is_renamed {
                true => of.renamed(&|symbol| pair.renamed(symbol)),
                false => of.clone(),
            };
            let facts = trace.facts_of(&symbols).chain(&access.path);
            let facts: Vec<Fact> = facts.map(|fact| fact.about(name(fact.polynomial()))).collect();
            let elements = symbols.iter().filter_map(|symbol| {
                let (array, index) = trace.elements.get(symbol)?;
                let promise = Promise { array: *array, structure: *promises.get(array)? };
                Some((promise, name(&Polynomial::symbol(*symbol)), name(index)))
            });
            let elements: Vec<_> = elements.collect();
            pair.facts.extend(facts);
            pair.elements.extend(elements);
        }
        pair.elements.dedup();
        pair.facts.extend(pair.equations.iter().cloned().map(Fact::Zero));
        pair.facts.sort();
        pair.facts.dedup();
        Some(pair)
    }

    /// The symbol at the second access.
    fn renamed(&self, symbol: Symbol) -> Symbol {
        let count = self.trace.symbols.len() as u32;
        if (self.is_same)(&self.trace.symbols[symbol.0 as usize]) { symbol } else { Symbol(symbol.0 + count) }
    }

    /// The symbol of the trace.
    fn origin(&self, symbol: Symbol) -> Symbol {
        Symbol(symbol.0 % self.trace.symbols.len() as u32)
    }

    /// Whether both accesses may be to one element where the facts hold, too.
    fn may_meet_if(&self, facts: Vec<Fact>) -> bool {
        let mut facts = [self.facts.clone(), facts].concat();
        let scales = self.scales();
        if self.is_contradiction(&facts, &scales) {
            return false;
        }
        for _ in 0..MOST_ROUNDS {
            let kept = self.kept_promises(&facts, &scales);
            if kept.is_empty() {
                break;
            }
            facts.extend(kept);
            if self.is_contradiction(&facts, &scales) {
                return false;
            }
        }
        // The number of a row or block may be smaller, equal or larger at the other access.
        let mut cases = vec![facts];
        for symbol in self.scaled() {
            let [one, other] = [symbol, self.renamed(symbol)];
            let equal = Polynomial::symbol(one).minus(&Polynomial::symbol(other)).map(Fact::Zero);
            let orders = [less(one, other), less(other, one), equal.into_iter().collect()];
            let with = |facts: &Vec<Fact>| orders.iter().map(|order| [facts.clone(), order.clone()].concat()).collect();
            cases = cases.iter().flat_map(|facts| -> Vec<Vec<Fact>> { with(facts) }).collect();
        }
        cases.len() == 1 || !cases.iter().all(|facts| self.is_contradiction(facts, &scales))
    }

    /// What follows from the promises, where the facts hold, and is not among them.
    fn kept_promises(&self, facts: &[Fact], scales: &BTreeSet<Monomial>) -> Vec<Fact> {
        // Whether the first is surely at most the second.
        let at_most = |low: &Polynomial, high: &Polynomial| {
            let above = low.minus(high).and_then(|difference| difference.plus_number(-1)).map(Fact::NotNegative);
            above.is_some_and(|above| self.is_contradiction(&[facts, &[above]].concat(), scales))
        };
        let mut kept = Vec::new();
        for (place, (promise, one, at)) in self.elements.iter().enumerate() {
            for (other_promise, other, other_at) in &self.elements[place + 1..] {
                if promise.array != other_promise.array || at == other_at {
                    continue;
                }
                let found = match promise.structure.relation() {
                    Some(Relation::Differ) if at_most(one, other) && at_most(other, one) => {
                        at.minus(other_at).map(Fact::Zero)
                    }
                    Some(Relation::Ascend) if at_most(at, other_at) => other.minus(one).map(Fact::NotNegative),
                    Some(Relation::Ascend) if at_most(other_at, at) => one.minus(other).map(Fact::NotNegative),
                    Some(Relation::Differ | Relation::Ascend) | None => None,
                };
                kept.extend(found.into_iter().filter(|fact| !facts.contains(fact)));
            }
        }
        kept
    }

    /// The products of shared symbols by which thread indices and trips are multiplied: sizes, and strides.
    fn scales(&self) -> BTreeSet<Monomial> {
        let is_shared = |symbol: &Symbol| self.trace.symbols[self.origin(*symbol).0 as usize].is_shared;
        let polynomials = self.facts.iter().map(Fact::polynomial);
        let mixed = polynomials.flat_map(Polynomial::terms).filter(|(monomial, _)| monomial.len() > 1);
        let scales = mixed.map(|(monomial, _)| monomial.iter().copied().filter(is_shared).collect::<Monomial>());
        let scales: BTreeSet<Monomial> = scales.filter(|scale| !scale.is_empty()).collect();
        scales.into_iter().take(MOST_SCALES).collect()
    }

    /// The symbols, at most two, that are multiplied by scales and differ between the accesses.
    fn scaled(&self) -> Vec<Symbol> {
        let mut found = Vec::new();
        let mixed = self.equations.iter().flat_map(Polynomial::terms).filter(|(monomial, _)| monomial.len() > 1);
        for symbol in mixed.flat_map(|(monomial, _)| monomial.iter().map(|symbol| self.origin(*symbol))) {
            if self.renamed(symbol) != symbol && !found.contains(&symbol) && found.len() < 2 {
                found.push(symbol);
            }
        }
        found
    }

    /// Whether the facts contradict each other.
    fn is_contradiction(&self, facts: &[Fact], scales: &BTreeSet<Monomial>) -> bool {
        if is_impossible(facts.iter()) {
            return true;
        }
        let known: BTreeSet<&Monomial> =
            facts.iter().flat_map(|fact| fact.polynomial().terms().map(|(monomial, _)| monomial)).collect();
        let is_shared = |symbol: &Symbol| self.trace.symbols[self.origin(*symbol).0 as usize].is_shared;
        let mut products = Vec::new();
        let is_positive = |symbol: &Symbol| {
            let negative = Polynomial::number(-1).minus(&Polynomial::symbol(*symbol)).map(Fact::NotNegative);
            is_impossible(facts.iter().chain(&negative))
        };
        for scale in scales {
            let product = |product: Polynomial, symbol: &Symbol| product.times(&Polynomial::symbol(*symbol));
            let Some(factor) = scale.iter().try_fold(Polynomial::number(1), product) else { continue };
            // An inequality keeps its direction under a factor that is not negative.
            let is_positive = scale.iter().all(is_positive);
            if is_positive {
                products.push(Fact::NotNegative(factor.clone()));
            }
            for fact in facts.iter().filter(|fact| is_positive || matches!(fact, Fact::Zero(_))) {
                let Some(product) = fact.polynomial().times(&factor) else { continue };
                // Products that nothing else mentions do not help.
                if product.terms().all(|(term, _)| known.contains(term) || term.iter().all(is_shared)) {
                    products.push(fact.about(product));
                }
            }
        }
        !products.is_empty() && is_impossible(facts.iter().chain(&products))
    }
}

#[cfg(test)]
mod tests;

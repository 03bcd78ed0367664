//! Polynomials with integer coefficients over symbols, as exact values of index expressions.

use std::collections::BTreeMap;

/// An integer that is not known before the launch, by its number in a table of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Symbol(pub(super) u32);

/// A product of symbols, in the order of their numbers. The empty product is 1.
pub(super) type Monomial = Vec<Symbol>;

/// The largest number of terms of a product, and of symbols in a term. Squares of squares would soon have more terms than
/// there is time for, and no proof needs them.
const MOST_TERMS: usize = 64;
const MOST_SYMBOLS: usize = 8;

/// A sum of monomials with coefficients other than 0. Equal polynomials compare equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Polynomial(BTreeMap<Monomial, i128>);

impl Polynomial {
    pub(super) fn number(value: i128) -> Polynomial {
        Polynomial::term(Vec::new(), value)
    }

    pub(super) fn symbol(symbol: Symbol) -> Polynomial {
        Polynomial::term(vec![symbol], 1)
    }

    fn term(monomial: Monomial, factor: i128) -> Polynomial {
        Polynomial([(monomial, factor)].into_iter().filter(|(_, factor)| *factor != 0).collect())
    }

    /// The terms: monomials with their coefficients.
    pub(super) fn terms(&self) -> impl Iterator<Item = (&Monomial, i128)> {
        self.0.iter().map(|(monomial, factor)| (monomial, *factor))
    }

    /// The symbols of all terms, with repetitions.
    pub(super) fn symbols(&self) -> impl Iterator<Item = Symbol> {
        self.0.keys().flatten().copied()
    }

    /// The value, if it is a constant.
    pub(super) fn as_number(&self) -> Option<i128> {
        match self.0.iter().next() {
            None => Some(0),
            Some((monomial, value)) => (self.0.len() == 1 && monomial.is_empty()).then_some(*value),
        }
    }

    /// The sum; `None` if a coefficient overflows.
    pub(super) fn plus(&self, other: &Polynomial) -> Option<Polynomial> {
        self.plus_times(other, 1)
    }

    /// The difference; `None` if a coefficient overflows.
    pub(super) fn minus(&self, other: &Polynomial) -> Option<Polynomial> {
        self.plus_times(other, -1)
    }

    /// `self + by`; `None` if a coefficient overflows.
    pub(super) fn plus_number(&self, by: i128) -> Option<Polynomial> {
        self.plus(&Polynomial::number(by))
    }

    fn plus_times(&self, other: &Polynomial, by: i128) -> Option<Polynomial> {
        let mut sum = self.clone();
        for (monomial, factor) in &other.0 {
            let own = sum.0.entry(monomial.clone()).or_insert(0);
            *own = own.checked_add(factor.checked_mul(by)?)?;
        }
        sum.0.retain(|_, factor| *factor != 0);
        Some(sum)
    }

    /// The product; `None` if a coefficient overflows, or if it is too long.
    pub(super) fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let degree = |of: &Polynomial| of.0.keys().map(Vec::len).max().unwrap_or(0);
        if self.0.len() * other.0.len() > MOST_TERMS || degree(self) + degree(other) > MOST_SYMBOLS {
            return None;
        }
        let mut product = Polynomial::default();
        for (of, by) in &other.0 {
            for (monomial, factor) in &self.0 {
                let mut monomial: Monomial = monomial.iter().chain(of).copied().collect();
                monomial.sort_unstable();
                product = product.plus(&Polynomial::term(monomial, factor.checked_mul(*by)?))?;
            }
        }
        Some(product)
    }

    /// The same polynomial over other symbols.
    pub(super) fn renamed(&self, name: &impl Fn(Symbol) -> Symbol) -> Polynomial {
        let mut renamed = Polynomial::default();
        for (monomial, factor) in &self.0 {
            let mut monomial: Monomial = monomial.iter().map(|symbol| name(*symbol)).collect();
            monomial.sort_unstable();
            *renamed.0.entry(monomial).or_insert(0) += factor;
        }
        renamed.0.retain(|_, factor| *factor != 0);
        renamed
    }
}

//! Decides that linear equations and inequalities have no solution in integers.
//!
//! The method is that of Fourier and Motzkin: a variable is eliminated by adding each lower bound of it to each upper
//! bound. It is exact for rational numbers; two steps make use of integers. An equation in which the greatest common
//! divisor of the coefficients does not divide the constant has no solution, and the constant of an inequality is
//! rounded after division by that divisor (W. Pugh, "The Omega test", 1991, has both). The answer "no solution" is a
//! proof; any other answer says nothing.

use super::polynomial::{Monomial, Polynomial};
use std::collections::BTreeMap;

/// A statement about integers: a polynomial is zero, or it is not negative. Each product of symbols counts as a
/// variable of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fact {
    Zero(Polynomial),
    NotNegative(Polynomial),
}

impl Fact {
    pub(super) fn polynomial(&self) -> &Polynomial {
        match self {
            Fact::Zero(of) | Fact::NotNegative(of) => of,
        }
    }

    /// The same statement about another polynomial.
    pub(super) fn about(&self, other: Polynomial) -> Fact {
        match self {
            Fact::Zero(_) => Fact::Zero(other),
            Fact::NotNegative(_) => Fact::NotNegative(other),
        }
    }
}

/// The largest number of inequalities. Beyond it nothing is proven.
const MOST_ROWS: usize = 600;
/// The largest number of variables. Beyond it nothing is proven.
const MOST_VARIABLES: usize = 64;

/// Coefficients of the variables, then the constant.
type Row = Vec<i128>;

/// The result of a step.
enum Step {
    /// There is no solution.
    Contradiction,
    Done,
    /// A limit is exceeded, or a number overflows.
    GivenUp,
}

/// Whether no integers satisfy all facts. `false` also where this is not found out.
pub(super) fn is_impossible<'a>(facts: impl Iterator<Item = &'a Fact>) -> bool {
    let mut variables: BTreeMap<&Monomial, usize> = BTreeMap::new();
    let facts: Vec<&Fact> = facts.collect();
    for (monomial, _) in facts.iter().flat_map(|fact| fact.polynomial().terms()) {
        let next = variables.len();
        if !monomial.is_empty() {
            variables.entry(monomial).or_insert(next);
        }
    }
    let count = variables.len();
    if count > MOST_VARIABLES {
        return false;
    }
    let (mut equations, mut inequalities) = (Vec::new(), Vec::new());
    for fact in facts {
        let mut row = vec![0; count + 1];
        for (monomial, factor) in fact.polynomial().terms() {
            row[variables.get(monomial).copied().unwrap_or(count)] = factor;
        }
        match fact {
            Fact::Zero(_) => equations.push(row),
            Fact::NotNegative(_) => inequalities.push(row),
        }
    }
    match substitute(equations, &mut inequalities) {
        Step::Contradiction => return true,
        Step::GivenUp => return false,
        Step::Done => {}
    }
    matches!(eliminate(inequalities, count), Step::Contradiction)
}

/// Solves each equation for a variable, and substitutes it in the others and in the inequalities.
fn substitute(mut equations: Vec<Row>, inequalities: &mut [Row]) -> Step {
    loop {
        for row in &mut equations {
            let divisor = divisor(row);
            let (constant, factors) = split(row);
            if divisor == 0 {
                if *constant != 0 {
                    return Step::Contradiction;
                }
            } else if *constant % divisor != 0 {
                return Step::Contradiction;
            } else {
                *constant /= divisor;
                factors.iter_mut().for_each(|factor| *factor /= divisor);
            }
        }
        equations.retain(|row| divisor(row) != 0);
        // A variable with the coefficient 1 keeps integers integers, so such equations come first.
        let smallest = |row: &Row| {
            let factors = row[..row.len() - 1].iter().enumerate().filter(|(_, factor)| **factor != 0);
            factors.map(|(column, factor)| (factor.unsigned_abs(), column)).min()
        };
        let pivots = equations.iter().enumerate().filter_map(|(place, row)| Some((smallest(row)?, place)));
        let Some(((_, column), place)) = pivots.min() else { return Step::Done };
        let equation = equations.swap_remove(place);
        for row in equations.iter_mut().chain(inequalities.iter_mut()) {
            let Some(other) = without(row, &equation, column) else { return Step::GivenUp };
            *row = other;
        }
    }
}

/// `row` with the variable replaced by its value in `equation`, times a positive number.
fn without(row: &Row, equation: &Row, column: usize) -> Option<Row> {
    let pivot = equation[column];
    let by = row[column].checked_mul(pivot.signum())?;
    let scale = pivot.checked_abs()?;
    let all = row.iter().zip(equation);
    all.map(|(own, other)| own.checked_mul(scale)?.checked_sub(other.checked_mul(by)?)).collect()
}

/// Eliminates the variables of `rows`, all of which are at least 0.
fn eliminate(mut rows: Vec<Row>, variables: usize) -> Step {
    let mut left: Vec<usize> = (0..variables).collect();
    loop {
        let mut kept: BTreeMap<Row, i128> = BTreeMap::new();
        for mut row in rows {
            let divisor = divisor(&row);
            let (constant, factors) = split(&mut row);
            if divisor == 0 {
                if *constant < 0 {
                    return Step::Contradiction;
                }
                continue;
            }
            factors.iter_mut().for_each(|factor| *factor /= divisor);
            let constant = constant.div_euclid(divisor);
            row.pop();
            // Of two inequalities with the same coefficients, one implies the other.
            kept.entry(row).and_modify(|known| *known = constant.min(*known)).or_insert(constant);
        }
        rows = kept.into_iter().map(|(row, constant)| [row, vec![constant]].concat()).collect();
        let count = |column: usize| {
            let signs = rows.iter().map(|row| row[column].signum());
            signs.fold([0, 0], |[below, above], sign| [below + usize::from(sign > 0), above + usize::from(sign < 0)])
        };
        // The variable that adds the fewest inequalities comes first.
        let growth = |column: usize| {
            let [below, above] = count(column);
            (below * above) as i64 - (below + above) as i64
        };
        left.retain(|column| count(*column) != [0, 0]);
        let Some(column) = left.iter().copied().min_by_key(|column| growth(*column)) else { return Step::Done };
        let [below, above] = count(column);
        if below * above + rows.len() > MOST_ROWS {
            return Step::GivenUp;
        }
        let (lower, others): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| row[column] > 0);
        let (upper, mut others): (Vec<Row>, Vec<Row>) = others.into_iter().partition(|row| row[column] < 0);
        for lower in &lower {
            for upper in &upper {
                let (by, scale) = (lower[column], -upper[column]);
                let sum = lower.iter().zip(upper).map(|(a, b)| a.checked_mul(scale)?.checked_add(b.checked_mul(by)?));
                let Some(sum) = sum.collect() else { return Step::GivenUp };
                others.push(sum);
            }
        }
        rows = others;
    }
}

/// The constant and the coefficients of a row.
fn split(row: &mut Row) -> (&mut i128, &mut [i128]) {
    let (constant, factors) = row.split_last_mut().expect("a row has a constant");
    (constant, factors)
}

/// The greatest common divisor of the coefficients; 0 if there are none.
fn divisor(row: &Row) -> i128 {
    row[..row.len() - 1].iter().fold(0, |a, b| gcd(a, b.saturating_abs()))
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::super::polynomial::Symbol;
    use super::*;

    /// Σ factor·symbol + constant.
    fn sum(factors: &[(u32, i128)], constant: i128) -> Polynomial {
        let terms = factors
            .iter()
            .map(|(symbol, factor)| Polynomial::symbol(Symbol(*symbol)).times(&Polynomial::number(*factor)).unwrap());
        terms.fold(Polynomial::number(constant), |sum, term| sum.plus(&term).unwrap())
    }

    fn check(zero: &[Polynomial], not_negative: &[Polynomial], expected: bool) {
        let zero = zero.iter().cloned().map(Fact::Zero);
        let facts: Vec<Fact> = zero.chain(not_negative.iter().cloned().map(Fact::NotNegative)).collect();
        assert_eq!(is_impossible(facts.iter()), expected, "{facts:?}");
    }

    #[test]
    fn contradictions_are_found() {
        // x ≥ 1, x ≤ 0
        check(&[], &[sum(&[(0, 1)], -1), sum(&[(0, -1)], 0)], true);
        check(&[], &[sum(&[(0, 1)], 0), sum(&[(0, -1)], 0)], false);
        // 4x + y = 4z + w, x < z, 0 ≤ y, w < 4
        let rows =
            [sum(&[(2, 1), (0, -1)], -1), sum(&[(1, 1)], 0), sum(&[(3, 1)], 0), sum(&[(1, -1)], 3), sum(&[(3, -1)], 3)];
        check(&[sum(&[(0, 4), (1, 1), (2, -4), (3, -1)], 0)], &rows, true);
        check(&[sum(&[(0, 3), (1, 1), (2, -3), (3, -1)], 0)], &rows, false);
    }

    #[test]
    fn integers_have_parity() {
        // 2x = 2y + 1, also by way of z = 2x, w = 2y, z = w + 1
        check(&[sum(&[(0, 2), (1, -2)], -1)], &[], true);
        check(&[sum(&[(2, 1), (0, -2)], 0), sum(&[(3, 1), (1, -2)], 0), sum(&[(2, 1), (3, -1)], -1)], &[], true);
        check(&[sum(&[(0, 2), (1, -2)], -2)], &[], false);
        // 1 ≤ 2x ≤ 1
        check(&[], &[sum(&[(0, 2)], -1), sum(&[(0, -2)], 1)], true);
    }

    #[test]
    fn numbers_that_are_too_large_prove_nothing() {
        let large = 1 << 126;
        check(&[sum(&[(0, large), (1, 3)], 1)], &[sum(&[(1, large), (0, 5)], 7)], false);
    }
}

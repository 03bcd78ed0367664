//! A rule, and what its formula may use.

use super::term::Term;

/// What the adjoint of one operand gains.
#[derive(Debug)]
pub struct Rule {
    /// The formula, as the table has it.
    pub formula: &'static str,
    /// Builds the expression of the formula.
    pub(in crate::ops) build: for<'a> fn(Symbols<'a>) -> Term<'a>,
}

/// What a rule may use.
#[derive(Clone, Copy)]
pub(in crate::ops) struct Symbols<'a> {
    /// The first operand.
    pub(in crate::ops) a: Term<'a>,
    /// The second operand; the first one again if there is none.
    pub(in crate::ops) b: Term<'a>,
    /// The third operand; the first one again if there is none.
    pub(in crate::ops) c: Term<'a>,
    /// The result.
    pub(in crate::ops) r: Term<'a>,
    /// The adjoint of the result.
    pub(in crate::ops) g: Term<'a>,
}

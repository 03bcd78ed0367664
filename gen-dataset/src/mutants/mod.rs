//! Mutation of kernels in the IR: kernels with one injected mistake, as a careless author or a model would make it.
//!
//! A mutant is the IR of a kernel or adjoint with one [`Mistake`](mistake::Mistake) in one place, and it satisfies the
//! verifier. So every writer can print it, and the interpreter runs it in microseconds. Mutants have two uses: `tests`
//! measures with them how much `validate` catches, and each task of the config `contrast` has one as its wrong answer
//! ([`rejected`](mutate::rejected)).

mod changes;
mod dead;
pub(crate) mod mistake;
pub(crate) mod mutate;
#[cfg(test)]
mod tests;

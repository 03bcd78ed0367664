//! Kernels with a mistake: what a careless author, or a model, makes of a kernel.
//!
//! A mutant is the IR of a kernel or adjoint with one [`Mistake`](mistake::Mistake) in one place, and keeps the rules of the language. It can
//! be printed as every text, and the interpreter runs it in microseconds, so that thousands can be put before the checks
//! (`tests`), and each task of the config `contrast` has one ([`rejected`](mutate::rejected)).

mod changes;
mod dead;
pub(crate) mod mistake;
pub(crate) mod mutate;
#[cfg(test)]
mod tests;

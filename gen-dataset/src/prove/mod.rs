//! Making one record and proving it: launches, gradients, texts, evidence.

pub(crate) mod check;
pub(crate) mod gradient;
pub(crate) mod launches;
pub(crate) mod make;
pub(crate) mod make_synth;
pub(crate) mod program;
pub(crate) mod trials;

//! Makes one record with its evidence: launches, gradients, trials, texts. Also checks a record again.

pub(crate) mod check;
pub(crate) mod coverage;
mod evidence;
pub(crate) mod gradient;
pub(crate) mod launches;
pub(crate) mod make;
pub(crate) mod make_synth;
pub(crate) mod program;
pub(crate) mod trials;

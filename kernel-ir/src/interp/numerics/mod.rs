//! Per-launch tolerances, measured by perturbed execution.
//!
//! IEEE 754 fixes the result of exact operations; functions with units in the last place differ between libraries. The
//! effect on a result depends on what follows, so it is measured on the launch itself. [`PerturbedModel`]s run it, and the
//! tolerance of a result is its largest distance from theirs ([`tolerances`]).
//!
//! **Perturbed models.** Eight models perturb each inexact function by more than twice what the table allows. A hash of model,
//! function and operands chooses the sign, so equal operands have equal errors. Models come in pairs of opposite signs.
//! - If one inexact value reaches a result, the deviation of a real machine lies between those of a pair, as long as what
//!   follows is monotonous over some units in the last place. At a jump, larger perturbations meet the jump first.
//! - If several do, real errors, each at most half of a perturbation, would have to add up where eight draws all cancel.
//! - A value that no inexact value reaches is the same in all models; its tolerance is 0.
//!
//! **Rounding slack and probe error.** Errors that are too small for one rounding may change another. A ninth model perturbs by
//! a thousandth, the probe error. Results that it changes depend on inexact values, and get two more units in the last
//! place: their own, or those of the largest partial sum.
//!
//! **Zeros.** The smaller or larger of two zeros may be either. The models of a pair choose different ones; a result that is
//! the other zero gets the smallest number as its tolerance.
//!
//! **Order of sums.** Floats that threads add atomically may be added in any order. Where nothing else depends on the order of
//! threads, the models take them in different orders, half of them in parts, as the warps of a GPU do, and the distances
//! count several times, because six orders do not show the worst. The error depends on the largest partial sum, which a
//! tenth model shows: its functions are exact, and it adds up the magnitudes of the terms. Where one core of a CPU must run the
//! threads, the blocks of a GPU still add up what theirs give a single element, so there the models take parts and no orders.
//!
//! **Reassociation.** A text by somebody else computes the same in real numbers and rounds elsewhere: `a * (b * c)` for
//! `a * b * c`. For [`tolerances_when_reassociated`] the models perturb `+ − × ÷ √` too, by one unit in the last place of the
//! result, or of the larger term of a sum. They do so only where another form could round: not where a product, quotient or
//! root is exact, nor where operands have so few digits that any sum of them is exact, nor where a difference is 0.
//!
//! **Ill-conditioned launches.** Each model takes its own branches; what they change counts as distance. A launch is
//! ill-conditioned, and has no tolerances, where an integer differs, a model meets an error, or a distance is large beside
//! the results.

mod exact;
mod model;
mod slack;
#[cfg(test)]
mod tests;
mod tolerance;

pub use exact::is_exact;
pub use model::PerturbedModel;
pub use slack::Slack;
pub use tolerance::{tolerances, tolerances_of, tolerances_when_reassociated};

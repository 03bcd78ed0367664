//! Per-launch tolerances, measured by perturbed execution.
//!
//! IEEE 754 fixes the result of exact operations. Inexact functions, with errors in units in the last place (ULP),
//! differ between libraries. The effect of such an error depends on the code after it, so it is measured on the launch
//! itself: [`PerturbedModel`]s run the launch, and the tolerance of a result is its largest distance from theirs
//! ([`tolerances`]).
//!
//! **Perturbed models.** Eight models perturb each inexact function by twice the ULP bound of the operation table. A
//! hash of model, function and operands chooses the sign, so equal operands have equal errors. Models come in pairs of
//! opposite signs.
//! - If one inexact value reaches a result, the deviation of a real machine lies between the deviations of a pair,
//!   except for the roundings of the code after it, provided that this code is monotonic over some ULPs. At a
//!   discontinuity, the larger perturbation crosses the jump first.
//! - If several inexact values reach a result, a real machine exceeds the tolerance only if its errors, each at most
//!   half of a perturbation, add up while they cancel in all eight draws.
//! - A value that no inexact value reaches is the same in all models. Its tolerance is 0.
//!
//! **Roundings.** An inexact value changes the roundings of the code after it. Where terms cancel, these roundings can be
//! the larger part of a deviation, and a pair may not show them. Eight marking models therefore mark inexact values and
//! what is computed from them ([`Varied`](super::Varied)). A result of a rounding operation on marked values moves one ULP up
//! or down. Each model draws its own signs, because those of one draw nearly cancel in some results. For the same reason these
//! models perturb the functions, too, by the bound of the table: the errors of two functions that are added cancel in one
//! pair of two, and in all four pairs for one number in sixteen, which one number of millions showed on a GPU.
//!
//! **Rounding slack.** An error that is too small to change one rounding may change a later one. Marked results get two
//! more ULPs: of the result, or of the largest partial sum.
//!
//! **Zeros.** The minimum or maximum of two zeros of different sign may be either zero. The models of a pair choose
//! different ones. A result that is then the other zero gets the smallest positive number as its tolerance.
//!
//! **Order of sums.** Atomic additions of floats may come in any order. If nothing else depends on the order of
//! threads, the models use different orders. Half of them add in partial sums, as the warps of a GPU do. The distances
//! are multiplied by a factor, because six orders do not show the worst case; an element whose orders agree by chance gets
//! the typical distance of its array. The error depends on the largest partial
//! sum, which the model of magnitudes shows: its functions are exact, and it adds the magnitudes of the terms. A CPU
//! runs some kernels on one core, because nothing proves that their threads keep apart. A GPU still adds in any order to
//! the arrays to which the threads only add. The models therefore use partial sums for these arrays, and keep the order of
//! the threads, on which other results may depend.
//!
//! **Reassociation.** A kernel text of another author computes the same in real numbers but rounds in other places:
//! `a * (b * c)` for `a * b * c`. For [`tolerances_when_reassociated`] the models perturb `+ − × ÷ √` too, in multiples of
//! one ULP of the result, or of the larger operand of a sum. They do so only where another form could round: not where
//! a product, quotient or root is exact, nor where the operands have so few digits that any sum of them is exact, nor
//! where a difference is 0.
//!
//! **Ill-conditioned launches.** Each model takes its own branches, and their effect counts as distance. A launch is
//! ill-conditioned, and has no tolerances, if an integer differs, a model fails, or a distance is large relative to the
//! results.

mod exact;
mod model;
mod slack;
#[cfg(test)]
mod tests;
mod tolerance;

pub use exact::is_exact;
pub use model::PerturbedModel;
pub use slack::Slack;
pub use tolerance::{Computation, tolerances, tolerances_of, tolerances_when_reassociated, type_of_tolerance};

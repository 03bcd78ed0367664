//! The constructs of published kernels, and how often synthesised kernels have each.
//!
//! The rates are those of published CUDA and Warp kernels. A construct is drawn for every family alike, by itself, so
//! that constructs meet in all combinations.

use super::rng::Rng;
use super::steps::Step;

/// The constructs with their rates: of a thousand kernels of middle difficulty, so many take the step. A rate is higher
/// than the share of kernels that have the construct, because some steps find no room, or are dead code.
const CONSTRUCTS: [(usize, Step); 15] = [
    (95, Step::Match),
    (190, Step::LocalArray),
    (50, Step::Mask),
    (120, Step::Narrow),
    (42, Step::Half),
    (90, Step::Optional),
    (120, Step::Function),
    (150, Step::TupleFunction),
    (210, Step::ArrayFunction),
    (95, Step::StructArray),
    (75, Step::StructValue),
    (20, Step::Random),
    (80, Step::WideVector),
    (35, Step::OblongMatrix),
    (50, Step::Deposit),
];

/// By how many percent a construct is more or less common at each difficulty.
const SCALE: [usize; 5] = [50, 80, 100, 130, 160];

/// The constructs of a kernel, in random order.
pub(super) fn chosen(rng: &mut Rng, difficulty: usize) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (rate, step) in CONSTRUCTS {
        if rng.below(100_000) < rate * SCALE[difficulty - 1] {
            steps.insert(rng.below(steps.len() + 1), step);
        }
    }
    steps
}

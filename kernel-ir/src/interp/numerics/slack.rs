//! The step from the distances of the models to tolerances: rounding slack, the factor for orders of sums, rounding up
//! to two digits.

use crate::interp::number::Number;
use crate::ir::{FloatFormat, ParamId};
use crate::verify::VerifiedKernel;

/// The tolerance for changed roundings, in units in the last place of the number or of the largest partial sum.
const ROUNDING_SLACK: f64 = 2.0;

/// The largest distance that is allowed, relative to the largest number of the array. A comparison of fewer than three
/// digits proves little.
const MOST_RELATIVE: f64 = 1e-3;

/// The same in units in the last place, for types with three digits or fewer: the largest perturbation of an operation,
/// and the rounding behind it.
const MOST_UNITS: f64 = 4.0;

/// The factor for the orders of a sum that no model has tried.
const ORDER_SLACK: f64 = 4.0;

/// The factors that turn the distances of an array into its tolerances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slack {
    /// The factor of the distances.
    pub times: f64,
    /// Whether threads add to its elements in any order. Units in the last place are then those of the largest partial
    /// sum.
    pub is_sum: bool,
}

impl Slack {
    /// The slack of a parameter of `kernel`.
    pub fn of(kernel: &VerifiedKernel, param: ParamId) -> Slack {
        let program = kernel.program();
        match program.has_sums_in_any_order() {
            true => Slack { times: ORDER_SLACK, is_sum: program.is_sum(param) },
            false => Slack { times: 1.0, is_sum: false },
        }
    }
}

/// The tolerances of the numbers `here`, which have this format. `marks` tells which of them depend on inexact values; without it, all of them
/// may. `magnitudes` holds the results of the model of magnitudes if the array is a sum. `None` if a distance is too large.
pub(super) fn allowed<F: Number>(
    here: &[F],
    format: FloatFormat,
    marks: Option<&[bool]>,
    magnitudes: Option<&[F]>,
    distances: &[f64],
    slack: Slack,
) -> Option<Vec<F>> {
    let least = format.least();
    let largest = here.iter().map(|value| value.value().abs()).fold(0.0, f64::max);
    let most_relative = MOST_RELATIVE.max(MOST_UNITS * slack.times * format.epsilon());
    let magnitude = |place: usize| magnitudes.map_or(here[place].value(), |magnitudes| magnitudes[place].value()).abs();
    let reach = |place: usize| {
        let (magnitude, size) = (magnitude(place), here[place].value().abs());
        if magnitude.is_finite() { magnitude.max(size) } else { size }
    };
    let typical = if slack.is_sum { typical(distances, reach) } else { 0.0 };
    let of_one = |(place, distance): (usize, &f64)| {
        let (value, magnitude, reach) = (here[place].value(), magnitude(place), reach(place));
        let is_inexact = marks.is_none_or(|marks| marks[place]) || magnitude != value.abs();
        let rounding =
            if is_inexact && value.is_finite() { ROUNDING_SLACK * least.max(reach * format.epsilon()) } else { 0.0 };
        let distance = slack.times * distance;
        // The additive term allows the other zero, and a few last places where all numbers of the array are tiny.
        let most = most_relative * largest + ORDER_SLACK * least;
        (distance <= most).then(|| {
            let distance = distance.max((slack.times * typical * reach).min(most));
            F::constant(rounded_up(distance + rounding))
        })
    };
    distances.iter().enumerate().map(of_one).collect()
}

/// The root mean square of the distances, relative to the largest partial sums. The few orders of the models agree in some
/// elements by chance; these get the distance of the others.
fn typical(distances: &[f64], reach: impl Fn(usize) -> f64) -> f64 {
    let relative = |(place, distance): (usize, &f64)| Some(distance / reach(place)).filter(|ratio| ratio.is_finite());
    let ratios: Vec<f64> = distances.iter().enumerate().filter_map(relative).collect();
    let squares: f64 = ratios.iter().map(|ratio| ratio * ratio).sum();
    (squares / ratios.len().max(1) as f64).sqrt()
}

/// The number rounded up to two digits.
pub(super) fn rounded_up(value: f64) -> f64 {
    if value == 0.0 {
        return 0.0;
    }
    let unit = Number::powi(10f64, Number::log10(value).floor() as i32 - 1);
    // Near the smallest subnormals the unit underflows to 0; such a number keeps its digits.
    let rounded = if unit > 0.0 { (value / unit).ceil() * unit } else { value };
    format!("{rounded:.1e}").parse().unwrap_or(value)
}

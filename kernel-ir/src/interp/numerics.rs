//! How far a launch may come out different elsewhere.
//!
//! Where every operation is exact, IEEE 754 leaves no choice, and all machines agree to the bit. The functions that the
//! table of operations gives some units in the last place are different on each. What that does to a result depends on
//! what follows: little after a sum of positive terms, much where terms cancel. So it is measured, on the launch itself:
//! eight machines that do not exist run it too ([`PerturbedModel`]). Their exact operations are exact; their functions are off by
//! more than twice what the table allows. A hash of machine, function and operands decides whether up or down, so that a
//! machine gives the same result for the same operands, as real ones do. Machines come in pairs, of which one errs up where
//! the other errs down. A result may then be as far off as the farthest of the eight is from it.
//!
//! Why that is sound:
//! - If one inexact value reaches a result, the deviation of a real machine lies between those of a pair. What follows keeps
//!   it there as long as it is monotonous over a stretch of some units in the last place, as arithmetic, its roundings
//!   included, is nearly everywhere. Where it is not, at a jump, machines that err by more meet the jump before real ones do.
//! - If several do, real errors, each at most half of those of the eight, would have to conspire to add up to more. They
//!   do not: the table's bounds are worst cases, and eight draws rarely all cancel.
//! - Many errors that are each too small for a rounding to notice may tip over one here and there. A ninth machine errs by a
//!   thousandth; what it changes has inexact values in it, and is allowed two units in the last place more: its own, or for
//!   a sum of threads those of what the sum reaches.
//! - What no inexact value reaches is the same on all machines, and is allowed nothing at all.
//!
//! The smaller or larger of two zeros may be either, elsewhere, and on this machine as the compiler pleases. The machines of
//! a pair choose different ones; a result that is the other zero then is as far off as the smallest number.
//!
//! Floats that threads add up atomically may be added in any order, elsewhere: launch order, that of a grid, or none that
//! anybody knows. So where threads may run in any order but for such sums, the machines also take the threads in different
//! orders, and results may be as far off as [`ORDERS`] times the farthest, because six orders do not show the worst. Half of
//! them add up sums over all threads in parts first, as the warps of a GPU do: where all terms are equal no order shows
//! anything, but the parts round otherwise than the whole. What is lost hangs on how far a sum gets on its way, and terms that
//! cancel may do so alike in all orders that are tried; so the ninth machine adds their magnitudes, and the two units in the last
//! place are those of what it reaches.
//!
//! **Rewritten kernels.** A text by somebody else computes the same in real numbers, and rounds elsewhere: `a * (b * c)` for
//! `a * b * c`. For [`tolerances_when_reassociated`] the machines therefore err in `+ − × ÷ √` too, as in a function that the table
//! gives one unit in the last place: of the result, or for sums of the larger operand, since the terms of a sum may be taken in
//! another order. They do so only where another form could round: not where a product, quotient or root is exact, nor where
//! operands have so few digits that any sum of them is exact (indices, counts, halves), nor where nothing is left of a
//! difference. A launch in which the result then hangs on last digits is ill-conditioned for rewritten kernels.
//!
//! Each machine takes its own branches. Where they change nothing, as when an iteration stops a step earlier at the same
//! place, nothing is lost; what they change counts as distance. A launch is *ill-conditioned* where no distance says how far
//! results may be apart, because an integer differs or a machine meets an error, or where distances are large beside the
//! results.

use super::engine::combination;
use super::num::Num;
use super::{Number, TRIPS, Tid, row_major, run_on};
use crate::analysis::{Execution, Sharing};
use crate::data::{Arg, Data};
use crate::ir::{ExprKind, Kernel, ParamId, StmtKind, Type};
use crate::ops::{Accuracy, Op};
use crate::verify::VerifiedKernel;

/// How many machines err as real ones may.
const MACHINES: u64 = 8;

/// How far their functions are off, in terms of what the table allows, at least.
const EXAGGERATION: f64 = 2.0;

/// How far the functions of the ninth are off, as a part of the result.
const PROBE_ERROR: f64 = 1e-3;

/// What is allowed for roundings that tip over, in units in the last place of the number, or of what a sum reaches.
const ROUNDING_SLACK: f64 = 2.0;

/// The largest distance that may be allowed, as a part of the largest number of the array: what is left of fewer than
/// three digits proves little.
const LARGEST: f64 = 1e-3;

/// How much farther off a sum may be in an order that no machine has tried.
const ORDERS: f64 = 4.0;

/// How many times the larger operand the terms of a sum may come to that is exact however they are added.
const TERMS: f64 = 16.0;

/// How many trips of loops a launch may make on machines of which sums and products err: an iteration that waits for a small
/// difference may wait for ever there.
const REASSOCIATED_TRIPS: u64 = 1 << 16;

/// A machine that does not exist, whose functions err.
#[derive(Clone, Copy, Debug)]
pub struct PerturbedModel {
    number: u64,
    /// Whether it runs the kernel in another form, whose roundings are others.
    reassociates: bool,
}

impl PerturbedModel {
    /// The order in which it takes the threads of a launch whose sums may be made in any.
    pub(super) fn order(self, mut threads: Vec<Tid>) -> Vec<Tid> {
        match self.number {
            0 | 1 => {}
            2 | 3 => threads.reverse(),
            number if number < MACHINES => {
                threads.sort_by_cached_key(|tid| tid.iter().fold(number, |hash, index| mix(hash, *index as u64 + 1)));
            }
            _ => {}
        }
        threads
    }

    /// How many threads, neighbours in that order, add up among themselves what they add to sums over all threads.
    pub(super) fn part(self) -> Option<usize> {
        match self.number {
            1 => Some(usize::MAX),
            3 => Some(2),
            5 => Some(32),
            7 => Some(7),
            _ => None,
        }
    }

    /// How many times the magnitude of the terms of sums it adds, if not the terms: the ninth machine shows how far sums may get
    /// on their way.
    pub(super) fn magnitudes(self) -> Option<f64> {
        (self.number == MACHINES).then_some(1.0 + PROBE_ERROR)
    }

    /// What it makes of `op`: `value` is right.
    pub(super) fn perturb<S: Number, D: Number>(self, op: Op, operands: &[Num<S, D>], value: Num<S, D>) -> Num<S, D> {
        let accuracy = op.accuracy();
        if accuracy == Accuracy::Exact {
            return value;
        }
        let operand = |place: usize| match operands.get(place) {
            Some(Num::F32(x)) => x.value(),
            Some(Num::F64(x)) => x.value(),
            other => other.and_then(|other| other.as_integer()).unwrap_or_default() as f64,
        };
        let operands = &[operand(0), operand(1)][..operands.len().min(2)];
        match value {
            Num::F32(x) => Num::F32(self.other(op, operands, x, f64::from(f32::EPSILON))),
            Num::F64(x) => Num::F64(self.other(op, operands, x, f64::EPSILON)),
            other @ (Num::Bool(_) | Num::I32(_) | Num::U32(_) | Num::I64(_) | Num::U64(_) | Num::Index(_)) => other,
        }
    }

    /// What it has for the number `x`, whose last place is the part `epsilon` of it.
    pub(super) fn other<N: Number>(self, op: Op, operands: &[f64], x: N, epsilon: f64) -> N {
        let off = |ulp: u32| self.off(op, operands, x, EXAGGERATION * f64::from(ulp) * epsilon);
        match op.accuracy() {
            Accuracy::Exact => x,
            Accuracy::EitherZero => self.either_zero(op, operands, x),
            Accuracy::Ulp(ulp) => off(ulp),
            Accuracy::UlpWithinOne(ulp) => off(ulp).min(N::constant(1.0)).max(N::constant(-1.0)),
        }
    }

    /// The number `x`, or this machine's zero if it is one of two zeros.
    fn either_zero<N: Number>(self, op: Op, operands: &[f64], x: N) -> N {
        match *operands {
            [a, b] if a == 0.0 && b == 0.0 && a.to_bits() != b.to_bits() && self.number < MACHINES => {
                N::constant(if self.errs_up(op, operands) { 0.0 } else { -0.0 })
            }
            _ => x,
        }
    }

    /// The number `x`, off by the part `error` of it, or by the part that is this machine's.
    fn off<N: Number>(self, op: Op, operands: &[f64], x: N, error: f64) -> N {
        let value = x.value();
        // There every library is exact: sin 0, exp 0, hypot(x, 0); ln 1, the powers of 1.
        let is_simple = operands.contains(&0.0) || (operands[0].abs() == 1.0 && value.abs() == 1.0);
        if is_simple || value == 0.0 {
            return x;
        }
        let error = if self.number < MACHINES { error } else { PROBE_ERROR };
        x * N::constant(1.0 + if self.errs_up(op, operands) { error } else { -error })
    }

    /// Whether it errs in what is exact elsewhere, too.
    pub(super) fn reassociates(self) -> bool {
        self.reassociates
    }

    /// The number `x`, the result of `op` on these operands, in another form of the kernel.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed of all operations is meant")]
    pub(super) fn reassociated<N: Number>(self, op: Op, [a, b]: [f64; 2], x: N, epsilon: f64) -> N {
        let value = x.value();
        // Products of numbers with half of the digits of `f64` are exact there.
        let is_short = epsilon > f64::EPSILON;
        let is_exact = |a: f64, b: f64, product: f64| {
            if is_short { a * b == product } else { a.mul_add(b, -product) == 0.0 }
        };
        let size = match op {
            Op::Add | Op::Sub if a == 0.0 || b == 0.0 || has_few_digits(a, b, epsilon) => 0.0,
            Op::Add | Op::Sub => a.abs().max(b.abs()),
            Op::Mul if !is_exact(a, b, value) => value.abs(),
            Op::Div if !is_exact(value, b, a) => value.abs(),
            Op::Sqrt if !is_exact(value, value, a) => value.abs(),
            _ => 0.0,
        };
        if size == 0.0 || value == 0.0 {
            return x;
        }
        let error = if self.number < MACHINES { EXAGGERATION * epsilon * size } else { PROBE_ERROR * value.abs() };
        x + N::constant(if self.errs_up(op, &[a, b]) { error } else { -error })
    }

    fn errs_up(self, op: Op, operands: &[f64]) -> bool {
        let pair = mix(self.number / 2 + 1, op as u64);
        let hash = operands.iter().fold(pair, |hash, operand| mix(hash, operand.to_bits()));
        (hash >> 63 == 1) == self.number.is_multiple_of(2)
    }
}

/// Whether sums of several such terms are exact in numbers whose last place is the part `epsilon` of them.
fn has_few_digits(a: f64, b: f64, epsilon: f64) -> bool {
    TERMS * epsilon * a.abs().max(b.abs()) < last_digit(a).min(last_digit(b))
}

/// The value of the last binary digit of `x` that is not 0.
fn last_digit(x: f64) -> f64 {
    const DIGITS: u32 = f64::MANTISSA_DIGITS - 1;
    if x == 0.0 {
        return f64::INFINITY;
    }
    let digits = x.to_bits() & ((1 << DIGITS) - 1) | 1 << DIGITS;
    x.abs() / (digits >> digits.trailing_zeros()) as f64
}

fn mix(hash: u64, word: u64) -> u64 {
    let z = (hash ^ word).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (z ^ (z >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb) ^ (z >> 32)
}

/// How far each number may be off after the launch of `dim` whose indices `threads` gives, in that order, and which turns
/// `before` into `after` here; for each argument. 0 asks for the same bits.
///
/// # Errors
/// The launch is ill-conditioned, or is one that [`run`](super::run) does not take.
pub fn tolerances(
    kernel: &VerifiedKernel,
    dim: &[usize],
    before: &[Arg],
    after: &[Arg],
    threads: impl Fn() -> Vec<Tid>,
) -> Result<Vec<Arg>, String> {
    if is_exact(kernel) {
        return Ok(after.iter().map(|arg| Arg::zeros(arg.ty, &arg.shape)).collect());
    }
    measure(kernel, false, dim, before, after, threads)
}

/// The same for kernels that somebody else wrote, which compute the same in real numbers and round where they please.
///
/// # Errors
/// Those of [`tolerances`].
pub fn tolerances_when_reassociated(
    kernel: &VerifiedKernel,
    dim: &[usize],
    before: &[Arg],
    after: &[Arg],
) -> Result<Vec<Arg>, String> {
    measure(kernel, true, dim, before, after, || row_major(dim).collect())
}

fn measure(
    kernel: &VerifiedKernel,
    reassociates: bool,
    dim: &[usize],
    before: &[Arg],
    after: &[Arg],
    threads: impl Fn() -> Vec<Tid>,
) -> Result<Vec<Arg>, String> {
    let names: Vec<&str> = kernel.params.iter().map(|param| param.name.as_str()).collect();
    let slacks: Vec<Slack> = kernel.param_ids().map(|(id, _)| Slack::of(kernel, id)).collect();
    let trips = if reassociates { REASSOCIATED_TRIPS } else { TRIPS };
    farthest(&names, after, &slacks, reassociates, |machine| {
        let mut args = before.to_vec();
        run_on(Some(machine), kernel, dim, &mut args, trips, threads()).map_err(|fault| fault.message)?;
        Ok(args)
    })
}

/// Whether its results are the same on all machines: no operation of the kernel, or of a function that it calls, is inexact,
/// and no float is added up in an order that is open.
pub fn is_exact(kernel: &VerifiedKernel) -> bool {
    let mut is_exact = !kernel.program().sums_are_open;
    let mut walk = |code: &Kernel| {
        code.walk_exprs(&mut |expr| {
            if let ExprKind::Op(op, _) = &expr.kind {
                is_exact &= is_exact_for(*op, expr.ty);
            }
        });
        code.walk_stmts(&mut |stmt| {
            if let StmtKind::Atomic { op, place, .. } = &stmt.kind {
                is_exact &= is_exact_for(combination(*op), place.ty);
            }
        });
    };
    walk(kernel);
    kernel.called().iter().for_each(|function| walk(&function.code));
    is_exact
}

/// Whether `op` has the same result of type `ty` on all machines.
fn is_exact_for(op: Op, ty: Type) -> bool {
    !(ty.is_scalar() && ty.is_float()) || op.accuracy() == Accuracy::Exact
}

/// What an array is allowed besides the distances that the machines show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slack {
    /// How many times these distances.
    pub times: f64,
    /// Whether threads add up its elements in any order: then the last places are those of what the sums reach on their way.
    pub is_sum: bool,
}

impl Slack {
    /// That of a parameter of `kernel`.
    pub fn of(kernel: &VerifiedKernel, param: ParamId) -> Slack {
        let program = kernel.program();
        match program.sums_are_open {
            true => Slack { times: ORDERS, is_sum: program.execution.sharing.get(&param).is_some_and(Sharing::is_sum) },
            false => Slack { times: 1.0, is_sum: false },
        }
    }
}

/// Whether the order of threads shows in sums of floats, and in nothing else.
pub(super) fn sums_are_open(kernel: &Kernel, execution: &Execution) -> bool {
    let mut adds = false;
    kernel.walk_stmts(&mut |stmt| {
        adds |= matches!(&stmt.kind, StmtKind::Atomic { place, .. } if place.ty.is_float());
    });
    adds && execution.has_sums()
}

/// How far each number may be off of arrays with these `names` and `slacks`, which are `here` on this machine, and what `run`
/// gives on another. Two digits, rounded up.
///
/// # Errors
/// The numbers are ill-conditioned.
pub fn tolerances_of(
    names: &[&str],
    here: &[Arg],
    slacks: &[Slack],
    run: impl FnMut(PerturbedModel) -> Result<Vec<Arg>, String>,
) -> Result<Vec<Arg>, String> {
    farthest(names, here, slacks, false, run)
}

/// The same for machines that run the kernel itself or, if `rewrites`, another form of it.
fn farthest(
    names: &[&str],
    here: &[Arg],
    slacks: &[Slack],
    reassociates: bool,
    mut run: impl FnMut(PerturbedModel) -> Result<Vec<Arg>, String>,
) -> Result<Vec<Arg>, String> {
    let mut distances: Vec<Vec<f64>> = here.iter().map(|arg| vec![0.0; arg.data.len()]).collect();
    for number in 0..MACHINES {
        let there = run(PerturbedModel { number, reassociates })
            .map_err(|why| format!("the launch fails or not by the last digits of a function: {why}"))?;
        for (((name, here), there), distances) in names.iter().zip(here).zip(&there).zip(&mut distances) {
            widen(distances, here, there).ok_or_else(|| undecided(name))?;
        }
    }
    let wild = run(PerturbedModel { number: MACHINES, reassociates }).ok();
    let args = names.iter().zip(here).zip(distances).enumerate();
    args.map(|(place, ((name, here), distances))| {
        let (wild, slack) = (wild.as_ref().map(|wild| &wild[place].data), slacks[place]);
        let data = match (&here.data, wild) {
            (Data::F32(here), Some(Data::F32(wild))) => allowed(here, Some(wild), &distances, slack),
            (Data::F32(here), _) => allowed(here, None, &distances, slack),
            (Data::F64(here), Some(Data::F64(wild))) => allowed(here, Some(wild), &distances, slack),
            (Data::F64(here), _) => allowed(here, None, &distances, slack),
            (other, _) => Some(Data::zeros(other.scalar(), other.len())),
        };
        let data = data.ok_or_else(|| undecided(name))?;
        Ok(Arg { ty: here.ty, shape: here.shape.clone(), data })
    })
    .collect()
}

fn undecided(name: &str) -> String {
    format!("`{name}` hangs on the last digits of a function")
}

/// Widens `distances` to those of `there` from `here`; none if there is no saying how far they are apart.
fn widen(distances: &mut [f64], here: &Arg, there: &Arg) -> Option<()> {
    fn each<F: Float>(distances: &mut [f64], here: &[F], there: &[F]) -> Option<()> {
        for ((distance, here), there) in distances.iter_mut().zip(here).zip(there) {
            let (here, there) = (here.value(), there.value());
            if here.to_bits() == there.to_bits() || (here.is_nan() && there.is_nan()) {
                continue;
            }
            if here == there {
                *distance = distance.max(F::TINY);
                continue;
            }
            *distance = distance.max((here - there).abs());
            // NaN is no distance, and `max` drops it.
            if !(here - there).is_finite() {
                return None;
            }
        }
        Some(())
    }
    match (&here.data, &there.data) {
        (Data::F32(here), Data::F32(there)) => each(distances, here, there),
        (Data::F64(here), Data::F64(there)) => each(distances, here, there),
        (here, there) => (here == there).then_some(()),
    }
}

/// What numbers may be off that are `here`, those of the ninth machine being `wild`; none if it is too much.
fn allowed<F: Float>(here: &[F], wild: Option<&Vec<F>>, distances: &[f64], slack: Slack) -> Option<Data> {
    let largest = here.iter().map(|value| value.value().abs()).fold(0.0, f64::max);
    let of_one = |(place, distance): (usize, &f64)| {
        let value = here[place].value();
        let wild = wild.map_or(f64::NAN, |wild| wild[place].value());
        let reach = if slack.is_sum && wild.is_finite() { wild.abs().max(value.abs()) } else { value.abs() };
        let tipped =
            if wild != value && value.is_finite() { ROUNDING_SLACK * F::TINY.max(reach * F::EPSILON) } else { 0.0 };
        let distance = slack.times * distance;
        // The other zero is never too much, and the last places of a sum are little beside each of its terms.
        (distance <= LARGEST * largest + ORDERS * F::TINY).then(|| F::constant(rounded_up(distance + tipped)))
    };
    distances.iter().enumerate().map(of_one).collect::<Option<Vec<F>>>().map(F::data)
}

/// The number in two digits, rounded up.
fn rounded_up(value: f64) -> f64 {
    if value == 0.0 {
        return 0.0;
    }
    let unit = 10f64.powi(value.log10().floor() as i32 - 1);
    // What lies at the end of the range keeps its digits.
    let rounded = if unit > 0.0 { (value / unit).ceil() * unit } else { value };
    format!("{rounded:.1e}").parse().unwrap_or(value)
}

/// The types of floats that machines have.
trait Float: Number {
    /// The distance from 1 to the next number.
    const EPSILON: f64;
    /// The distance from 0 to the next number.
    const TINY: f64;

    fn data(values: Vec<Self>) -> Data;
}

impl Float for f32 {
    const EPSILON: f64 = f32::EPSILON as f64;
    const TINY: f64 = f32::from_bits(1) as f64;

    fn data(values: Vec<f32>) -> Data {
        Data::F32(values)
    }
}

impl Float for f64 {
    const EPSILON: f64 = f64::EPSILON;
    const TINY: f64 = f64::from_bits(1);

    fn data(values: Vec<f64>) -> Data {
        Data::F64(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::run;
    use crate::text::parse;
    use crate::verify::verify;

    /// The tolerances of `y` after one thread that computes `body` of `x`.
    fn of(x: f32, body: &str) -> Result<f32, String> {
        measured(x, body, |kernel, before, after| tolerances(kernel, &[1], before, after, || row_major(&[1]).collect()))
    }

    /// Those of what somebody else wrote.
    fn of_rewrites(x: f32, body: &str) -> Result<f32, String> {
        measured(x, body, |kernel, before, after| tolerances_when_reassociated(kernel, &[1], before, after))
    }

    fn measured(
        x: f32,
        body: &str,
        measure: impl Fn(&VerifiedKernel, &[Arg], &[Arg]) -> Result<Vec<Arg>, String>,
    ) -> Result<f32, String> {
        let text =
            format!("#[kernel(family = \"f\", dim = 1)]\nfn k(x: f32, n: i32, y: &mut [f32; 1],) {{\n{body}\n}}\n");
        let kernel = verify(parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
        let arg = |data: Data, shape: &[usize]| Arg { ty: Type::of(data.scalar()), shape: shape.to_vec(), data };
        let before = [arg(Data::F32(vec![x]), &[]), arg(Data::I32(vec![3]), &[]), arg(Data::F32(vec![0.0]), &[1])];
        let mut after = before.clone();
        run(&kernel, &[1], &mut after).unwrap();
        let found = measure(&kernel, &before, &after)?;
        let Data::F32(y) = &found[2].data else { panic!("`y` is of floats") };
        Ok(y[0])
    }

    #[test]
    fn exact_results_are_allowed_nothing() {
        assert_eq!(of(0.3, "y[0usize] = sqrt(x * x + 1f32);"), Ok(0.0));
        // The function does not reach the result, or is exact there.
        assert_eq!(of(0.3, "if sin(x) < 0.9f32 { y[0usize] = x; }"), Ok(0.0));
        assert_eq!(of(0.0, "y[0usize] = cos(x) + exp(x);"), Ok(0.0));
    }

    #[test]
    fn what_is_written_otherwise_may_round_otherwise() {
        let ulp = f64::from(f32::EPSILON);
        let product = |text: &str| f64::from(of_rewrites(0.3, &format!("y[0usize] = {text};")).unwrap());
        // What one of the two forms gives may be a unit in the last place off, and must be allowed; little more may be.
        for text in ["x * 0.7f32 * 1.3f32", "x / 3f32", "sqrt(x)", "x + 0.7f32", "x * 0.7f32 - 5f32"] {
            assert_eq!(of(0.3, &format!("y[0usize] = {text};")), Ok(0.0), "{text}");
            assert!((ulp * 0.3..ulp * 20.0).contains(&product(text)), "{text}: {}", product(text));
        }
        // Nobody rounds these.
        for text in ["x * 2f32", "x / 4f32", "x - x", "n as f32 * 0.5f32 + 7f32", "(n as f32 + 1f32) / 2f32"] {
            assert_eq!(product(text), 0.0, "{text}");
        }
        // The terms of a sum may be taken in another order: what is lost then is of the terms.
        let terms = product("(x - 0.31f32) + 0.011f32");
        assert!((0.3 * ulp..3.0 * ulp).contains(&terms), "{terms}");
        // Where an integer hangs on a rounding nobody can say what is right.
        assert!(of_rewrites(0.3, "y[0usize] = floor(x / 0.1f32);").is_err());
        // The ninth machine never comes near enough; it ends all the same.
        let halved = "let mut s.0: f32 = x; while s.0 - x * 0.5f32 > 0.0001f32 { s.0 = 0.5f32 * (s.0 + x * 0.5f32); } y[0usize] = s.0;";
        assert!(of_rewrites(0.3, halved).is_ok());
        assert_eq!(of_rewrites(0.3, "y[0usize] = floor(n as f32 / 2f32);"), Ok(0.0));
    }

    #[test]
    fn what_cancels_is_allowed_what_it_loses() {
        let one = of(0.3, "y[0usize] = exp(x);").unwrap();
        let ulp = f32::EPSILON;
        assert!((8.0 * ulp..40.0 * ulp).contains(&one), "{one}");
        let amplified = of(0.3, "y[0usize] = exp(x) - 1.3f32;").unwrap();
        assert!((0.5 * one..1.1 * one).contains(&amplified), "{amplified} {one}");
        // The same operand gives the same error: nothing is left of it.
        assert_eq!(of(0.3, "y[0usize] = exp(x) - exp(x) + x;"), Ok(0.0));
    }

    #[test]
    fn what_hangs_on_last_digits_is_refused() {
        let third = 0.3f32.exp();
        for body in [
            format!("if exp(x) > {third:?}f32 {{ y[0usize] = 1f32; }}"),
            format!("y[0usize] = floor(exp(x) / {third:?}f32);"),
            format!("y[0usize] = exp(x) - {third:?}f32;"),
            format!("y[(exp(x) / {third:?}f32) as usize - 1usize] = 2f32;"),
        ] {
            assert!(of(0.3, &body).is_err(), "{body}");
        }
        // A branch that changes nothing does not matter.
        assert!(of(0.3, &format!("y[0usize] = exp(x); if exp(x) != {third:?}f32 {{ y[0usize] += 0f32; }}")).is_ok());
    }

    #[test]
    fn of_two_zeros_either_may_be_the_result() {
        let tiny = f32::from_bits(1);
        assert_eq!(of(-0.0, "y[0usize] = max(x, 0f32);"), Ok(tiny));
        assert_eq!(of(0.0, "y[0usize] = min(x, -0f32);"), Ok(tiny));
        // Equal zeros, other numbers, and what does not show the sign.
        assert_eq!(of(0.0, "y[0usize] = max(x, 0f32);"), Ok(0.0));
        assert_eq!(of(0.5, "y[0usize] = max(x, 0f32);"), Ok(0.0));
        assert_eq!(of(-0.0, "y[0usize] = max(x, 0f32) + 1f32;"), Ok(0.0));
        // Where the sign decides, there is no saying.
        assert!(of(-0.0, "y[0usize] = 1f32 / max(x, 0f32);").is_err());
        assert!(of(-0.0, "y[0usize] = signum(max(x, 0f32));").is_err());
    }

    #[test]
    fn sums_of_equal_terms_are_allowed_what_their_parts_round() {
        let text = "#[kernel(family = \"f\", dim = 1)]\nfn k(y: &mut [f32; 1],) {\natomic_add(y[0usize], 0.7f32);\n}\n";
        let kernel = verify(parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
        let before = [Arg { ty: Type::F32, shape: vec![1], data: Data::F32(vec![0.7]) }];
        let mut after = before.clone();
        run(&kernel, &[1000], &mut after).unwrap();
        let found = tolerances(&kernel, &[1000], &before, &after, || row_major(&[1000]).collect()).unwrap();
        let Data::F32(y) = &found[0].data else { panic!("`y` is of floats") };
        assert!((1e-4..0.5).contains(&y[0]), "{y:?}");
    }

    /// The sum of `terms` and `first`, and what it may be off.
    fn summed(first: f32, terms: &[f32]) -> (f32, Result<f32, String>) {
        let text = "#[kernel(family = \"f\", dim = 1)]
fn k(x: &[f32; dim(0)], y: &mut [f32; 1],) {
let i.0: usize = tid(0);
atomic_add(y[0usize], x[i.0]);
}
";
        let kernel = verify(parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
        let arg = |data: &[f32]| Arg { ty: Type::F32, shape: vec![data.len()], data: Data::F32(data.to_vec()) };
        let value = |args: &[Arg]| if let Data::F32(y) = &args[1].data { y[0] } else { panic!("`y` is of floats") };
        let (dim, before) = ([terms.len()], [arg(terms), arg(&[first])]);
        let mut after = before.clone();
        run_on(None, &kernel, &dim, &mut after, TRIPS, row_major(&dim)).unwrap();
        let allowed = tolerances(&kernel, &dim, &before, &after, || row_major(&dim).collect());
        (value(&after), allowed.map(|allowed| value(&allowed)))
    }

    #[test]
    fn sums_that_are_the_same_in_most_orders_are_allowed_what_others_give() {
        let mut terms = [
            0.5834397,
            -0.5063964,
            0.3097633,
            0.8353524,
            -0.75054646,
            -0.96243095,
            -0.39631486,
            0.037307978,
            0.32127333,
            0.12300742,
            0.5753441,
            0.38420773,
            0.5842265,
            -0.8825325,
            0.17449903,
            -0.614794,
            0.61628544,
            -0.39607704,
        ];
        let (sum, allowed) = summed(0.0, &terms);
        terms.sort_by(f32::total_cmp);
        let off = (summed(0.0, &terms).0 - sum).abs();
        assert!(off > 0.0 && (off..1e-5).contains(&allowed.unwrap()), "{off}");
        // Where every addition is exact, no order gives anything else: two units of 9 are allowed, and of the 10 that was there.
        assert_eq!(summed(0.0, &[0.5; 18]).1, Ok(2.2e-6));
        assert_eq!(summed(-10.0, &[0.5; 18]).1, Ok(4.6e-6));
        // What cancels may leave something; a term that is missing is much more.
        assert_eq!(summed(0.0, &[1e6, -1e6, 1e6, -1e6]).1, Ok(0.96));
        // Where what is left hangs on the order, there is no saying.
        assert!(summed(0.0, &[0.1, 1e6, -1e6, 1e6, -1e6]).1.is_err());
    }

    /// A thread's own element is what it is, though it is added to atomically.
    #[test]
    fn only_sums_of_several_threads_are_allowed_another_order() {
        let text = "#[kernel(family = \"f\", dim = 1)]
fn k(x: &[f32; dim(0)], own: &mut [f32; dim(0)], sum: &mut [f32; 1],) {
let i.0: usize = tid(0);
atomic_add(own[i.0], x[i.0]);
atomic_add(sum[0usize], x[i.0]);
}
";
        let kernel = verify(parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
        let arg = |data: Vec<f32>| Arg { ty: Type::F32, shape: vec![data.len()], data: Data::F32(data) };
        let before = [arg(vec![0.1, 0.7, -0.3]), arg(vec![1.0; 3]), arg(vec![0.0])];
        let mut after = before.clone();
        run(&kernel, &[3], &mut after).unwrap();
        let found = tolerances(&kernel, &[3], &before, &after, || row_major(&[3]).collect()).unwrap();
        assert_eq!(found[1].data, Data::F32(vec![0.0; 3]));
        assert_ne!(found[2].data, Data::F32(vec![0.0]));
    }

    /// The ninth machine takes its own branches, and shows only that something is inexact.
    #[test]
    fn how_far_the_ninth_machine_gets_matters_to_sums_alone() {
        let body = "if exp(x) > 1.3505f32 || exp(x) < 1.349f32 { y[0usize] = 1e30f32; } else { y[0usize] = 1f32; }";
        assert_eq!(of(0.3, body), Ok(2.4e-7));
    }

    #[test]
    fn tolerances_have_two_digits() {
        assert_eq!([0.0, 1.0, 0.12345, 9.99e-7].map(rounded_up), [0.0, 1.0, 0.13, 1e-6]);
        assert_eq!(rounded_up(f64::from_bits(3)), f64::from_bits(3));
    }
}

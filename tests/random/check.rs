//! Adjoints held against derivatives along a direction.
//!
//! For a direction v of all float inputs and weights w of all float outputs, ⟨J·v, w⟩ is computed by the kernel run with
//! dual numbers, ⟨v, Jᵀ·w⟩ by its backward kernel. The two have nothing in common but the kernel.

pub(crate) mod elements;

use super::dice::Dice;
use kernel_ir::adjoint::{Backward, Source};
use kernel_ir::check::CheckedKernel;
use kernel_ir::data::{Arg, Argument, Scalars};
use kernel_ir::interp::{Dual, Number, run_in_order, run_with};
use kernel_ir::ir::{ParamId, ParamKind};

/// A backward kernel, or why there is none.
pub(crate) type Adjoint = Result<Backward, String>;

/// A launch to judge by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launch<'a> {
    /// Its size.
    pub(crate) dim: &'a [usize],
    /// Its arguments.
    pub(crate) args: &'a [Arg],
    /// How many trips of loops it may make; a backward kernel may make more.
    pub(crate) trips: u64,
    /// Which direction and weights are drawn.
    pub(crate) seed: u64,
}

/// Why a kernel does not keep the property.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Failure {
    /// It has no backward kernel.
    Refused(String),
    /// It or its backward kernel ends early.
    Fault(String),
    /// Some derivative is infinite or not a number.
    NotFinite(String),
    /// The two derivatives differ.
    Mismatch(String),
}

/// How much two derivatives may differ, as a part of the sum of the sizes of their terms.
const TOLERANCE: f64 = 1e-9;

/// The smallest size that two derivatives are measured by: where terms of the size 1 cancel, rounding is left.
const SMALLEST: f64 = 1e-4;

/// How many trips a backward kernel may make for each trip of the kernel.
const REPLAYS: u64 = 64;

/// A scalar product, and the sum of the sizes of its terms.
#[derive(Clone, Copy, Debug, Default)]
struct Product {
    value: f64,
    size: f64,
}

impl Product {
    fn add(&mut self, a: &[f64], b: impl IntoIterator<Item = f64>) {
        for (a, b) in a.iter().zip(b) {
            self.value += a * b;
            self.size += (a * b).abs();
        }
    }

    /// The difference of two products, as a part of their sizes.
    fn distance(self, other: Product) -> f64 {
        (self.value - other.value).abs() / self.size.max(other.size).max(SMALLEST)
    }
}

/// Holds the adjoint of `kernel` against dual numbers in one launch. Returns the relative error.
///
/// # Errors
/// Why the adjoint is not what it should be.
pub(crate) fn adjoint_holds(
    kernel: &CheckedKernel,
    backward: impl FnOnce(&CheckedKernel) -> Adjoint,
    launch: Launch,
) -> Result<f64, Failure> {
    let backward = backward(kernel).map_err(Failure::Refused)?;
    let (direction, weights) = (Directions::inputs(kernel, launch), Directions::outputs(kernel, launch));
    let expected = forward(kernel, launch, &direction, &weights)?;
    let gradient = reverse(kernel, &backward, launch, &weights)?;
    let found = direction.along(&gradient);
    if !found.size.is_finite() {
        return Err(Failure::NotFinite("the adjoint is not finite".to_owned()));
    }
    let error = expected.distance(found);
    if error <= TOLERANCE {
        return Ok(error);
    }
    let mut message = format!("dual numbers say {:e}, the adjoint {:e}", expected.value, found.value);
    for (id, param) in kernel.param_ids() {
        let part = direction.only(id);
        let (expected, found) = (forward(kernel, launch, &part, &weights)?, part.along(&gradient));
        if expected.distance(found) > TOLERANCE {
            message += &format!("\n  by `{}`: {:e} and {:e}", param.name, expected.value, found.value);
        }
    }
    Err(Failure::Mismatch(message))
}

/// A derivative along one direction, found in two ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Differences {
    /// What dual numbers say.
    pub(crate) tangent: f64,
    /// Whether central differences say roughly the same. They need not where a branch or a rounding lies near.
    pub(crate) agree: bool,
}

/// Compares the derivative by dual numbers with central differences.
///
/// # Errors
/// Why there is nothing to compare.
pub(crate) fn differences(kernel: &CheckedKernel, launch: Launch) -> Result<Differences, Failure> {
    const STEP: f64 = 1e-6;
    let (direction, weights) = (Directions::inputs(kernel, launch), Directions::outputs(kernel, launch));
    let tangent = forward(kernel, launch, &direction, &weights)?;
    let shifted = |step: f64| -> Result<Product, Failure> {
        let mut args = wide(launch.args);
        for (arg, v) in args.iter_mut().zip(&direction.0) {
            if let Some(data) = floats_mut(arg) {
                data.iter_mut().zip(v).for_each(|(x, v)| *x += step * v);
            }
        }
        run_with(kernel, launch.dim, &mut args, launch.trips).map_err(fault)?;
        Ok(weights.along(&args))
    };
    let (above, below) = (shifted(STEP)?, shifted(-STEP)?);
    let difference = (above.value - below.value) / (2.0 * STEP);
    // What rounding and the third derivative leave.
    let allowed = 1e-5 * (tangent.size + 1.0) + 1e-9 * (above.size + below.size);
    Ok(Differences { tangent: tangent.value, agree: (difference - tangent.value).abs() <= allowed })
}

/// Whether threads may run in the opposite order.
///
/// # Errors
/// The array that is then another.
pub(crate) fn order_is_free(kernel: &CheckedKernel, launch: Launch) -> Result<(), Failure> {
    let (mut up, mut down) = (wide(launch.args), wide(launch.args));
    run_with(kernel, launch.dim, &mut up, launch.trips).map_err(fault)?;
    run_in_order(kernel, launch.dim, &mut down, launch.trips, backwards(launch.dim)).map_err(fault)?;
    for ((up, down), param) in up.iter().zip(&down).zip(&kernel.params) {
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= TOLERANCE * (1.0 + a.abs());
        if !floats(up).iter().zip(floats(down)).all(close) {
            return Err(Failure::Mismatch(format!("`{}` depends on the order of the threads", param.name)));
        }
    }
    Ok(())
}

/// One number for each float scalar of each parameter, in order.
struct Directions(Vec<Vec<f64>>);

impl Directions {
    /// A random direction of everything that a kernel reads.
    fn inputs(kernel: &CheckedKernel, launch: Launch) -> Directions {
        Directions::draw(kernel, launch, 0x5eed, |_| true)
    }

    /// Random weights of everything that it writes.
    fn outputs(kernel: &CheckedKernel, launch: Launch) -> Directions {
        Directions::draw(kernel, launch, 0xad01, |id| kernel.param(id).is_mutable())
    }

    fn draw(kernel: &CheckedKernel, launch: Launch, salt: u64, takes_part: impl Fn(ParamId) -> bool) -> Directions {
        let numbers = kernel.param_ids().zip(launch.args).map(|((id, param), arg)| {
            let mut dice = Dice::new(launch.seed ^ salt ^ (u64::from(id.0) << 32));
            let count = if param.elem().is_float() && takes_part(id) { arg.data.len() } else { 0 };
            (0..count).map(|_| dice.float(-1.0, 1.0)).collect()
        });
        Directions(numbers.collect())
    }

    /// The part that belongs to one parameter.
    fn only(&self, id: ParamId) -> Directions {
        let part = |(place, v): (usize, &Vec<f64>)| if place == id.0 as usize { v.clone() } else { vec![0.0; v.len()] };
        Directions(self.0.iter().enumerate().map(part).collect())
    }

    /// The scalar product with the floats of `args`.
    fn along(&self, args: &[Argument<f64, f64>]) -> Product {
        let mut product = Product::default();
        for (v, arg) in self.0.iter().zip(args) {
            product.add(v, floats(arg).iter().copied());
        }
        product
    }
}

/// ⟨J·v, w⟩ by dual numbers.
fn forward(kernel: &CheckedKernel, launch: Launch, v: &Directions, w: &Directions) -> Result<Product, Failure> {
    let mut args: Vec<Argument<Dual, Dual>> = Vec::new();
    for (arg, v) in wide(launch.args).iter().zip(&v.0) {
        let mut arg = arg.map_floats(|x| Dual::constant(*x), |x| Dual::constant(*x));
        if let Some(data) = floats_mut(&mut arg) {
            data.iter_mut().zip(v).for_each(|(x, v)| x.tangent = *v);
        }
        args.push(arg);
    }
    run_with(kernel, launch.dim, &mut args, launch.trips).map_err(fault)?;
    let mut product = Product::default();
    for ((w, arg), param) in w.0.iter().zip(&args).zip(&kernel.params) {
        let tangents = floats(arg).iter().map(|x| x.tangent);
        if param.is_mutable() && floats(arg).iter().any(|x| !(x.value.is_finite() && x.tangent.is_finite())) {
            return Err(Failure::NotFinite(format!("`{}` or its derivative is not finite", param.name)));
        }
        product.add(w, tangents);
    }
    Ok(product)
}

/// Jᵀ·w by the backward kernel: what each parameter gets. Threads run in the opposite order.
fn reverse(
    kernel: &CheckedKernel,
    backward: &Backward,
    launch: Launch,
    w: &Directions,
) -> Result<Vec<Argument<f64, f64>>, Failure> {
    let (primal, mut result) = (wide(launch.args), wide(launch.args));
    run_with(kernel, launch.dim, &mut result, launch.trips).map_err(fault)?;
    let mut args: Vec<Argument<f64, f64>> = Vec::new();
    for source in &backward.sources {
        args.push(match *source {
            Source::Primal(id) => primal[id.0 as usize].clone(),
            Source::Result(id) => result[id.0 as usize].clone(),
            Source::Adjoint(id) => {
                let given = &primal[id.0 as usize];
                let is_value = matches!(kernel.param(id).kind, ParamKind::Value(_));
                let mut arg = Argument::zeros(given.ty, if is_value { &[1] } else { &given.shape });
                if let Some(data) = floats_mut(&mut arg) {
                    data.iter_mut().zip(&w.0[id.0 as usize]).for_each(|(x, w)| *x = *w);
                }
                arg
            }
        });
    }
    run_in_order(&backward.kernel, launch.dim, &mut args, launch.trips.saturating_mul(REPLAYS), backwards(launch.dim))
        .map_err(|why| Failure::Fault(format!("the backward kernel, {}: {}", place(&why.thread), why.message)))?;
    let mut gradient: Vec<Argument<f64, f64>> = primal.iter().map(|arg| Argument::zeros(arg.ty, &arg.shape)).collect();
    for (source, arg) in backward.sources.iter().zip(args) {
        if let Source::Adjoint(id) = *source {
            gradient[id.0 as usize] = arg;
        }
    }
    for id in &backward.extrema {
        let place = id.0 as usize;
        let changed: Vec<bool> =
            floats(&primal[place]).iter().zip(floats(&result[place])).map(|(a, b)| a != b).collect();
        if let Some(data) = floats_mut(&mut gradient[place]) {
            data.iter_mut().zip(changed).filter(|(_, changed)| *changed).for_each(|(x, _)| *x = 0.0);
        }
    }
    Ok(gradient)
}

/// The arguments with all floats in the wider type.
fn wide(args: &[Arg]) -> Vec<Argument<f64, f64>> {
    args.iter().map(|arg| arg.map_floats(|x| f64::from(*x), |x| *x)).collect()
}

/// The floats of an argument; none if it is made of something else.
fn floats<N: Number>(arg: &Argument<N, N>) -> &[N] {
    match &arg.data {
        Scalars::F32(data) | Scalars::F64(data) => data,
        _ => &[],
    }
}

fn floats_mut<N>(arg: &mut Argument<N, N>) -> Option<&mut Vec<N>> {
    match &mut arg.data {
        Scalars::F32(data) | Scalars::F64(data) => Some(data),
        _ => None,
    }
}

/// The indices of a launch, from the last one to the first.
fn backwards(dim: &[usize]) -> Vec<Vec<usize>> {
    dim.iter().fold(vec![Vec::new()], |outer, extent| {
        let longer = |index: Vec<usize>| (0..*extent).rev().map(move |last| [index.as_slice(), &[last]].concat());
        outer.into_iter().flat_map(longer).collect()
    })
}

fn fault(why: kernel_ir::interp::Fault) -> Failure {
    Failure::Fault(format!("{}: {}", place(&why.thread), why.message))
}

fn place(thread: &[usize]) -> String {
    if thread.is_empty() { "before the launch".to_owned() } else { format!("thread {thread:?}") }
}

#[cfg(test)]
mod tests {
    use super::{Adjoint, Backward, Failure, Launch, Source, adjoint_holds, differences, order_is_free};
    use kernel_ir::check::{CheckedKernel, check};
    use kernel_ir::ir::ParamId;
    use kernel_ir::{sample, text};

    /// In place, accumulated and read, with a value that every thread reads.
    const FORWARD: &str = "#[kernel(family = \"f\", dim = 1)] fn k(a: f32, x: &[vec2; dim(0)], \
        y: &mut [f32; dim(0)] in -1.0f64..1.0f64, out: &mut [f32; dim(0)],) { \
        y[tid(0)] = a * y[tid(0)] * y[tid(0)]; out[tid(0)] += sin(x[tid(0)].x) * x[tid(0)].y; }";

    const ADJOINT: &str = "#[kernel(family = \"f\", dim = 1)] fn k(a: f32, x: &[vec2; dim(0)], y: &[f32; dim(0)], \
        adj_a: &mut [f32; 1], adj_x: &mut [vec2; dim(0)], adj_y: &mut [f32; dim(0)], adj_out: &mut [f32; dim(0)],) { \
        let i.0: usize = tid(0); \
        adj_x[i.0] += vec2(cos(x[i.0].x) * x[i.0].y, sin(x[i.0].x)) * adj_out[i.0]; \
        atomic_add(adj_a[0usize], y[i.0] * y[i.0] * adj_y[i.0]); \
        adj_y[i.0] *= 2.0f32 * a * y[i.0]; }";

    fn kernel(text: &str) -> CheckedKernel {
        check(text::parse(text).unwrap()).unwrap()
    }

    fn judge(backward: Adjoint) -> Result<f64, Failure> {
        judge_of(&kernel(FORWARD), backward)
    }

    fn judge_of(kernel: &CheckedKernel, backward: Adjoint) -> Result<f64, Failure> {
        let args = sample::args(kernel, &[7], 1).unwrap();
        adjoint_holds(kernel, |_| backward, Launch { dim: &[7], args: &args, trips: 10, seed: 3 })
    }

    fn adjoint(text: &str) -> Adjoint {
        let (primal, adjoint) = (|id| Source::Primal(ParamId(id)), |id| Source::Adjoint(ParamId(id)));
        let sources = vec![primal(0), primal(1), primal(2), adjoint(0), adjoint(1), adjoint(2), adjoint(3)];
        Ok(Backward { kernel: kernel(text), sources, extrema: Vec::new() })
    }

    #[test]
    fn a_right_adjoint_holds() {
        assert!(judge(adjoint(ADJOINT)).unwrap() < 1e-12);
    }

    #[test]
    fn a_backward_kernel_may_take_results() {
        let forward = "#[kernel(family = \"f\", dim = 1)] fn k(y: &mut [f32; dim(0)] in 0.0f64..1.0f64,) { \
            y[tid(0)] = exp(y[tid(0)]); }";
        let adjoint = "#[kernel(family = \"f\", dim = 1)] fn k(y: &[f32; dim(0)], adj_y: &mut [f32; dim(0)],) { \
            adj_y[tid(0)] *= y[tid(0)]; }";
        let judge = |source: Source| {
            let sources = vec![source, Source::Adjoint(ParamId(0))];
            judge_of(&kernel(forward), Ok(Backward { kernel: kernel(adjoint), sources, extrema: Vec::new() }))
        };
        assert!(judge(Source::Result(ParamId(0))).unwrap() < 1e-12);
        assert!(matches!(judge(Source::Primal(ParamId(0))), Err(Failure::Mismatch(_))));
    }

    #[test]
    fn wrong_adjoints_do_not() {
        for (right, wrong, culprit) in [
            ("cos(x", "sin(x", "by `x`"),
            ("2.0f32 * a", "2.0001f32 * a", "by `y`"),
            ("y[i.0] * y[i.0] *", "y[i.0] *", "by `a`"),
        ] {
            let found = judge(adjoint(&ADJOINT.replace(right, wrong)));
            let Err(Failure::Mismatch(message)) = found else { panic!("{wrong}: {found:?}") };
            assert_eq!(message.matches("by `").count(), 1, "{message}");
            assert!(message.contains(culprit), "{message}");
        }
    }

    #[test]
    fn other_failures_have_names() {
        assert_eq!(judge(Err("no".to_owned())), Err(Failure::Refused("no".to_owned())));
        assert!(matches!(judge(adjoint(&ADJOINT.replace("a[0usize]", "a[1usize]"))), Err(Failure::Fault(_))));
        let infinite = ADJOINT.replace("2.0f32", "f32::INFINITY");
        assert!(matches!(judge(adjoint(&infinite)), Err(Failure::NotFinite(_))));
    }

    fn judge_one<T>(text: &str, judge: fn(&CheckedKernel, Launch) -> T) -> T {
        let kernel = kernel(text);
        let args = sample::args(&kernel, &[7], 1).unwrap();
        judge(&kernel, Launch { dim: &[7], args: &args, trips: 10, seed: 3 })
    }

    #[test]
    fn differences_notice_a_jump() {
        let found = judge_one(FORWARD, differences).unwrap();
        assert!(found.agree && found.tangent != 0.0);
        let jump = FORWARD.replace("a * y[tid(0)]", "signum(y[tid(0)])").replace("1.0f64", "1e-7f64");
        assert!(!judge_one(&jump, differences).unwrap().agree);
    }

    #[test]
    fn the_order_of_threads_is_noticed() {
        assert_eq!(judge_one(FORWARD, order_is_free), Ok(()));
        let meeting = FORWARD.replace("y[tid(0)] * y[tid(0)]", "y[tid(0) / 2usize]");
        let found = judge_one(&meeting, order_is_free);
        assert_eq!(found, Err(Failure::Mismatch("`y` depends on the order of the threads".to_owned())));
    }
}

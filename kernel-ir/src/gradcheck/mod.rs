//! Adjoints held against derivatives along a direction.
//!
//! For a direction v of all float inputs and weights w of all float outputs, ⟨J·v, w⟩ is computed by the kernel run with
//! dual numbers, ⟨v, Jᵀ·w⟩ by its adjoint. The two have nothing in common but the kernel.

#![deny(clippy::wildcard_enum_match_arm)]

mod floats;
#[cfg(test)]
mod tests;
mod winners;

use crate::adjoint::{self, Backward, Share, arguments, gradients};
use crate::data::{Arg, Argument, Data};
use crate::interp::{self, Dual, Fault, Number, row_major, run_in_order, run_with};
use crate::ir::{Kernel, ParamId, Scalar};
use crate::sample;
use crate::verify::VerifiedKernel;
use floats::{floats, floats_mut};

/// A launch to judge by.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// Its size.
    pub dim: &'a [usize],
    /// Its arguments.
    pub args: &'a [Arg],
    /// How many trips of loops it may make; the adjoint may make more.
    pub trips: u64,
    /// Which direction and weights are drawn.
    pub seed: u64,
}

/// Why a kernel does not keep the property.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// It or its adjoint ends early.
    Fault(String),
    /// An output or its derivative is infinite or not a number: there is nothing to hold the adjoint against.
    Undefined(String),
    /// The adjoint is infinite or not a number where the derivative is neither.
    NotFinite(String),
    /// The two derivatives differ.
    Mismatch(String),
}

/// How much two derivatives in f64 may differ, as a part of the sum of the sizes of their terms.
pub const TOLERANCE: f64 = 1e-10;

/// The same where the adjoint computes in f32.
pub const TOLERANCE_F32: f64 = 1e-4;

/// How much two derivatives may differ where the adjoint of `kernel` computes in the types that it declares.
pub fn tolerance_as_declared(kernel: &Kernel) -> f64 {
    let has_f32 = kernel.params.iter().any(|param| param.elem().scalar() == Scalar::F32);
    if has_f32 { TOLERANCE_F32 } else { TOLERANCE }
}

/// The smallest size that two derivatives are measured by: where terms of the size 1 cancel, rounding is left.
const SMALLEST: f64 = 1e-3;

/// How many trips an adjoint may make for each trip of the kernel.
const REPLAYS: u64 = 64;

/// Arguments that compute in the wider type, whatever they declare.
type Wide = Argument<f64, f64>;

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

/// Holds the adjoint of `kernel` against dual numbers in one launch, everything in f64. Returns the relative error.
///
/// # Errors
/// Why the adjoint is not what it should be.
pub fn dot_product(kernel: &VerifiedKernel, backward: &Backward, launch: Launch) -> Result<f64, Failure> {
    judge(kernel, backward, launch, TOLERANCE, &wide(launch.args), |kernel, trips, args| {
        run_with(kernel, launch.dim, args, trips).map_err(|why| words(&why))
    })
}

/// The same with the adjoint in the types that it declares, as `run` runs it: the CPU version, or [`interp::run`]. The
/// launch of the kernel itself is the interpreter's.
///
/// # Errors
/// Why the adjoint is not what it should be.
pub fn dot_product_rounded(
    kernel: &VerifiedKernel,
    backward: &Backward,
    launch: Launch,
    mut run: impl FnMut(&mut [Arg]) -> Result<(), String>,
) -> Result<f64, Failure> {
    let mut is_forward = true;
    judge(kernel, backward, launch, tolerance_as_declared(kernel), launch.args, |kernel, _, args| match std::mem::take(
        &mut is_forward,
    ) {
        true => interp::run(kernel, launch.dim, args).map_err(|why| words(&why)),
        false => run(args),
    })
}

/// Holds the adjoint, on arguments of the types `S` and `D`, against dual numbers; `run` runs the kernel, then the adjoint.
fn judge<S: Number + Share, D: Number + Share>(
    kernel: &VerifiedKernel,
    backward: &Backward,
    launch: Launch,
    tolerance: f64,
    before: &[Argument<S, D>],
    mut run: impl FnMut(&VerifiedKernel, u64, &mut [Argument<S, D>]) -> Result<(), String>,
) -> Result<f64, Failure>
where
    Argument<S, D>: Widen,
{
    let (direction, weights) = (Directions::inputs(kernel, launch), Directions::outputs(kernel, launch));
    let expected = forward(kernel, launch, &direction, &weights)?;
    let mut after = before.to_vec();
    run(kernel, launch.trips, &mut after).map_err(Failure::Fault)?;
    let adjoint_of = |id: ParamId| kernel.param(id).is_mutable().then(|| Widen::narrow(&weights.argument(id, launch)));
    let mut args = arguments(kernel, &backward.sources, before, &after, adjoint_of);
    adjoint::launch(&backward.sources, &mut args, |args| {
        run(&backward.kernel, launch.trips.saturating_mul(REPLAYS), args)
            .map_err(|why| Failure::Fault(format!("the adjoint, {why}")))
    })?;
    let gradient = gradients(&backward.sources, before, &after, args);
    let gradient: Vec<(ParamId, Wide)> = gradient.iter().map(|(id, arg)| (*id, arg.widen())).collect();
    let found = direction.along(gradient.iter().map(|(id, arg)| (*id, arg)));
    if !found.size.is_finite() {
        return Err(Failure::NotFinite("the adjoint is not finite".to_owned()));
    }
    let error = expected.distance(found);
    if error <= tolerance {
        return Ok(error);
    }
    let mut message = format!("dual numbers say {:e}, the adjoint {:e}", expected.value, found.value);
    for (id, param) in kernel.param_ids() {
        let part = direction.only(id);
        let expected = forward(kernel, launch, &part, &weights)?;
        let found = part.along(gradient.iter().map(|(id, arg)| (*id, arg)));
        if expected.distance(found) > tolerance {
            message += &format!("\n  by `{}`: {:e} and {:e}", param.name, expected.value, found.value);
        }
    }
    Err(Failure::Mismatch(message))
}

/// A derivative along one direction, found in two ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Differences {
    /// What dual numbers say.
    pub tangent: f64,
    /// Whether central differences say roughly the same.
    pub agree: bool,
    /// Whether central differences have a limit. They do not at a jump or a kink.
    pub converge: bool,
}

/// Compares the derivative by dual numbers with central differences. They differ for a kernel that
/// [has a surrogate](crate::ir::Kernel::has_surrogate).
///
/// # Errors
/// Why there is nothing to compare.
pub fn differences(kernel: &VerifiedKernel, launch: Launch) -> Result<Differences, Failure> {
    // The smaller one is for launches that lie close to a kink or where the function bends sharply.
    const STEPS: [f64; 2] = [1e-6, 1e-8];
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
        Ok(weights.along(kernel.param_ids().map(|(id, _)| id).zip(&args)))
    };
    let mut agree = false;
    let mut found = Vec::new();
    for step in STEPS {
        let (above, below) = (shifted(step)?, shifted(-step)?);
        let difference = (above.value - below.value) / (2.0 * step);
        // What the third derivative and rounding leave.
        let allowed = 1e-5 * (tangent.size + 1.0) + 1e-15 / step * (above.size + below.size);
        agree |= (difference - tangent.value).abs() <= allowed;
        found.push((difference, allowed));
    }
    let converge = found.windows(2).all(|pair| (pair[0].0 - pair[1].0).abs() <= pair[0].1 + pair[1].1);
    Ok(Differences { tangent: tangent.value, agree, converge })
}

/// The derivative of the sum of the outputs, weighted as [`weights`] says, by one scalar of a parameter: a central difference.
///
/// # Errors
/// The kernel ends early.
pub fn difference(kernel: &VerifiedKernel, launch: Launch, id: ParamId, scalar: usize) -> Result<f64, Failure> {
    const STEP: f64 = 1e-6;
    let weights = Directions::outputs(kernel, launch);
    let shifted = |step: f64| -> Result<f64, Failure> {
        let mut args = wide(launch.args);
        if let Some(x) = floats_mut(&mut args[id.0 as usize]).and_then(|data| data.get_mut(scalar)) {
            *x += step;
        }
        run_with(kernel, launch.dim, &mut args, launch.trips).map_err(fault)?;
        Ok(weights.along(kernel.param_ids().map(|(id, _)| id).zip(&args)).value)
    };
    Ok((shifted(STEP)? - shifted(-STEP)?) / (2.0 * STEP))
}

/// Whether threads may run in the opposite order.
///
/// # Errors
/// The array that is then another.
pub fn order_is_free(kernel: &VerifiedKernel, launch: Launch) -> Result<(), Failure> {
    let (mut up, mut down) = (wide(launch.args), wide(launch.args));
    run_with(kernel, launch.dim, &mut up, launch.trips).map_err(fault)?;
    run_in_order(kernel, launch.dim, &mut down, launch.trips, row_major(launch.dim).rev()).map_err(fault)?;
    for ((up, down), param) in up.iter().zip(&down).zip(&kernel.params) {
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= TOLERANCE * (1.0 + a.abs());
        if !floats(up).iter().zip(floats(down)).all(close) {
            return Err(Failure::Mismatch(format!("`{}` depends on the order of the threads", param.name)));
        }
    }
    Ok(())
}

/// The weights of the outputs for the launch with that seed: what [`dot_product`] takes as the adjoint of the parameter.
/// Each is an f32 between -1 and 1.
pub fn weights(kernel: &VerifiedKernel, args: &[Arg], seed: u64, id: ParamId) -> Option<Arg> {
    let (param, arg) = (kernel.param(id), &args[id.0 as usize]);
    let draws = || draw(&param.name, "weights", seed, arg.data.len());
    let data = match arg.data.scalar() {
        Scalar::F32 => Data::F32(draws()),
        Scalar::F64 => Data::F64(draws().into_iter().map(f64::from).collect()),
        Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 | Scalar::Index => return None,
    };
    param.is_mutable().then(|| Arg { ty: arg.ty, shape: arg.shape.clone(), data })
}

fn draw(name: &str, role: &str, seed: u64, count: usize) -> Vec<f32> {
    sample::signed(&format!("{name}: {role}"), seed, count)
}

/// One number for each float scalar of each parameter, in order.
struct Directions(Vec<Vec<f64>>);

impl Directions {
    /// A random direction of everything that a kernel reads.
    fn inputs(kernel: &VerifiedKernel, launch: Launch) -> Directions {
        let direction = |(param, arg): (&crate::ir::Param, &Arg)| {
            let count = if param.elem().is_float() { arg.data.len() } else { 0 };
            draw(&param.name, "direction", launch.seed, count).into_iter().map(f64::from).collect()
        };
        Directions(kernel.params.iter().zip(launch.args).map(direction).collect())
    }

    /// Random weights of everything that it writes.
    fn outputs(kernel: &VerifiedKernel, launch: Launch) -> Directions {
        let weights = |id| weights(kernel, launch.args, launch.seed, id).map(|arg| floats(&arg.widen()).to_vec());
        Directions(kernel.param_ids().map(|(id, _)| weights(id).unwrap_or_default()).collect())
    }

    /// The part that belongs to one parameter.
    fn only(&self, id: ParamId) -> Directions {
        let part = |(place, v): (usize, &Vec<f64>)| if place == id.0 as usize { v.clone() } else { vec![0.0; v.len()] };
        Directions(self.0.iter().enumerate().map(part).collect())
    }

    /// The part that belongs to one parameter, as its adjoint.
    fn argument(&self, id: ParamId, launch: Launch) -> Wide {
        let of = &launch.args[id.0 as usize];
        let mut arg = Argument::zeros(of.ty, &of.shape);
        if let Some(data) = floats_mut(&mut arg) {
            data.clone_from(&self.0[id.0 as usize]);
        }
        arg
    }

    /// The scalar product with the floats of parameters.
    fn along<'a>(&self, args: impl IntoIterator<Item = (ParamId, &'a Wide)>) -> Product {
        let mut product = Product::default();
        for (id, arg) in args {
            product.add(&self.0[id.0 as usize], floats(arg).iter().copied());
        }
        product
    }
}

/// ⟨J·v, w⟩ by dual numbers; winners of `atomic_min` and `atomic_max` share.
fn forward(kernel: &VerifiedKernel, launch: Launch, v: &Directions, w: &Directions) -> Result<Product, Failure> {
    let mut args: Vec<Argument<Dual, Dual>> = Vec::new();
    for (arg, v) in wide(launch.args).iter().zip(&v.0) {
        let mut arg = arg.map_floats(|x| Dual::constant(*x), |x| Dual::constant(*x));
        if let Some(data) = floats_mut(&mut arg) {
            data.iter_mut().zip(v).for_each(|(x, v)| x.tangent = *v);
        }
        args.push(arg);
    }
    let before = args.clone();
    run_with(kernel, launch.dim, &mut args, launch.trips).map_err(fault)?;
    winners::share(kernel, launch.dim, launch.trips, &before, &mut args).map_err(Failure::Fault)?;
    let mut product = Product::default();
    for ((w, arg), param) in w.0.iter().zip(&args).zip(&kernel.params) {
        let tangents = floats(arg).iter().map(|x| x.tangent);
        if param.is_mutable() && floats(arg).iter().any(|x| !(x.value.is_finite() && x.tangent.is_finite())) {
            return Err(Failure::Undefined(format!("`{}` or its derivative is not finite", param.name)));
        }
        product.add(w, tangents);
    }
    Ok(product)
}

/// Arguments that can be brought to the wider type and back.
trait Widen {
    fn widen(&self) -> Wide;
    fn narrow(wide: &Wide) -> Self;
}

impl Widen for Arg {
    fn widen(&self) -> Wide {
        self.map_floats(|x| f64::from(*x), |x| *x)
    }

    fn narrow(wide: &Wide) -> Arg {
        wide.map_floats(|x| *x as f32, |x| *x)
    }
}

impl Widen for Wide {
    fn widen(&self) -> Wide {
        self.clone()
    }

    fn narrow(wide: &Wide) -> Wide {
        wide.clone()
    }
}

fn wide(args: &[Arg]) -> Vec<Wide> {
    args.iter().map(Widen::widen).collect()
}

fn fault(why: Fault) -> Failure {
    Failure::Fault(words(&why))
}

fn words(why: &Fault) -> String {
    match why.thread.as_slice() {
        [] => format!("before the launch: {}", why.message),
        thread => format!("thread {thread:?}: {}", why.message),
    }
}

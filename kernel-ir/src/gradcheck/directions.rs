//! Directions of inputs, weights of outputs, and dot products with them.

use super::args::{DualArg, Wide, floats, floats_mut};
use super::launch::{Failure, Launch};
use super::numbers::Numbers;
use crate::data::{Arg, Argument, Data};
use crate::interp::Dual;
use crate::ir::{ParamId, Scalar};
use crate::sample;
use crate::verify::VerifiedKernel;

/// The smallest magnitude by which a difference of two derivatives is divided. Where terms of magnitude 1 cancel, only
/// rounding errors remain.
const SMALLEST: f64 = 1e-3;

/// A dot product, and the sum of the magnitudes of its terms.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Product {
    pub(super) value: f64,
    pub(super) size: f64,
}

impl Product {
    fn add(&mut self, a: &[f64], b: impl IntoIterator<Item = f64>) {
        for (a, b) in a.iter().zip(b) {
            self.value += a * b;
            self.size += (a * b).abs();
        }
    }

    /// The difference of two dot products relative to their magnitudes.
    pub(super) fn distance(self, other: Product) -> f64 {
        (self.value - other.value).abs() / self.size.max(other.size).max(SMALLEST)
    }
}

/// The outputs that the loss depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loss {
    /// All outputs.
    All,
    /// The outputs that are finite and have a finite derivative.
    Finite,
}

/// The weights of the parameter `id` for a launch with `seed`; [`dot_product`](super::dot_product) uses them as its
/// output adjoints. Each weight is an f32 between -1 and 1, rounded to the
/// type of the output. `None` for a parameter that is read-only or has no floats.
pub fn weights(kernel: &VerifiedKernel, args: &[Arg], seed: u64, id: ParamId) -> Option<Arg> {
    let (param, arg) = (kernel.param(id), &args[id.0 as usize]);
    let draws = || draw(&param.name, "weights", seed, arg.data.len());
    let data = match arg.data.scalar() {
        scalar @ (Scalar::F16 | Scalar::BF16 | Scalar::F32) => Data::rounded(scalar, draws()),
        Scalar::F64 => Data::F64(draws().into_iter().map(f64::from).collect()),
        Scalar::Bool | Scalar::Index => return None,
        Scalar::I8 | Scalar::U8 | Scalar::I16 | Scalar::U16 | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => {
            return None;
        }
    };
    param.is_mutable().then(|| Arg { ty: arg.ty, shape: arg.shape.clone(), data })
}

fn draw(name: &str, role: &str, seed: u64, count: usize) -> Vec<f32> {
    sample::signed(&format!("{name}: {role}"), seed, count)
}

/// One number for each float scalar of each parameter, in order.
pub(super) struct Directions(pub(super) Vec<Vec<f64>>);

impl Directions {
    /// A random direction of all inputs.
    pub(super) fn inputs(kernel: &VerifiedKernel, launch: Launch) -> Directions {
        let direction = |(param, arg): (&crate::ir::Param, &Arg)| {
            let count = if param.elem().is_float() { arg.data.len() } else { 0 };
            draw(&param.name, "direction", launch.seed, count).into_iter().map(f64::from).collect()
        };
        Directions(kernel.params.iter().zip(launch.args).map(direction).collect())
    }

    /// Random weights of all outputs.
    pub(super) fn outputs(kernel: &VerifiedKernel, launch: Launch) -> Directions {
        let weights = |id| weights(kernel, launch.args, launch.seed, id).map(|arg| floats(&arg.widen()).to_vec());
        Directions(kernel.param_ids().map(|(id, _)| weights(id).unwrap_or_default()).collect())
    }

    /// The direction with zeros for all other parameters.
    pub(super) fn only(&self, id: ParamId) -> Directions {
        let part = |(place, v): (usize, &Vec<f64>)| if place == id.0 as usize { v.clone() } else { vec![0.0; v.len()] };
        Directions(self.0.iter().enumerate().map(part).collect())
    }

    /// The weights, with zeros for the outputs that the loss does not depend on.
    ///
    /// # Errors
    /// [`Failure::Undefined`] if no output remains.
    pub(super) fn of_loss(mut self, loss: Loss, outputs: &[DualArg]) -> Result<Directions, Failure> {
        if loss == Loss::All {
            return Ok(self);
        }
        for (weights, arg) in self.0.iter_mut().zip(outputs) {
            for (weight, _) in weights.iter_mut().zip(floats(arg)).filter(|(_, x)| !is_finite(x)) {
                *weight = 0.0;
            }
        }
        match self.0.iter().flatten().all(|weight| *weight == 0.0) {
            true => Err(Failure::Undefined("no output has a finite derivative".to_owned())),
            false => Ok(self),
        }
    }

    /// The weights of one parameter as its adjoint.
    pub(super) fn argument(&self, id: ParamId, launch: Launch) -> Wide {
        let of = &launch.args[id.0 as usize];
        let mut arg = Argument::zeros(of.ty, &of.shape);
        if let Some(data) = floats_mut(&mut arg) {
            data.clone_from(&self.0[id.0 as usize]);
        }
        arg
    }

    /// ⟨J·v, w⟩, where `self` are the weights w and `outputs` hold the tangents J·v.
    ///
    /// # Errors
    /// [`Failure::Undefined`] if a weighted output or its derivative is not finite.
    pub(super) fn along_tangents(&self, kernel: &VerifiedKernel, outputs: &[DualArg]) -> Result<Product, Failure> {
        let mut product = Product::default();
        for ((weights, arg), param) in
            self.0.iter().zip(outputs).zip(&kernel.params).filter(|(_, param)| param.is_mutable())
        {
            let counted = || weights.iter().zip(floats(arg)).filter(|(weight, _)| **weight != 0.0);
            if counted().any(|(_, x)| !is_finite(x)) {
                return Err(Failure::Undefined(format!("`{}` or its derivative is not finite", param.name)));
            }
            counted().for_each(|(weight, x)| product.add(&[*weight], [x.tangent]));
        }
        Ok(product)
    }

    /// The dot product with the floats of parameters.
    pub(super) fn along<'a>(&self, args: impl IntoIterator<Item = (ParamId, &'a Wide)>) -> Product {
        let mut product = Product::default();
        for (id, arg) in args {
            product.add(&self.0[id.0 as usize], floats(arg).iter().copied());
        }
        product
    }
}

/// Whether a number and its tangent are finite.
fn is_finite(x: &Dual) -> bool {
    x.value.is_finite() && x.tangent.is_finite()
}

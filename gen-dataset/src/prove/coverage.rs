//! What the launches of a proof have executed, and which gradients were not zero in all of them.
//!
//! A proof says nothing about a statement that no launch executes, nor about a gradient that is zero in all of them.

use crate::model::{AdjointLaunches, CoverageCheck, Launch};
use kernel_ir::adjoint::Backward;
use kernel_ir::data::{Arg, Data};
use kernel_ir::interp::{Coverage, run_covered};
use kernel_ir::ir::ParamId;
use kernel_ir::verify::VerifiedKernel;

/// The launches of an adjoint, with the gradients that they compute.
pub(crate) type Differentiated<'a> = (&'a AdjointLaunches, &'a [(ParamId, Arg)]);

/// What the launches of a kernel so far have covered.
#[derive(Clone, Debug)]
pub(crate) struct Covered<'a> {
    kernel: &'a VerifiedKernel,
    backward: Option<&'a Backward>,
    forward: Coverage,
    adjoint: Option<Coverage>,
    /// The active parameters whose gradients were zero in all launches.
    zero: Vec<ParamId>,
}

impl<'a> Covered<'a> {
    /// No launch so far.
    pub(crate) fn new(kernel: &'a VerifiedKernel, backward: Option<&'a Backward>) -> Covered<'a> {
        Covered {
            kernel,
            backward,
            forward: Coverage::none(kernel),
            adjoint: backward.map(|backward| Coverage::none(&backward.kernel)),
            zero: backward.map_or(Vec::new(), Backward::active),
        }
    }

    /// Adds a launch, with the launches of its adjoint. Returns whether it covers something new.
    pub(crate) fn add(&mut self, launch: &Launch, adjoint: Option<Differentiated<'_>>) -> bool {
        let mut is_new = add(&mut self.forward, self.kernel, launch);
        if let (Some(coverage), Some(backward), Some((launches, gradients))) =
            (&mut self.adjoint, self.backward, adjoint)
        {
            for launch in launches.iter() {
                is_new |= add(coverage, &backward.kernel, launch);
            }
            let moves = |id: &ParamId| gradients.iter().any(|(of, arg)| of == id && !is_zero(&arg.data));
            let before = self.zero.len();
            self.zero.retain(|id| !moves(id));
            is_new |= self.zero.len() < before;
        }
        is_new
    }

    /// Whether nothing is missing.
    pub(crate) fn is_complete(&self) -> bool {
        self.missing().is_empty()
    }

    /// What no launch has covered, each as a sentence.
    pub(crate) fn missing(&self) -> Vec<String> {
        let forward = self.forward.missing(self.kernel).map(|region| format!("no thread reaches {}", region.words));
        let adjoint = self.adjoint.iter().zip(self.backward).flat_map(|(coverage, backward)| {
            coverage
                .missing(&backward.kernel)
                .map(|region| format!("no thread of the adjoint reaches {}", region.words))
        });
        let zero = self.zero.iter().map(|id| format!("the gradient of `{}` is zero", self.kernel.param(*id).name));
        forward.chain(adjoint).chain(zero).collect()
    }

    /// The evidence of a record.
    pub(crate) fn check(&self, elements: [usize; 2]) -> CoverageCheck {
        let of_adjoint = |count: fn(&Coverage, &VerifiedKernel) -> [usize; 2]| {
            self.adjoint.as_ref().zip(self.backward).map(|(coverage, backward)| count(coverage, &backward.kernel))
        };
        CoverageCheck {
            statements: self.forward.statements(self.kernel),
            branches: self.forward.branches(self.kernel),
            elements,
            adjoint_statements: of_adjoint(Coverage::statements),
            adjoint_branches: of_adjoint(Coverage::branches),
            missing: self.missing(),
        }
    }
}

/// Adds what `launch` of `kernel` reaches. The launch has been made before, so it does not fail.
fn add(coverage: &mut Coverage, kernel: &VerifiedKernel, launch: &Launch) -> bool {
    let found = run_covered(kernel, &launch.dim, &mut launch.before.clone());
    found.is_ok_and(|found| coverage.add(kernel, &found))
}

fn is_zero(data: &Data) -> bool {
    match data {
        Data::F16(data) | Data::BF16(data) | Data::F32(data) => data.iter().all(|x| *x == 0.0),
        Data::F64(data) => data.iter().all(|x| *x == 0.0),
        // The rest has no derivative.
        _ => true,
    }
}

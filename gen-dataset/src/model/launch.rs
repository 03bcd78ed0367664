//! A launch with its result.

use super::compare::{allowed_ulp, first_not_finite};
use super::kernel::run_interpreter;
use kernel_ir::adjoint::{self, Backward};
use kernel_ir::data::{Arg, Data};
use kernel_ir::interp::{self, Tid};
use kernel_ir::ir::ParamId;
use kernel_ir::verify::VerifiedKernel;

/// The number of launches that are tried besides the example.
pub(crate) const LAUNCHES: usize = 5;

/// A launch with its result.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The launch size.
    pub dim: Vec<usize>,
    /// The arguments before the launch.
    pub before: Vec<Arg>,
    /// The arguments after the launch.
    pub after: Vec<Arg>,
}

/// The launches of the adjoint of a kernel.
#[derive(Clone, Debug)]
pub struct AdjointLaunches {
    /// The launch that counts the winners of `atomic_min` and `atomic_max`, if the adjoint counts them.
    pub counting: Option<Launch>,
    /// The launch that computes the gradients.
    pub gradients: Launch,
}

impl AdjointLaunches {
    /// The launches in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Launch> {
        self.counting.iter().chain([&self.gradients])
    }
}

impl IntoIterator for AdjointLaunches {
    type Item = Launch;
    type IntoIter = std::iter::Chain<std::option::IntoIter<Launch>, std::iter::Once<Launch>>;

    /// The launches in their order.
    fn into_iter(self) -> Self::IntoIter {
        self.counting.into_iter().chain(std::iter::once(self.gradients))
    }
}

impl Launch {
    /// The launches of the adjoint that follow this launch of `kernel`. `adjoints` gives the adjoint of each output.
    ///
    /// # Errors
    /// A sentence, if the adjoint does not run.
    pub fn backward(
        &self,
        kernel: &VerifiedKernel,
        backward: &Backward,
        adjoints: impl FnMut(ParamId) -> Option<Arg>,
    ) -> Result<AdjointLaunches, String> {
        let mut args = adjoint::arguments(kernel, &backward.sources, &self.before, &self.after, adjoints);
        let mut launches = Vec::new();
        adjoint::launch(&backward.sources, &mut args, |args| {
            let before = args.to_vec();
            run_interpreter(&backward.kernel, &self.dim, args)?;
            launches.push(Launch { dim: self.dim.clone(), before, after: args.to_vec() });
            Ok::<_, String>(())
        })?;
        let gradients = launches.pop().ok_or("an adjoint is launched")?;
        Ok(AdjointLaunches { counting: launches.pop(), gradients })
    }

    /// The tolerance of each number after this launch of `kernel`, measured by perturbed execution. 0 demands the same
    /// bits.
    ///
    /// # Errors
    /// A sentence, if the launch is ill-conditioned.
    pub fn tolerances(&self, kernel: &VerifiedKernel) -> Result<Vec<Arg>, String> {
        // Other systems add the elements of tiles, and what threads add to shared arrays, in orders of their own.
        if kernel.sums_in_blocks() {
            return interp::tolerances_when_reassociated(kernel, &self.dim, &self.before, &self.after);
        }
        interp::tolerances(kernel, &self.dim, &self.before, &self.after, || interp::row_major(&self.dim).collect())
    }

    /// The tolerances for a kernel by another author: equal over the real numbers, but with other roundings.
    ///
    /// # Errors
    /// A sentence, if the launch is ill-conditioned for such kernels.
    pub fn tolerances_when_reassociated(&self, kernel: &VerifiedKernel) -> Result<Vec<Arg>, String> {
        interp::tolerances_when_reassociated(kernel, &self.dim, &self.before, &self.after)
    }

    /// The same launch with poison in the arrays that the kernel writes. The sampler puts zeros there, so a kernel that
    /// forgets to write a zero would pass without poison. `None` if the kernel faults on such values.
    pub fn poisoned(&self, kernel: &VerifiedKernel) -> Option<Launch> {
        let mut before = self.before.clone();
        for (param, arg) in kernel.params.iter().zip(&mut before) {
            if param.is_mutable() && param.domain.is_none() {
                poison(&mut arg.data);
            }
        }
        let mut after = before.clone();
        interp::run(kernel, &self.dim, &mut after).ok()?;
        Some(Launch { dim: self.dim.clone(), before, after })
    }
}

/// A sentence about the first output that is infinite or NaN, with the thread that first writes such a value. `None` if
/// all floats of `after` are finite.
pub(crate) fn not_finite(kernel: &VerifiedKernel, dim: &[usize], before: &[Arg], after: &[Arg]) -> Option<String> {
    let first = |args: &[Arg]| first_not_finite(kernel.params.iter().map(|param| param.name.as_str()), args);
    let last = first(after)?;
    // The threads run one by one. A sum that overflows in the order of the launch may stay finite here; then no thread
    // is named.
    let mut args = before.to_vec();
    let mut step = |thread: Tid| {
        interp::run_in_order(kernel, dim, &mut args, interp::TRIPS, [thread]).ok()?;
        Some((first(&args)?, format!(", which thread {:?} writes", &*thread)))
    };
    let ((name, position, value), thread) =
        interp::row_major(dim).find_map(&mut step).unwrap_or_else(|| (last, String::new()));
    Some(format!("the launch {dim:?} leaves {value} in `{name}` at position {position}{thread}"))
}

/// The largest tolerance of these launches, in units in the last place.
pub(crate) fn largest_allowed_ulp(launches: &[(&Launch, &[Arg])]) -> u64 {
    launches.iter().map(|(launch, tolerances)| allowed_ulp(&launch.after, tolerances)).max().unwrap_or(0)
}

/// Replaces all values by poison. These are small numbers, because a kernel may add to them.
fn poison(data: &mut Data) {
    match data {
        Data::Bool(v) => v.fill(true),
        Data::I8(v) => v.fill(7),
        Data::U8(v) => v.fill(7),
        Data::I16(v) => v.fill(7),
        Data::U16(v) => v.fill(7),
        Data::I32(v) => v.fill(7),
        Data::U32(v) => v.fill(7),
        Data::I64(v) => v.fill(7),
        Data::U64(v) => v.fill(7),
        Data::Index(v) => v.fill(7),
        // Of few digits, so that it is a number of both types.
        Data::F16(v) | Data::BF16(v) => v.fill(0.75),
        Data::F32(v) => v.fill(0.7),
        Data::F64(v) => v.fill(0.7),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;
    use kernel_ir::ir::Type;

    #[test]
    fn what_is_not_finite_is_named_with_its_thread() {
        let kernel = fixtures::wave();
        let floats = |shape: &[usize], data: &[f32]| Arg {
            ty: Type::F32,
            shape: shape.to_vec(),
            data: Data::F32(data.to_vec()),
        };
        let why = |a: f32| {
            let before = vec![floats(&[], &[a]), floats(&[3], &[-1.0, -1.0, 1.0]), floats(&[3], &[0.0; 3])];
            let mut after = before.clone();
            run_interpreter(&kernel, &[3], &mut after).unwrap();
            not_finite(&kernel, &[3], &before, &after)
        };
        assert_eq!(why(1.0), None);
        let said = "the launch [3] leaves inf in `y` at position 2, which thread [2] writes";
        assert_eq!(why(f32::MAX).as_deref(), Some(said));
    }
}

//! A launch with its result.

use super::kernel::run_interpreter;
use kernel_ir::adjoint::{self, Backward};
use kernel_ir::data::{Arg, Data};
use kernel_ir::interp;
use kernel_ir::ir::ParamId;
use kernel_ir::verify::VerifiedKernel;

/// How many launches are tried besides the example.
pub(crate) const LAUNCHES: usize = 5;

/// A launch with its result.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The launch size.
    pub dim: Vec<usize>,
    /// The arguments before it.
    pub before: Vec<Arg>,
    /// The arguments after it.
    pub after: Vec<Arg>,
}

impl Launch {
    /// The launch of the adjoint that follows this launch of `kernel`; `adjoints` gives the adjoint of each output.
    ///
    /// # Errors
    /// The adjoint does not run: a sentence.
    pub fn backward(
        &self,
        kernel: &VerifiedKernel,
        backward: &Backward,
        adjoints: impl FnMut(ParamId) -> Option<Arg>,
    ) -> Result<Launch, String> {
        let before = adjoint::arguments(kernel, &backward.sources, &self.before, &self.after, adjoints);
        let mut after = before.clone();
        run_interpreter(&backward.kernel, &self.dim, &mut after)?;
        Ok(Launch { dim: self.dim.clone(), before, after })
    }

    /// How far each number after the launch of `kernel` may be from what another machine makes of it; 0 asks for the same
    /// bits.
    ///
    /// # Errors
    /// The launch is ill-conditioned: a sentence.
    pub fn tolerances(&self, kernel: &VerifiedKernel) -> Result<Vec<Arg>, String> {
        interp::tolerances(kernel, &self.dim, &self.before, &self.after, || interp::row_major(&self.dim).collect())
    }

    /// The same for what somebody else wrote: a kernel that computes the same in real numbers, and rounds where it pleases.
    ///
    /// # Errors
    /// The launch is ill-conditioned for such kernels: a sentence.
    pub fn tolerances_when_reassociated(&self, kernel: &VerifiedKernel) -> Result<Vec<Arg>, String> {
        interp::tolerances_when_reassociated(kernel, &self.dim, &self.before, &self.after)
    }

    /// The same launch with poison, a value other than zero, in the arrays that are written to, where the sampler puts zeros: a kernel that
    /// leaves out a zero gives itself away. `None` if the kernel faults on such values.
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

/// Puts poison in the place of all values: plain numbers, which a kernel may add to.
fn poison(data: &mut Data) {
    match data {
        Data::Bool(v) => v.fill(true),
        Data::I32(v) => v.fill(7),
        Data::U32(v) => v.fill(7),
        Data::I64(v) => v.fill(7),
        Data::U64(v) => v.fill(7),
        Data::Index(v) => v.fill(7),
        Data::F32(v) => v.fill(0.7),
        Data::F64(v) => v.fill(0.7),
    }
}

//! Launch arguments drawn from the domains and shapes of a kernel's parameters.

use crate::data::Arg;
use crate::ir::Kernel;

/// Draws arguments for a launch of `dim`. The same kernel, `dim` and `seed` give the same arguments on any machine.
///
/// # Errors
/// A sentence that names the parameter for which no value can be drawn, for example because its domain is empty.
pub fn args(kernel: &Kernel, dim: &[usize], seed: u64) -> Result<Vec<Arg>, String> {
    let _ = (kernel, dim, seed);
    Ok(Vec::new())
}

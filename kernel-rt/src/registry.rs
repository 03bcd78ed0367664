//! Every kernel that is linked into the program.

use crate::LaunchError;
use kernel_ir::data::Arg;

/// What `#[kernel]` records of a kernel.
#[derive(Debug)]
pub struct KernelInfo {
    /// The function's name.
    pub name: &'static str,
    /// The module that defines it.
    pub module: &'static str,
    /// The family that it belongs to.
    pub family: &'static str,
    /// The annotated function as the author wrote it, formatted.
    pub rust_source: &'static str,
    /// The IR in text form; `kernel_ir::text::parse` reads it.
    pub ir: &'static str,
    /// The kernel in host C++.
    pub cpp_forward: &'static str,
    /// The kernel in CUDA C++.
    pub cuda_forward: &'static str,
    /// The kernel as a Warp Python module.
    pub python: &'static str,
    /// The CPU version, on arguments as data.
    pub cpu: fn(dim: &[usize], args: &mut [Arg]) -> Result<(), LaunchError>,
}

inventory::collect!(KernelInfo);

/// Every kernel that is linked into the program, by family, then name.
pub fn registered_kernels() -> Vec<&'static KernelInfo> {
    let mut kernels: Vec<&KernelInfo> = inventory::iter::<KernelInfo>.into_iter().collect();
    kernels.sort_by_key(|kernel| (kernel.family, kernel.name, kernel.module));
    kernels
}

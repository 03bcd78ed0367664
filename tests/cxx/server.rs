//! Emitted kernels in a running program, from the C++ judge of `gen-dataset`.

use gen_dataset::judges::Case;
use gen_dataset::judges::cxx::{self, Compiler, Grid};
use kernel_ir::check::CheckedKernel;
use kernel_ir::data::Arg;
use kernel_rt::KernelInfo;
use tests::report;

pub(crate) use gen_dataset::judges::cxx::Dialect;

/// Host C++.
pub(crate) const CPP: Dialect = Dialect::Cpp;

/// CUDA, whose words get a meaning on the host, so that the very text that ships is run.
pub(crate) const CUDA: Dialect = Dialect::Cuda;

/// A running server.
pub(crate) struct Server(cxx::Server);

impl Server {
    /// Compiles `kernels` and starts the program; `None`, and a line that says so, without a compiler.
    pub(crate) fn build(name: &str, dialect: Dialect, kernels: &[&KernelInfo]) -> Option<Server> {
        let Some(compiler) = Compiler::find("g++") else {
            report(&format!("SKIPPED {name}, {}: no g++ on this machine", dialect.name()));
            return None;
        };
        let cases: Result<Vec<Case>, String> = kernels.iter().map(|info| Case::registered(info)).collect();
        let server = cases.and_then(|cases| cxx::Server::of(&compiler, dialect, &cases));
        Some(Server(server.unwrap_or_else(|why| panic!("{name}, {}: {why:.8000}", dialect.name()))))
    }

    /// Runs one launch of the kernel of that number, and returns the arguments after it.
    ///
    /// # Errors
    /// The kernel crashed; what it said. The server has started anew.
    pub(crate) fn launch(
        &mut self,
        number: usize,
        kernel: &CheckedKernel,
        dim: &[usize],
        args: &[Arg],
    ) -> Result<Vec<Arg>, String> {
        self.0.launch(number, kernel, dim, Grid::ONE, args)
    }
}

//! Traps: kernels whose result is wrong if a backend ignores the semantics of Rust.
//!
//! A trap is a kernel of the family `traps` with inputs chosen by hand, and the outputs of plain Rust. It runs on the
//! CPU, in the interpreter, as emitted host C++ and as emitted CUDA on the host, and the results must be equal bit for
//! bit. The emitted CUDA and Python are golden files in `goldens/`, so a mistake shows without a GPU and without Warp.

#![allow(
    clippy::blocks_in_conditions,
    clippy::double_comparisons,
    clippy::eq_op,
    clippy::manual_clamp,
    clippy::mut_range_bound,
    clippy::needless_late_init,
    clippy::never_loop,
    clippy::neg_cmp_op_on_partial_ord,
    clippy::nonminimal_bool,
    clippy::precedence,
    reason = "a trap is code that is easily misread"
)]

mod casts;
mod control;
mod loops;
mod names;
mod numbers;
mod order;

use expect_test::expect_file;
use gen_dataset::judges::Case;
use gen_dataset::judges::cxx::{Compiler, Dialect, Grid, Server};
use kernel_ir::data::{Arg, Data};
use kernel_ir::interp;
use kernel_rt::{KernelInfo, UniformElement, Value, registered_kernels};
use std::sync::{LazyLock, Mutex, PoisonError};
use tests::{as_data, compare, skip};

/// A launch of a kernel, with the expected result.
struct Trap {
    kernel: &'static str,
    dim: usize,
    before: Vec<Arg>,
    after: Vec<Arg>,
}

/// A launch of `kernel` over `dim` threads. The arguments are added in the order of the parameters.
fn trap(kernel: &'static str, dim: usize) -> Trap {
    Trap { kernel, dim, before: Vec::new(), after: Vec::new() }
}

impl Trap {
    /// A by-value argument.
    fn value<T: UniformElement>(self, value: T) -> Trap {
        let arg = Arg { shape: Vec::new(), ..array(&[value]) };
        self.arg(arg.clone(), arg)
    }

    /// A by-value `usize`.
    fn index(self, value: usize) -> Trap {
        let arg = Arg { ty: usize::ir_type(), shape: Vec::new(), data: Data::Index(vec![value]) };
        self.arg(arg.clone(), arg)
    }

    /// An array that is only read.
    fn input<T: UniformElement>(self, elements: &[T]) -> Trap {
        self.arg(array(elements), array(elements))
    }

    /// An array that starts as zeros and must be `elements` after the launch.
    fn output<T: UniformElement>(self, elements: impl AsRef<[T]>) -> Trap {
        let after = array(elements.as_ref());
        self.arg(Arg::zeros(T::ir_type(), &after.shape), after)
    }

    /// An array that the launch changes.
    fn changes<T: UniformElement>(self, before: &[T], after: &[T]) -> Trap {
        self.arg(array(before), array(after))
    }

    fn arg(mut self, before: Arg, after: Arg) -> Trap {
        self.before.push(before);
        self.after.push(after);
        self
    }

    /// Runs the launch on every backend.
    fn spring(self) {
        let kernels = all();
        let number = kernels.iter().position(|info| info.name == self.kernel).expect("a kernel of this module");
        let (info, kernel) = (kernels[number], as_data(kernels[number]));
        let dim = [self.dim];
        let in_rust = |run: &dyn Fn(&mut [Arg]) -> Result<(), String>| {
            let mut args = self.before.clone();
            run(&mut args).map(|()| args)
        };
        let on_server = |server: &LazyLock<Option<Mutex<Server>>>| {
            let Some(server) = server.as_ref() else {
                skip("no g++ on this machine");
                return None;
            };
            let mut server = server.lock().unwrap_or_else(PoisonError::into_inner);
            Some(server.launch(number, &kernel, &dim, Grid::ONE, &self.before))
        };
        let results = [
            ("CPU", Some(in_rust(&|args| (info.cpu)(&dim, args).map_err(|error| error.to_string())))),
            ("interpreter", Some(in_rust(&|args| interp::run(&kernel, &dim, args).map_err(|fault| fault.message)))),
            ("host C++", on_server(&CPP)),
            ("CUDA on the host", on_server(&CUDA)),
        ];
        let failures: Vec<String> = results
            .into_iter()
            .filter_map(|(backend, result)| Some((backend, result?)))
            .filter_map(|(backend, result)| {
                let result = result.and_then(|found| compare(&kernel, &self.after, &found));
                result.err().map(|difference| format!("{backend}: {difference}"))
            })
            .collect();
        assert!(failures.is_empty(), "{}:\n{}", self.kernel, failures.join("\n"));
    }
}

fn array<T: UniformElement>(elements: &[T]) -> Arg {
    Arg { ty: <T as Value>::ir_type(), shape: vec![elements.len()], data: T::data_from(elements) }
}

/// Every kernel of this module.
fn all() -> Vec<&'static KernelInfo> {
    registered_kernels().into_iter().filter(|info| info.module.starts_with(module_path!())).collect()
}

static CPP: LazyLock<Option<Mutex<Server>>> = LazyLock::new(|| build(Dialect::Cpp));
/// A header defines the CUDA keywords on the host, so the shipped text itself runs.
static CUDA: LazyLock<Option<Mutex<Server>>> = LazyLock::new(|| build(Dialect::Cuda));

/// Builds a program of the C++ judge with every kernel of this module. `None` without a compiler.
fn build(dialect: Dialect) -> Option<Mutex<Server>> {
    let compiler = Compiler::find("g++")?;
    let cases: Result<Vec<Case>, String> = all().into_iter().map(Case::registered).collect();
    let server = cases.and_then(|cases| Server::of(&compiler, dialect, &cases));
    Some(Mutex::new(server.unwrap_or_else(|why| panic!("{}: {why:.8000}", dialect.name()))))
}

#[test]
fn emitted_texts() {
    let together = |text: fn(&KernelInfo) -> &'static str| all().into_iter().map(text).collect::<Vec<_>>().join("\n\n");
    expect_file!["goldens/traps.cu"]
        .assert_eq(&together(|info| info.text("cuda").expect("every kernel has a CUDA text")));
    expect_file!["goldens/traps.py"].assert_eq(&together(|info| info.python));
}

//! The emitted C++ and CUDA, compiled for the host by a C++ compiler and run against the interpreter.
//!
//! 1. Every registered kernel goes into one source file, each in a namespace of its own.
//! 2. The compiler makes a server of it (`server.rs`).
//! 3. Sampled arguments go through the server and through the interpreter; the results must agree.

pub(crate) mod server;

use kernel_ir::{interp, sample};
use kernel_rt::registered_kernels;
use server::{Dialect, Server};
use tests::{Agreement, checked, compare, report};

#[test]
fn host_cpp_agrees_with_the_interpreter() {
    run_everything(server::CPP);
}

#[test]
fn cuda_on_the_host_agrees_with_the_interpreter() {
    run_everything(server::CUDA);
}

fn run_everything(dialect: Dialect) {
    let kernels = registered_kernels();
    let Some(mut server) = Server::build("cxx", dialect, &kernels) else { return };
    let mut failures = Vec::new();
    let mut launches = 0;
    for (number, info) in kernels.iter().enumerate() {
        let kernel = checked(info);
        for (seed, dim) in (0..).zip(sample::dims(&kernel)) {
            let args = sample::args(&kernel, &dim, seed).unwrap_or_else(|why| panic!("{}: {why}", info.name));
            let found = server.launch(number, &kernel, &dim, &args);
            let mut expected = args;
            if let Err(fault) = interp::run(&kernel, &dim, &mut expected) {
                panic!("{}: {fault:?}", info.name);
            }
            let result = found.and_then(|found| compare(&kernel, &expected, &found, Agreement::of(&kernel)));
            if let Err(difference) = result {
                failures.push(format!("{}::{} {dim:?}: {difference}", info.family, info.name));
            }
            launches += 1;
        }
    }
    assert!(failures.is_empty(), "{} of {launches} launches differ:\n{}", failures.len(), failures.join("\n"));
    report(&format!("cxx, {}: {launches} launches of {} kernels agree", dialect.name(), kernels.len()));
}

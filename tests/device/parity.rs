//! Every registered kernel and every adjoint on the device, against the interpreter.

use super::cuda;
use kernel_ir::check::CheckedKernel;
use kernel_ir::data::Arg;
use kernel_ir::{adjoint, gradcheck, interp, sample};
use kernel_rt::{Device, KernelInfo, Pass, registered_kernels};
use tests::{Agreement, checked, compare, report};

#[test]
fn every_kernel_computes_what_the_interpreter_does() {
    let Some(device) = cuda() else { return };
    let mut tally = Tally::new(&device);
    for info in registered_kernels() {
        let kernel = checked(info);
        for (dim, args) in launches(&kernel) {
            tally.compare(info, Pass::Forward, &kernel, &dim, args);
        }
    }
    tally.conclude("kernels");
}

#[test]
fn every_adjoint_computes_what_the_interpreter_does() {
    let Some(device) = cuda() else { return };
    let mut tally = Tally::new(&device);
    for info in registered_kernels() {
        let Some(backward) = &info.backward else { continue };
        let kernel = checked(info);
        let adjoint = adjoint::backward(&kernel).unwrap_or_else(|why| panic!("{}: {why:?}", info.name));
        for (dim, before) in launches(&kernel) {
            let mut after = before.clone();
            interp::run(&kernel, &dim, &mut after).unwrap_or_else(|fault| panic!("{}: {fault:?}", info.name));
            let weights = |id| gradcheck::weights(&kernel, &before, 0, id);
            let args = adjoint::arguments(&kernel, backward.sources, &before, &after, weights);
            tally.compare(info, Pass::Backward, &adjoint.kernel, &dim, args);
        }
    }
    tally.conclude("adjoints");
}

#[test]
fn every_checked_kernel_finds_nothing_and_computes_the_same() {
    let Some(device) = cuda() else { return };
    let device = device.checked();
    let mut tally = Tally::new(&device);
    for info in registered_kernels() {
        let kernel = checked(info);
        // The traps store NaN on purpose, and have their own tests.
        if is_finite(&kernel)
            && let Some((dim, args)) = launches(&kernel).into_iter().nth(3)
        {
            tally.compare(info, Pass::Forward, &kernel, &dim, args);
        }
    }
    tally.conclude("checked kernels");
}

/// Whether a kernel leaves only finite floats.
fn is_finite(kernel: &CheckedKernel) -> bool {
    let stores_nan = |(dim, mut args): (Vec<usize>, Vec<Arg>)| {
        interp::run(kernel, &dim, &mut args).is_err() || args.iter().any(|arg| !tests::is_finite(&arg.data))
    };
    !launches(kernel).into_iter().any(stores_nan)
}

/// A launch of every size worth testing.
fn launches(kernel: &CheckedKernel) -> Vec<(Vec<usize>, Vec<Arg>)> {
    let args = |dim: Vec<usize>| {
        let args = sample::args(kernel, &dim, 0).unwrap_or_else(|why| panic!("{}: {why}", kernel.name));
        (dim, args)
    };
    sample::dims(kernel).into_iter().map(args).collect()
}

/// What came of comparisons.
struct Tally<'a> {
    device: &'a Device,
    launches: usize,
    failures: Vec<String>,
}

impl Tally<'_> {
    fn new(device: &Device) -> Tally<'_> {
        Tally { device, launches: 0, failures: Vec::new() }
    }

    fn compare(
        &mut self,
        info: &'static KernelInfo,
        pass: Pass,
        kernel: &CheckedKernel,
        dim: &[usize],
        args: Vec<Arg>,
    ) {
        let (mut on_device, mut by_interp) = (args.clone(), args);
        self.launches += 1;
        let run = self.device.run(info, pass, dim, &mut on_device).map_err(|error| error.to_string());
        let agree = run.and_then(|()| {
            interp::run(kernel, dim, &mut by_interp).map_err(|fault| format!("{fault:?}"))?;
            compare(kernel, &by_interp, &on_device, Agreement::of(kernel))
        });
        if let Err(why) = agree {
            self.failures.push(format!("{}::{} {dim:?}: {why}", info.family, info.name));
        }
    }

    fn conclude(&self, what: &str) {
        let Tally { device, launches, failures } = self;
        assert!(failures.is_empty(), "{} of {launches} launches differ:\n{}", failures.len(), failures.join("\n"));
        report(&format!("{}: {launches} launches of {what} agree with the interpreter", device.name()));
        assert!(*launches > 0, "no kernel is registered");
    }
}

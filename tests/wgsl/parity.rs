//! Every registered kernel and every adjoint on an adapter, compared with the interpreter.

use crate::device::adapter;
use crate::judges::{backward_of, case_of, launches};
use gen_dataset::judges::{Case, Difference, Launch};
use kernel_ir::data::Arg;
use kernel_ir::interp;
use kernel_rt::prelude::*;
use kernel_rt::{DeviceError, KernelInfo, LaunchError, Pass, registered_kernels};
use tests::report;

#[test]
fn every_kernel_computes_what_the_interpreter_does() {
    let Some(device) = adapter() else { return };
    let mut tally = Tally::new(&device);
    for (info, case) in cases() {
        tally.compare(info, Pass::Forward, &case);
    }
    tally.conclude("kernels");
}

#[test]
fn every_adjoint_computes_what_the_interpreter_does() {
    let Some(device) = adapter() else { return };
    let mut tally = Tally::new(&device);
    for (info, case) in cases() {
        if let Some(backward) = &info.backward {
            tally.compare(info, Pass::Backward, &backward_of(&case, backward));
        }
    }
    tally.conclude("adjoints");
}

/// Every registered kernel, with launches of every size worth testing.
fn cases() -> impl Iterator<Item = (&'static KernelInfo, Case)> {
    registered_kernels().into_iter().map(|info| {
        let case = case_of(info);
        let launches = launches(&case, 0..1, 1);
        (info, Case { launches, ..case })
    })
}

/// The arguments with positive zeros in the place of negative ones, and one NaN in the place of all: the bits of a NaN are
/// the processor's.
fn unsigned(args: &[Arg]) -> Vec<Arg> {
    let single = |x: &f32| if x.is_nan() { f32::NAN } else { x + 0.0 };
    let double = |x: &f64| if x.is_nan() { f64::NAN } else { x + 0.0 };
    args.iter().map(|arg| arg.map_floats(single, double)).collect()
}

/// The results of comparisons.
struct Tally<'a> {
    device: &'a Device,
    launches: usize,
    /// The number of launches that cannot be compared, because terms cancel to less than three digits.
    ill_conditioned: usize,
    /// The number of kernels or adjoints that WGSL lacks the means for.
    refused: usize,
    /// The launches that agree but for signs of zeros and bits of NaN, which WGSL lets an implementation ignore.
    signs: usize,
    /// The launches that agree within what WGSL promises of `/`, `sqrt`, fused products and the order of atomic sums.
    rounded: Vec<String>,
    failures: Vec<String>,
}

impl Tally<'_> {
    fn new(device: &Device) -> Tally<'_> {
        let (rounded, failures) = (Vec::new(), Vec::new());
        Tally { device, launches: 0, ill_conditioned: 0, refused: 0, signs: 0, rounded, failures }
    }

    fn compare(&mut self, info: &'static KernelInfo, pass: Pass, case: &Case) {
        for launch in &case.launches {
            let name = format!("{} {:?}", case.name, launch.dim);
            let mut found = launch.before.clone();
            match self.device.run(info, pass, &launch.dim, &mut found) {
                Err(LaunchError::Device { error: DeviceError::Refused { .. }, .. }) => {
                    self.refused += 1;
                    return;
                }
                Err(error) => self.failures.push(format!("{name}: {error}")),
                Ok(()) => self.agree(name, case, launch, &found),
            }
            self.launches += 1;
        }
    }

    /// Compares what a launch gave with what the interpreter gives: first as on every target, then without signs of zeros,
    /// then within the accuracy of WGSL.
    fn agree(&mut self, name: String, case: &Case, launch: &Launch, found: &[Arg]) {
        let strict = || launch.tolerances(&case.kernel);
        let (expected, unsigned_found) = (unsigned(&launch.after), unsigned(found));
        match case.compare(&launch.after, found, strict) {
            Ok(()) => return,
            Err(Difference::Undecided(_)) => return self.ill_conditioned += 1,
            Err(Difference::Found(_)) => {}
        }
        if case.compare(&expected, &unsigned_found, strict).is_ok() {
            return self.signs += 1;
        }
        let of_wgsl = || interp::tolerances_when_reassociated(&case.kernel, &launch.dim, &launch.before, &launch.after);
        match case.compare(&expected, &unsigned_found, of_wgsl) {
            // The strict tolerances have decided that the launch differs, so one that these cannot decide counts, too.
            Ok(()) | Err(Difference::Undecided(_)) => self.rounded.push(name),
            Err(Difference::Found(why)) => self.failures.push(format!("{name}: {why}")),
        }
    }

    fn conclude(&self, what: &str) {
        let Tally { device, launches, ill_conditioned, refused, signs, rounded, failures } = self;
        assert!(failures.is_empty(), "{} of {launches} launches differ:\n{}", failures.len(), failures.join("\n"));
        report(&format!(
            "{}: {launches} launches of {what} agree with the interpreter, but for {ill_conditioned} ill-conditioned ones, \
             {signs} in which signs of zeros differ, and {} within the accuracy of WGSL alone; {refused} {what} are refused",
            device.name(),
            rounded.len()
        ));
        assert!(rounded.len() * 500 < *launches, "agree within the accuracy of WGSL alone: {rounded:?}");
        assert!(signs * 50 < *launches, "the signs of zeros differ in {signs} of {launches} launches");
        assert!(ill_conditioned * 100 < *launches, "{ill_conditioned} of {launches} launches are ill-conditioned");
    }
}

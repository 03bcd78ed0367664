//! Every registered kernel and every adjoint on the device, compared with the interpreter.
//!
//! NVRTC compiles one kernel at a time in a process, so several processes with a part each are faster ([`selected`]).

use super::cuda;
use crate::judges::{backward_of, case_of, is_full, launches};
use gen_dataset::judges::{Case, Difference, Launch};
use kernel_ir::back::c;
use kernel_rt::ir::{Arg, Data};
use kernel_rt::{Device, KernelInfo, Pass};
use tests::{is_finite, report, selected};

#[test]
fn every_kernel_computes_what_the_interpreter_does() {
    let Some(device) = cuda() else { return };
    let mut tally = Tally::new(&device);
    for (info, case) in cases() {
        tally.compare(info, Pass::Forward, &case);
    }
    tally.conclude("kernels");
}

#[test]
fn every_adjoint_computes_what_the_interpreter_does() {
    let Some(device) = cuda() else { return };
    let mut tally = Tally::new(&device);
    for (info, case) in cases() {
        if let Some(backward) = &info.backward {
            tally.compare(info, Pass::Backward, &backward_of(&case, backward));
        }
    }
    tally.conclude("adjoints");
}

#[test]
fn every_checked_kernel_finds_nothing_and_computes_the_same() {
    let Some(device) = cuda() else { return };
    let device = device.bounds_checked();
    let mut tally = Tally::new(&device);
    for (info, case) in cases() {
        // The traps store NaN on purpose. They have tests of their own.
        let finite = |launch: &&Launch| launch.after.iter().all(|arg| is_finite(&arg.data));
        let launches = case.launches.iter().filter(finite).take(4).cloned().collect();
        tally.compare(info, Pass::Forward, &Case { launches, ..case });
    }
    tally.conclude("checked kernels");
}

/// On the stand-in, one kernel in this many is compared, unless `WEFT_FULL=1`. What is tested there is how the runtime
/// passes arguments: the C++ judge runs the same texts on the host.
const STEP_ON_STAND_IN: usize = 20;

/// Every registered kernel, with launches of every size worth testing.
fn cases() -> impl Iterator<Item = (&'static KernelInfo, Case)> {
    let is_sampled = std::env::var_os("WEFT_STAND_IN").is_some() && !is_full();
    selected(if is_sampled { STEP_ON_STAND_IN } else { 1 }).into_iter().map(|info| {
        let case = case_of(info);
        let launches = launches(&case, 0..1, 1);
        (info, Case { launches, ..case })
    })
}

/// Gives the NaNs in `found` the bits of those in `expected`: IEEE 754 leaves them open, and a GPU has others than a CPU.
fn take_nans(found: &mut [Arg], expected: &[Arg]) {
    fn take<F: Copy>(found: &mut [F], expected: &[F], is_nan: fn(F) -> bool) {
        for (found, expected) in found.iter_mut().zip(expected).filter(|(a, b)| is_nan(**a) && is_nan(**b)) {
            *found = *expected;
        }
    }
    for (found, expected) in found.iter_mut().zip(expected) {
        match (&mut found.data, &expected.data) {
            (Data::F16(found), Data::F16(expected))
            | (Data::BF16(found), Data::BF16(expected))
            | (Data::F32(found), Data::F32(expected)) => take(found, expected, f32::is_nan),
            (Data::F64(found), Data::F64(expected)) => take(found, expected, f64::is_nan),
            _ => {}
        }
    }
}

/// The results of comparisons.
struct Tally<'a> {
    device: &'a Device,
    launches: usize,
    /// The number of launches that cannot be compared, because terms cancel to less than three digits.
    ill_conditioned: usize,
    failures: Vec<String>,
}

impl Tally<'_> {
    fn new(device: &Device) -> Tally<'_> {
        Tally { device, launches: 0, ill_conditioned: 0, failures: Vec::new() }
    }

    fn compare(&mut self, info: &'static KernelInfo, pass: Pass, case: &Case) {
        for launch in &case.launches {
            self.launches += 1;
            let mut found = launch.before.clone();
            let run = self.device.run(info, pass, &launch.dim, &mut found);
            let ran = run.map_err(|error| Difference::Found(error.to_string()));
            take_nans(&mut found, &launch.after);
            // Where threads add to an array that they also read or write, sums come in the order of the device.
            let tolerances = || match c::depends_on_order(&case.kernel) {
                true => launch.tolerances_when_reassociated(&case.kernel),
                false => launch.tolerances(&case.kernel),
            };
            match ran.and_then(|()| case.compare(&launch.after, &found, tolerances)) {
                Err(Difference::Undecided(_)) => self.ill_conditioned += 1,
                Err(Difference::Found(why)) => self.failures.push(format!("{} {:?}: {why}", case.name, launch.dim)),
                Ok(()) => {}
            }
        }
    }

    fn conclude(&self, what: &str) {
        let Tally { device, launches, ill_conditioned, failures } = self;
        assert!(failures.is_empty(), "{} of {launches} launches differ:\n{}", failures.len(), failures.join("\n"));
        report(&format!(
            "{}: {launches} launches of {what} agree with the interpreter, but for {ill_conditioned} ill-conditioned ones",
            device.name()
        ));
        assert!(ill_conditioned * 100 < *launches, "{ill_conditioned} of {launches} launches are ill-conditioned");
    }
}

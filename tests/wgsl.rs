//! The WGSL of every registered kernel and adjoint: `naga` validates it, or the writer refuses the kernel with a reason. With
//! the feature `wgpu` and an adapter, the texts run, and their results are compared with the interpreter's.

use kernel_ir::back::wgsl;
use kernel_ir::verify::VerifiedKernel;
use kernel_rt::registered_kernels;
use kernels as _;
use naga::front::wgsl as front;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use std::collections::BTreeMap;
use tests::{checked, report};

#[test]
fn naga_validates_every_text() {
    let mut tally = Tally::default();
    for info in registered_kernels() {
        if let Ok(folder) = std::env::var("WEFT_IR") {
            let _ = std::fs::write(format!("{folder}/{}_{}.ir", info.family, info.name), info.ir);
            if let Some(b) = &info.backward {
                let _ = std::fs::write(format!("{folder}/{}_{}_backward.ir", info.family, info.name), b.ir);
            }
        }
        let kernel = checked(info);
        tally.check(&format!("{}::{}", info.family, info.name), &kernel);
        if info.backward.is_some() {
            let adjoint = kernel_ir::adjoint::backward(&kernel).unwrap_or_else(|why| panic!("{}: {why:?}", info.name));
            tally.check(&format!("{}::{} backward", info.family, info.name), &adjoint.kernel);
        }
    }
    tally.conclude();
}

#[derive(Default)]
struct Tally {
    texts: usize,
    failures: Vec<String>,
    refusals: BTreeMap<String, Vec<String>>,
}

impl Tally {
    fn check(&mut self, name: &str, kernel: &VerifiedKernel) {
        match wgsl::write(kernel) {
            Err(why) => self.refusals.entry(why).or_default().push(name.to_owned()),
            Ok(text) => {
                self.texts += 1;
                if let Err(why) = validate(&text) {
                    self.failures.push(format!("{name}: {why}"));
                }
            }
        }
    }

    fn conclude(&self) {
        for (why, names) in &self.refusals {
            report(&format!("refused, {}: {why}: {}", names.len(), names.join(", ")));
        }
        report(&format!("{} texts", self.texts));
        assert!(self.failures.is_empty(), "{} texts are wrong:\n{}", self.failures.len(), self.failures.join("\n"));
    }
}

fn validate(text: &str) -> Result<(), String> {
    let module = front::parse_str(text).map_err(|error| error.emit_to_string(text))?;
    let validated = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module);
    validated.map(|_| ()).map_err(|error| error.emit_to_string(text))
}

#[cfg(feature = "wgpu")]
mod parity {
    use gen_dataset::judges::{Case, Difference, Launch};
    use kernel_ir::{adjoint, gradcheck, interp, sample};
    use kernel_rt::{Device, KernelInfo, Pass, registered_kernels};
    use kernel_rt::{DeviceError, LaunchError};
    use tests::{checked, report, skip};

    fn device() -> Option<Device> {
        match Device::wgpu(0) {
            Ok(device) => Some(device),
            Err(why) => {
                skip(&why.to_string().replace('\n', "; "));
                None
            }
        }
    }

    fn only(info: &KernelInfo) -> bool {
        std::env::var("WEFT_ONLY").map_or(true, |only| info.name.contains(&only))
    }

    #[test]
    fn every_kernel_computes_what_the_interpreter_does() {
        let Some(device) = device() else { return };
        let mut tally = Tally::new(&device);
        for info in registered_kernels().into_iter().filter(|info| only(info)) {
            tally.compare(info, Pass::Forward, &case(info));
        }
        tally.conclude("kernels");
    }

    #[test]
    fn every_adjoint_computes_what_the_interpreter_does() {
        let Some(device) = device() else { return };
        let mut tally = Tally::new(&device);
        for info in registered_kernels().into_iter().filter(|info| only(info)) {
            if info.backward.is_some() {
                let case = case(info);
                let adjoint = adjoint::backward(&checked(info)).unwrap_or_else(|why| panic!("{}: {why:?}", info.name));
                let weights = |launch: &Launch, id| gradcheck::weights(&case.kernel, &launch.before, 0, id);
                let backward = case
                    .backward(&adjoint, Default::default(), weights)
                    .unwrap_or_else(|why| panic!("{}: {why}", info.name));
                tally.compare(info, Pass::Backward, &backward);
            }
        }
        tally.conclude("adjoints");
    }

    fn case(info: &'static KernelInfo) -> Case {
        let case = Case::registered(info).unwrap_or_else(|why| panic!("{}: {why}", info.name));
        let launches = sample::dims(&case.kernel).into_iter().map(|dim| {
            let before = sample::args(&case.kernel, &dim, 0).unwrap_or_else(|why| panic!("{}: {why}", info.name));
            let mut after = before.clone();
            interp::run(&case.kernel, &dim, &mut after).unwrap_or_else(|why| panic!("{}: {why:?}", info.name));
            Launch { dim, before, after }
        });
        let launches = launches.collect();
        Case { launches, ..case }
    }

    struct Tally<'a> {
        device: &'a Device,
        launches: usize,
        ill_conditioned: usize,
        refused: usize,
        failures: Vec<String>,
    }

    impl Tally<'_> {
        fn new(device: &Device) -> Tally<'_> {
            Tally { device, launches: 0, ill_conditioned: 0, refused: 0, failures: Vec::new() }
        }

        fn compare(&mut self, info: &'static KernelInfo, pass: Pass, case: &Case) {
            for launch in &case.launches {
                self.launches += 1;
                let mut found = launch.before.clone();
                let ran = match self.device.run(info, pass, &launch.dim, &mut found) {
                    Err(LaunchError::Device { error: DeviceError::Refused { .. }, .. }) => {
                        self.refused += 1;
                        self.launches -= case.launches.len().min(1);
                        return;
                    }
                    run => run.map_err(|error| Difference::Found(error.to_string())),
                };
                match ran.and_then(|()| case.compare(&launch.after, &found, || launch.tolerances(&case.kernel))) {
                    Err(Difference::Undecided(_)) => self.ill_conditioned += 1,
                    Err(Difference::Found(why)) => self.failures.push(format!("{} {:?}: {why}", case.name, launch.dim)),
                    Ok(()) => {}
                }
            }
        }

        fn conclude(&self, what: &str) {
            let Tally { device, launches, ill_conditioned, refused, failures } = self;
            report(&format!(
                "{}: {launches} launches of {what}, {refused} {what} refused, {ill_conditioned} ill-conditioned, {} fail",
                device.name(),
                failures.len()
            ));
            assert!(failures.is_empty(), "{} of {launches} launches differ:\n{}", failures.len(), failures.join("\n"));
        }
    }
}

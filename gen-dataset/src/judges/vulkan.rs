//! The judge `vulkan`: an adapter of `wgpu` runs the WGSL text on the recorded inputs, on a GPU or on a driver in software.
//!
//! Threads run side by side, so an update that should be atomic loses terms. The results are compared
//!
//! 1. as on every target;
//! 2. without signs of zeros and bits of NaN, which WGSL lets an implementation ignore;
//! 3. within what WGSL promises of `/`, `sqrt`, fused products and the order of atomic sums.

use super::case::{Case, Difference};
use super::judge::Judge;
use crate::model::{JudgeKind, Launch, Outcome};
use kernel_ir::data::Arg;
use kernel_ir::interp;
use kernel_rt::{Device, DeviceError, LaunchError, LoadedText};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::cell::OnceCell;

/// The opened adapter.
#[derive(Debug)]
pub struct Vulkan {
    device: Device,
    counts: Counts,
}

/// The launches that the judge has run, by how they agree.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// All launches.
    pub launches: usize,
    /// Those that agree but for signs of zeros and bits of NaN.
    pub signs: usize,
    /// Those that agree only within the accuracy of WGSL.
    pub rounded: usize,
    /// Those that are too ill-conditioned to compare.
    pub undecided: usize,
    /// The texts that need what the adapter lacks.
    pub refused: usize,
}

impl Vulkan {
    /// Opens the best adapter.
    ///
    /// # Errors
    /// No driver has an adapter.
    pub fn open() -> Result<Vulkan, String> {
        let device = Device::gpu().map_err(|error| error.to_string().replace('\n', "; "))?;
        Ok(Vulkan { device, counts: Counts::default() })
    }

    /// The name of the adapter, with that of its interface.
    pub fn adapter(&self) -> String {
        self.device.name()
    }

    /// The launches so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}

impl Judge for Vulkan {
    fn kind(&self) -> JudgeKind {
        JudgeKind::Vulkan
    }

    fn version(&self) -> String {
        self.adapter()
    }

    fn judge(&mut self, cases: &[Case]) -> Result<Vec<Outcome>, String> {
        let device = &self.device;
        let judged: Vec<(Outcome, Counts)> = cases.par_iter().map(|case| judge(device, case)).collect();
        let (outcomes, counts): (Vec<Outcome>, Vec<Counts>) = judged.into_iter().unzip();
        counts.into_iter().for_each(|counts| self.counts.add(counts));
        Ok(outcomes)
    }

    fn undecided(&self) -> usize {
        self.counts.undecided
    }
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.launches += other.launches;
        self.signs += other.signs;
        self.rounded += other.rounded;
        self.undecided += other.undecided;
        self.refused += other.refused;
    }
}

/// Runs the launches of a case, and each again with poison in what the kernel writes. A case of which no launch could be
/// compared fails.
fn judge(device: &Device, case: &Case) -> (Outcome, Counts) {
    let mut counts = Counts::default();
    let Some(text) = case.text("wgsl") else { return (Outcome::Skipped, counts) };
    let loaded = match device.load("record", case.in_memory.clone(), text.to_owned()) {
        Ok(loaded) => loaded,
        Err(error) => return (Outcome::Failed(error.to_string()), counts),
    };
    let poisoned: Vec<Launch> = case.launches.iter().filter_map(|launch| launch.poisoned(&case.kernel)).collect();
    let mut undecided = None;
    for launch in case.launches.iter().chain(&poisoned) {
        let named = |why: String| format!("launch of {:?}: {why}", launch.dim);
        counts.launches += 1;
        match agree(&loaded, case, launch) {
            Ok(Agreement::Strict) => {}
            Ok(Agreement::Signs) => counts.signs += 1,
            Ok(Agreement::Rounded) => counts.rounded += 1,
            Ok(Agreement::Undecided(why)) => {
                counts.undecided += 1;
                undecided.get_or_insert(named(why));
            }
            Err(Failure::Refused) => {
                counts.refused += 1;
                return (Outcome::Skipped, counts);
            }
            Err(Failure::Wrong(why)) => return (Outcome::Failed(named(why)), counts),
        }
    }
    match undecided {
        Some(why) if counts.undecided == counts.launches => (Outcome::Failed(why), counts),
        _ => (Outcome::Passed, counts),
    }
}

/// How a launch agrees with what the interpreter gives.
enum Agreement {
    Strict,
    Signs,
    Rounded,
    /// The right result is not known, for this reason.
    Undecided(String),
}

enum Failure {
    /// The adapter lacks what the text needs.
    Refused,
    Wrong(String),
}

fn agree(loaded: &LoadedText, case: &Case, launch: &Launch) -> Result<Agreement, Failure> {
    let mut found = launch.before.clone();
    match loaded.run(&launch.dim, &mut found) {
        Err(LaunchError::Device { error: DeviceError::Refused { .. } | DeviceError::Limit { .. }, .. }) => {
            return Err(Failure::Refused);
        }
        Err(error) => return Err(Failure::Wrong(error.to_string())),
        Ok(()) => {}
    }
    let tolerances = OnceCell::new();
    let strict = || tolerances.get_or_init(|| launch.tolerances(&case.kernel)).clone();
    match case.compare(&launch.after, &found, strict) {
        Ok(()) => return Ok(Agreement::Strict),
        Err(Difference::Undecided(why)) => return Ok(Agreement::Undecided(why)),
        Err(Difference::Found(_)) => {}
    }
    let (expected, found) = (unsigned(&launch.after), unsigned(&found));
    if case.compare(&expected, &found, strict).is_ok() {
        return Ok(Agreement::Signs);
    }
    let of_wgsl = || interp::tolerances_when_reassociated(&case.kernel, &launch.dim, &launch.before, &launch.after);
    match case.compare(&expected, &found, of_wgsl) {
        // The strict tolerances have decided that the launch differs, so one that these cannot decide counts, too.
        Ok(()) | Err(Difference::Undecided(_)) => Ok(Agreement::Rounded),
        Err(Difference::Found(why)) => Err(Failure::Wrong(why)),
    }
}

/// The arguments with positive zeros in the place of negative ones, and one NaN in the place of all.
fn unsigned(args: &[Arg]) -> Vec<Arg> {
    let single = |x: &f32| if x.is_nan() { f32::NAN } else { x + 0.0 };
    let double = |x: &f64| if x.is_nan() { f64::NAN } else { x + 0.0 };
    args.iter().map(|arg| arg.map_floats(single, double)).collect()
}

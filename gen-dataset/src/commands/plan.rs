//! `plan`: writes the plan of a run in partitions.

use super::estimate::Estimate;
use super::term;
use crate::cli::PlanArgs;
use crate::distributed::{PlannedRun, Store};
use crate::error::Error;
use crate::pipeline::DatasetSpec;
use kernel_rt::KernelInfo;

/// Writes the plan that `args` asks for.
pub(crate) fn plan(args: &PlanArgs, kernels: &[&'static KernelInfo]) -> Result<(), Error> {
    let spec = DatasetSpec::new(&args.spec, kernels)?;
    let store = Store::open(&args.output)?;
    let was_there = PlannedRun::plan(&store, &spec, args.partitions)?;
    let estimate = Estimate::of(&spec.settings);
    if estimate.is_large() {
        term::note(&estimate.told(1));
    }
    let verb = if was_there { "already exists" } else { "is written" };
    term::print(&format!(
        "the plan of {} records in {} partitions {verb}; `gen-dataset run {}` makes them\n{}",
        spec.settings.count,
        args.partitions,
        args.output,
        spec.remark().unwrap_or_default()
    ))
}

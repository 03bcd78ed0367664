//! `run`: makes the partitions of one worker.

use super::term;
use crate::cli::RunArgs;
use crate::distributed::{PartitionStatus, Progress, RunContext, Store, Worker};
use crate::error::Error;
use crate::pipeline::{jobs, thread_pool};
use kernel_rt::KernelInfo;

/// Makes the partitions that `args`, or the environment, assign to this worker. `stopped` is polled.
pub(crate) fn run(args: &RunArgs, kernels: &[&'static KernelInfo], stopped: &dyn Fn() -> bool) -> Result<(), Error> {
    let context = RunContext::open(Store::open(&args.run)?, kernels)?;
    let partitions = context.planned.partitions;
    let worker = Worker::find(args.shard_index, args.num_shards, partitions, |name| std::env::var(name).ok())?;
    let pool = thread_pool(jobs(args.jobs))?;
    let mut left = Vec::new();
    for partition in worker.partitions(partitions) {
        match context.progress(partition)? {
            Progress::Complete(_) => {
                term::print(&format!("partition {partition}: complete already\n"))?;
                continue;
            }
            Progress::Damaged(why) => term::warn(&why),
            Progress::Missing => {}
        }
        left.push(partition);
    }
    context.share_scan(&left, &pool, stopped)?;
    for partition in left {
        let (marker, progress) = context.make(partition, &pool, stopped)?;
        let words = match progress {
            PartitionStatus::WasDone => "complete already".to_owned(),
            PartitionStatus::Done => format!("{} records, {} rejects", marker.rows, marker.rejected),
        };
        term::print(&format!("partition {partition}: {words}\n"))?;
    }
    Ok(())
}

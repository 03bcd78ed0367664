//! `run`: makes the partitions of a shard.

use super::term;
use crate::cli::RunArgs;
use crate::distributed::context::Progress;
use crate::distributed::context::Workshop;
use crate::distributed::store::Store;
use crate::distributed::worker::Shard;
use crate::error::Error;
use crate::pipeline::threads::{jobs, thread_pool};
use kernel_rt::KernelInfo;

/// Makes the partitions that `args`, or the environment, give to this worker. `stopped` says whether to end.
pub(crate) fn run(args: &RunArgs, kernels: &[&'static KernelInfo], stopped: &dyn Fn() -> bool) -> Result<(), Error> {
    let workshop = Workshop::open(Store::open(&args.run)?, kernels)?;
    let partitions = workshop.job.partitions;
    let shard = Shard::find(args.shard_index, args.num_shards, partitions, |name| std::env::var(name).ok())?;
    let pool = thread_pool(jobs(args.jobs))?;
    let mut left = Vec::new();
    for partition in shard.partitions(partitions) {
        match workshop.job.marker(partition)? {
            Some(_) => term::print(&format!("partition {partition}: complete already\n"))?,
            None => left.push(partition),
        }
    }
    workshop.share_scan(&left, &pool, stopped)?;
    for partition in left {
        let (marker, progress) = workshop.make(partition, &pool, stopped)?;
        let words = match progress {
            Progress::WasDone => "complete already".to_owned(),
            Progress::Done => format!("{} records, {} rejects", marker.rows, marker.rejected),
        };
        term::print(&format!("partition {partition}: {words}\n"))?;
    }
    Ok(())
}

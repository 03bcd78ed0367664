//! `worker`: makes the partitions that another program names, for engines with workers of their own.
//!
//! Each line on standard input is a partition: `{"partition": 3}`, or just `3`. Each line on standard output is its
//! result. Nothing else is printed there, because the engine parses it.

use super::term;
use crate::cli::WorkerArgs;
use crate::distributed::{PartitionStatus, RunContext, Store};
use crate::error::Error;
use crate::pipeline::{jobs, thread_pool};
use kernel_rt::KernelInfo;
use serde_json::{Value, json};
use std::io::BufRead;

/// Makes the partitions that `input` names, until it ends. `stopped` is polled.
pub(crate) fn worker(
    args: &WorkerArgs,
    kernels: &[&'static KernelInfo],
    input: impl BufRead,
    stopped: &dyn Fn() -> bool,
) -> Result<(), Error> {
    let context = RunContext::open(Store::open(&args.run)?, kernels)?;
    let pool = thread_pool(jobs(args.jobs))?;
    for line in input.lines() {
        let line = line.map_err(Error::io("read", "stdin".as_ref()))?;
        if line.trim().is_empty() {
            continue;
        }
        let partition = partition(&line)?;
        context.share_scan(&[partition], &pool, stopped)?;
        let (marker, progress) = context.make(partition, &pool, stopped)?;
        let status = match progress {
            PartitionStatus::WasDone => "was_done",
            PartitionStatus::Done => "done",
        };
        let result = json!({
            "partition": partition,
            "status": status,
            "rows": marker.rows,
            "rejected": marker.rejected,
            "blake3": marker.blake3,
        });
        term::print(&format!("{result}\n"))?;
    }
    Ok(())
}

/// Parses the partition in a line.
fn partition(line: &str) -> Result<u32, Error> {
    let value: Option<Value> = serde_json::from_str(line).ok();
    let number = value.as_ref().and_then(|value| value.get("partition").unwrap_or(value).as_u64());
    number.and_then(|number| u32::try_from(number).ok()).ok_or_else(|| {
        Error::Config(format!("`{}` names no partition; write a line such as {{\"partition\": 3}}", line.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_a_partition() {
        assert_eq!(partition("{\"partition\": 3, \"more\": 1}").unwrap(), 3);
        assert_eq!(partition(" 12 ").unwrap(), 12);
        for line in ["x", "{}", "-1", "{\"partition\": 1.5}", "[3]"] {
            assert!(partition(line).unwrap_err().to_string().contains("names no partition"), "{line}");
        }
    }
}

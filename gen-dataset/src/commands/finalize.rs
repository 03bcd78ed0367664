//! `finalize`: makes a dataset of the partitions of a run.
//!
//! Partitions never share a kernel, but a kernel of one may be a near duplicate of a kernel of another. The one in the
//! later partition is then left out. Everything else is as in `generate`: tables, counts, card.

use super::term::{self, Progress};
use crate::cli::FinalizeArgs;
use crate::distributed::{Marker, PlannedRun, Store, read_records, record, reject};
use crate::error::Error;
use crate::model::{REGISTRY, Reason, Record, Reject};
use crate::out::{DatasetWriter, Prepared, Stats, prepare};
use crate::pipeline::{jobs, thread_pool};
use crate::split::{MinHashIndex, Signature};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::path::Path;

/// The number of records that are read at a time.
const CHUNK: usize = 256;

/// Makes the dataset that `args` asks for. `interrupted` is polled.
pub(crate) fn finalize(args: &FinalizeArgs, interrupted: &dyn Fn() -> bool) -> Result<(), Error> {
    let planned = PlannedRun::open(Store::open(&args.run)?)?;
    let markers = markers(&planned)?;
    let output = &args.out.output;
    let Prepared::Ready(lock) = prepare(output, args.out.existing(), &planned.run)? else {
        return term::print(&format!("`{}` is complete already\n", output.display()));
    };
    let pool = thread_pool(jobs(args.out.jobs))?;
    let dataset = DatasetWriter::new(output, lock, &planned.run)?;
    let stats = write(&planned, &markers, dataset, &pool, interrupted)?;
    let near = stats.rejects.get("near_duplicate").copied().unwrap_or_default();
    term::print(&format!(
        "{} records, {} rejects ({near} near-duplicates), in {}; `gen-dataset audit` checks the figures\n",
        stats.records,
        stats.rejected,
        output.display()
    ))
}

/// The markers of all partitions.
///
/// # Errors
/// Some partitions are not complete.
fn markers(planned: &PlannedRun) -> Result<Vec<Marker>, Error> {
    let mut markers = Vec::new();
    let mut missing = 0;
    for partition in 0..planned.partitions {
        match planned.marker(partition)? {
            Some(marker) => markers.push(marker),
            None => missing += 1,
        }
    }
    match missing {
        0 => Ok(markers),
        _ => Err(Error::Retry(format!(
            "{missing} of {} partitions are not complete; `gen-dataset status` names them, `gen-dataset run` makes them",
            planned.partitions
        ))),
    }
}

fn write(
    planned: &PlannedRun,
    markers: &[Marker],
    mut dataset: DatasetWriter,
    pool: &rayon::ThreadPool,
    interrupted: &dyn Fn() -> bool,
) -> Result<Stats, Error> {
    let mut texts = MinHashIndex::default();
    let mut progress = Progress::new("written", Some(markers.iter().map(|marker| marker.rows).sum()));
    for marker in markers {
        let [(records_name, records), (rejects_name, rejects)] = planned.files(marker)?;
        let path = Path::new(&records_name);
        let mut lines = read_records(&records[..], path)?;
        loop {
            if interrupted() {
                return Err(Error::Interrupted("run it again"));
            }
            let chunk: Vec<(usize, Vec<u8>)> = lines.by_ref().take(CHUNK).collect::<Result<_, Error>>()?;
            if chunk.is_empty() {
                break;
            }
            let read = |(number, line): &(usize, Vec<u8>)| {
                let record = record(line, path, *number)?;
                let signature = Signature::of(&record.rust_source);
                Ok((record, signature))
            };
            let chunk: Vec<(Record, Signature)> =
                pool.install(|| chunk.par_iter().map(read).collect::<Result<_, Error>>())?;
            progress.advance(chunk.len());
            for (record, signature) in chunk {
                // Registered kernels are always kept. Every partition has already rejected near duplicates of them.
                let is_registered = record.metadata.origin == REGISTRY;
                match !is_registered && texts.has_near(&signature) {
                    true => dataset.reject(&near_duplicate(&record))?,
                    false => {
                        texts.insert(&signature);
                        dataset.record(&record)?;
                    }
                }
            }
        }
        for line in read_records(&rejects[..], Path::new(&rejects_name))? {
            let (number, line) = line?;
            dataset.reject(&reject(&line, Path::new(&rejects_name), number)?)?;
        }
    }
    dataset.finish()
}

fn near_duplicate(record: &Record) -> Reject {
    Reject::of(record, Reason::NearDuplicate, "a record of another partition has nearly the same text".to_owned())
}

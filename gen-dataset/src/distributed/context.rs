//! A planned run with everything that its partitions are made with.

use super::journal::{self, Journal, records_name};
use super::partition_map::Owners;
use super::plan::{BENCHMARKS, Job, Marker, marker_name};
use super::store::Store;
use crate::error::Error;
use crate::files::json::pretty;
use crate::files::lock::{Lock, Others};
use crate::model::record::{Record, Reject};
use crate::pipeline::generator::{Maker, Share};
use crate::pipeline::spec::What;
use crate::split::decontamination::Benchmarks;
use kernel_rt::KernelInfo;
use std::fs;
use std::path::Path;

/// How many kernels make a group.
const GROUP: usize = 128;

/// A planned run with all that its partitions are made with: PTX compilers and judges are open.
pub(crate) struct Workshop {
    /// The run.
    pub(crate) job: Job,
    what: What,
    owners: Owners,
    /// Held as long as partitions are made; other workers hold it too.
    _lock: Option<Lock>,
}

/// What came of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// It was complete already.
    WasDone,
    /// It is complete now.
    Done,
}

impl Workshop {
    /// Opens the run in `store`, to make partitions of it.
    ///
    /// # Errors
    /// There is none, something that it depends on is missing or has changed since it was planned, or another process writes
    /// a dataset there.
    pub(crate) fn open(store: Store, kernels: &[&'static KernelInfo]) -> Result<Workshop, Error> {
        let folder = store.local().filter(|folder| folder.is_dir());
        let lock = folder.map(|folder| Lock::folder(folder, Others::Like)).transpose()?;
        let job = Job::open(store)?;
        let Job { store, run, partitions, .. } = &job;
        let benchmarks = match &run.settings.benchmarks {
            None => None,
            Some(_) => store.read(BENCHMARKS)?.map(|text| Benchmarks::of_text(&String::from_utf8_lossy(&text))),
        };
        let what = What::again(run.settings.clone(), kernels, benchmarks)?;
        let families = what.synthesis.as_ref().map_or(Vec::new(), |synthesis| synthesis.families.clone());
        let owners = Owners::new(store.clone(), *partitions, run.settings.seed, families);
        Ok(Workshop { job, what, owners, _lock: lock })
    }

    /// Finds the owners in this worker's part of the samples, the blocks of `partitions`, so that others find them done.
    pub(crate) fn share_scan(
        &self,
        partitions: &[u32],
        pool: &rayon::ThreadPool,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let Some(synthesis) = &self.what.synthesis else { return Ok(()) };
        let of = u64::from(self.job.partitions);
        let mine = |block: u64| partitions.iter().any(|partition| block % of == u64::from(*partition));
        self.owners.share(synthesis.count as u64, mine, pool, stopped)
    }

    /// Makes `partition`, or goes on with it. `stopped` says whether to end after a group.
    pub(crate) fn make(
        &self,
        partition: u32,
        pool: &rayon::ThreadPool,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(Marker, Progress), Error> {
        if partition >= self.job.partitions {
            return Err(Error::Config(format!(
                "there is no partition {partition}: the plan has {}, from 0 on",
                self.job.partitions
            )));
        }
        if let Some(marker) = self.job.marker(partition)? {
            return Ok((marker, Progress::WasDone));
        }
        let scratch = match self.job.store.local() {
            Some(_) => None,
            None => Some(tempfile::tempdir().map_err(Error::io("create", &std::env::temp_dir()))?),
        };
        let folder = self.job.store.local().or(scratch.as_ref().map(tempfile::TempDir::path)).unwrap_or(Path::new("."));
        let lock = journal::lock(folder, partition)?;
        // Another process may have completed it just before.
        if let Some(marker) = self.job.marker(partition)? {
            return Ok((marker, Progress::WasDone));
        }
        let mut journal = Journal::open(folder, lock, partition, &self.job.plan)?;
        self.fill(&mut journal, partition, pool, stopped)?;
        let marker = self.publish(&journal, partition)?;
        journal.close()?;
        Ok((marker, Progress::Done))
    }

    /// Brings the journal to the end of the partition.
    fn fill(
        &self,
        journal: &mut Journal,
        partition: u32,
        pool: &rayon::ThreadPool,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let share = Share::Partition(&self.owners, partition);
        let mut maker = Maker::new(&self.what, share, self.synthesised(partition), GROUP, pool);
        maker.resume(journal.state().position, journal.records()?.into_iter());
        let mut goes_on = maker.goes_on();
        while goes_on {
            if stopped() {
                return Err(Error::Retry(format!(
                    "stopped at partition {partition} with {} records, which are kept; run it again to go on",
                    journal.state().rows
                )));
            }
            let (mut records, mut rejects): (Vec<Record>, Vec<Reject>) = (Vec::new(), Vec::new());
            goes_on = maker.step(&mut |made| {
                match made {
                    Ok(record) => records.push(record),
                    Err(reject) => rejects.push(*reject),
                }
                Ok(())
            })?;
            journal.append(&records, &rejects, maker.position())?;
        }
        Ok(())
    }

    /// How many synthesised records the partition has.
    fn synthesised(&self, partition: u32) -> usize {
        let count = self.what.synthesis.as_ref().map_or(0, |synthesis| synthesis.count);
        let partitions = self.job.partitions as usize;
        count / partitions + usize::from((partition as usize) < count % partitions)
    }

    /// Gives the files of a partition their final names, and then says so.
    fn publish(&self, journal: &Journal, partition: u32) -> Result<Marker, Error> {
        let mut hashes = Vec::new();
        let mut bytes = 0;
        for (name, path) in journal.files() {
            let contents = fs::read(&path).map_err(Error::io("read", &path))?;
            hashes.push(blake3::hash(&contents).to_hex().to_string());
            bytes = if name == records_name(partition) { contents.len() as u64 } else { bytes };
            match self.job.store.local() {
                Some(folder) => fs::rename(&path, folder.join(&name)).map_err(Error::io("rename", &path))?,
                None => self.job.store.write(&name, &contents)?,
            }
        }
        let [blake3, rejects_blake3] =
            <[String; 2]>::try_from(hashes).map_err(|_| Error::Internal("a partition has two files".to_owned()))?;
        let state = journal.state();
        let marker = Marker {
            plan: self.job.plan.clone(),
            partition,
            rows: state.rows,
            rejected: state.rejected,
            bytes,
            blake3,
            rejects_blake3,
        };
        self.job.store.write(&marker_name(partition), &pretty(&marker)?)?;
        Ok(marker)
    }
}

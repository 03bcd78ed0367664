//! The run context: a planned run with all resources that making its partitions needs.

use super::journal::{self, Journal, records_name};
use super::partition_map::{Partition, PartitionMap};
use super::plan::{BENCHMARKS, Marker, PlannedRun, Progress, marker_name};
use super::store::Store;
use crate::error::Error;
use crate::files::{Lock, LockMode, pretty};
use crate::model::{Record, Reject};
use crate::pipeline::{DatasetSpec, Generator};
use crate::split::Benchmarks;
use kernel_rt::KernelInfo;
use std::fs;
use std::path::Path;

/// The number of kernels in a group. The journal commits group by group.
const GROUP: usize = 128;

/// A planned run with all resources to make partitions. PTX compilers and judges are open.
pub(crate) struct RunContext {
    /// The run.
    pub(crate) planned: PlannedRun,
    spec: DatasetSpec,
    partition_map: PartitionMap,
    /// Held while partitions are made. It is a shared lock, so other workers hold it too.
    _lock: Option<Lock>,
}

/// The outcome of making a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartitionStatus {
    /// The partition was complete before.
    WasDone,
    /// The partition is complete now.
    Done,
}

impl RunContext {
    /// Opens the run in `store`, to make partitions of it.
    ///
    /// # Errors
    /// There is no plan; something that the plan depends on is missing or has changed; or another process writes a
    /// dataset there.
    pub(crate) fn open(store: Store, kernels: &[&'static KernelInfo]) -> Result<RunContext, Error> {
        let folder = store.local().filter(|folder| folder.is_dir());
        let lock = folder.map(|folder| Lock::folder(folder, LockMode::Shared)).transpose()?;
        let planned = PlannedRun::open(store)?;
        let PlannedRun { store, run, partitions, .. } = &planned;
        let benchmarks = match &run.settings.benchmarks {
            None => None,
            Some(_) => store.read(BENCHMARKS)?.map(|text| Benchmarks::of_text(&String::from_utf8_lossy(&text))),
        };
        let spec = DatasetSpec::again(run.settings.clone(), kernels, benchmarks)?;
        let families = spec.synthesis.as_ref().map_or(Vec::new(), |synthesis| synthesis.families.clone());
        let partition_map = PartitionMap::new(store.clone(), *partitions, run.settings.seed, families);
        Ok(RunContext { planned, spec, partition_map, _lock: lock })
    }

    /// Computes the owners of this worker's part of the samples, the blocks of `partitions`, and stores them for other
    /// workers.
    pub(crate) fn share_scan(
        &self,
        partitions: &[u32],
        pool: &rayon::ThreadPool,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let Some(synthesis) = &self.spec.synthesis else { return Ok(()) };
        let of = u64::from(self.planned.partitions);
        let mine = |block: u64| partitions.iter().any(|partition| block % of == u64::from(*partition));
        self.partition_map.share(synthesis.count as u64, mine, pool, stopped)
    }

    /// The progress of `partition`. What a process that was killed after it had completed the partition left behind is
    /// removed.
    pub(crate) fn progress(&self, partition: u32) -> Result<Progress, Error> {
        let progress = self.planned.progress(partition)?;
        if let (Progress::Complete(_), Some(folder)) = (&progress, self.planned.store.local()) {
            journal::clear(folder, partition)?;
        }
        Ok(progress)
    }

    /// Makes `partition`, or continues it. `stopped` is asked after each group.
    pub(crate) fn make(
        &self,
        partition: u32,
        pool: &rayon::ThreadPool,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(Marker, PartitionStatus), Error> {
        if partition >= self.planned.partitions {
            return Err(Error::Config(format!(
                "there is no partition {partition}: the plan has {} partitions, counted from 0",
                self.planned.partitions
            )));
        }
        if let Progress::Complete(marker) = self.progress(partition)? {
            return Ok((marker, PartitionStatus::WasDone));
        }
        // An object store cannot append to an object, so the journal is in a temporary folder. An interrupted partition
        // of such a run starts again.
        let scratch = match self.planned.store.local() {
            Some(_) => None,
            None => Some(tempfile::tempdir().map_err(Error::io("create", &std::env::temp_dir()))?),
        };
        let folder =
            self.planned.store.local().or(scratch.as_ref().map(tempfile::TempDir::path)).unwrap_or(Path::new("."));
        let lock = journal::lock(folder, partition)?;
        // Another process may have completed the partition between the first look and the lock.
        if let Progress::Complete(marker) = self.planned.progress(partition)? {
            return Ok((marker, PartitionStatus::WasDone));
        }
        let mut journal = Journal::open(folder, lock, partition, &self.planned.plan)?;
        self.fill(&mut journal, partition, pool, stopped)?;
        let marker = self.publish(&journal, partition)?;
        journal.close()?;
        Ok((marker, PartitionStatus::Done))
    }

    /// Continues the journal until the partition is complete.
    fn fill(
        &self,
        journal: &mut Journal,
        partition: u32,
        pool: &rayon::ThreadPool,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let share = Partition { map: &self.partition_map, number: partition };
        let mut generator = Generator::new(&self.spec, Some(&share), self.synthesised(partition), GROUP, pool);
        generator.resume(journal.state().position, journal.records()?)?;
        let mut goes_on = generator.goes_on();
        while goes_on {
            if stopped() {
                // The journal of an object store is in a temporary folder, which ends with this process.
                let kept = match self.planned.store.local() {
                    Some(_) => format!("its {} records are kept", journal.state().rows),
                    None => "an object store keeps no journal, so this partition starts from its beginning".to_owned(),
                };
                return Err(Error::Retry(format!(
                    "stopped at partition {partition}: {kept}; run the same command again to continue"
                )));
            }
            let (mut records, mut rejects): (Vec<Record>, Vec<Reject>) = (Vec::new(), Vec::new());
            goes_on = generator.step(&mut |made| {
                match made {
                    Ok(record) => records.push(record),
                    Err(reject) => rejects.push(*reject),
                }
                Ok(())
            })?;
            journal.append(&records, &rejects, generator.position())?;
        }
        Ok(())
    }

    /// The number of synthesised records of the partition.
    fn synthesised(&self, partition: u32) -> usize {
        let count = self.spec.synthesis.as_ref().map_or(0, |synthesis| synthesis.count);
        let partitions = self.planned.partitions as usize;
        count / partitions + usize::from((partition as usize) < count % partitions)
    }

    /// Gives the files of a partition their final names. The marker is written last, because it declares the partition
    /// complete.
    fn publish(&self, journal: &Journal, partition: u32) -> Result<Marker, Error> {
        let mut hashes = Vec::new();
        let mut bytes = 0;
        for (name, path) in journal.files() {
            let contents = fs::read(&path).map_err(Error::io("read", &path))?;
            hashes.push(blake3::hash(&contents).to_hex().to_string());
            bytes = if name == records_name(partition) { contents.len() as u64 } else { bytes };
            match self.planned.store.local() {
                Some(folder) => fs::rename(&path, folder.join(&name)).map_err(Error::io("rename", &path))?,
                None => self.planned.store.write(&name, &contents)?,
            }
        }
        let [blake3, rejects_blake3] =
            <[String; 2]>::try_from(hashes).map_err(|_| Error::Internal("a partition has two files".to_owned()))?;
        let state = journal.state();
        let marker = Marker {
            plan: self.planned.plan.clone(),
            partition,
            rows: state.rows,
            rejected: state.rejected,
            bytes,
            blake3,
            rejects_blake3,
        };
        self.planned.store.write(&marker_name(partition), &pretty(&marker)?)?;
        Ok(marker)
    }
}

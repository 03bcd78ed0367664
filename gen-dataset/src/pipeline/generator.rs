//! The records of a dataset, or of one of its partitions, made one after the other.

use super::spec::What;
use crate::distributed::partition_map::Owners;
use crate::error::Error;
use crate::model::reason::Reason;
use crate::model::record::{Record, Reject};
use crate::prove::make::make;
use crate::prove::make_synth::{Synthesized, synthesize};
use crate::source::registry::Candidate;
use crate::split::near_duplicates::{Dedup, Signature};
use crate::split::splitter::Splitter;
use crate::synth;
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// How many samples in a row may give nothing.
const MOST_IN_VAIN: u64 = 10_000;

/// What became of a kernel.
pub(crate) type Made = Result<Record, Box<Reject>>;

/// Takes what became of a kernel.
pub(crate) type Take<'a> = dyn FnMut(Made) -> Result<(), Error> + 'a;

/// Which of all kernels are made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Share<'a> {
    /// All of them.
    Whole,
    /// Those of a partition.
    Partition(&'a Owners, u32),
}

/// How far the making has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Position {
    /// How many kernels of the registry have been looked at.
    registered: usize,
    /// The next sample.
    sample: u64,
    /// How many synthesised records there are.
    written: usize,
    /// How many samples in a row gave nothing.
    in_vain: u64,
}

/// Makes records in their order: those of the registry, then synthesised ones.
pub(crate) struct Maker<'a> {
    what: &'a What,
    pool: &'a rayon::ThreadPool,
    share: Share<'a>,
    /// The kernels of the registry in the share.
    candidates: Vec<Candidate>,
    /// How many synthesised records are wanted.
    count: usize,
    /// How many kernels are made at a time.
    chunk: usize,
    position: Position,
    names: HashSet<(String, String)>,
    dedup: Dedup,
    splitter: Splitter,
}

impl<'a> Maker<'a> {
    /// Makes the `share` of `what`: `count` synthesised records, besides those of the registry, about `chunk` at a time.
    pub(crate) fn new(
        what: &'a What,
        share: Share<'a>,
        count: usize,
        chunk: usize,
        pool: &'a rayon::ThreadPool,
    ) -> Maker<'a> {
        let candidates = what.candidates.iter().filter(|candidate| match share {
            Share::Whole => true,
            Share::Partition(owners, partition) => owners.of_registered(candidate) == partition,
        });
        Maker {
            what,
            pool,
            share,
            candidates: candidates.copied().collect(),
            count,
            chunk,
            position: Position::default(),
            names: HashSet::new(),
            dedup: Dedup::new(
                what.synthesis.as_ref().map_or(0, |synthesis| synthesis.count),
                what.candidates.iter().map(|candidate| candidate.info.rust_source),
            ),
            splitter: Splitter::new(what.settings.splits.as_ref(), &what.candidates),
        }
    }

    /// How far it has come.
    pub(crate) fn position(&self) -> Position {
        self.position
    }

    /// Goes on at `position`, where there were these `records` already.
    pub(crate) fn resume(&mut self, position: Position, records: impl Iterator<Item = Record>) {
        self.position = position;
        for record in records {
            self.dedup.remember(&record, &Signature::of(&record.rust_source));
            // It was given a split when it was made.
            let _ = self.splitter.split(&record);
            self.names.insert(name_of(&record));
        }
    }

    /// Makes some more; whether there are more to make.
    pub(crate) fn step(&mut self, take: &mut Take<'_>) -> Result<bool, Error> {
        if self.position.registered < self.candidates.len() {
            self.step_registered(take)?;
        } else if self.position.written < self.count {
            self.step_synthesised(take)?;
        }
        Ok(self.goes_on())
    }

    /// Whether there are more to make.
    pub(crate) fn goes_on(&self) -> bool {
        self.position.registered < self.candidates.len() || self.position.written < self.count
    }

    fn step_registered(&mut self, take: &mut Take<'_>) -> Result<(), Error> {
        let start = self.position.registered;
        let chunk = &self.candidates[start..self.candidates.len().min(start + self.chunk)];
        let What { settings, ptx, .. } = self.what;
        let mut made: Vec<Made> =
            self.pool.install(|| chunk.par_iter().map(|kernel| make(kernel, settings, ptx.as_ref())).collect());
        let mut records: Vec<&mut Record> = made.iter_mut().filter_map(|made| made.as_mut().ok()).collect();
        let mut verdicts = self.pool.install(|| self.what.judged(&mut records))?.into_iter();
        self.position.registered += chunk.len();
        for made in made {
            let admitted = made.and_then(|record| {
                let verdict = verdicts.next().unwrap_or(Ok(()));
                match verdict.and_then(|()| self.first_of_its_name(&record)).and_then(|()| self.admitted(&record)) {
                    Ok(()) => {
                        self.dedup.remember(&record, &Signature::of(&record.rust_source));
                        self.with_split(record)
                    }
                    Err(why) => Err(rejected(&record, why)),
                }
            });
            take(admitted)?;
        }
        Ok(())
    }

    fn step_synthesised(&mut self, take: &mut Take<'_>) -> Result<(), Error> {
        let Some(synthesis) = &self.what.synthesis else { return Ok(()) };
        let What { settings, ptx, .. } = self.what;
        // Not many more than are needed, however many are made at a time.
        let chunk = (self.count - self.position.written).min(self.chunk);
        let (samples, attempts) = match self.share {
            Share::Whole => ((self.position.sample..self.position.sample + chunk as u64).collect(), synth::ATTEMPTS),
            // Only the first draft of a sample is known to be in the share.
            Share::Partition(owners, partition) => (owners.next(partition, self.position.sample, chunk, self.pool)?, 1),
        };
        let mut made: Vec<(u64, Synthesized)> = self.pool.install(|| {
            let synthesize = |index: u64| {
                let family = synth::family(&synthesis.families, index);
                (index, synthesize(family, index, settings, ptx.as_ref(), attempts))
            };
            samples.into_par_iter().map(synthesize).collect()
        });
        let records = made.iter_mut().filter_map(|(_, sample)| sample.made.as_mut().map(|(record, _)| record));
        let mut records: Vec<&mut Record> = records.collect();
        let mut verdicts = self.pool.install(|| self.what.judged(&mut records))?.into_iter();
        for (index, Synthesized { made, rejects }) in made {
            self.position.sample = index + 1;
            self.position.in_vain += 1;
            for reject in rejects {
                take(Err(Box::new(reject)))?;
            }
            let Some((record, signature)) = made else { continue };
            let verdict = verdicts.next().unwrap_or(Ok(()));
            let verdict = verdict.and_then(|()| self.admitted(&record));
            let admitted = match verdict.and_then(|()| self.dedup.admit(&record, &signature)) {
                Ok(()) => self.with_split(record),
                Err(why) => Err(rejected(&record, why)),
            };
            if admitted.is_ok() {
                self.position.written += 1;
                self.position.in_vain = 0;
            }
            take(admitted)?;
            if self.position.written == self.count {
                return Ok(());
            }
        }
        if self.position.in_vain > MOST_IN_VAIN {
            return Err(Error::Invalid(format!(
                "the last {} samples gave nothing new after {} records; ask for fewer",
                self.position.in_vain, self.position.written
            )));
        }
        Ok(())
    }

    /// Rejects a record whose family and name another one has.
    fn first_of_its_name(&mut self, record: &Record) -> Result<(), (Reason, String)> {
        match self.names.insert(name_of(record)) {
            true => Ok(()),
            false => Err((Reason::Duplicate, "the family has a kernel of that name already".to_owned())),
        }
    }

    /// Rejects a record that is in a benchmark.
    fn admitted(&self, record: &Record) -> Result<(), (Reason, String)> {
        self.what.benchmarks.as_ref().map_or(Ok(()), |benchmarks| benchmarks.admit(record))
    }

    /// The record with its split.
    fn with_split(&mut self, mut record: Record) -> Made {
        match self.splitter.split(&record) {
            Ok(split) => {
                record.split = split.name().to_owned();
                Ok(record)
            }
            Err(why) => Err(rejected(&record, why)),
        }
    }
}

fn name_of(record: &Record) -> (String, String) {
    (record.metadata.category.clone(), record.metadata.kernel_name.clone())
}

fn rejected(record: &Record, (reason, detail): (Reason, String)) -> Box<Reject> {
    Box::new(Reject::of(record, reason, detail))
}

//! The generator: yields the records of a dataset, or of one partition, in order.
//!
//! Kernels are made in parallel and admitted one after the other. So the records do not depend on the number of
//! threads.

use super::spec::DatasetSpec;
use crate::error::Error;
use crate::model::{Failure, Reason, Record, Reject};
use crate::prove::make::make;
use crate::prove::make_synth::{Synthesized, synthesize};
use crate::source::registry::Candidate;
use crate::split::{Dedup, Signature, Splitter};
use crate::synth;
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The number of consecutive samples without a record at which the run gives up.
const MOST_IN_VAIN: u64 = 10_000;

/// A record, or the reject in its place.
pub(crate) type Made = Result<Record, Box<Reject>>;

/// The consumer of records and rejects.
pub(crate) type Take<'a> = dyn FnMut(Made) -> Result<(), Error> + 'a;

/// The part of all kernels that one partition makes.
pub(crate) trait Share: Sync {
    /// Whether this registered kernel is in the share.
    fn has(&self, candidate: &Candidate) -> bool;

    /// The next `count` samples of the share, from the sample `from` on. Only their first drafts are known to be in the
    /// share.
    ///
    /// # Errors
    /// The shared scan of the samples cannot be read or written.
    fn next(&self, from: u64, count: usize, pool: &rayon::ThreadPool) -> Result<Vec<u64>, Error>;
}

/// The progress of a generator. It is all that resuming needs, besides the records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Position {
    /// The number of registered kernels that have been processed.
    registered: usize,
    /// The next sample.
    sample: u64,
    /// The number of synthesised records.
    written: usize,
    /// The number of consecutive samples without a record.
    in_vain: u64,
}

/// Makes records in order: registered kernels first, then synthesised ones.
pub(crate) struct Generator<'a> {
    spec: &'a DatasetSpec,
    pool: &'a rayon::ThreadPool,
    /// The share to make. `None` for all kernels.
    share: Option<&'a dyn Share>,
    /// The registered kernels in the share.
    candidates: Vec<Candidate>,
    /// The number of synthesised records to make.
    count: usize,
    /// The number of kernels in a step.
    chunk: usize,
    position: Position,
    names: HashSet<(String, String)>,
    dedup: Dedup,
    splitter: Splitter,
}

impl<'a> Generator<'a> {
    /// A generator for the `share` of `spec`, with `count` synthesised records and about `chunk` kernels in a step.
    pub(crate) fn new(
        spec: &'a DatasetSpec,
        share: Option<&'a dyn Share>,
        count: usize,
        chunk: usize,
        pool: &'a rayon::ThreadPool,
    ) -> Generator<'a> {
        let is_shared = |candidate: &&Candidate| share.is_none_or(|share| share.has(candidate));
        let candidates = spec.candidates.iter().filter(is_shared);
        Generator {
            spec,
            pool,
            share,
            candidates: candidates.copied().collect(),
            count,
            chunk,
            position: Position::default(),
            names: HashSet::new(),
            // The texts of all registered kernels, not only those of the share: no synthesised kernel may repeat any of
            // them.
            dedup: Dedup::new(
                spec.synthesis.as_ref().map_or(0, |synthesis| synthesis.count),
                spec.candidates.iter().map(|candidate| candidate.info.rust_source),
            ),
            splitter: Splitter::new(spec.settings.splits.as_ref(), &spec.candidates),
        }
    }

    /// The progress.
    pub(crate) fn position(&self) -> Position {
        self.position
    }

    /// Continues at `position`, after the `records` of an earlier run.
    ///
    /// # Errors
    /// A record cannot be read.
    pub(crate) fn resume(
        &mut self,
        position: Position,
        records: impl Iterator<Item = Result<Record, Error>>,
    ) -> Result<(), Error> {
        self.position = position;
        for record in records {
            let record = record?;
            self.dedup.remember(&record, &Signature::of(&record.rust_source));
            // Only the effect on later splits counts here; the record has its split.
            let _ = self.splitter.split(&record);
            self.names.insert(name_of(&record));
        }
        Ok(())
    }

    /// Makes one step. Returns whether there is more to make.
    pub(crate) fn step(&mut self, take: &mut Take<'_>) -> Result<bool, Error> {
        if self.position.registered < self.candidates.len() {
            self.step_registered(take)?;
        } else if self.position.written < self.count {
            self.step_synthesised(take)?;
        }
        Ok(self.goes_on())
    }

    /// Whether there is more to make.
    pub(crate) fn goes_on(&self) -> bool {
        self.position.registered < self.candidates.len() || self.position.written < self.count
    }

    fn step_registered(&mut self, take: &mut Take<'_>) -> Result<(), Error> {
        let start = self.position.registered;
        let chunk = &self.candidates[start..self.candidates.len().min(start + self.chunk)];
        let DatasetSpec { settings, ptx, .. } = self.spec;
        let mut made: Vec<Made> =
            self.pool.install(|| chunk.par_iter().map(|kernel| make(kernel, settings, ptx.as_ref())).collect());
        let mut records: Vec<&mut Record> = made.iter_mut().filter_map(|made| made.as_mut().ok()).collect();
        let mut verdicts = self.pool.install(|| self.spec.judged(&mut records))?.into_iter();
        self.position.registered += chunk.len();
        for made in made {
            let admitted = made.and_then(|record| {
                let verdict = verdicts.next().unwrap_or(Ok(()));
                match verdict.and_then(|()| self.first_of_its_name(&record)).and_then(|()| self.admitted(&record)) {
                    Ok(()) => {
                        // A registered kernel is never dropped as a duplicate. Synthesised ones must differ from it.
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
        let Some(synthesis) = &self.spec.synthesis else { return Ok(()) };
        let DatasetSpec { settings, ptx, .. } = self.spec;
        // Near the end a full chunk would make kernels that are then discarded.
        let chunk = (self.count - self.position.written).min(self.chunk);
        // In a partition only the first draft of a sample is known to belong there. A later draft may be a kernel of
        // another partition, so there is one attempt.
        let (samples, attempts) = match self.share {
            None => ((self.position.sample..self.position.sample + chunk as u64).collect(), synth::ATTEMPTS),
            Some(share) => (share.next(self.position.sample, chunk, self.pool)?, 1),
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
        let mut verdicts = self.pool.install(|| self.spec.judged(&mut records))?.into_iter();
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
                "the last {} samples gave no new record after {} records; use a smaller `--count`",
                self.position.in_vain, self.position.written
            )));
        }
        Ok(())
    }

    /// Rejects a record if an earlier one has the same family and name.
    fn first_of_its_name(&mut self, record: &Record) -> Result<(), Failure> {
        match self.names.insert(name_of(record)) {
            true => Ok(()),
            false => Err((Reason::Duplicate, "the family has a kernel of that name already".to_owned())),
        }
    }

    /// Rejects a record that shares text or structure with a benchmark.
    fn admitted(&self, record: &Record) -> Result<(), Failure> {
        self.spec.benchmarks.as_ref().map_or(Ok(()), |benchmarks| benchmarks.admit(record))
    }

    /// Assigns the split of the record.
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

fn rejected(record: &Record, (reason, detail): Failure) -> Box<Reject> {
    Box::new(Reject::of(record, reason, detail))
}

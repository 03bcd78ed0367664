//! The records of a dataset, or of one of its partitions, made one after the other.

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

/// How many samples in a row may give nothing.
const MOST_IN_VAIN: u64 = 10_000;

/// What became of a kernel.
pub(crate) type Made = Result<Record, Box<Reject>>;

/// Takes what became of a kernel.
pub(crate) type Take<'a> = dyn FnMut(Made) -> Result<(), Error> + 'a;

/// A part of all kernels that is made by itself.
pub(crate) trait Share: Sync {
    /// Whether this kernel of the registry is in the share.
    fn has(&self, candidate: &Candidate) -> bool;

    /// The next `count` samples of the share, from the sample `from` on. Only their first drafts are known to be in it.
    ///
    /// # Errors
    /// What other workers have found out cannot be read or written.
    fn next(&self, from: u64, count: usize, pool: &rayon::ThreadPool) -> Result<Vec<u64>, Error>;
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
pub(crate) struct Generator<'a> {
    spec: &'a DatasetSpec,
    pool: &'a rayon::ThreadPool,
    /// All kernels if there is none.
    share: Option<&'a dyn Share>,
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

impl<'a> Generator<'a> {
    /// Makes the `share` of `spec`: `count` synthesised records, besides those of the registry, about `chunk` at a time.
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
            dedup: Dedup::new(
                spec.synthesis.as_ref().map_or(0, |synthesis| synthesis.count),
                spec.candidates.iter().map(|candidate| candidate.info.rust_source),
            ),
            splitter: Splitter::new(spec.settings.splits.as_ref(), &spec.candidates),
        }
    }

    /// How far it has come.
    pub(crate) fn position(&self) -> Position {
        self.position
    }

    /// Goes on at `position`, where there were these `records` already.
    ///
    /// # Errors
    /// A record cannot be had.
    pub(crate) fn resume(
        &mut self,
        position: Position,
        records: impl Iterator<Item = Result<Record, Error>>,
    ) -> Result<(), Error> {
        self.position = position;
        for record in records {
            let record = record?;
            self.dedup.remember(&record, &Signature::of(&record.rust_source));
            // It was given a split when it was made.
            let _ = self.splitter.split(&record);
            self.names.insert(name_of(&record));
        }
        Ok(())
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
        // Not many more than are needed, however many are made at a time.
        let chunk = (self.count - self.position.written).min(self.chunk);
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
                "the last {} samples gave nothing new after {} records; ask for fewer",
                self.position.in_vain, self.position.written
            )));
        }
        Ok(())
    }

    /// Rejects a record whose family and name another one has.
    fn first_of_its_name(&mut self, record: &Record) -> Result<(), Failure> {
        match self.names.insert(name_of(record)) {
            true => Ok(()),
            false => Err((Reason::Duplicate, "the family has a kernel of that name already".to_owned())),
        }
    }

    /// Rejects a record that is in a benchmark.
    fn admitted(&self, record: &Record) -> Result<(), Failure> {
        self.spec.benchmarks.as_ref().map_or(Ok(()), |benchmarks| benchmarks.admit(record))
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

fn rejected(record: &Record, (reason, detail): Failure) -> Box<Reject> {
    Box::new(Reject::of(record, reason, detail))
}

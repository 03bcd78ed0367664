//! The counts of a dataset, as in `stats.json`.

use crate::model::{GENERATOR_VERSION, Reason, Record, Reject, SCHEMA_VERSION, SURROGATE_GRAD, SYNTH};
use crate::split::key;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// The contents of `stats.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stats {
    schema_version: u32,
    generator_version: String,
    /// The number of records.
    pub(crate) records: usize,
    /// The number of distinct structure hashes.
    pub(crate) distinct_structures: usize,
    /// The number of distinct skeletons, which are structures without constants.
    pub(crate) distinct_skeletons: usize,
    /// The number of records in each split.
    pub(crate) splits: BTreeMap<String, usize>,
    /// The files of each config and split. Empty in format `files`.
    pub(crate) tables: Tables,
    /// The result of deduplication. Null if nothing was synthesised.
    pub(crate) near_duplicates: Option<NearDuplicates>,
    /// The number of kernels of each family that were made, rejected ones included.
    pub(crate) drawn: BTreeMap<String, usize>,
    /// The number of records of each family.
    pub(crate) families: BTreeMap<String, usize>,
    /// The total size of each text, in bytes.
    pub(crate) bytes: BTreeMap<String, usize>,
    /// The number of rejects.
    pub(crate) rejected: usize,
    /// The number of rejects for each reason.
    pub(crate) rejects: BTreeMap<String, usize>,
    /// The counts of the checks.
    pub(crate) verification: VerificationStats,
    /// The hash of the data folder. Empty until the folder is complete.
    pub(crate) data_blake3: String,
    #[serde(skip)]
    structures: HashSet<u64>,
    #[serde(skip)]
    skeletons: HashSet<u64>,
}

/// The result of deduplication.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NearDuplicates {
    /// The number of kernels that were compared.
    pub(crate) compared: usize,
    /// The number of kernels that nearly repeat the text of an earlier one. None of them became a record.
    pub(crate) found: usize,
}

/// The counts of the files, by config and split.
pub(crate) type Tables = BTreeMap<String, BTreeMap<String, TableCounts>>;

/// The counts of the files of one config and split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableCounts {
    /// The number of files.
    pub(crate) files: usize,
    /// The number of rows.
    pub(crate) rows: usize,
    /// The size of the files in bytes.
    pub(crate) bytes: u64,
    /// The size of the contents in memory, in bytes, with 8 for a number.
    pub(crate) contents: u64,
}

/// The counts of the checks, over all records.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerificationStats {
    /// The number of records of each tier.
    pub(crate) tiers: BTreeMap<u8, usize>,
    /// The number of executed launches.
    pub(crate) launches: usize,
    /// The number of records that each toolchain took part in.
    pub(crate) toolchains: BTreeMap<String, usize>,
    /// The number of records that the interpreter executed again, with poisoned outputs and the threads in opposite
    /// order.
    pub(crate) again: usize,
    /// The number of these in which all outputs had the same bits.
    pub(crate) again_bit_equal: usize,
    /// The largest relative difference of two floats in the others.
    pub(crate) again_worst_relative: f64,
    /// The number of records on which interpreter and CPU version agree.
    pub(crate) interpreter_vs_cpu: usize,
    /// The number of these in which all outputs had the same bits.
    pub(crate) bit_equal: usize,
    /// The largest difference of two floats in the others, in units in the last place.
    pub(crate) worst_ulp: u64,
    /// The largest absolute difference in the others.
    pub(crate) worst_absolute: f64,
    /// The largest relative difference in the others.
    pub(crate) worst_relative: f64,
    /// The number of records with an adjoint that agrees with dual numbers.
    pub(crate) adjoints: usize,
    /// The number of these adjoints that give surrogate gradients.
    #[serde(default)]
    pub(crate) surrogate_gradients: usize,
    /// The largest relative error of an adjoint in f64.
    pub(crate) worst_adjoint_error_f64: f64,
    /// The largest relative error of an adjoint in its declared types.
    pub(crate) worst_adjoint_error_as_declared: f64,
    /// The number of records whose launches execute every statement, and move every gradient from 0.
    #[serde(default)]
    pub(crate) covered: usize,
}

impl VerificationStats {
    fn record(&mut self, record: &Record) {
        let found = &record.verification;
        *self.tiers.entry(record.tier).or_default() += 1;
        self.launches += found.shapes.len();
        for program in &found.toolchains {
            *self.toolchains.entry(program.clone()).or_default() += 1;
        }
        self.covered += usize::from(found.coverage.as_ref().is_some_and(|coverage| coverage.missing.is_empty()));
        self.again += 1;
        self.again_bit_equal += usize::from(found.interpreter_again.bit_equal);
        self.again_worst_relative = self.again_worst_relative.max(found.interpreter_again.worst_relative);
        if let Some(agreement) = &found.interpreter_vs_cpu {
            self.interpreter_vs_cpu += 1;
            self.bit_equal += usize::from(agreement.bit_equal);
            self.worst_ulp = self.worst_ulp.max(agreement.worst_ulp);
            self.worst_absolute = self.worst_absolute.max(agreement.worst_absolute);
            self.worst_relative = self.worst_relative.max(agreement.worst_relative);
        }
        if let Some(adjoint) = &found.adjoint {
            self.adjoints += 1;
            let is_surrogate = record.metadata.features.iter().any(|feature| feature == SURROGATE_GRAD);
            self.surrogate_gradients += usize::from(is_surrogate);
            self.worst_adjoint_error_f64 = self.worst_adjoint_error_f64.max(adjoint.error_f64);
            self.worst_adjoint_error_as_declared = self.worst_adjoint_error_as_declared.max(adjoint.error_as_declared);
        }
    }
}

impl Stats {
    /// The counts of an empty dataset.
    pub(crate) fn new() -> Stats {
        Stats {
            schema_version: SCHEMA_VERSION,
            generator_version: GENERATOR_VERSION.to_owned(),
            records: 0,
            distinct_structures: 0,
            distinct_skeletons: 0,
            splits: BTreeMap::new(),
            tables: Tables::new(),
            near_duplicates: None,
            drawn: BTreeMap::new(),
            families: BTreeMap::new(),
            bytes: BTreeMap::new(),
            rejected: 0,
            rejects: BTreeMap::new(),
            verification: VerificationStats::default(),
            data_blake3: String::new(),
            structures: HashSet::new(),
            skeletons: HashSet::new(),
        }
    }

    /// Counts a record.
    pub(crate) fn record(&mut self, record: &Record) {
        self.records += 1;
        *self.drawn.entry(record.metadata.category.clone()).or_default() += 1;
        *self.families.entry(record.metadata.category.clone()).or_default() += 1;
        *self.splits.entry(record.split.clone()).or_default() += 1;
        if record.metadata.origin == SYNTH {
            self.near_duplicates.get_or_insert_default().compared += 1;
        }
        for (name, text) in record.texts() {
            if let Some(text) = text {
                *self.bytes.entry(name.to_owned()).or_default() += text.len();
            }
        }
        self.distinct_structures += usize::from(self.structures.insert(key(&record.hash)));
        self.distinct_skeletons += usize::from(self.skeletons.insert(key(&record.skeleton_id)));
        self.verification.record(record);
    }

    /// Counts a reject.
    pub(crate) fn reject(&mut self, reject: &Reject) {
        self.rejected += 1;
        *self.drawn.entry(reject.category.clone()).or_default() += 1;
        *self.rejects.entry(reject.reason.name()).or_default() += 1;
        if matches!(reject.reason, Reason::NearDuplicate | Reason::CommonSkeleton | Reason::BetweenSplits) {
            let near = self.near_duplicates.get_or_insert_default();
            near.compared += 1;
            near.found += usize::from(reject.reason == Reason::NearDuplicate);
        }
    }
}

//! The counts of a dataset.

use crate::model::{GENERATOR_VERSION, Reason, Record, Reject, SCHEMA_VERSION, SURROGATE_GRAD, SYNTH};
use crate::split::key;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// What `stats.json` holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stats {
    schema_version: u32,
    generator_version: String,
    /// How many records there are.
    pub(crate) records: usize,
    /// How many distinct structures they have.
    pub(crate) distinct_structures: usize,
    /// How many distinct skeletons they have: structures without constants.
    pub(crate) distinct_skeletons: usize,
    /// How many records each split has.
    pub(crate) splits: BTreeMap<String, usize>,
    /// What the files of each config and split hold; empty for a folder for each record.
    pub(crate) tables: Tables,
    /// What the pass over near-duplicates found; null if nothing was synthesised.
    pub(crate) near_duplicates: Option<NearDuplicates>,
    /// How many kernels of each family were looked at.
    pub(crate) drawn: BTreeMap<String, usize>,
    /// How many records each family has.
    pub(crate) families: BTreeMap<String, usize>,
    /// How many bytes each text takes up in all records.
    pub(crate) bytes: BTreeMap<String, usize>,
    /// How many kernels no record could be made of.
    pub(crate) rejected: usize,
    /// How many of them for each reason.
    pub(crate) rejects: BTreeMap<String, usize>,
    /// What was checked.
    pub(crate) verification: VerificationStats,
    /// The hash of the data folder; empty until it is complete.
    pub(crate) data_blake3: String,
    #[serde(skip)]
    structures: HashSet<u64>,
    #[serde(skip)]
    skeletons: HashSet<u64>,
}

/// What a pass over near-duplicates found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NearDuplicates {
    /// How many kernels were compared.
    pub(crate) compared: usize,
    /// How many of them are nearly the text of another one before them; none of these became a record.
    pub(crate) found: usize,
}

/// What the files of each split of each config hold.
pub(crate) type Tables = BTreeMap<String, BTreeMap<String, TableCounts>>;

/// What the files of a table hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableCounts {
    /// How many files there are.
    pub(crate) files: usize,
    /// How many rows they have.
    pub(crate) rows: usize,
    /// How many bytes they take up.
    pub(crate) bytes: u64,
    /// How many bytes their contents have in memory, 8 for a number.
    pub(crate) contents: u64,
}

/// The sum of the checks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerificationStats {
    /// How many records are of each tier.
    pub(crate) tiers: BTreeMap<u8, usize>,
    /// How many launches were executed.
    pub(crate) launches: usize,
    /// The programs that took part, with how many records.
    pub(crate) toolchains: BTreeMap<String, usize>,
    /// How many records the interpreter executed again, with poisoned outputs and threads in the opposite order.
    pub(crate) again: usize,
    /// In how many of them all outputs have the same bits.
    pub(crate) again_bit_equal: usize,
    /// The largest relative distance of two floats in the others.
    pub(crate) again_worst_relative: f64,
    /// How many records were executed by interpreter and CPU version, and agree.
    pub(crate) interpreter_vs_cpu: usize,
    /// In how many of them all outputs have the same bits.
    pub(crate) bit_equal: usize,
    /// The largest distance of two floats in the others, in units in the last place.
    pub(crate) worst_ulp: u64,
    /// The same as such.
    pub(crate) worst_absolute: f64,
    /// The same as a part of the larger one.
    pub(crate) worst_relative: f64,
    /// How many records have an adjoint that agrees with dual numbers.
    pub(crate) adjoints: usize,
    /// How many of these adjoints give surrogate gradients.
    #[serde(default)]
    pub(crate) surrogate_gradients: usize,
    /// The largest relative error of an adjoint in f64.
    pub(crate) worst_adjoint_error_f64: f64,
    /// The largest relative error of an adjoint in the types that it declares.
    pub(crate) worst_adjoint_error_as_declared: f64,
}

impl VerificationStats {
    fn record(&mut self, record: &Record) {
        let found = &record.verification;
        *self.tiers.entry(record.tier).or_default() += 1;
        self.launches += found.shapes.len();
        for program in &found.toolchains {
            *self.toolchains.entry(program.clone()).or_default() += 1;
        }
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
    /// No records.
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

    /// Counts a kernel that no record could be made of.
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

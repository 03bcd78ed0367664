//! The survey of a dataset by family: counts, diversity of kernels, lengths of texts, depths of loops, types, launch
//! axes, operations, and tiers of evidence.

use crate::model::{Reason, Record, Reject, SYNTH, read_kernel};
use crate::split::{MinHashIndex, Signature, key};
use kernel_ir::ir::{ExprKind, Kernel, Param, Stmt, StmtKind};
use kernel_ir::ops::{Op, TABLE};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The name under which all families are counted together.
pub(crate) const ALL: &str = "all";

/// The definition of a token, for the lengths.
pub(crate) const TOKENIZER: &str = "words and signs: a run of letters, digits and underscores is a token, and so is any other character that is no space";

/// An operation is rare if fewer than this many records in a million have it.
const RARE: usize = 1_000;

/// The number of occurrences of each value.
pub(crate) type Counts<K> = BTreeMap<K, usize>;

/// The survey of a dataset.
#[derive(Debug, Serialize)]
pub(crate) struct Survey {
    /// The definition of a token, [`TOKENIZER`].
    tokenizer: &'static str,
    /// The survey of each family, and of [`ALL`].
    pub(crate) families: BTreeMap<String, FamilySurvey>,
    /// The counts of each operation of the table.
    pub(crate) operations: BTreeMap<&'static str, Operation>,
    /// An operation in fewer records than this is rare.
    pub(crate) rare_below: usize,
    /// The rare operations.
    pub(crate) rare: Vec<&'static str>,
    #[serde(skip)]
    texts: MinHashIndex,
}

/// The survey of a family.
#[derive(Debug, Default, Serialize)]
pub(crate) struct FamilySurvey {
    /// The number of records.
    pub(crate) records: usize,
    /// The number of distinct skeletons.
    pub(crate) skeletons: usize,
    /// The share of the records with the most common skeleton.
    pub(crate) largest_skeleton: f64,
    /// The number of synthesised kernels that were compared with earlier ones.
    pub(crate) compared: usize,
    /// The number of these that were near duplicates. They did not become records.
    pub(crate) near_before: usize,
    /// The number of records that are near duplicates of an earlier record.
    pub(crate) near_after: usize,
    /// The number of rejected kernels, by reason.
    pub(crate) rejects: Counts<String>,
    /// The numbers of tokens of each text.
    pub(crate) tokens: BTreeMap<&'static str, Lengths>,
    /// The number of records with each depth of loops.
    pub(crate) loop_depth: Counts<usize>,
    /// The number of records with each number of launch axes.
    pub(crate) dims: Counts<u8>,
    /// The number of records that use each scalar type.
    pub(crate) scalars: Counts<&'static str>,
    /// The number of records of each intended difficulty.
    pub(crate) difficulty: Counts<u8>,
    /// The number of records of each tier.
    pub(crate) tiers: Counts<u8>,
    #[serde(skip)]
    of_skeleton: HashMap<u64, usize>,
}

/// The distribution of the lengths of a text.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Lengths {
    /// The number of texts.
    pub(crate) texts: usize,
    /// The shortest.
    pub(crate) least: usize,
    /// The 5th percentile.
    pub(crate) p5: usize,
    /// The median.
    pub(crate) p50: usize,
    /// The 95th percentile.
    pub(crate) p95: usize,
    /// The 99th percentile.
    pub(crate) p99: usize,
    /// The longest.
    pub(crate) most: usize,
    /// The number of texts of each length.
    #[serde(skip)]
    pub(crate) counts: Counts<usize>,
}

/// The frequency of an operation.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Operation {
    /// The number of records that have it.
    pub(crate) records: usize,
    /// The number of its uses.
    pub(crate) uses: usize,
}

/// The traits of a record that are counted.
#[derive(Debug)]
pub(crate) struct Traits {
    family: String,
    skeleton: u64,
    is_synthesised: bool,
    signature: Signature,
    tokens: Vec<(&'static str, usize)>,
    loop_depth: usize,
    dim: u8,
    scalars: BTreeSet<&'static str>,
    difficulty: Option<u8>,
    tier: u8,
    operations: HashMap<&'static str, usize>,
}

impl Traits {
    /// The traits of `record`.
    ///
    /// # Errors
    /// Its IR cannot be read.
    pub(crate) fn of(record: &Record) -> Result<Traits, String> {
        let kernel = read_kernel(&record.ir)?;
        let mut operations = HashMap::new();
        let mut scalars = BTreeSet::new();
        for code in std::iter::once(&*kernel).chain(kernel.called().iter().map(|function| &function.code)) {
            each_operation(code, &mut |op| *operations.entry(op.name()).or_default() += 1);
            let types = code.params.iter().map(Param::elem).chain(code.locals.iter().map(|local| local.ty));
            scalars.extend(types.map(|ty| ty.scalar().name()));
        }
        let texts = record.texts().filter(|(name, _)| *name != "ptx");
        Ok(Traits {
            family: record.metadata.category.clone(),
            skeleton: key(&record.skeleton_id),
            is_synthesised: record.metadata.origin == SYNTH,
            signature: Signature::of(&record.rust_source),
            tokens: texts.filter_map(|(name, text)| Some((name, token_count(text?)))).collect(),
            loop_depth: loop_depth(&kernel.body),
            dim: kernel.dim,
            scalars,
            difficulty: record.metadata.difficulty,
            tier: record.tier,
            operations,
        })
    }
}

/// The number of tokens in the text.
fn token_count(text: &str) -> usize {
    let mut count = 0;
    let mut in_word = false;
    for c in text.chars() {
        let is_word = c.is_alphanumeric() || c == '_';
        count += usize::from(!(c.is_whitespace() || is_word && in_word));
        in_word = is_word;
    }
    count
}

/// The largest depth of nested loops.
fn loop_depth(block: &[Stmt]) -> usize {
    let depth = |stmt: &Stmt| match &stmt.kind {
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => 1 + loop_depth(body),
        StmtKind::If { then, other, .. } => loop_depth(then).max(loop_depth(other)),
        _ => 0,
    };
    block.iter().map(depth).max().unwrap_or(0)
}

fn each_operation(code: &Kernel, visit: &mut impl FnMut(Op)) {
    code.walk_stmts(&mut |stmt| {
        if let StmtKind::Update { op, .. } = &stmt.kind {
            visit(*op);
        }
    });
    code.walk_exprs(&mut |expr| {
        if let ExprKind::Op(op, _) = &expr.kind {
            visit(*op);
        }
    });
}

impl Survey {
    /// A survey without records.
    pub(crate) fn new() -> Survey {
        Survey {
            tokenizer: TOKENIZER,
            families: BTreeMap::from([(ALL.to_owned(), FamilySurvey::default())]),
            operations: TABLE
                .iter()
                .filter(|def| !def.op.is_of_adjoints())
                .map(|def| (def.name, Operation::default()))
                .collect(),
            rare_below: 0,
            rare: Vec::new(),
            texts: MinHashIndex::default(),
        }
    }

    /// Counts a record. Records must come in the order of the dataset, because near duplicates are counted against
    /// earlier ones.
    pub(crate) fn record(&mut self, traits: &Traits) {
        let is_near = self.texts.has_near(&traits.signature);
        self.texts.insert(&traits.signature);
        for name in [ALL, &traits.family] {
            self.families.entry(name.to_owned()).or_default().record(traits, is_near);
        }
        for (name, uses) in &traits.operations {
            let operation = self.operations.entry(name).or_default();
            operation.records += 1;
            operation.uses += uses;
        }
    }

    /// Counts a rejected kernel.
    pub(crate) fn reject(&mut self, reject: &Reject) {
        for name in [ALL, &reject.category] {
            self.families.entry(name.to_owned()).or_default().reject(reject);
        }
    }

    /// Computes the rare operations and the percentiles.
    pub(crate) fn finish(&mut self, rare_below: Option<usize>) {
        let records = self.families.get(ALL).map_or(0, |all| all.records);
        self.rare_below = rare_below.unwrap_or((records * RARE).div_ceil(1_000_000).max(1));
        let is_rare = |operation: &Operation| operation.records < self.rare_below;
        self.rare = self.operations.iter().filter(|(_, operation)| is_rare(operation)).map(|(name, _)| *name).collect();
        self.families.values_mut().for_each(FamilySurvey::finish);
    }
}

impl FamilySurvey {
    fn record(&mut self, traits: &Traits, is_near: bool) {
        self.records += 1;
        *self.of_skeleton.entry(traits.skeleton).or_default() += 1;
        self.compared += usize::from(traits.is_synthesised);
        self.near_after += usize::from(is_near);
        for (name, tokens) in &traits.tokens {
            *self.tokens.entry(name).or_default().counts.entry(*tokens).or_default() += 1;
        }
        *self.loop_depth.entry(traits.loop_depth).or_default() += 1;
        *self.dims.entry(traits.dim).or_default() += 1;
        for scalar in &traits.scalars {
            *self.scalars.entry(scalar).or_default() += 1;
        }
        if let Some(difficulty) = traits.difficulty {
            *self.difficulty.entry(difficulty).or_default() += 1;
        }
        *self.tiers.entry(traits.tier).or_default() += 1;
    }

    fn reject(&mut self, reject: &Reject) {
        *self.rejects.entry(reject.reason.name()).or_default() += 1;
        let was_compared =
            matches!(reject.reason, Reason::NearDuplicate | Reason::CommonSkeleton | Reason::BetweenSplits);
        self.compared += usize::from(was_compared);
        self.near_before += usize::from(reject.reason == Reason::NearDuplicate);
    }

    fn finish(&mut self) {
        self.skeletons = self.of_skeleton.len();
        let most = self.of_skeleton.values().max().copied().unwrap_or_default();
        self.largest_skeleton = ratio(most, self.records);
        self.tokens.values_mut().for_each(Lengths::finish);
    }
}

/// `part / whole`, or 0 if `whole` is 0.
pub(crate) fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl Lengths {
    fn finish(&mut self) {
        self.texts = self.counts.values().sum();
        self.least = self.percentile(0);
        self.p5 = self.percentile(5);
        self.p50 = self.percentile(50);
        self.p95 = self.percentile(95);
        self.p99 = self.percentile(99);
        self.most = self.percentile(100);
    }

    /// The least length that `percent` % of the texts do not exceed.
    fn percentile(&self, percent: usize) -> usize {
        let wanted = (self.texts * percent).div_ceil(100).max(1);
        let mut so_far = 0;
        for (length, count) in &self.counts {
            so_far += count;
            if so_far >= wanted {
                return *length;
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;
    use crate::fixtures::Dataset;

    fn surveyed(args: &[&str]) -> Survey {
        let dataset = Dataset::new(&[fixtures::info("math", "one"), fixtures::info("math", "two")]);
        dataset.generate(args).unwrap();
        let mut survey = Survey::new();
        dataset.records().iter().for_each(|record| survey.record(&Traits::of(record).unwrap()));
        survey.finish(None);
        survey
    }

    #[test]
    fn tokens_are_words_and_signs() {
        for (text, count) in [("", 0), ("a_1 += b2;", 5), ("f(x)\n  y", 5), ("é·ß", 3), ("1.5e3", 3)] {
            assert_eq!(token_count(text), count, "{text}");
        }
    }

    #[test]
    fn percentiles_are_of_the_texts() {
        let mut lengths = Lengths { counts: (1..=200).map(|length| (length, 1)).collect(), ..Lengths::default() };
        lengths.finish();
        let Lengths { least, p5, p50, p95, p99, most, .. } = lengths;
        assert_eq!([least, p5, p50, p95, p99, most], [1, 10, 100, 190, 198, 200]);
    }

    #[test]
    fn what_is_alike_is_counted() {
        let survey = surveyed(&[]);
        let all = &survey.families[ALL];
        assert_eq!((all.records, all.skeletons, all.largest_skeleton, all.near_after), (2, 1, 1.0, 1));
        assert_eq!(all.records, survey.families["math"].records);
        let sin = &survey.operations["sin"];
        assert_eq!((sin.records, sin.uses, survey.operations["add"].uses), (2, 2, 2));
        assert!(survey.rare.contains(&"cosh") && !survey.rare.contains(&"sin"));
        assert_eq!(all.tiers, Counts::from([(4, 2)]));
        assert_eq!(all.scalars, Counts::from([("f32", 2)]));
    }

    #[test]
    fn synthesised_records_differ() {
        let survey = surveyed(&["--source", "synth", "--count", "60"]);
        let all = &survey.families[ALL];
        assert_eq!((all.records, all.compared, all.near_after), (60, 60, 0));
        let sum = |of: fn(&FamilySurvey) -> usize| {
            survey.families.iter().filter(|(name, _)| *name != ALL).map(|(_, family)| of(family)).sum::<usize>()
        };
        assert_eq!((sum(|family| family.records), sum(|family| family.tiers[&4])), (60, all.tiers[&4]));
        assert!(all.loop_depth.keys().max() >= Some(&1) && all.difficulty.len() == 5, "{all:?}");
    }
}

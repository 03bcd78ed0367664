//! Deduplication: equal kernels, kernels with a common skeleton, and near-duplicate texts.
//!
//! Texts are compared by MinHash with banding (Broder 1997; Leskovec, Rajaraman, Ullman, *Mining of Massive Datasets*,
//! ch. 3): a set of 112 hash functions samples the set of all 5-grams of tokens, in 14 bands of 8. Two texts whose sets
//! have the Jaccard similarity s agree in some band with probability 1 − (1 − s⁸)¹⁴, which rises steeply around s =
//! 0.7. All bands are kept in one hash table, so a pass takes linear time.

use crate::model::{Failure, Reason, Record};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The number of tokens in an n-gram.
const NGRAM: usize = 5;
/// The number of bands.
const BANDS: usize = 14;
/// The number of hash functions in a band.
const ROWS: usize = 8;
/// One skeleton may have at most one in this many records of a dataset.
const SKELETON_SHARE: usize = 2000;

/// The odd multipliers of the hash functions.
static FACTORS: LazyLock<[u64; BANDS * ROWS]> =
    LazyLock::new(|| std::array::from_fn(|number| mixed(number as u64 + 1) | 1));

/// The MinHash signature of a text: one hash for each band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature([u64; BANDS]);

impl Signature {
    /// The signature of a Rust text, without its doc comment and its attribute.
    pub(crate) fn of(source: &str) -> Signature {
        let tokens = tokens(source);
        let mut least = [u32::MAX; BANDS * ROWS];
        for run in tokens.windows(NGRAM.min(tokens.len().max(1))) {
            let run = run.iter().fold(0xcbf2_9ce4_8422_2325, |hash, token| mixed(hash ^ token));
            // Multiplication by an odd number is a permutation, and its upper half depends on every bit.
            for (least, factor) in least.iter_mut().zip(&*FACTORS) {
                *least = (*least).min((run.wrapping_mul(*factor) >> 32) as u32);
            }
        }
        let mut bands = [0; BANDS];
        for (band, rows) in bands.iter_mut().zip(least.chunks_exact(ROWS)) {
            *band = rows.iter().fold(0, |hash, row| mixed(hash ^ u64::from(*row)));
        }
        Signature(bands)
    }

    /// Each band with its index.
    pub(crate) fn bands(&self) -> impl Iterator<Item = (usize, u64)> {
        self.0.into_iter().enumerate()
    }

    /// One key for each band. Equal hashes in different bands give different keys.
    fn keys(&self) -> impl Iterator<Item = u64> {
        self.bands().map(|(number, hash)| mixed(hash ^ number as u64))
    }

    /// Whether two texts are near duplicates: they agree in at least one band.
    pub(crate) fn is_near(&self, other: &Signature) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a == b)
    }
}

/// The hash of each token of the text after its head.
fn tokens(source: &str) -> Vec<u64> {
    words(source).into_iter().map(hash).collect()
}

/// FNV-1a.
pub(crate) fn hash(word: &[u8]) -> u64 {
    word.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The tokens of the text after its head, which are the leading lines of doc comment and `#[kernel]`. A token is a
/// word, a number, or any other single byte except a space.
pub(crate) fn words(source: &str) -> Vec<&[u8]> {
    let is_head = |line: &&str| line.starts_with("///") || line.starts_with("#[kernel");
    let mut words = Vec::new();
    for line in source.lines().skip_while(is_head) {
        let bytes = line.as_bytes();
        let mut start = 0;
        while start < bytes.len() {
            let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            let len = match bytes[start..].iter().take_while(|byte| is_word(byte)).count() {
                0 => 1,
                len => len,
            };
            if bytes[start] != b' ' {
                words.push(&bytes[start..start + len]);
            }
            start += len;
        }
    }
    words
}

/// A permutation of the 64-bit numbers in which every input bit changes many output bits.
fn mixed(mut bits: u64) -> u64 {
    bits ^= bits >> 32;
    bits = bits.wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits ^= bits >> 32;
    bits = bits.wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits ^ bits >> 32
}

/// An index of MinHash bands, for the search for near duplicates.
///
/// All bands are in one table, because a hash table doubles when it is full: for a million texts this table takes 151
/// MB, where one table for each band took 264 MB.
#[derive(Debug, Default)]
pub(crate) struct MinHashIndex(HashSet<u64>);

impl MinHashIndex {
    /// Whether the index has a near duplicate of the text.
    pub(crate) fn has_near(&self, signature: &Signature) -> bool {
        signature.keys().any(|key| self.0.contains(&key))
    }

    /// Adds a text.
    pub(crate) fn insert(&mut self, signature: &Signature) {
        self.0.extend(signature.keys());
    }
}

/// The kernels of a run so far, for deduplication.
#[derive(Debug)]
pub(crate) struct Dedup {
    structures: HashSet<u64>,
    skeletons: HashMap<u64, usize>,
    texts: MinHashIndex,
    /// The largest number of records with one skeleton.
    most_of_a_skeleton: usize,
}

impl Dedup {
    /// For a dataset of about `count` synthesised records and the registered kernels whose Rust texts are `registered`.
    pub(crate) fn new<'a>(count: usize, registered: impl Iterator<Item = &'a str>) -> Dedup {
        let mut texts = MinHashIndex::default();
        registered.for_each(|text| texts.insert(&Signature::of(text)));
        Dedup {
            structures: HashSet::new(),
            skeletons: HashMap::new(),
            texts,
            most_of_a_skeleton: (count / SKELETON_SHARE).max(1),
        }
    }

    /// Adds a record, unless it repeats another one.
    ///
    /// # Errors
    /// The reason for which the record is rejected.
    pub(crate) fn admit(&mut self, record: &Record, signature: &Signature) -> Result<(), Failure> {
        if self.structures.contains(&key(&record.hash)) {
            return Err((Reason::SameKernel, "another record differs from it in names alone".to_owned()));
        }
        if self.texts.has_near(signature) {
            return Err((Reason::NearDuplicate, "another record has nearly the same text".to_owned()));
        }
        let of_skeleton = self.skeletons.get(&key(&record.skeleton_id)).copied().unwrap_or_default();
        if of_skeleton >= self.most_of_a_skeleton {
            let most = self.most_of_a_skeleton;
            return Err((Reason::CommonSkeleton, format!("{most} records differ from it in constants alone")));
        }
        self.remember(record, signature);
        Ok(())
    }

    /// Adds a record without a check: a registered one, or one that an earlier run has admitted.
    pub(crate) fn remember(&mut self, record: &Record, signature: &Signature) {
        *self.skeletons.entry(key(&record.skeleton_id)).or_default() += 1;
        self.structures.insert(key(&record.hash));
        self.texts.insert(signature);
    }
}

/// The first 64 bits of a hexadecimal hash.
pub(crate) fn key(hash: &str) -> u64 {
    hash.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "/// Says something.\n#[kernel(family = \"math\")]\npub fn wave(a: f32, x: &[f32], y: &mut [f32]) {
    let i = tid();
    let offset = x[i] * a + 0.5;
    let scaled = offset.sin() * x[i].cos() + a * a - offset / 3.0;
    let bent = scaled.tanh() + offset * scaled - x[i] * 0.25 + a.sqrt() * offset;
    y[i] = scaled * offset + x[i].exp() - a + bent;
}\n";

    fn common(a: &str, b: &str) -> usize {
        let (a, b) = (Signature::of(a), Signature::of(b));
        a.0.iter().zip(b.0).filter(|(a, b)| *a == b).count()
    }

    #[test]
    fn comments_do_not_count() {
        assert_eq!(common(TEXT, &TEXT.replace("Says something", "Is about other things")), BANDS);
    }

    #[test]
    fn nearly_equal_texts_meet_in_a_band() {
        assert!(common(TEXT, &TEXT.replace("0.25", "0.75")) > 0);
    }

    #[test]
    fn other_texts_meet_in_none() {
        let other = "pub fn f(q: u32, n: &mut [u32]) { n[tid()] = q.rotate_left(3) ^ q.wrapping_mul(17); if q > 3 { return; } }";
        assert_eq!(common(TEXT, other), 0);
    }
}

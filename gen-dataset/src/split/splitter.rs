//! Assigns records to the splits train, validation and test, without leakage.
//!
//! The split of a record is a hash of its skeleton, so it does not depend on other records. Registered kernels with
//! near-duplicate texts get one split. A synthesised kernel whose text nearly duplicates another one never becomes a
//! record ([`crate::split::near_duplicates`]). So no cluster of near duplicates spans two splits.

use super::near_duplicates::Signature;
use crate::model::{Failure, REGISTRY, Reason, Record, Split, SplitSettings, read_kernel};
use crate::source::identity::skeleton_id;
use crate::source::registry::Candidate;
use std::collections::HashMap;

/// Assigns splits to records.
#[derive(Debug)]
pub(crate) struct Splitter {
    settings: Option<SplitSettings>,
    /// The splits of the skeletons of earlier records, and of all registered kernels.
    skeletons: HashMap<String, Split>,
}

impl Splitter {
    /// For a dataset of `candidates` and synthesised kernels. Without `settings` every record is in train.
    pub(crate) fn new(settings: Option<&SplitSettings>, candidates: &[Candidate]) -> Splitter {
        let skeletons = settings.map(|settings| registered(settings, candidates)).unwrap_or_default();
        Splitter { settings: settings.cloned(), skeletons }
    }

    /// The split of `record`.
    ///
    /// # Errors
    /// `BetweenSplits` if the record is held out and its skeleton is already in another split than test.
    pub(crate) fn split(&mut self, record: &Record) -> Result<Split, Failure> {
        let Some(settings) = &self.settings else { return Ok(Split::Train) };
        let held_out = settings.holds_out(&record.metadata.category, &record.metadata.origin);
        let there = self.skeletons.get(&record.skeleton_id).copied();
        let split = match there {
            Some(split) => split,
            None if held_out => Split::Test,
            None => settings.of_skeleton(&record.skeleton_id),
        };
        if held_out && split != Split::Test {
            let why = format!("it is held out for test, and its skeleton is in {}", split.name());
            return Err((Reason::BetweenSplits, why));
        }
        self.skeletons.insert(record.skeleton_id.clone(), split);
        Ok(split)
    }
}

/// The splits of the skeletons of registered kernels. Kernels that are near duplicates or share a skeleton get one
/// split.
fn registered(settings: &SplitSettings, candidates: &[Candidate]) -> HashMap<String, Split> {
    let mut clusters: Vec<Cluster> = Vec::new();
    for Candidate { info, .. } in candidates {
        // A kernel that cannot be read never becomes a record.
        let Ok(kernel) = read_kernel(info.ir) else { continue };
        let mut cluster = Cluster {
            signatures: vec![Signature::of(info.rust_source)],
            skeletons: vec![skeleton_id(&kernel)],
            is_held_out: settings.holds_out(info.family, REGISTRY),
        };
        let (near, others): (Vec<Cluster>, _) = clusters.into_iter().partition(|other| cluster.belongs_with(other));
        clusters = others;
        for other in near {
            cluster.signatures.extend(other.signatures);
            cluster.skeletons.extend(other.skeletons);
            cluster.is_held_out |= other.is_held_out;
        }
        clusters.push(cluster);
    }
    let split = |cluster: Cluster| {
        // The least skeleton names the cluster, so that the order of the registry does not matter.
        let first = cluster.skeletons.iter().min().cloned().unwrap_or_default();
        let split = if cluster.is_held_out { Split::Test } else { settings.of_skeleton(&first) };
        cluster.skeletons.into_iter().map(move |skeleton| (skeleton, split))
    };
    clusters.into_iter().flat_map(split).collect()
}

/// A cluster of registered kernels that get one split.
struct Cluster {
    signatures: Vec<Signature>,
    skeletons: Vec<String>,
    is_held_out: bool,
}

impl Cluster {
    /// Whether a kernel of one cluster is a near duplicate of a kernel of the other, or shares its skeleton.
    fn belongs_with(&self, other: &Cluster) -> bool {
        self.skeletons.iter().any(|skeleton| other.skeletons.contains(skeleton))
            || self.signatures.iter().any(|one| other.signatures.iter().any(|two| one.is_near(two)))
    }
}

#[cfg(test)]
mod tests {

    use crate::model::SplitSettings;

    fn settings(held_out: &[&str]) -> SplitSettings {
        let held_out: Vec<String> = held_out.iter().map(|&name| name.to_owned()).collect();
        SplitSettings::new([80, 10, 10], &held_out, &["math".to_owned(), "loop".to_owned()]).unwrap()
    }

    #[test]
    fn parts_are_about_what_was_asked_for() {
        let settings = settings(&[]);
        let mut counts = [0; 3];
        for number in 0..10_000 {
            counts[settings.of_skeleton(&format!("{number:064x}")) as usize] += 1;
        }
        assert!((7800..8200).contains(&counts[0]), "{counts:?}");
        assert!((850..1150).contains(&counts[1]) && (850..1150).contains(&counts[2]), "{counts:?}");
    }

    #[test]
    fn what_is_held_out_must_be_there() {
        let error = SplitSettings::new([80, 10, 10], &["loops".to_owned()], &["loop".to_owned()]).unwrap_err();
        assert!(error.to_string().contains("cannot hold out `loops`"), "{error}");
    }
}

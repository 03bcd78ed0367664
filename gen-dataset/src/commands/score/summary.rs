//! The table of verdicts: shares that compile and are correct, and pass@k, by task, family and difficulty.

use crate::commands::term;
use crate::score::verdict::{Outcome, Verdict};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Counts of verdicts.
pub(super) struct Summary {
    /// The numbers of tries of pass@k.
    k: Vec<u64>,
    /// The answers and the correct ones of each problem, by group. A problem is a task of a record.
    groups: BTreeMap<(u8, String), Group>,
}

#[derive(Default)]
struct Group {
    answers: u64,
    compiled: u64,
    correct: u64,
    unscored: u64,
    /// The number of scored answers to each problem, and of the correct ones.
    problems: BTreeMap<(String, String), (u64, u64)>,
}

impl Summary {
    /// An empty summary with pass@k for these numbers.
    pub(super) fn new(k: &[u64]) -> Summary {
        Summary { k: k.to_vec(), groups: BTreeMap::new() }
    }

    /// Adds a verdict on an answer to `task` of the record `id`, with the record's family and difficulty.
    pub(super) fn add(&mut self, id: &str, task: &str, of: Option<(&str, Option<u8>)>, verdict: &Verdict) {
        let mut groups = vec![(0, "all".to_owned()), (1, task.to_owned())];
        if let Some((family, difficulty)) = of {
            groups.push((2, family.to_owned()));
            groups.extend(difficulty.map(|difficulty| (3, format!("difficulty {difficulty}"))));
        }
        for group in groups {
            let group = self.groups.entry(group).or_default();
            if verdict.outcome == Outcome::Unscored {
                group.unscored += 1;
                continue;
            }
            group.answers += 1;
            group.compiled += u64::from(verdict.compiled);
            group.correct += u64::from(verdict.correct);
            let (answers, correct) = group.problems.entry((id.to_owned(), task.to_owned())).or_default();
            *answers += 1;
            *correct += u64::from(verdict.correct);
        }
    }

    /// The table.
    pub(super) fn text(&self) -> String {
        let passes: Vec<String> = self.k.iter().map(|k| format!("pass@{k}")).collect();
        let headings: Vec<&str> = ["", "answers", "compile", "correct"]
            .into_iter()
            .chain(passes.iter().map(String::as_str))
            .chain(["unscored"])
            .collect();
        let percent = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{:.1} %", 100.0 * share));
        let row = |((_, name), group): (&(u8, String), &Group)| {
            let share = |part: u64| (group.answers > 0).then(|| part as f64 / group.answers as f64);
            let mut row = vec![name.clone(), group.answers.to_string()];
            row.extend([percent(share(group.compiled)), percent(share(group.correct))]);
            row.extend(self.k.iter().map(|k| percent(group.pass_at(*k))));
            row.push(group.unscored.to_string());
            row
        };
        term::table(&headings, &self.groups.iter().map(row).collect::<Vec<_>>())
    }

    /// The same as JSON.
    pub(super) fn json(&self) -> String {
        let kinds = ["all", "task", "family", "difficulty"];
        let group = |((kind, name), group): (&(u8, String), &Group)| {
            let passes: BTreeMap<String, Option<f64>> =
                self.k.iter().map(|k| (k.to_string(), group.pass_at(*k))).collect();
            json!({
                "by": kinds[usize::from(*kind)],
                "name": name,
                "answers": group.answers,
                "compiled": group.compiled,
                "correct": group.correct,
                "unscored": group.unscored,
                "pass_at": passes,
            })
        };
        format!("{}\n", Value::Array(self.groups.iter().map(group).collect()))
    }
}

impl Group {
    /// The probability that one of `k` answers to a problem is correct, without bias, as Chen et al. (2021) estimate it:
    /// 1 − C(n−c, k) / C(n, k), averaged over the problems. `None` if a problem has fewer than `k` answers.
    fn pass_at(&self, k: u64) -> Option<f64> {
        if self.problems.is_empty() || self.problems.values().any(|(answers, _)| *answers < k) {
            return None;
        }
        let of_problem = |(answers, correct): &(u64, u64)| {
            // A product of small ratios; the binomials themselves would overflow.
            1.0 - (0..k).map(|j| (answers - correct).saturating_sub(j) as f64 / (answers - j) as f64).product::<f64>()
        };
        Some(self.problems.values().map(of_problem).sum::<f64>() / self.problems.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pass_at_k_is_the_unbiased_estimate() {
        let group = |problems: &[(u64, u64)]| Group {
            problems: problems.iter().enumerate().map(|(k, of)| ((k.to_string(), String::new()), *of)).collect(),
            ..Group::default()
        };
        assert_eq!(group(&[(4, 1)]).pass_at(1), Some(0.25));
        assert_eq!(group(&[(4, 1)]).pass_at(2), Some(0.5));
        assert_eq!(group(&[(4, 4), (4, 0)]).pass_at(3), Some(0.5));
        assert_eq!(group(&[(4, 3)]).pass_at(2), Some(1.0));
        assert_eq!(group(&[(4, 1), (1, 1)]).pass_at(2), None);
        assert_eq!(group(&[]).pass_at(1), None);
    }
}

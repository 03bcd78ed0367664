//! What is said about an answer.

use serde::Serialize;

/// How an answer fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// All results are right, for no more work than is allowed.
    Correct,
    /// A result is wrong.
    Wrong,
    /// The results are right or were not waited for, but it does more work than is allowed.
    TooMuchWork,
    /// It crashed, or was stopped.
    Crashed,
    /// It does not compile, or refers to what a kernel cannot call.
    DoesNotCompile,
    /// It is empty, too long, or no text.
    NoAnswer,
    /// No answer to this task can be scored.
    Unscored,
}

/// The verdict on an answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Verdict {
    /// How it fared.
    pub(crate) outcome: Outcome,
    /// Whether it compiles.
    pub(crate) compiled: bool,
    /// Whether it earns the reward.
    pub(crate) correct: bool,
    /// What is wrong, in one line. Empty if nothing is.
    pub(crate) why: String,
    /// The work of all threads, as a multiple of the reference's. Null if it did not run to the end.
    pub(crate) work: Option<f64>,
    /// The work of the longest thread, as a multiple of the reference's. Null if it did not run to the end.
    pub(crate) span: Option<f64>,
}

impl Verdict {
    /// A verdict without work.
    pub(crate) fn new(outcome: Outcome, why: String) -> Verdict {
        let compiled = !matches!(outcome, Outcome::DoesNotCompile | Outcome::NoAnswer | Outcome::Unscored);
        let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
        Verdict { outcome, compiled, correct: outcome == Outcome::Correct, why, work: None, span: None }
    }

    /// The verdict with the work that was measured, to three digits.
    pub(super) fn with_work(self, work: f64, span: f64) -> Verdict {
        let round = |ratio: f64| (ratio * 1000.0).round() / 1000.0;
        Verdict { work: Some(round(work)), span: Some(round(span)), ..self }
    }
}

//! What came of one check of one record.

/// What came of one check of one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds.
    Passed,
    /// It does not, and why.
    Failed(String),
    /// It could not be made, or an earlier one failed.
    Skipped,
}

impl Outcome {
    /// What came of two checks that count as one: a failure of either, else that one of them passed.
    pub(crate) fn and(self, other: Outcome) -> Outcome {
        match (self, other) {
            (failed @ Outcome::Failed(_), _) | (_, failed @ Outcome::Failed(_)) => failed,
            (Outcome::Skipped, Outcome::Skipped) => Outcome::Skipped,
            _ => Outcome::Passed,
        }
    }

    /// The outcome of a check that fails with a sentence.
    pub(crate) fn of(result: Result<(), String>) -> Outcome {
        match result {
            Ok(()) => Outcome::Passed,
            Err(why) => Outcome::Failed(why),
        }
    }
}

//! The outcome of one check of one record.

/// The outcome of one check of one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The check passed.
    Passed,
    /// The check failed, with the reason.
    Failed(String),
    /// The check could not be made, or an earlier check failed.
    Skipped,
}

impl Outcome {
    /// The outcome of two checks that count as one: failed if either failed, else passed if either passed.
    pub(crate) fn and(self, other: Outcome) -> Outcome {
        match (self, other) {
            (failed @ Outcome::Failed(_), _) | (_, failed @ Outcome::Failed(_)) => failed,
            (Outcome::Skipped, Outcome::Skipped) => Outcome::Skipped,
            _ => Outcome::Passed,
        }
    }

    /// Passed, or failed with the sentence.
    pub(crate) fn of(result: Result<(), String>) -> Outcome {
        match result {
            Ok(()) => Outcome::Passed,
            Err(why) => Outcome::Failed(why),
        }
    }
}

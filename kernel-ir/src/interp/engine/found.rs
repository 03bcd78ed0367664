//! Findings in the threads of a group.

use std::cell::Cell;

/// The first threads of a group with each kind of [`Findings`](crate::interp::Findings).
#[derive(Default)]
pub(super) struct Found {
    pub(super) computed_zero: FirstThread,
    pub(super) not_finite: FirstThread,
}

/// The first thread with a finding: its lane, and the number of the operation's expression.
#[derive(Default)]
pub(super) struct FirstThread(Cell<Option<(usize, u32)>>);

impl FirstThread {
    pub(super) fn note(&self, lane: usize, origin: u32) {
        if self.0.get().is_none_or(|(first, _)| lane < first) {
            self.0.set(Some((lane, origin)));
        }
    }

    /// Takes the finding out.
    pub(super) fn take(&self) -> Option<(usize, u32)> {
        self.0.take()
    }
}

//! The state of the text of a block kernel for a GPU.

use crate::ir::{LocalMap, Memory};

/// The threads of a block, while its text is written.
#[derive(Debug)]
pub(super) struct Threads {
    /// Where the block keeps its local arrays.
    pub(super) memory: LocalMap<Memory>,
    /// Whether the text is that of a phase.
    pub(super) in_phase: bool,
}

impl Threads {
    pub(super) fn new(memory: LocalMap<Memory>) -> Threads {
        Threads { memory, in_phase: false }
    }
}

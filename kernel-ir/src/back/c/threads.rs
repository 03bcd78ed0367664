//! The state of the text of a block kernel for a GPU.

use crate::ir::{LocalId, LocalMap, Memory};

/// The threads of a block, while its text is written.
#[derive(Debug)]
pub(super) struct Threads {
    /// Where the block keeps its local arrays.
    pub(super) memory: LocalMap<Memory>,
    /// The thread of the phase, if the text is that of one.
    pub(super) phase: Option<LocalId>,
}

impl Threads {
    pub(super) fn new(memory: LocalMap<Memory>) -> Threads {
        Threads { memory, phase: None }
    }
}

//! Tracks the accesses to array elements, and detects races.

use crate::ir::ParamId;

/// The kind of access to an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
    Atomic,
}

/// Who accesses an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Who {
    /// The thread of the launch; of a launch over blocks, the block.
    thread: usize,
    /// The number of phases that the block has begun or ended.
    epoch: usize,
    /// The thread of the block in a phase; 0 for the code of the whole block.
    lane: usize,
}

impl Who {
    /// Whether the two may run at the same time. Threads of a block do in a phase.
    fn meets(self, other: Who) -> bool {
        self.thread != other.thread || (self.epoch == other.epoch && self.lane != other.lane)
    }

    /// Whether an entry for `self` is of no use behind one for `later`, because whoever meets `self` meets `later`, too.
    fn is_replaced_by(self, later: Who) -> bool {
        self == later || (self.thread == later.thread && self.epoch != later.epoch)
    }
}

/// Who has accessed an element, by kind of access.
#[derive(Clone, Copy, Default)]
struct Touched {
    /// The first one that reads the element, and a different one.
    read: [Option<Who>; 2],
    written: Option<Who>,
    atomic: [Option<Who>; 2],
}

impl Touched {
    /// Whether an access conflicts with an earlier access.
    fn forbids(&self, access: Access, who: Who) -> bool {
        let other = |earlier: &Option<Who>| earlier.is_some_and(|earlier| earlier.meets(who));
        let (read, written, atomic) =
            (self.read.iter().any(other), other(&self.written), self.atomic.iter().any(other));
        match access {
            Access::Read => written || atomic,
            Access::Write => read || written || atomic,
            Access::Atomic => read || written,
        }
    }

    fn note(&mut self, access: Access, who: Who) {
        // Two that meet suffice: at least one of them meets any later one.
        let keep = |entries: &mut [Option<Who>; 2]| match entries {
            [first, second] if first.is_none_or(|first| first.is_replaced_by(who)) => {
                *first = Some(who);
                if second.is_some_and(|second| second.is_replaced_by(who)) {
                    *second = None;
                }
            }
            [_, second] if second.is_none_or(|second| second.is_replaced_by(who)) => *second = Some(who),
            _ => {}
        };
        match access {
            Access::Read => keep(&mut self.read),
            Access::Write => self.written = Some(who),
            Access::Atomic => keep(&mut self.atomic),
        }
    }
}

/// The accesses of a launch so far.
pub(super) struct Watch {
    who: Who,
    elements: Vec<Vec<Touched>>,
    /// The first element with a race.
    pub(super) race: Option<(ParamId, usize)>,
}

impl Watch {
    /// A launch with arrays of these lengths.
    pub(super) fn new(lens: impl Iterator<Item = usize>) -> Watch {
        let who = Who { thread: 0, epoch: 0, lane: 0 };
        Watch { who, elements: lens.map(|len| vec![Touched::default(); len]).collect(), race: None }
    }

    /// Starts the thread with this number.
    pub(super) fn start(&mut self, thread: usize) {
        self.who = Who { thread, epoch: 0, lane: 0 };
    }

    /// Starts or ends a phase.
    pub(super) fn meet(&mut self) {
        self.who.epoch += 1;
        self.who.lane = 0;
    }

    /// Starts the work of a thread of the block in a phase.
    pub(super) fn start_lane(&mut self, lane: usize) {
        self.who.lane = lane;
    }

    pub(super) fn note(&mut self, array: ParamId, element: usize, access: Access) {
        let touched = &mut self.elements[array.0 as usize][element];
        if touched.forbids(access, self.who) {
            self.race.get_or_insert((array, element));
        }
        touched.note(access, self.who);
    }
}

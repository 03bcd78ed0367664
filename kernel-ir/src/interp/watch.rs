//! Tracks the accesses to array elements, and detects races.

use crate::ir::ParamId;

/// The kind of access to an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
    Atomic,
}

/// The threads that have accessed an element, by kind of access.
#[derive(Clone, Copy, Default)]
struct Touched {
    /// The first thread that reads the element, and a different one.
    read: [Option<usize>; 2],
    written: Option<usize>,
    atomic: [Option<usize>; 2],
}

impl Touched {
    /// Whether an access by `thread` conflicts with an earlier access by another thread.
    fn forbids(&self, access: Access, thread: usize) -> bool {
        let other = |who: &Option<usize>| who.is_some_and(|who| who != thread);
        let (read, written, atomic) =
            (self.read.iter().any(other), other(&self.written), self.atomic.iter().any(other));
        match access {
            Access::Read => written || atomic,
            Access::Write => read || written || atomic,
            Access::Atomic => read || written,
        }
    }

    fn note(&mut self, access: Access, thread: usize) {
        // Two different threads suffice: at least one of them differs from any later thread.
        let keep = |who: &mut [Option<usize>; 2]| match who {
            [None, _] => who[0] = Some(thread),
            [Some(first), second] if *first != thread => *second = Some(thread),
            _ => {}
        };
        match access {
            Access::Read => keep(&mut self.read),
            Access::Write => self.written = Some(thread),
            Access::Atomic => keep(&mut self.atomic),
        }
    }
}

/// The accesses of a launch so far.
pub(super) struct Watch {
    pub(super) thread: usize,
    elements: Vec<Vec<Touched>>,
    /// The first element with a race.
    pub(super) race: Option<(ParamId, usize)>,
}

impl Watch {
    /// A launch with arrays of these lengths.
    pub(super) fn new(lens: impl Iterator<Item = usize>) -> Watch {
        Watch { thread: 0, elements: lens.map(|len| vec![Touched::default(); len]).collect(), race: None }
    }

    pub(super) fn note(&mut self, array: ParamId, element: usize, access: Access) {
        let touched = &mut self.elements[array.0 as usize][element];
        if touched.forbids(access, self.thread) {
            self.race.get_or_insert((array, element));
        }
        touched.note(access, self.thread);
    }
}

//! The result of differentiation: an adjoint kernel and the sources of its parameters.
//!
//! # Winners
//!
//! An element under `atomic_min` or `atomic_max` may have several winners: all values that threads put in and that
//! equal the result, and the value from before the launch, if it equals the result. The gradient of the element is
//! shared equally among them. The number of winners is known only after all threads have compared, so the adjoint of
//! such a kernel is launched twice. Its parameter `counting` ([`Source::Counting`]) tells the launches apart: the first
//! launch counts the winners of each element, and the second launch is the adjoint proper, which reads the counts.
//!
//! One kernel has both phases, so that every kernel has one adjoint in every language, and everything that runs,
//! compares or ships adjoints handles one text. [`arguments`](super::arguments) and [`launch`](super::launch) define
//! the arguments of the two launches.

use crate::analysis::Promise;
use crate::ir::{ParamId, PlaceRoot, StmtKind};
use crate::rewrite::build::zero;
use crate::verify::VerifiedKernel;

/// The adjoint of a kernel.
#[derive(Clone, Debug)]
pub struct Backward {
    /// The kernel `NAME_backward`. A launch of it has the size of the kernel's launch.
    pub kernel: VerifiedKernel,
    /// The source of each parameter of `kernel`, in order.
    pub sources: Vec<Source>,
    /// What the domains of arrays of the original kernel say and the adjoint rests on. A launch of the original kernel
    /// checks it.
    pub promises: Vec<Promise>,
}

impl Backward {
    /// The parameters of the original kernel whose gradient the launch may move: those to whose adjoint the kernel adds,
    /// or assigns a value other than a literal zero.
    pub fn active(&self) -> Vec<ParamId> {
        let mut active = Vec::new();
        self.kernel.walk_stmts(&mut |stmt| {
            let (StmtKind::Assign { place, value }
            | StmtKind::Update { place, value, .. }
            | StmtKind::Atomic { place, value, .. }) = &stmt.kind
            else {
                return;
            };
            let PlaceRoot::Element { array, .. } = &place.root else { return };
            if let Source::Adjoint(id) = self.sources[array.0 as usize]
                && *value != zero(value.ty)
                && !active.contains(&id)
            {
                active.push(id);
            }
        });
        active.sort();
        active
    }
}

/// The argument that a parameter of the adjoint kernel takes, in terms of the parameters of the original kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The argument of the original launch; for an array, its elements before the launch.
    Primal(ParamId),
    /// The elements of the array after the original launch.
    Result(ParamId),
    /// Whether this launch counts winners: `true` in the first launch, `false` in the second.
    Counting,
    /// The winner counts of an array under `atomic_min` or `atomic_max`, one `u32` for each scalar. The caller
    /// initialises a count to 1 where the scalar is the same before and after the launch (the old value is a winner),
    /// and to 0 otherwise. The counting launch adds the winners among the threads.
    Winners(ParamId),
    /// The adjoint of the parameter, of the same type and shape; for a by-value parameter, an array of one element. The
    /// kernel adds to it. For a mutable array it holds the adjoint of the elements after the launch on entry, and the
    /// adjoint of the elements before the launch on exit. For an array with [winners](Source::Winners) the kernel only
    /// reads it, and the caller computes the share of the old value: the adjoint divided by the count where the launch
    /// left the scalar unchanged, and 0 elsewhere.
    Adjoint(ParamId),
}

impl Source {
    /// The parameter of the original kernel that this source refers to; `None` for [`Source::Counting`].
    pub fn param(self) -> Option<ParamId> {
        match self {
            Source::Primal(id) | Source::Result(id) | Source::Winners(id) | Source::Adjoint(id) => Some(id),
            Source::Counting => None,
        }
    }
}

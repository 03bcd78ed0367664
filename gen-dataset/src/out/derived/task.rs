//! The tasks of the derived configs.

use crate::model::targets::targets;
use kernel_ir::target::{Target, Tasks};
use kernel_rt::Pass;

/// A translation task: from which text to which.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    /// The target language of the pair. The other language is Warp Python.
    pub(super) target: &'static Target,
    /// Whether the target's text is the kernel or its adjoint.
    pub(super) pass: Pass,
    /// Which of the two texts is the answer.
    pub(super) direction: Direction,
}

/// The direction of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// The target's text is the answer.
    ToTarget,
    /// The Python text of the kernel is the answer.
    ToPython,
}

impl Task {
    /// Every task.
    pub(super) fn all() -> impl Iterator<Item = Task> {
        let passes = [Pass::Forward, Pass::Backward];
        let of_target = move |target: &'static Target| {
            passes.into_iter().flat_map(move |pass| {
                [Direction::ToTarget, Direction::ToPython].map(|direction| Task { target, pass, direction })
            })
        };
        targets().iter().copied().filter(|target| target.tasks != Tasks::None).flat_map(of_target)
    }

    /// The name in rows, such as `python_to_cuda` or `cuda_backward_to_python`.
    pub(super) fn name(self) -> String {
        let suffix = match self.pass {
            Pass::Forward => "",
            Pass::Backward => "_backward",
        };
        match self.direction {
            Direction::ToTarget => format!("python_to_{}{suffix}", self.target.id),
            Direction::ToPython => format!("{}{suffix}_to_python", self.target.id),
        }
    }
}

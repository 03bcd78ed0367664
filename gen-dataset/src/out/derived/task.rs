//! The tasks of the derived configs.

use crate::model::targets::targets;
use kernel_ir::target::Target;
use kernel_rt::Pass;

/// From which text to which.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    /// The language beside Warp Python.
    pub(super) target: &'static Target,
    /// Whether the text of the target is the kernel or its adjoint.
    pub(super) pass: Pass,
    /// Whether that text or the Python text is asked for.
    pub(super) direction: Direction,
}

/// Which text is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// That of the target.
    ToTarget,
    /// The Python text of the kernel.
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
        targets().iter().copied().filter(|target| target.has_tasks).flat_map(of_target)
    }

    /// The name in rows: `python_to_cuda`, `cuda_backward_to_python`.
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

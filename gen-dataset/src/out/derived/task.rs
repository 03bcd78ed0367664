//! The tasks of the derived configs.

/// From which text to which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    PythonToCuda,
    CudaToPython,
    PythonToCudaBackward,
    CudaBackwardToPython,
}

impl Task {
    /// Every task.
    pub(super) const ALL: [Task; 4] =
        [Task::PythonToCuda, Task::CudaToPython, Task::PythonToCudaBackward, Task::CudaBackwardToPython];

    /// The name in rows.
    pub(super) fn name(self) -> &'static str {
        match self {
            Task::PythonToCuda => "python_to_cuda",
            Task::CudaToPython => "cuda_to_python",
            Task::PythonToCudaBackward => "python_to_cuda_backward",
            Task::CudaBackwardToPython => "cuda_backward_to_python",
        }
    }
}

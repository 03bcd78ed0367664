//! Running a launch on the CPU.

use crate::LaunchError;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The threads of a launch.
pub struct Threads<'a, const N: usize> {
    dim: [usize; N],
    current: &'a mut [usize; N],
}

impl<const N: usize> Threads<'_, N> {
    /// Calls `thread` for every index of the launch, in row-major order.
    #[inline]
    pub fn each(self, mut thread: impl FnMut([usize; N])) {
        for_each_index(self.dim, |index| {
            *self.current = index;
            thread(index);
        });
    }
}

/// Runs a launch of the size `dim`. A panic ends it as an error that names the thread; the panic hook has then reported it
/// already.
#[inline]
pub fn run<const N: usize>(
    kernel: &'static str,
    dim: [usize; N],
    launch: impl FnOnce(Threads<'_, N>),
) -> Result<(), LaunchError> {
    let mut current = [0; N];
    // What `launch` can leave half done are the elements of arrays, and the error says so.
    let all = AssertUnwindSafe(|| launch(Threads { dim, current: &mut current }));
    catch_unwind(all).map_err(|panic| LaunchError::Failed {
        kernel,
        thread: current.to_vec(),
        message: message_of(panic.as_ref()),
    })
}

/// Calls `visit` for every index of the box `dim`, in row-major order.
#[inline]
fn for_each_index<const N: usize>(dim: [usize; N], mut visit: impl FnMut([usize; N])) {
    if dim.contains(&0) {
        return;
    }
    let mut index = [0; N];
    loop {
        // The innermost axis is a plain loop, which the compiler optimises best.
        for last in 0..dim[N - 1] {
            index[N - 1] = last;
            visit(index);
        }
        let Some(axis) = (0..N - 1).rev().find(|&axis| index[axis] + 1 < dim[axis]) else { return };
        index[axis] += 1;
        index[axis + 1..].fill(0);
    }
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    if let Some(message) = panic.downcast_ref::<&str>() {
        (*message).to_owned()
    } else if let Some(message) = panic.downcast_ref::<String>() {
        message.clone()
    } else {
        "a panic without a message".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indices<const N: usize>(dim: [usize; N]) -> Vec<[usize; N]> {
        let mut indices = Vec::new();
        for_each_index(dim, |index| indices.push(index));
        indices
    }

    #[test]
    fn the_last_axis_moves_fastest() {
        assert_eq!(indices([3]), [[0], [1], [2]]);
        assert_eq!(indices([2, 2]), [[0, 0], [0, 1], [1, 0], [1, 1]]);
        let four = indices([2, 1, 3, 2]);
        assert_eq!(four.len(), 12);
        assert!(four.is_sorted());
        assert_eq!(four[11], [1, 0, 2, 1]);
    }

    #[test]
    fn an_empty_launch_runs_nothing() {
        assert!(indices([0]).is_empty());
        assert!(indices([3, 0, 2]).is_empty());
        assert!(indices([0, 5]).is_empty());
    }

    #[test]
    fn a_panic_names_the_thread() {
        let launch = |threads: Threads<'_, 2>| threads.each(|index| assert!(index != [1, 0], "no {index:?}"));
        let error = run("k", [2, 2], launch).unwrap_err();
        assert_eq!(error, LaunchError::Failed { kernel: "k", thread: vec![1, 0], message: "no [1, 0]".to_owned() });
    }
}

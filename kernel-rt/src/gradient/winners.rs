//! The winners of `atomic_min` and `atomic_max` on the host: their first counts, and the share of the value from before.

use crate::array::Array;
use crate::error::LaunchError;
use kernel_ir::adjoint::Share;

/// The arguments of `cpu_backward` for one array under `atomic_min` or `atomic_max`, by what `cpu_backward` knows of them.
pub struct Extremum<'a, T, const N: usize> {
    /// The kernel, for errors.
    pub kernel: &'static str,
    /// The shape of the array, and its elements after the launch.
    pub after: ([usize; N], &'a [T]),
    /// The same from before the launch, and the place of that argument.
    pub before: ([usize; N], &'a [T]),
    /// The place of the argument.
    pub before_place: usize,
    /// The shape of the adjoint.
    pub adjoint: [usize; N],
    /// The place of the argument.
    pub adjoint_place: usize,
}

impl<T: Share, const N: usize> Extremum<'_, T, N> {
    /// The numbers of winners before threads have compared: the value from before is one where the launch has left it.
    ///
    /// # Errors
    /// `ArgMismatch` if an array has another shape than the array after the launch.
    pub fn first_winners(&self) -> Result<Array<u32, N>, LaunchError> {
        let (shape, after) = self.after;
        let (before_shape, before) = self.before;
        for (found, argument) in [(before_shape, self.before_place), (self.adjoint, self.adjoint_place)] {
            if found != shape {
                return Err(LaunchError::ArgMismatch { kernel: self.kernel, argument });
            }
        }
        let mut winners = Array::zeros(shape);
        for ((winners, before), after) in winners.as_mut_slice().iter_mut().zip(before).zip(after) {
            *winners = u32::from(before == after);
        }
        Ok(winners)
    }
}

/// Turns the adjoint of an array under `atomic_min` or `atomic_max` after a launch into that before it: the share of the
/// value from before, if nothing beat it.
pub fn share_of_before<T: Share>(before: &[T], after: &[T], winners: &[u32], adjoint: &mut [T]) {
    for (((before, after), winners), adjoint) in before.iter().zip(after).zip(winners).zip(adjoint) {
        *adjoint = if before == after { adjoint.share(*winners) } else { T::default() };
    }
}

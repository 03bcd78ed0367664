//! Winners of `atomic_min` and `atomic_max` on the host: initial counts, and the share of the value from before the
//! launch.

use crate::array::Array;
use crate::error::LaunchError;
use kernel_ir::data::Share;

/// The arguments of `cpu_backward` for one array under `atomic_min` or `atomic_max`.
pub struct Extremum<'a, T, const N: usize> {
    /// The name of the kernel, for errors.
    pub kernel: &'static str,
    /// The array after the launch: its shape and elements.
    pub after: ([usize; N], &'a [T]),
    /// The array before the launch: its shape and elements.
    pub before: ([usize; N], &'a [T]),
    /// The position of the argument `before`.
    pub before_place: usize,
    /// The shape of the argument with the adjoint.
    pub adjoint: [usize; N],
    /// The position of that argument.
    pub adjoint_place: usize,
}

impl<T: Share, const N: usize> Extremum<'_, T, N> {
    /// The initial counts of winners: the value from before counts if the launch left it unchanged.
    ///
    /// # Errors
    /// [`LaunchError::ArgMismatch`] if the shape of an argument differs from that of the array after the launch.
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

/// Turns the adjoint of an array under `atomic_min` or `atomic_max` after a launch into the adjoint before it: the
/// share of the value from before, if it is a winner.
pub fn share_of_before<T: Share>(before: &[T], after: &[T], winners: &[u32], adjoint: &mut [T]) {
    for (((before, after), winners), adjoint) in before.iter().zip(after).zip(winners).zip(adjoint) {
        *adjoint = if before == after { adjoint.share(*winners) } else { T::default() };
    }
}

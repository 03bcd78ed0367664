//! What an example returns: a picture, and the numbers that say how good its result is.

use crate::plot::Picture;
use kernel_rt::{Array2, Element, ShapeError};
use std::fmt;

/// The result of an example; an error is that of a device, a launch or a tape.
pub type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

/// A picture and numbers.
#[derive(Debug)]
pub struct Report {
    /// The picture.
    pub picture: Picture,
    /// Names of numbers, and their values.
    pub numbers: Vec<(&'static str, f64)>,
}

impl Report {
    /// The number of this name; `None` if the example does not compute it.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.numbers.iter().find(|(found, _)| *found == name).map(|(_, value)| *value)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.numbers.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, value) in &self.numbers {
            match value.abs() {
                0.0 | 1e-3..1e6 => writeln!(f, "{name:width$}  {value:.4}")?,
                _ => writeln!(f, "{name:width$}  {value:.2e}")?,
            }
        }
        Ok(())
    }
}

/// A number between −1 and 1 that looks random, and is the same for a key in every run (PCG's permutation; Jarzynski
/// and Olano, "Hash functions for GPU rendering", 2020).
pub fn noise(key: usize) -> f64 {
    let state = (key as u32).wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    f64::from((word >> 22) ^ word) / f64::from(u32::MAX) * 2.0 - 1.0
}

/// The host array whose element `[i, j]` is `f(i, j)`.
///
/// # Errors
/// The number of elements overflows `usize`.
pub fn array2<T: Element>([rows, columns]: [usize; 2], f: impl Fn(usize, usize) -> T) -> Result<Array2<T>, ShapeError> {
    let elements = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    Array2::from_vec([rows, columns], elements.map(|(i, j)| f(i, j)).collect())
}

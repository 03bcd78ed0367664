//! Coverage: which statements and branches of a kernel launches have executed.
//!
//! A region is a maximal sequence of statements that a thread either executes all or not at all: a body, a side of a
//! branch, a loop body, or what follows a statement that may leave these. A run notes each region that a thread reaches.

use super::program::Region;
use super::run::{Fault, TRIPS, check_launch, in_groups, lanes, launch};
use crate::data::Arg;
use crate::verify::VerifiedKernel;

/// The regions of a kernel that launches have reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// For each region of the kernel, whether a thread has reached it.
    reached: Vec<bool>,
}

impl Coverage {
    /// No launch of `kernel` so far.
    pub fn none(kernel: &VerifiedKernel) -> Coverage {
        Coverage { reached: vec![false; kernel.program().regions.len()] }
    }

    /// Adds what `other` has reached. Returns whether it has reached statements that these launches had not.
    pub fn add(&mut self, kernel: &VerifiedKernel, other: &Coverage) -> bool {
        let mut is_new = false;
        for ((mine, other), region) in self.reached.iter_mut().zip(&other.reached).zip(&kernel.program().regions) {
            is_new |= *other && !*mine && region.statements > 0;
            *mine |= other;
        }
        is_new
    }

    /// The number of statements that were executed, and the number of all.
    pub fn statements(&self, kernel: &VerifiedKernel) -> [usize; 2] {
        self.count(kernel, |region| region.statements)
    }

    /// The number of sides of `if` statements that were taken, and the number of all.
    pub fn branches(&self, kernel: &VerifiedKernel) -> [usize; 2] {
        self.count(kernel, |region| usize::from(region.is_branch))
    }

    /// The regions with statements that no thread has reached.
    pub fn missing<'a>(&'a self, kernel: &'a VerifiedKernel) -> impl Iterator<Item = &'a Region> {
        let regions = self.reached.iter().zip(&kernel.program().regions);
        regions.filter(|(reached, region)| !**reached && region.statements > 0).map(|(_, region)| region)
    }

    fn count(&self, kernel: &VerifiedKernel, of: impl Fn(&Region) -> usize) -> [usize; 2] {
        let regions = || self.reached.iter().zip(&kernel.program().regions);
        let reached = regions().filter(|(reached, _)| **reached).map(|(_, region)| of(region)).sum();
        [reached, regions().map(|(_, region)| of(region)).sum()]
    }
}

/// Runs a launch as [`run`](super::run) does, and returns what it reached.
///
/// # Errors
/// The errors of [`run`](super::run).
pub fn run_covered(kernel: &VerifiedKernel, dim: &[usize], args: &mut [Arg]) -> Result<Coverage, Fault> {
    check_launch(kernel, dim, args).map_err(|message| Fault { message, thread: Vec::new() })?;
    let threads = dim.iter().copied().fold(1, usize::saturating_mul);
    in_groups(kernel, args, lanes(kernel.program(), dim, threads), |args, lanes| {
        launch(kernel, dim, args, TRIPS, lanes)
    })
    .map(|observed| Coverage { reached: observed.reached })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;
    use crate::ir::Type;
    use crate::text::parse;
    use crate::verify::verify;

    const KERNEL: &str = "#[kernel(family = \"f\", dim = 1)]
fn k(x: &[f32; 4], y: &mut [f32; 4],) {
    let i.0: usize = tid(0);
    if x[i.0] > 2f32 {
        y[i.0] = 1f32;
        return;
    }
    for j.1: usize in (0usize..i.0) {
        if x[j.1] < 0f32 {
            y[i.0] = 2f32;
        } else {
            y[i.0] = 3f32;
        }
    }
}
";

    fn covered(x: [f32; 4], dim: usize) -> (Vec<String>, [usize; 2], [usize; 2]) {
        let kernel = verify(parse(KERNEL).unwrap_or_else(|error| panic!("{error}"))).unwrap();
        let arg = |data: Vec<f32>| Arg { ty: Type::F32, shape: vec![4], data: Data::F32(data) };
        let mut coverage = Coverage::none(&kernel);
        let found = run_covered(&kernel, &[dim], &mut [arg(x.to_vec()), arg(vec![0.0; 4])]).unwrap();
        coverage.add(&kernel, &found);
        assert!(!coverage.add(&kernel, &found), "the same launch adds nothing");
        let missing = coverage.missing(&kernel).map(|region| region.words.clone()).collect();
        (missing, coverage.statements(&kernel), coverage.branches(&kernel))
    }

    #[test]
    fn what_is_reached_is_counted() {
        let (missing, statements, branches) = covered([1.0, -1.0, 1.0, 3.0], 4);
        assert_eq!((missing, statements, branches), (Vec::<String>::new(), [8, 8], [4, 4]));
    }

    #[test]
    fn what_is_not_reached_is_named() {
        let (missing, statements, branches) = covered([3.0; 4], 4);
        let expected = ["after `if x[i] > 2.0f32`", "`for j`", "`if x[j] < 0.0f32`", "`else` of `if x[j] < 0.0f32`"];
        assert_eq!(missing.len(), expected.len(), "{missing:?}");
        for words in expected {
            assert!(missing.iter().any(|found| found == words), "{missing:?}");
        }
        assert_eq!((statements, branches), ([4, 8], [1, 4]));
        assert_eq!(covered([1.0; 4], 1).0.len(), 4, "one thread makes no trip");
    }
}

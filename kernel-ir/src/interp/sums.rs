//! Sums of floats over threads, in the order of [`Execution`].

use super::Number;
use crate::analysis::{Execution, LANES, Plan, Sharing};
use crate::data::{Argument, Scalars};
use crate::ir::{FloatFormat, ParamId};

/// The arrays to which the threads of a running launch add.
pub(super) struct Sums<S, D> {
    pub(super) plan: Plan,
    arrays: Vec<Sum<S, D>>,
}

/// The sums for one array.
struct Sum<S, D> {
    param: ParamId,
    lanes: usize,
    /// The partial sums of the current chunk, one for each lane.
    current: Vec<Scalars<S, D>>,
    /// The sums of the earlier chunks.
    chunks: Vec<Scalars<S, D>>,
}

impl<S: Number, D: Number> Sums<S, D> {
    /// Empty sums for a launch.
    pub(super) fn new(execution: &Execution, dim: &[usize], args: &[Argument<S, D>]) -> Sums<S, D> {
        let of = |class| execution.sharing.iter().filter(move |(_, other)| **other == class);
        let elements = of(Sharing::Scatter).map(|(id, _)| args[id.0 as usize].len()).sum();
        let plan = execution.schedule.plan(dim, elements);
        let lanes = |class: &Sharing| match class {
            Sharing::Sum { .. } => LANES,
            Sharing::Scatter if plan.private => 1,
            Sharing::Own | Sharing::Commuting | Sharing::Phased | Sharing::Scatter => 0,
        };
        let sum = |(id, class): (&ParamId, &Sharing)| Sum {
            param: *id,
            lanes: lanes(class),
            current: Vec::new(),
            chunks: Vec::new(),
        };
        let arrays = execution.sharing.iter().map(sum).filter(|sum| sum.lanes > 0).collect();
        Sums { plan, arrays }
    }

    /// Starts a chunk, if `thread` is its first thread.
    pub(super) fn start(&mut self, thread: usize, args: &[Argument<S, D>]) {
        if !thread.is_multiple_of(self.plan.chunk) {
            return;
        }
        for sum in &mut self.arrays {
            sum.end_chunk();
            let arg = &args[sum.param.0 as usize];
            sum.current = vec![Scalars::zeros(arg.ty.scalar(), arg.data.len()); sum.lanes];
        }
    }

    /// The partial sum to which a thread adds in place of the array; `None` if it adds to the array. `last` is the last
    /// index of the thread.
    pub(super) fn of(&mut self, array: ParamId, last: usize) -> Option<&mut Scalars<S, D>> {
        let sum = self.arrays.iter_mut().find(|sum| sum.param == array)?;
        sum.current.get_mut(last % sum.lanes)
    }

    /// Adds the sums of all chunks to the arrays, in chunk order.
    pub(super) fn finish(self, args: &mut [Argument<S, D>]) {
        for mut sum in self.arrays {
            sum.end_chunk();
            for chunk in &sum.chunks {
                add(&mut args[sum.param.0 as usize].data, chunk);
            }
        }
    }
}

impl<S: Number, D: Number> Sum<S, D> {
    /// Reduces the lanes: adds the upper half to the lower half, until one lane is left.
    fn end_chunk(&mut self) {
        let mut lanes = std::mem::take(&mut self.current);
        while lanes.len() > 1 {
            let upper = lanes.split_off(lanes.len() / 2);
            lanes.iter_mut().zip(&upper).for_each(|(lower, upper)| add(lower, upper));
        }
        self.chunks.extend(lanes);
    }
}

/// Sums as a GPU computes them: groups of threads add up their terms first, and each group adds its sum to
/// the array.
pub(super) struct Parts<S, D> {
    arrays: Vec<ParamId>,
    /// The number of threads of a group.
    size: usize,
    /// The number of threads that have started in the current group.
    threads: usize,
    /// The contents of the arrays before the current group. The arrays hold zeros in the meantime.
    before: Vec<(ParamId, Scalars<S, D>)>,
}

impl<S: Number, D: Number> Parts<S, D> {
    /// Sums into those of `arrays` that hold floats.
    pub(super) fn new(arrays: &[ParamId], size: usize) -> Parts<S, D> {
        Parts { arrays: arrays.to_vec(), size, threads: 0, before: Vec::new() }
    }

    /// Starts the next thread.
    pub(super) fn start_thread(&mut self, args: &mut [Argument<S, D>]) {
        if self.threads == self.size {
            self.finish(args);
        }
        if self.threads == 0 {
            for &id in &self.arrays {
                let arg = &mut args[id.0 as usize];
                if arg.ty.is_float() {
                    let zeros = Scalars::zeros(arg.ty.scalar(), arg.data.len());
                    self.before.push((id, std::mem::replace(&mut arg.data, zeros)));
                }
            }
        }
        self.threads += 1;
    }

    /// Adds the sums of the current group to the former contents.
    pub(super) fn finish(&mut self, args: &mut [Argument<S, D>]) {
        for (id, mut sum) in self.before.drain(..) {
            let data = &mut args[id.0 as usize].data;
            add(&mut sum, data);
            *data = sum;
        }
        self.threads = 0;
    }
}

/// Adds `more` to `sums`. Both hold floats of one type.
fn add<S: Number, D: Number>(sums: &mut Scalars<S, D>, more: &Scalars<S, D>) {
    match (sums, more) {
        (Scalars::F16(sums), Scalars::F16(more)) => {
            add_halves(sums, more, FloatFormat::F16);
        }
        (Scalars::BF16(sums), Scalars::BF16(more)) => {
            add_halves(sums, more, FloatFormat::BF16);
        }
        (Scalars::F32(sums), Scalars::F32(more)) => {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum = *sum + *more)
        }
        (Scalars::F64(sums), Scalars::F64(more)) => {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum = *sum + *more)
        }
        _ => {}
    }
}

/// Adds `more` to `sums`, which are floats of 16 bits.
fn add_halves<S: Number>(sums: &mut [S], more: &[S], format: FloatFormat) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum = (*sum + *more).rounded_to(format));
}

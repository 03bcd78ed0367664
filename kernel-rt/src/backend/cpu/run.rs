//! The loops over the threads of a launch on the CPU.
//!
//! A [`Plan`] divides a launch into chunks of threads. The chunks run in launch order, or on all cores if the compiler
//! has proven that the order does not affect the results ([`kernel_ir::analysis::Execution`]). Grid reductions of
//! floats are first summed for each chunk ([`Lanes`], [`Parts`]), so that the order of additions depends only on the
//! plan, not on the number of cores.

use super::fault::{self, Fault, Silence};
use crate::array::FloatElement;
use crate::error::LaunchError;
use kernel_ir::analysis::{LANES, Plan};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A range of threads of a launch, adjacent in launch order.
pub struct Chunk<'a, const N: usize> {
    /// The number of the chunk.
    pub number: usize,
    /// The size of the launch.
    pub dim: [usize; N],
    start: [usize; N],
    threads: usize,
    /// Whether to run all threads alone, without lockstep groups.
    singly: bool,
    failed: &'a Cell<Failed<N>>,
}

/// The position of a failure.
#[derive(Clone, Copy)]
struct Failed<const N: usize> {
    /// The index of the thread, or of the first of its group.
    index: [usize; N],
    is_group: bool,
}

/// The function of the threads, for error messages.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// The name of the kernel.
    pub kernel: &'static str,
    /// The source file of the kernel.
    pub file: &'static str,
    /// Lines and columns of the author's array accesses, with the names of the arrays.
    pub indexed: &'static [(u32, u32, &'static str)],
}

impl<const N: usize> Chunk<'_, N> {
    /// Calls `thread` for every index of the chunk, in launch order.
    #[inline]
    pub fn each(&self, mut thread: impl FnMut([usize; N])) {
        self.each_row(|current, columns| {
            for column in columns {
                current.index[N - 1] = column;
                thread(current.index);
            }
        });
    }

    /// Like [`Chunk::each`], with the number of the reduction lane that the thread adds to.
    #[inline]
    pub fn each_in_lanes(&self, mut thread: impl FnMut([usize; N], usize)) {
        self.each_row(|current, columns| {
            let mut column = columns.start;
            while column < columns.end {
                let first = column - column % LANES;
                let end = columns.end.min(first + LANES);
                // Adjacent threads add to adjacent lanes, so the compiler can vectorise the loop.
                for column in column..end {
                    current.index[N - 1] = column;
                    // SAFETY: `column` is from `first` to below `first + LANES`, and of a row of the launch.
                    unsafe {
                        std::hint::assert_unchecked(column - first < LANES);
                        assume_inside(&current.index, &self.dim);
                    }
                    thread(current.index, column - first);
                }
                column = end;
            }
        });
    }

    /// Calls `part` for every lockstep group of the chunk, and for each remaining thread, in launch order.
    #[inline]
    pub fn each_part(&self, mut part: impl FnMut(Part<N>)) {
        self.each_row(|current, columns| {
            let mut column = columns.start;
            while column < columns.end {
                current.index[N - 1] = column;
                let is_whole = !self.singly && column.is_multiple_of(LANES) && columns.end - column >= LANES;
                current.is_group = is_whole;
                // There is one call site, so that the compiler inlines all of `part` and keeps its alias information.
                part(match is_whole {
                    true => Part::Group(Group { start: current.index, dim: self.dim }),
                    false => Part::Thread(current.index, column % LANES),
                });
                column += if is_whole { LANES } else { 1 };
            }
        });
    }

    /// Calls `row` for every run of indices that differ in the last axis only.
    #[inline]
    fn each_row(&self, mut row: impl FnMut(&mut Current<'_, N>, std::ops::Range<usize>)) {
        let mut current = Current { index: self.start, is_group: false, failed: self.failed };
        let mut index = self.start;
        let mut left = self.threads;
        while left > 0 {
            // SAFETY: a chunk contains threads of its launch only; [`assert_whole`] has checked the plan.
            unsafe { assume_inside(&index, &self.dim) };
            let columns = index[N - 1]..self.dim[N - 1].min(index[N - 1] + left);
            left -= columns.len();
            current.index = index;
            row(&mut current, columns);
            advance_row(&mut index, &self.dim);
        }
    }
}

/// A unit of execution within a chunk.
pub enum Part<const N: usize> {
    /// A whole lockstep group.
    Group(Group<N>),
    /// The index of a single thread, and the number of its reduction lane.
    Thread([usize; N], usize),
}

/// A lockstep group: [`LANES`] threads that are adjacent along the last axis, each with its own reduction lane.
pub struct Group<const N: usize> {
    /// The index of the first thread.
    start: [usize; N],
    dim: [usize; N],
}

impl<const N: usize> Group<N> {
    /// The number of threads, which is hidden from the compiler here; see `lanes_at_run_time` of `kernel_ir`'s
    /// `GroupNames`.
    #[inline]
    pub fn lanes(&self) -> usize {
        std::hint::black_box(LANES).min(LANES)
    }

    /// The index of a thread of the group. Its number is also that of its reduction lane.
    #[inline]
    pub fn index(&self, thread: usize) -> [usize; N] {
        assert!(thread < LANES, "a group has no thread {thread}");
        let mut index = self.start;
        index[N - 1] += thread;
        // SAFETY: a group contains threads of its launch only.
        unsafe { assume_inside(&index, &self.dim) };
        index
    }
}

/// The index of the running thread. It is a local of the loop over the threads, so that the optimiser can keep it in
/// registers. On a panic, `Drop` stores it in the chunk.
struct Current<'a, const N: usize> {
    index: [usize; N],
    is_group: bool,
    failed: &'a Cell<Failed<N>>,
}

impl<const N: usize> Drop for Current<'_, N> {
    #[inline]
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.failed.set(Failed { index: self.index, is_group: self.is_group });
        }
    }
}

/// Tells the optimiser that a thread is inside the launch.
///
/// # Safety
/// `index` is below `dim` along every axis.
#[inline(always)]
unsafe fn assume_inside<const N: usize>(index: &[usize; N], dim: &[usize; N]) {
    // Unrolled by hand, as in `array::offset`.
    let assume = |axis: usize| {
        if axis < N {
            // SAFETY: by the contract of this function.
            unsafe { std::hint::assert_unchecked(index[axis] < dim[axis]) };
        }
    };
    assume(0);
    assume(1);
    assume(2);
    assume(3);
}

/// Advances to the start of the next row.
#[inline]
fn advance_row<const N: usize>(index: &mut [usize; N], dim: &[usize; N]) {
    index[N - 1] = 0;
    for axis in (0..N - 1).rev() {
        index[axis] += 1;
        if index[axis] < dim[axis] {
            return;
        }
        index[axis] = 0;
    }
}

/// The index of the thread with a given number in launch order.
fn index_of<const N: usize>(mut number: usize, dim: &[usize; N]) -> [usize; N] {
    let mut index = [0; N];
    for axis in (0..N).rev() {
        index[axis] = number % dim[axis];
        number /= dim[axis];
    }
    index
}

/// Runs the chunks of a launch, on all cores if the plan allows it.
///
/// # Errors
/// [`LaunchError::Failed`] if a thread panics; it names the first failing thread in launch order.
pub fn run<const N: usize>(
    body: Body,
    dim: [usize; N],
    plan: &Plan,
    threads: &(dyn Fn(&Chunk<'_, N>) + Sync),
) -> Result<(), LaunchError> {
    if !plan.parallel {
        return run_in_order(body, dim, plan, &mut |chunk| threads(chunk));
    }
    assert_whole(&dim, plan);
    let _silence = Silence::new();
    // The lowest number of a failed chunk, read without the lock, and its error.
    let first = AtomicUsize::new(usize::MAX);
    let error = Mutex::new(None);
    let lock = || error.lock().unwrap_or_else(PoisonError::into_inner);
    (0..plan.chunks()).into_par_iter().for_each(|number| {
        // Chunks after the lowest failed one are skipped. Chunks before it must still run, because the error to report
        // is the first in launch order.
        if first.load(Ordering::Relaxed) < number {
            return;
        }
        if let Err(why) = run_chunk(body, dim, plan, number, &mut |chunk| threads(chunk)) {
            let mut error = lock();
            if number < first.fetch_min(number, Ordering::Relaxed) {
                *error = Some(why);
            }
        }
    });
    let failed = lock().take();
    failed.map_or(Ok(()), Err)
}

/// Runs the chunks of a launch one after the other.
///
/// # Errors
/// [`LaunchError::Failed`] if a thread panics. The chunks after it have not run.
pub fn run_in_order<const N: usize>(
    body: Body,
    dim: [usize; N],
    plan: &Plan,
    threads: &mut dyn FnMut(&Chunk<'_, N>),
) -> Result<(), LaunchError> {
    assert_whole(&dim, plan);
    let _silence = Silence::new();
    (0..plan.chunks()).try_for_each(|number| run_chunk(body, dim, plan, number, threads))
}

/// Panics if the plan does not belong to a launch of this size. The unsafe code relies on it.
#[inline]
fn assert_whole<const N: usize>(dim: &[usize; N], plan: &Plan) {
    let threads = dim.iter().copied().fold(1, usize::saturating_mul);
    assert!(threads == plan.threads, "a plan has the threads of its launch");
}

fn run_chunk<const N: usize>(
    body: Body,
    dim: [usize; N],
    plan: &Plan,
    number: usize,
    threads: &mut dyn FnMut(&Chunk<'_, N>),
) -> Result<(), LaunchError> {
    let first = number * plan.chunk;
    let failed = Cell::new(Failed { index: [0; N], is_group: false });
    let chunk = Chunk {
        number,
        dim,
        start: index_of(first, &dim),
        threads: plan.chunk.min(plan.threads - first),
        singly: false,
        failed: &failed,
    };
    fault::catch(|| threads(&chunk)).map_err(|fault| {
        let Failed { index, is_group } = failed.get();
        // A group fails as a whole. Running its threads again one by one finds the failing thread and the location in
        // the author's code.
        let group = Chunk { start: index, threads: LANES, singly: true, ..chunk };
        let alone = if is_group { fault::catch(|| threads(&group)).err() } else { None };
        body.error(failed.get().index.to_vec(), alone.unwrap_or(fault))
    })
}

impl Body {
    #[cold]
    fn error(self, thread: Vec<usize>, Fault { message, location }: Fault) -> LaunchError {
        let array = location.as_ref().filter(|_| message.starts_with("index out of bounds")).and_then(|location| {
            let place = (location.line, location.column);
            // A device function may stand in another file.
            let mut here = self.indexed.iter().filter(|_| location.file == self.file);
            here.find(|(line, column, _)| (*line, *column) == place)
        });
        LaunchError::Failed {
            kernel: self.kernel,
            thread,
            array: array.map(|(_, _, name)| (*name).to_owned()),
            message,
            location: location.map(|location| format!("{}:{}:{}", location.file, location.line, location.column)),
        }
    }
}

/// The partial sums of a chunk over `LEN` elements, one for each lane.
pub struct Lanes<T, const LEN: usize>([[T; LEN]; LANES]);

impl<T: FloatElement, const LEN: usize> Lanes<T, LEN> {
    /// All sums zero.
    #[inline]
    pub fn zeros() -> Lanes<T, LEN> {
        Lanes([[T::zero(); LEN]; LANES])
    }

    /// The elements that the threads of a lane add to, in the place of those of the array with `array` elements.
    #[inline]
    pub fn lane(&mut self, lane: usize, array: usize) -> &mut [T] {
        &mut self.0[lane][..LEN.min(array)]
    }

    /// The sums over all lanes, by pairwise reduction: the upper half is added to the lower half until one lane
    /// remains. The order is fixed, so the result is deterministic.
    #[inline]
    pub fn total(mut self) -> [T; LEN] {
        let mut lanes = LANES;
        while lanes > 1 {
            lanes /= 2;
            let (low, high) = self.0.split_at_mut(lanes);
            low.iter_mut().zip(high).for_each(|(low, high)| T::add_all(low, high));
        }
        self.0[0]
    }
}

/// The partial sums of all chunks of a launch.
pub struct Parts<T>(Vec<OnceLock<T>>);

impl<T> Parts<T> {
    /// Space for the chunks of `plan`.
    pub fn new(plan: &Plan) -> Parts<T> {
        Parts((0..plan.chunks()).map(|_| OnceLock::new()).collect())
    }

    /// Stores the partial sum of a chunk.
    pub fn put<const N: usize>(&self, chunk: &Chunk<'_, N>, part: T) {
        // A chunk runs once, so the cell is empty.
        let _ = self.0[chunk.number].set(part);
    }

    /// The partial sums in the order of the chunks.
    pub fn into_ordered(self) -> impl Iterator<Item = T> {
        self.0.into_iter().filter_map(OnceLock::into_inner)
    }
}

/// An array of zeros for the scattered additions of a chunk.
pub fn zeros<T: FloatElement>(len: usize) -> Vec<T> {
    vec![T::zero(); len]
}

/// Adds elements to those of an array.
pub fn add<T: FloatElement>(sums: &mut [T], more: &[T]) {
    T::add_all(sums, more);
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel_ir::analysis::Schedule;

    const K: Body = Body { kernel: "k", file: file!(), indexed: &[] };

    fn plan(threads: usize, chunk: usize, parallel: bool) -> Plan {
        Plan { threads, chunk, private: false, parallel }
    }

    fn indices<const N: usize>(dim: [usize; N], chunk: usize) -> Vec<[usize; N]> {
        let mut indices = Vec::new();
        let plan = plan(dim.iter().product(), chunk, false);
        run_in_order(K, dim, &plan, &mut |chunk| chunk.each(|index| indices.push(index))).unwrap();
        indices
    }

    #[test]
    fn the_last_axis_moves_fastest() {
        assert_eq!(indices([3], 8), [[0], [1], [2]]);
        assert_eq!(indices([2, 2], 8), [[0, 0], [0, 1], [1, 0], [1, 1]]);
        let four = indices([2, 1, 3, 2], 12);
        assert_eq!(four.len(), 12);
        assert!(four.is_sorted());
        assert_eq!(four[11], [1, 0, 2, 1]);
    }

    #[test]
    fn chunks_of_any_size_are_the_launch() {
        for chunk in 1..14 {
            assert_eq!(indices([2, 1, 3, 2], chunk), indices([2, 1, 3, 2], 12));
        }
    }

    #[test]
    fn an_empty_launch_runs_nothing() {
        assert!(indices([0], 1).is_empty());
        assert!(indices([3, 0, 2], 1).is_empty());
        assert_eq!(Schedule { work: 1, scattered: 0, stride: 1 }.plan(&[usize::MAX, usize::MAX, 0], 0).threads, 0);
    }

    #[test]
    fn a_lane_is_the_last_index() {
        for chunk in [64, 128, 1000] {
            let mut seen = Vec::new();
            let plan = plan(3 * 150, chunk, false);
            run_in_order(K, [3, 150], &plan, &mut |chunk| chunk.each_in_lanes(|i, lane| seen.push((i, lane)))).unwrap();
            assert_eq!(seen.len(), 450);
            assert!(seen.iter().all(|(index, lane)| *lane == index[1] % LANES));
            assert!(seen.is_sorted());
        }
    }

    #[test]
    fn parts_are_the_launch() {
        for chunk in [64, 128, 1000] {
            let (mut seen, mut groups) = (Vec::new(), 0);
            let plan = plan(3 * 150, chunk, false);
            let mut part = |part: Part<2>| match part {
                Part::Group(group) => {
                    groups += 1;
                    seen.extend((0..LANES).map(|thread| (group.index(thread), thread)));
                }
                Part::Thread(index, lane) => seen.push((index, lane)),
            };
            run_in_order(K, [3, 150], &plan, &mut |chunk| chunk.each_part(&mut part)).unwrap();
            assert_eq!(seen.len(), 450);
            assert!(seen.is_sorted() && seen.iter().all(|(index, lane)| *lane == index[1] % LANES));
            assert!(groups > 0);
            // The interpreter asks the plan.
            let (mut first, mut planned) = (0, 0);
            while first < plan.threads {
                let (threads, is_group) = plan.part(&[3, 150], first);
                first += threads;
                planned += usize::from(is_group);
            }
            assert_eq!((first, planned), (plan.threads, groups));
        }
    }

    #[test]
    fn lanes_add_up_in_pairs() {
        let mut lanes = Lanes::<f32, 2>::zeros();
        for lane in 0..LANES {
            lanes.lane(lane, 5)[1] = lane as f32;
        }
        assert_eq!(lanes.lane(3, 1).len(), 1);
        assert_eq!(lanes.total(), [0.0, (LANES * (LANES - 1) / 2) as f32]);
    }

    #[test]
    fn a_panic_names_the_thread() {
        for parallel in [false, true] {
            let fails = |index: [usize; 2]| assert!(index != [1, 0] && index != [1, 1], "no {index:?}");
            let error = run(K, [2, 2], &plan(4, 1, parallel), &|chunk| chunk.each(fails)).unwrap_err();
            let LaunchError::Failed { kernel, thread, array, message, location } = error else { panic!("{error}") };
            assert_eq!((kernel, thread, array, message), ("k", vec![1, 0], None, "no [1, 0]".to_owned()));
            assert!(location.is_some_and(|location| location.contains("run.rs:")));
        }
    }
}

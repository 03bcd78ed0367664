//! How the threads of a launch may run on the CPU, so that the results do not depend on the number of cores.
//!
//! Threads may run on several cores if no thread reads or writes an element that another thread writes, up to updates
//! that commute. Each mutable array of such a kernel has one of these classes ([`Sharing`]):
//! - *own*: no thread accesses an element that another thread accesses;
//! - *commuting*: integers under one atomic operation whose order is unobservable: `atomic_min`, `atomic_max`, or
//!   `atomic_add` of nonnegative values. The updates are atomic;
//! - *phased*: integers that are commuting in the launches of one [phase](super::Phase) and only read in the other
//!   phase. Launches of the updating phase run on one core;
//! - *sum*: floats that are only added to, at a few constant indices, such as the gradient of a by-value parameter;
//! - *scatter*: floats that are only added to, at any index.
//!
//! Any other array keeps the launch on one core, with its threads in launch order. [`Execution::reason`] names the
//! array and the reason.
//!
//! # The order of float additions
//!
//! The result of a float sum depends on the order of its terms. The order is therefore part of a kernel's meaning, and
//! a function of the launch alone. A launch is divided into chunks of [`Plan::chunk`] threads, in launch order.
//! - *Sums*: each chunk starts with [`LANES`] partial sums of zero. A thread adds to the partial sum number i modulo
//!   `LANES`, where i is the last of its indices. At the end of the chunk, the upper half of the partial sums is added
//!   to the lower half, until one sum is left.
//! - *Scatters*: if [`Plan::private`] is true, each chunk starts with a private array of zeros, to which its threads
//!   add in launch order. Otherwise the threads add to the array itself, in launch order and on one core. Private
//!   arrays must be cleared and added up, so they pay only if the threads make many additions per element.
//! - In a kernel with [lockstep](super::Lockstep) loops, the threads of a whole group ([`Plan::part`]) add part by part
//!   of the body: the additions of all threads in one part come before those of the next part.
//! - At the end, the sums and private arrays of the chunks are added to the arguments, chunk by chunk.
//!
//! The interpreter and the CPU version both follow this order, and agree bit for bit.

use super::accesses::{Access, AccessKind, accesses};
use super::commutativity::commute;
use super::grid_reductions;
use super::indices::Indices;
use super::phases::{self, Phase};
use crate::ir::{Block, Expr, ExprKind, ForRange, Kernel, Param, ParamId, Stmt, StmtKind};
use crate::verify::VerifiedKernel;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The number of partial sums that a chunk keeps. It fills the widest vector registers several times, so that additions
/// overlap.
pub const LANES: usize = 64;

/// How the launches of a kernel may run on the CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// Why the threads run sequentially in launch order; `None` if they may run on all cores.
    pub reason: Option<String>,
    /// The class of every mutable array; empty if the threads run in launch order.
    pub sharing: BTreeMap<ParamId, Sharing>,
    /// The phase whose launches run on one core although the others may run on all cores.
    pub serial: Option<Phase>,
    /// The constants by which a launch is divided into chunks.
    pub schedule: Schedule,
    /// The conditions under which no index by thread can be out of bounds: along each of these axes the launch has no
    /// more threads than the array has elements. Empty if there are no such conditions. Also empty for kernels with
    /// loops, in which bounds checks cost little in comparison.
    pub preconditions: Vec<ExtentPrecondition>,
}

/// An array axis that a thread indexes by its own index along a launch axis. The launch may have at most as many
/// threads along `tid` as the array has elements along `axis`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExtentPrecondition {
    /// The array.
    pub array: ParamId,
    /// The axis of the array.
    pub axis: u8,
    /// The launch axis.
    pub tid: u8,
}

/// How the threads of a launch share a mutable array. The module doc defines the classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// No thread accesses an element that another thread accesses.
    Own,
    /// Atomic updates of integers whose order is unobservable.
    Commuting,
    /// Commuting updates in launches that run on one core, and only reads in the other launches.
    Phased,
    /// Additions to the first `len` elements, at constant indices.
    Sum {
        /// One more than the largest index.
        len: usize,
    },
    /// Additions at any index.
    Scatter,
}

impl Sharing {
    /// Whether several threads add floats to one element, so that the order is observable.
    pub fn is_sum(&self) -> bool {
        matches!(self, Sharing::Sum { .. } | Sharing::Scatter)
    }
}

/// The constants of a kernel that determine how its launches are divided into chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// An estimate of the number of operations per thread.
    pub work: usize,
    /// An estimate of the number of additions to scatters per thread; 0 without scatters.
    pub scattered: usize,
    /// The largest distance between the elements that neighbours along a launch axis access in own arrays.
    pub stride: usize,
}

/// How one launch is divided into chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The number of threads.
    pub threads: usize,
    /// The number of threads per chunk. The last chunk may be shorter.
    pub chunk: usize,
    /// Whether each chunk has private scatter arrays.
    pub private: bool,
    /// Whether the launch may use several cores and is large enough for it to pay.
    pub parallel: bool,
}

impl Plan {
    /// The number of chunks.
    pub fn chunks(&self) -> usize {
        self.threads.div_ceil(self.chunk)
    }

    /// The same plan, on one core if `is_serial`.
    pub fn serial_if(self, is_serial: bool) -> Plan {
        Plan { parallel: self.parallel && !is_serial, ..self }
    }

    /// The next run of threads from thread number `first` on, in a launch of `dim`: its length, and whether it is a
    /// whole group, which may run in lockstep. A group consists of [`LANES`] neighbours along the last axis, all in one
    /// chunk, where the last index of the first thread is a multiple of `LANES`.
    pub fn part(&self, dim: &[usize], first: usize) -> (usize, bool) {
        let columns = dim.last().copied().unwrap_or(1).max(1);
        let (column, place) = (first % columns, first % self.chunk);
        let left = (columns - column).min(self.chunk - place).min(self.threads.saturating_sub(first));
        match column.next_multiple_of(LANES) - column {
            0 if left >= LANES => (LANES, true),
            0 => (left, false),
            before => (left.min(before), false),
        }
    }
}

impl Schedule {
    /// The number of operations per chunk. It takes some ten microseconds, so that the cost of scheduling it is small
    /// in comparison.
    const CHUNK_WORK: usize = 1 << 17;
    /// The largest number of threads per chunk. It limits the number of terms of a partial sum.
    const CHUNK_THREADS: usize = 1 << 13;
    /// The largest number of private copies of a scatter array. All of them exist at once.
    const COPIES: usize = 16;
    /// The smallest number of additions per private element for which a copy pays.
    const ADDITIONS: usize = 2;
    /// The smallest number of operations per launch for which several cores pay.
    const PARALLEL_WORK: usize = 1 << 20;

    /// Whether distinct threads keep distinct elements under wrapping index arithmetic, which is in 32 bits if the
    /// author casts to 32-bit integers.
    pub fn keeps_apart(&self, dim: &[usize]) -> bool {
        dim.iter().all(|&extent| extent.checked_mul(self.stride.max(1)).is_some_and(|span| span < 1 << 31))
    }

    /// The plan for a launch of `dim`, where `elements` is the number of elements of all scatter arrays together.
    pub fn plan(&self, dim: &[usize], elements: usize) -> Plan {
        let threads = volume(dim);
        let grain =
            (Schedule::CHUNK_WORK / self.work.max(1)).clamp(LANES, Schedule::CHUNK_THREADS).next_multiple_of(LANES);
        let copies = match elements {
            0 => 0,
            _ => (threads.saturating_mul(self.scattered) / elements.saturating_mul(Schedule::ADDITIONS))
                .min(Schedule::COPIES),
        };
        let private = copies > 1 && threads > LANES;
        let chunk = if private { threads.div_ceil(copies).next_multiple_of(LANES) } else { grain };
        let apart = self.keeps_apart(dim);
        let large = threads.saturating_mul(self.work) >= Schedule::PARALLEL_WORK;
        let scatters = self.scattered > 0 && !private;
        Plan { threads, chunk, private, parallel: apart && large && !scatters && threads > chunk }
    }
}

impl Execution {
    /// Analyses `kernel`.
    pub fn of(kernel: &VerifiedKernel) -> Execution {
        if kernel.in_order {
            let reason = "the kernel is marked `in_order`, or a device function changes its arrays".to_owned();
            return Execution::in_launch_order(kernel, reason);
        }
        Execution::proven(kernel)
    }

    /// As [`Execution::of`], whether or not the kernel is `in_order`. Accelerators have no launch order.
    pub fn proven(kernel: &VerifiedKernel) -> Execution {
        let indices = Indices::of(kernel);
        let accesses = accesses(kernel);
        let measured = extents_read(kernel);
        let (mut sharing, mut serial) = (BTreeMap::new(), None);
        let mut stride = 0;
        let mut scatters = HashSet::new();
        for (id, param) in kernel.param_ids().filter(|(_, param)| param.is_mutable()) {
            let accesses = accesses.get(&id).map_or(&[][..], Vec::as_slice);
            // An array without a class of its own may have one within a phase. All such arrays must agree on the phase,
            // because a launch has only one.
            let class = share(param, accesses, &indices, measured.contains(&id)).or_else(|reason| {
                let phase =
                    phased(kernel, param, accesses, &indices).filter(|phase| serial.is_none_or(|of| of == *phase));
                serial = phase.or(serial);
                phase.map(|_| Sharing::Phased).ok_or(reason)
            });
            match class {
                Ok(class) => {
                    sharing.insert(id, class);
                    if class == Sharing::Own {
                        stride = stride.max(indices.stride(accesses.iter().map(|access| access.index)));
                    }
                    if class == Sharing::Scatter {
                        scatters.insert(id);
                    }
                }
                Err(reason) => return Execution::in_launch_order(kernel, reason),
            }
        }
        let scattered = |stmt: &Stmt| match super::accesses::written(stmt) {
            Some((array, _)) => usize::from(scatters.contains(&array)),
            None => 0,
        };
        let schedule = Schedule { work: work(kernel), scattered: count(&kernel.body, &scattered), stride };
        Execution { reason: None, sharing, serial, schedule, preconditions: preconditions(kernel, &accesses, &indices) }
    }

    fn in_launch_order(kernel: &Kernel, reason: String) -> Execution {
        let schedule = Schedule { work: work(kernel), scattered: 0, stride: 0 };
        Execution { reason: Some(reason), sharing: BTreeMap::new(), serial: None, schedule, preconditions: Vec::new() }
    }

    /// The same execution for a kernel whose parameters are the `columns` of these.
    pub(crate) fn in_columns(&self, columns: &[Vec<ParamId>]) -> Execution {
        let of = |id: ParamId| columns[id.0 as usize].iter().copied();
        let first = |id: ParamId| columns[id.0 as usize][0];
        let sharing = self.sharing.iter().flat_map(|(id, class)| of(*id).map(|column| (column, *class)));
        let preconditions = self.preconditions.iter();
        Execution {
            sharing: sharing.collect(),
            serial: self.serial.map(|phase| Phase { param: first(phase.param), ..phase }),
            preconditions: preconditions
                .map(|found| ExtentPrecondition { array: first(found.array), ..*found })
                .collect(),
            ..self.clone()
        }
    }

    /// The class of a parameter; `None` if it is not mutable, or if the kernel runs in launch order.
    pub fn sharing(&self, param: ParamId) -> Option<Sharing> {
        self.sharing.get(&param).copied()
    }

    /// Whether the kernel adds floats in the order that the module doc defines.
    pub fn has_sums(&self) -> bool {
        self.sharing.values().any(Sharing::is_sum)
    }

    /// A one-line description of how the kernel runs, and why.
    pub fn describe(&self, kernel: &Kernel) -> String {
        if let Some(reason) = &self.reason {
            return format!("one core, in launch order: {reason}");
        }
        let mut words = vec!["all cores".to_owned()];
        let mut list = |wanted: &dyn Fn(Sharing) -> bool, what: &str| {
            let names = self.sharing.iter().filter(|(_, class)| wanted(**class));
            let names: Vec<String> = names.map(|(id, _)| format!("`{}`", kernel.param(*id).name)).collect();
            if !names.is_empty() {
                words.push(format!("{what} {}", names.join(", ")));
            }
        };
        list(&|class| class == Sharing::Own, "each thread has its own elements of");
        list(&|class| class == Sharing::Commuting, "atomic updates commute in");
        list(&|class| class == Sharing::Phased, "launches on one core update");
        list(&|class| matches!(class, Sharing::Sum { .. }), "chunks of threads sum up");
        list(&|class| class == Sharing::Scatter, "chunks of threads add to copies, where that pays, of");
        words.join("; ")
    }
}

/// The preconditions of [`Execution`].
fn preconditions(
    kernel: &Kernel,
    accesses: &BTreeMap<ParamId, Vec<Access<'_>>>,
    indices: &Indices<'_>,
) -> Vec<ExtentPrecondition> {
    let mut loops = false;
    kernel.walk_stmts(&mut |stmt| loops |= stmt.is_loop());
    let mut found = BTreeSet::new();
    for (array, access) in accesses.iter().flat_map(|(array, all)| all.iter().map(move |access| (*array, access))) {
        for (axis, index) in (0..).zip(access.index) {
            match indices.thread_axis(index) {
                Some(tid) => {
                    found.insert(ExtentPrecondition { array, axis, tid });
                }
                // A constant index occurs where the array has a sum, whose lanes always exist, or beside an index by
                // thread.
                None if matches!(index.kind, ExprKind::Literal(_)) => {}
                None => return Vec::new(),
            }
        }
    }
    if loops { Vec::new() } else { found.into_iter().collect() }
}

/// The number of threads of a launch.
fn volume(dim: &[usize]) -> usize {
    if dim.contains(&0) { 0 } else { dim.iter().copied().fold(1, usize::saturating_mul) }
}

/// The class of an array, or the reason why it has none.
fn share(param: &Param, accesses: &[Access<'_>], indices: &Indices<'_>, measured: bool) -> Result<Sharing, String> {
    let name = &param.name;
    let all: Vec<&[Expr]> = accesses.iter().map(|access| access.index).collect();
    let is_written = accesses.iter().any(|access| access.kind != AccessKind::Read);
    // Concurrent reads, and accesses to own elements, need no synchronisation.
    if !is_written || indices.are_disjoint(&all) {
        return Ok(Sharing::Own);
    }
    // Several threads may access one element from here on, so every access must be atomic.
    if let Some(other) = accesses.iter().find(|access| !matches!(access.kind, AccessKind::Atomic(_))) {
        return Err(match other.kind {
            AccessKind::Read | AccessKind::Change => {
                format!("a thread may read an element of `{name}` that another one writes")
            }
            AccessKind::Write | AccessKind::Accumulate | AccessKind::Atomic(_) => {
                format!("several threads may write the same element of `{name}`")
            }
        });
    }
    if param.elem().is_struct() {
        return Err(format!("several threads may update the same element of `{name}`, which is a struct"));
    }
    // A result shows the order of the updates.
    if accesses.iter().any(|access| matches!(access.stmt.kind, StmtKind::Atomic { result: Some(_), .. })) {
        return Err(format!("the result of an atomic operation on `{name}` is used"));
    }
    if accesses.iter().any(|access| matches!(access.kind, AccessKind::Atomic(op) if op.is_exchange())) {
        return Err(format!("which value `{name}` keeps depends on the order of the threads"));
    }
    let sums = |access: &Access<'_>| matches!(access.kind, AccessKind::Atomic(op) if op.is_sum());
    match param.elem().is_float() {
        true if accesses.iter().all(sums) => {
            Ok(match grid_reductions::elements(param, accesses).and_then(|all| all.last().copied()) {
                Some(last) if !measured => Sharing::Sum { len: last as usize + 1 },
                _ => Sharing::Scatter,
            })
        }
        true => Err(format!("which one of equal floats `{name}` keeps depends on the order of the threads")),
        false if commute(accesses) => Ok(Sharing::Commuting),
        false => Err(format!("whether `{name}` overflows depends on the order of the threads")),
    }
}

/// The arrays to which threads only add floats, several of them to one element, whatever they do with the other arrays.
pub fn float_sums(kernel: &VerifiedKernel) -> Vec<ParamId> {
    let (indices, accesses, measured) = (Indices::of(kernel), accesses(kernel), extents_read(kernel));
    let is_sum = |(id, param): &(ParamId, &Param)| {
        let accesses = accesses.get(id).map_or(&[][..], Vec::as_slice);
        share(param, accesses, &indices, measured.contains(id)).is_ok_and(|class| class.is_sum())
    };
    kernel.param_ids().filter(|(_, param)| param.is_mutable()).filter(is_sum).map(|(id, _)| id).collect()
}

/// The only phase that writes the array of integers, if its updates commute there.
fn phased(kernel: &Kernel, param: &Param, accesses: &[Access<'_>], indices: &Indices<'_>) -> Option<Phase> {
    let (phase, updates) = phases::writing(kernel, accesses)?;
    let class = share(param, &updates, indices, false).ok()?;
    (class == Sharing::Commuting).then_some(phase)
}

/// The arrays whose extents the kernel reads. The extent of a sum cannot be replaced by that of its lanes.
fn extents_read(kernel: &Kernel) -> HashSet<ParamId> {
    kernel.extents_read().into_iter().map(|(array, _)| array).collect()
}

/// The assumed number of trips of a loop of unknown length.
const TRIPS: usize = 16;

/// An estimate of the number of operations per thread.
fn work(kernel: &Kernel) -> usize {
    count(&kernel.body, &|stmt| {
        let mut cost = 1;
        stmt.walk_exprs(&mut |expr| cost += cost_of(expr));
        cost
    })
}

/// The cost of the outermost node of an expression. Inexact functions count 16 times an exact operation.
fn cost_of(expr: &Expr) -> usize {
    let (op, args) = match &expr.kind {
        ExprKind::Op(op, args) => (op, args),
        ExprKind::Call(callee, _) => return work(&callee.function.code),
        ExprKind::Load { .. } => return 1,
        ExprKind::Literal(_)
        | ExprKind::Local(_)
        | ExprKind::LocalElement { .. }
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Present(_)
        | ExprKind::Cast(_)
        | ExprKind::Component(..)
        | ExprKind::Column(..)
        | ExprKind::Field(..)
        | ExprKind::Tile(..)
        | ExprKind::Struct(_)
        | ExprKind::Select { .. } => return 0,
    };
    let exact = op.row_of(args, expr.ty).is_none_or(|(row, _)| row.accuracy.ulp().is_none());
    expr.ty.components() * if exact { 1 } else { 16 }
}

/// The sum of `of` over all statements, weighted by the numbers of trips of the loops around them.
fn count(block: &Block, of: &dyn Fn(&Stmt) -> usize) -> usize {
    let each = |stmt: &Stmt| {
        let inside: usize = stmt.blocks().map(|block| count(block, of)).fold(0, usize::saturating_add);
        let trips = if let StmtKind::For { range, .. } = &stmt.kind {
            trips(range)
        } else if stmt.is_loop() {
            TRIPS
        } else {
            1
        };
        inside.saturating_mul(trips).saturating_add(of(stmt))
    };
    block.iter().map(each).fold(0, usize::saturating_add)
}

fn trips(range: &ForRange) -> usize {
    match (range.start.as_integer(), range.end.as_integer()) {
        (Some(start), Some(end)) => usize::try_from(end.saturating_sub(start)).unwrap_or(0),
        _ => TRIPS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front;
    use expect_test::{Expect, expect};

    /// How the kernel with these parameters and this body runs.
    fn check(params: &str, body: &str, expect: Expect) {
        let item = format!("fn k({params}) {{ let i = tid(); {body} }}").parse().unwrap();
        let kernel = front::compile(Default::default(), item).kernel.unwrap();
        let execution = Execution::of(&kernel);
        expect.assert_eq(&format!("{}\n{:?}\n", execution.describe(&kernel), execution.schedule));
    }

    #[test]
    fn an_element_of_its_own_for_every_thread() {
        check(
            "a: f32, x: &[f32], y: &mut [f32]",
            "y[i] += a * x[i].sin();",
            expect![[r#"
                all cores; each thread has its own elements of `y`
                Schedule { work: 20, scattered: 0, stride: 1 }
            "#]],
        );
        check(
            "y: &mut [f32]",
            "for j in 0..4 { y[4 * i + j] = y[4 * i]; }",
            expect![[r#"
                all cores; each thread has its own elements of `y`
                Schedule { work: 22, scattered: 0, stride: 4 }
            "#]],
        );
    }

    #[test]
    fn what_other_threads_touch_is_touched_in_launch_order() {
        check(
            "y: &mut [f32]",
            "y[i] = y[i + 1];",
            expect![[r#"
            one core, in launch order: a thread may read an element of `y` that another one writes
            Schedule { work: 4, scattered: 0, stride: 0 }
        "#]],
        );
        check(
            "y: &mut [f32]",
            "y[i / 2] = 1.0;",
            expect![[r#"
            one core, in launch order: several threads may write the same element of `y`
            Schedule { work: 3, scattered: 0, stride: 0 }
        "#]],
        );
        check(
            "y: &mut [Vec3]",
            "y[i] += y[i] * 2.0;",
            expect![[r#"
            all cores; each thread has its own elements of `y`
            Schedule { work: 6, scattered: 0, stride: 1 }
        "#]],
        );
    }

    #[test]
    fn sums_and_scatters() {
        let params = "k: &[u32], s: &mut [f32], y: &mut [f32]";
        check(
            params,
            "atomic_add(&mut s[0], 1.0); atomic_sub(&mut y[k[i] as usize], 1.0);",
            expect![[r#"
                all cores; chunks of threads sum up `s`; chunks of threads add to copies, where that pays, of `y`
                Schedule { work: 4, scattered: 1, stride: 0 }
            "#]],
        );
        check(
            "n: i32, y: &mut [f32]",
            "for _ in 0..n { atomic_add(&mut y[i / 2], 1.0); }",
            expect![[r#"
                all cores; chunks of threads add to copies, where that pays, of `y`
                Schedule { work: 34, scattered: 16, stride: 0 }
            "#]],
        );
        check(
            "s: &mut [f32]",
            "if s.len() > 1 { atomic_add(&mut s[1], 1.0); }",
            expect![[r#"
                all cores; chunks of threads add to copies, where that pays, of `s`
                Schedule { work: 4, scattered: 1, stride: 0 }
            "#]],
        );
        check(
            "s: &mut [f32]",
            "atomic_max(&mut s[1], 1.0);",
            expect![[r#"
            one core, in launch order: which one of equal floats `s` keeps depends on the order of the threads
            Schedule { work: 2, scattered: 0, stride: 0 }
        "#]],
        );
    }

    #[test]
    fn integers_commute_where_the_order_does_not_show() {
        let params = "v: &[i32], c: &mut [i32]";
        check(
            params,
            "atomic_add(&mut c[0], 1);",
            expect![[r#"
                all cores; atomic updates commute in `c`
                Schedule { work: 2, scattered: 0, stride: 0 }
            "#]],
        );
        check(
            params,
            "atomic_max(&mut c[0], v[i]);",
            expect![[r#"
                all cores; atomic updates commute in `c`
                Schedule { work: 3, scattered: 0, stride: 0 }
            "#]],
        );
        check(
            params,
            "atomic_add(&mut c[0], v[i]);",
            expect![[r#"
            one core, in launch order: whether `c` overflows depends on the order of the threads
            Schedule { work: 3, scattered: 0, stride: 0 }
        "#]],
        );
        check(
            params,
            "let r = atomic_add(&mut c[0], 1); c[1] = r;",
            expect![[r#"
            one core, in launch order: several threads may write the same element of `c`
            Schedule { work: 4, scattered: 0, stride: 0 }
        "#]],
        );
    }

    #[test]
    fn a_plan_depends_on_the_launch_alone() {
        let schedule = Schedule { work: 100, scattered: 64, stride: 1 };
        let plan = |threads, elements| schedule.plan(&[threads], elements);
        // Much work for few elements: copies.
        assert_eq!(plan(4096, 4096), Plan { threads: 4096, chunk: 256, private: true, parallel: false });
        assert_eq!(plan(1 << 16, 4096).chunks(), 16);
        // Few additions for each element: no copies, and so one core.
        let light = Schedule { scattered: 1, ..schedule }.plan(&[1 << 16], 1 << 16);
        assert_eq!((light.private, light.parallel), (false, false));
        // Index arithmetic in 32 bits may wrap around.
        let wide = Schedule { work: 100, scattered: 0, stride: 1 << 15 };
        assert!(!wide.plan(&[1 << 17], 0).parallel && wide.plan(&[1 << 15], 0).parallel);
    }
}

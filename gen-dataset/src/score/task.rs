//! A task with its tests: launches that are drawn from the record's kernel, and whose results only this process holds.
//!
//! The launches are not those of the record. They have a thousand elements or more along one axis, sizes at the edges of
//! blocks, several waves of blocks, poison in what the kernel writes, and another seed.

use crate::judges::cxx::Grid;
use crate::model::{Launch, all_finite, differentiate, read_kernel};
use crate::panics;
use crate::prove::launches;
use crate::source::identity::example_seed;
use kernel_ir::back::c::{self, Dialect};
use kernel_ir::columns;
use kernel_ir::data::Arg;
use kernel_ir::gradcheck;
use kernel_ir::verify::VerifiedKernel;
use kernel_rt::Pass;

/// A bit that is set in the seeds of these launches, and in no seed of records.
const SCORED: u64 = 1 << 50;

/// What is launched, and how.
pub(super) struct Test {
    /// The launch with its results.
    pub(super) launch: Launch,
    /// The tolerance of each number.
    pub(super) allowed: Vec<Arg>,
    /// The grid.
    pub(super) grid: Grid,
    /// The number of blocks in a wave.
    pub(super) wave: u32,
    /// Whether the blocks of a wave run backwards.
    pub(super) backwards: bool,
}

/// A kernel to ask for, with its tests.
pub(super) struct Task {
    /// The kernel, or the adjoint.
    pub(super) kernel: VerifiedKernel,
    /// The same with the [columns] that the tests have.
    pub(super) data: VerifiedKernel,
    /// The tests, in order.
    pub(super) tests: Vec<Test>,
}

/// A launch size.
struct Size {
    dim: Vec<usize>,
    /// The threads of a block.
    threads: [u32; 3],
    /// Whether a launch tells right results from wrong ones: it has several waves of blocks, and about a thousand threads or more.
    is_large: bool,
}

impl Size {
    /// The smallest grid for the launch. In a kernel over blocks of `threads`, an index is a block.
    fn grid(&self, is_over_blocks: bool) -> Grid {
        match is_over_blocks {
            true => Grid { threads: self.threads, ..Grid::covering(&self.dim, [1, 1, 1]) },
            false => Grid::covering(&self.dim, self.threads),
        }
    }
}

/// The sizes of the launches of a kernel. The kernel to ask for, which is this one or its adjoint, has `block` threads in a
/// block, if it is launched over blocks. The first two sizes are large.
fn sizes(kernel: &VerifiedKernel, block: Option<u32>) -> Vec<Size> {
    // A thread works on several elements of a tile.
    let blocks = |least: usize| match kernel.has_tiles() {
        true => 2 * least - 1,
        false => least.max(1001_usize.div_ceil(block.unwrap_or(1) as usize)),
    };
    let all: [(&[usize], [u32; 3]); 4] = match (kernel.dim, block) {
        (_, Some(threads)) => [
            (&[blocks(5)], [threads, 1, 1]),
            (&[blocks(4)], [threads, 1, 1]),
            (&[2], [threads, 1, 1]),
            (&[1], [threads, 1, 1]),
        ],
        // Each thread of the adjoint does the work of a block.
        (_, None) if kernel.block.is_some() => {
            [(&[67], [16, 1, 1]), (&[64], [24, 1, 1]), (&[33], [32, 1, 1]), (&[1], [32, 1, 1])]
        }
        (1, None) => [(&[1057], [64, 1, 1]), (&[1024], [96, 1, 1]), (&[33], [32, 1, 1]), (&[1], [32, 1, 1])],
        (2, None) => [(&[3, 1031], [32, 2, 1]), (&[1025, 2], [2, 32, 1]), (&[7, 33], [16, 4, 1]), (&[1, 1], [8, 8, 1])],
        (3, None) => {
            [(&[2, 2, 1027], [64, 1, 2]), (&[2, 1001, 1], [1, 64, 1]), (&[5, 4, 9], [4, 4, 2]), (&[1, 1, 1], [8, 2, 2])]
        }
        (_, None) => [
            (&[2, 1, 2, 257], [64, 1, 1]),
            (&[3, 7, 5, 10], [96, 1, 1]),
            (&[1, 2, 3, 5], [32, 1, 1]),
            (&[1, 1, 1, 1], [32, 1, 1]),
        ],
    };
    let size =
        |(number, (dim, threads)): (usize, (&[usize], _))| Size { dim: dim.to_vec(), threads, is_large: number < 2 };
    all.into_iter().enumerate().map(size).collect()
}

impl Task {
    /// The task of the record with this IR text and seed. `salt` chooses other inputs.
    ///
    /// # Errors
    /// Why no program can say which answers are right.
    pub(super) fn new(ir: &str, seed: u64, pass: Pass, salt: u64) -> Result<Task, String> {
        panics::caught(|| {
            let kernel = read_kernel(ir)?;
            let data = columns::of_kernel(&kernel).into_owned();
            let seed = |number: u64| example_seed(&data, ir, seed ^ salt.rotate_left(17), SCORED | number);
            let adjoint = match pass {
                Pass::Forward => None,
                Pass::Backward => Some(differentiate(&kernel)?.ok_or("the kernel has no adjoint")?),
            };
            let sizes = sizes(&kernel, adjoint.as_ref().map_or(&kernel, |adjoint| &adjoint.kernel).block);
            let forward = drawn(&data, &sizes, seed);
            let (kernel, data, groups) = match adjoint {
                None => (kernel, data, forward.into_iter().map(|(number, launch)| (number, vec![launch])).collect()),
                Some(adjoint) => {
                    let in_columns = columns::of_backward(&kernel, &adjoint);
                    let follow = |(number, launch): (usize, Launch)| {
                        let weights = |id| gradcheck::weights(&data, &launch.before, seed(number as u64), id);
                        let launches = launch.backward(&data, &in_columns, weights).ok()?;
                        Some((number, launches.into_iter().collect()))
                    };
                    let groups: Vec<(usize, Vec<Launch>)> = forward.into_iter().filter_map(follow).collect();
                    (adjoint.kernel.clone(), in_columns.kernel.clone(), groups)
                }
            };
            let tests = tests(&data, &sizes, groups)?;
            Ok(Task { kernel, data, tests })
        })
        .flatten()
    }

    /// The text of the reference, with a function that calls any kernel with the arguments of this one.
    pub(super) fn reference(&self) -> String {
        let entry = c::entry_name(&self.kernel);
        format!(
            "{}\ntemplate <class... A, size_t... P> static void weft_apply(void (*kernel)(A...), void** given, \
             std::index_sequence<P...>) {{\n    kernel(*static_cast<A*>(given[P])...);\n}}\ntemplate <class... A> static \
             void weft_typed(void (*)(A...), void* kernel, void** given) {{\n    weft_apply(reinterpret_cast<void \
             (*)(A...)>(kernel), given, std::index_sequence_for<A...>{{}});\n}}\nextern \"C\" void weft_call(void* kernel, \
             void** given) {{ weft_typed({entry}, kernel, given); }}\n",
            c::write(&self.kernel, Dialect::Cuda)
        )
    }
}

/// The launches of the kernel, each with the number of its size. A size at which it does not run is left out.
fn drawn(kernel: &VerifiedKernel, sizes: &[Size], seed: impl Fn(u64) -> u64) -> Vec<(usize, Launch)> {
    let launch = |(number, Size { dim, .. }): (usize, &Size)| {
        let launch = launches::launch(kernel, dim, |draw| seed((number as u64) << 8 | draw)).ok()?;
        // What a kernel overwrites is poisoned, so that a value that it forgets to write is not right by chance.
        Some((number, launch.poisoned(kernel).filter(|launch| all_finite(&launch.after)).unwrap_or(launch)))
    };
    sizes.iter().enumerate().filter_map(launch).collect()
}

/// The tests of these groups of launches. The launches of a group belong together.
fn tests(kernel: &VerifiedKernel, sizes: &[Size], groups: Vec<(usize, Vec<Launch>)>) -> Result<Vec<Test>, String> {
    if c::depends_on_order(kernel) {
        return Err("its results depend on the order of threads".to_owned());
    }
    let phases = groups.first().map_or(0, |(_, group)| group.len());
    let test = |number: usize, launch: Launch| {
        let is_decided = all_finite(&launch.after);
        let allowed = launch.tolerances_when_reassociated(kernel).ok().filter(|_| is_decided)?;
        let mut grid = sizes[number].grid(kernel.block.is_some());
        // A kernel must do nothing in threads beyond the launch.
        grid.blocks[0] += u32::from(number == 1);
        let blocks: u32 = grid.blocks.iter().product();
        Some(Test { allowed, grid, wave: blocks.div_ceil(3).max(1), backwards: number % 2 == 1, launch })
    };
    let whole = |(number, group): (usize, Vec<Launch>)| {
        group.into_iter().map(|launch| test(number, launch)).collect::<Option<Vec<Test>>>()
    };
    let tested: Vec<(bool, Vec<Test>)> =
        groups.into_iter().filter_map(|group| Some((sizes[group.0].is_large, whole(group)?))).collect();
    let tells = |test: &Test| test.launch.before != test.launch.after;
    let all_tell = (0..phases).all(|phase| tested.iter().any(|(is_large, group)| *is_large && tells(&group[phase])));
    match phases > 0 && all_tell {
        true => Ok(tested.into_iter().flat_map(|(_, group)| group).collect()),
        false => Err("no large launch tells right results from wrong ones".to_owned()),
    }
}

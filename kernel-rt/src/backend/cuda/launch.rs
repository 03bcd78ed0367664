//! Launches of emitted functions.

use super::buffer::Buffer;
use super::error::failed;
use super::function::{Loaded, Variant};
use super::stream::Cuda;
use crate::array::{Bits, volume};
use crate::backend::accelerator::{Buffer as _, Checks, KernelArg, KernelLaunch};
use crate::backend::program::Program;
use crate::error::{DeviceError, LaunchError};
use cudarc::driver::CudaStream;
use cudarc::driver::result;
use cudarc::driver::sys::CUfunction;
use kernel_ir::back::c::Fault;
use kernel_ir::ir::{AbiArg, ParamId};
use std::ffi::c_void;
use std::sync::Arc;

/// A launch, ready for the driver: a function, its grid and its packed arguments.
pub(super) struct Ready {
    function: Loaded,
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    /// The arguments one after the other, each at the start of a word.
    words: Vec<u64>,
    /// Where each argument starts.
    starts: Vec<usize>,
}

/// From this on a number is too large for a kernel with 32-bit indices. An index has room above: a loop adds its step,
/// and the launch the number of its threads, before they find the end.
const WIDE: usize = 1 << 31;

/// Runs a launch. With checks it waits for the end, and gives the fault if there was one.
pub(super) fn launch(cuda: &Arc<Cuda>, launch: &KernelLaunch<'_>, checks: Checks) -> Result<(), LaunchError> {
    let failure = |error| LaunchError::Device { kernel: launch.program.name, error };
    let record = match checks {
        Checks::Off => None,
        Checks::On => Some(Buffer::zeros(cuda, Fault::WORDS * size_of::<u64>()).map_err(failure)?),
    };
    let Some(mut ready) = ready(cuda, launch, record.as_ref()).map_err(failure)? else { return Ok(()) };
    cuda.bind().map_err(failure)?;
    let (code, [gx, gy, gz], [bx, by, bz]) = (ready.function(), ready.grid, ready.block);
    let run = || {
        // SAFETY: the arguments are as the emitted function declares them, both by its `abi`; every pointer is memory of
        // this device, which lives until its stream, which waits for this one, has passed the launch. An index that is
        // out of bounds is the author's error, as in all CUDA; with checks it is found, and nothing outside of arrays is
        // touched.
        unsafe {
            let stream = cuda.stream.cu_stream();
            result::launch_kernel(code, (gx, gy, gz), (bx, by, bz), 0, stream, &mut ready.pointers())
        }
        .map_err(failed("cuLaunchKernel"))
    };
    cuda.among(streams(launch.args), run).map_err(failure)?;
    let Some(record) = record else { return Ok(()) };
    let mut words = [0_u64; Fault::WORDS];
    record.download(bytemuck::cast_slice_mut(&mut words)).map_err(failure)?;
    look(launch.program, Fault::from_words(words), launch.dim.len())
}

/// The streams of the arrays among `args`.
pub(super) fn streams<'a>(args: &'a [KernelArg<'a>]) -> impl Iterator<Item = &'a Arc<CudaStream>> {
    args.iter().filter_map(|arg| match arg {
        KernelArg::Array { buffer, .. } => Some(Buffer::of(*buffer).stream()),
        KernelArg::Value(_) => None,
    })
}

/// A launch that only the driver is missing from; `None` if no thread runs.
pub(super) fn ready(
    cuda: &Cuda,
    launch: &KernelLaunch<'_>,
    faults: Option<&Buffer>,
) -> Result<Option<Ready>, DeviceError> {
    let KernelLaunch { program, dim, args } = *launch;
    let Some((grid, block)) = grid(dim) else { return Ok(None) };
    let function = cuda.functions.get(program);
    let grid = if function.sums { capped(grid, cuda.processors * FULL) } else { grid };
    let checks = if faults.is_some() { Checks::On } else { Checks::Off };
    let code = function.load(program, Variant { wide: is_wide(dim, args), checks }, &cuda.context, &cuda.arch)?;
    let mut ready = Ready { function: code, grid, block, words: Vec::new(), starts: Vec::new() };
    let mut push = |bytes: &[u8]| ready.push(bytes);
    let index = |index: usize| (index as u64).to_le_bytes();
    let array = |id: ParamId| match &args[id.0 as usize] {
        KernelArg::Array { buffer, shape } => (Buffer::of(*buffer), *shape),
        KernelArg::Value(_) => unreachable!("arguments have the kinds of their parameters"),
    };
    let abi = if faults.is_some() { &function.checked_abi } else { &function.abi };
    for arg in abi {
        match *arg {
            AbiArg::Dim(0) if let Some(faults) = faults => {
                push(&faults.pointer().to_le_bytes());
                push(&index(dim[0]));
            }
            AbiArg::Value(id) => match &args[id.0 as usize] {
                KernelArg::Value(Bits::Plain(bytes)) => push(bytes),
                KernelArg::Value(Bits::Index(value)) => push(&index(*value)),
                KernelArg::Array { .. } => unreachable!("arguments have the kinds of their parameters"),
            },
            AbiArg::Pointer(id) => push(&array(id).0.pointer().to_le_bytes()),
            AbiArg::Extent(id, axis) => push(&index(array(id).1[usize::from(axis)])),
            AbiArg::Dim(axis) => push(&index(dim[usize::from(axis)])),
        }
    }
    Ok(Some(ready))
}

/// Whether a launch over `axes` axes has left a fault.
fn look(program: &Program, fault: Fault, axes: usize) -> Result<(), LaunchError> {
    let thread = fault.thread[..axes].iter().map(|&index| index as usize).collect();
    let array = program.kernel.params.get(fault.param as usize).map(|param| param.name.clone());
    let Fault { index, axis, extent, .. } = fault;
    let message = match fault.kind {
        0 => return Ok(()),
        1 => format!("index out of bounds: the index is {index} along axis {axis}, whose extent is {extent}"),
        _ => "a NaN is stored".to_owned(),
    };
    Err(LaunchError::Failed { kernel: program.name, thread, array, message, location: None })
}

impl Ready {
    fn push(&mut self, bytes: &[u8]) {
        self.starts.push(self.words.len());
        self.words.extend(bytes.chunks(size_of::<u64>()).map(|chunk| {
            let mut word = [0; size_of::<u64>()];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        }));
    }

    pub(super) fn function(&self) -> CUfunction {
        self.function.0
    }

    /// The address of each argument, good until `self` moves or changes. The driver copies as many bytes as the
    /// function takes: of an index, whose word is in little-endian order as on every GPU, the lower or both halves.
    pub(super) fn pointers(&mut self) -> Vec<*mut c_void> {
        let words = self.words.as_mut_ptr();
        // SAFETY: each start is inside the words.
        self.starts.iter().map(|&start| unsafe { words.add(start) }.cast::<c_void>()).collect()
    }
}

/// Whether something about a launch does not fit 32-bit indices.
fn is_wide(dim: &[usize], args: &[KernelArg]) -> bool {
    // An empty box may have large extents.
    let large = |extents: &[usize]| {
        volume(extents).is_none_or(|volume| volume >= WIDE) || extents.iter().any(|&extent| extent >= WIDE)
    };
    let large_arg = |arg: &KernelArg| match arg {
        KernelArg::Value(Bits::Index(value)) => *value >= WIDE,
        KernelArg::Value(Bits::Plain(_)) => false,
        KernelArg::Array { shape, .. } => large(shape),
    };
    large(dim) || args.iter().any(large_arg)
}

/// Blocks and threads of a block for a launch of that size, innermost axis first as CUDA has them; `None` if no thread
/// runs. Threads go round in the emitted loop, so fewer than one an index are enough.
fn grid(dim: &[usize]) -> Option<([u32; 3], [u32; 3])> {
    let flat = [volume(dim).unwrap_or(usize::MAX)];
    // 256 threads a block; one loop goes over a launch of four axes.
    let (extents, block) = match dim.len() {
        1 | 4 => (&flat[..], [256, 1, 1]),
        2 => (dim, [32, 8, 1]),
        _ => (dim, [32, 4, 2]),
    };
    if flat[0] == 0 {
        return None;
    }
    // CUDA's limits; along x also 2³¹ threads in all, which the emitted loop adds up in 32 bits.
    let most = [WIDE / 256, 65_535, 65_535];
    let mut grid = [1; 3];
    for (axis, &extent) in extents.iter().rev().enumerate() {
        let blocks = extent.div_ceil(block[axis] as usize).min(most[axis]);
        grid[axis] = u32::try_from(blocks).unwrap_or(u32::MAX);
    }
    Some((grid, block))
}

/// How many blocks fill a multiprocessor.
const FULL: u32 = 8;

/// A part of the grid with about `most` blocks at most, which goes round more often. Only as many blocks then add to sums as
/// the device runs at once.
fn capped([x, y, z]: [u32; 3], most: u32) -> [u32; 3] {
    let x = x.min(most);
    let y = y.min(most.div_ceil(x));
    [x, y, z.min(most.div_ceil(x * y))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_covers_the_launch_as_far_as_it_may() {
        assert_eq!(grid(&[1000]), Some(([4, 1, 1], [256, 1, 1])));
        assert_eq!(grid(&[3, 33]), Some(([2, 1, 1], [32, 8, 1])));
        assert_eq!(grid(&[2, 9, 64]), Some(([2, 3, 1], [32, 4, 2])));
        assert_eq!(grid(&[2, 3, 4, 5]), Some(([1, 1, 1], [256, 1, 1])));
        assert_eq!(grid(&[usize::MAX]), Some(([1 << 23, 1, 1], [256, 1, 1])));
        assert_eq!(grid(&[1 << 30, 1]), Some(([1, 65_535, 1], [32, 8, 1])));
        assert_eq!(grid(&[7, 0]), None);
    }

    #[test]
    fn a_capped_grid_is_as_wide_as_it_may_be() {
        assert_eq!(capped([7, 3, 2], 1000), [7, 3, 2]);
        assert_eq!(capped([1 << 23, 3, 2], 1000), [1000, 1, 1]);
        assert_eq!(capped([100, 65_535, 2], 1000), [100, 10, 1]);
        assert_eq!(capped([4, 4, 65_535], 64), [4, 4, 4]);
    }

    #[test]
    fn what_does_not_fit_31_bits_takes_wide_indices() {
        let values = [7, WIDE].map(Bits::Index);
        let index = |place: usize| [KernelArg::Value(&values[place])];
        assert!(!is_wide(&[WIDE - 1], &index(0)));
        assert!(is_wide(&[WIDE], &index(0)));
        assert!(is_wide(&[1 << 16, 1 << 15], &index(0)));
        assert!(is_wide(&[usize::MAX, 2], &index(0)));
        assert!(is_wide(&[1], &index(1)));
    }
}

//! Kernel launches on a CUDA device.

use super::buffer::Buffer;
use super::error::failed;
use super::function::{Loaded, Variant};
use super::stream::Cuda;
use crate::array::{Bits, volume};
use crate::backend::accelerator::{Buffer as _, Checks, KernelArg, KernelLaunch};
use crate::backend::fault;
use crate::error::{DeviceError, LaunchError};
use cudarc::driver::CudaStream;
use cudarc::driver::result;
use cudarc::driver::sys::CUfunction;
use kernel_ir::back::Fault;
use kernel_ir::ir::{AbiArg, ParamId};
use std::ffi::c_void;
use std::sync::Arc;

/// A launch in the form of the driver: a function, its grid and its packed arguments.
pub(super) struct Ready {
    function: Loaded,
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    /// The arguments in order. Each starts at a word.
    words: Vec<u64>,
    /// The first word of each argument.
    starts: Vec<usize>,
}

/// The limit of indices in kernels with 32-bit indices. The unsigned 32-bit range leaves room above it: a loop adds its
/// step, and the grid-stride loop the number of threads, before they detect the end.
const WIDE: usize = 1 << 31;

/// Runs a launch. With checks, waits for the end and returns the recorded fault.
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
        // SAFETY: the arguments have the layout that the emitted function declares, because both follow its `abi`.
        // Every pointer is memory of this device. It is freed in the order of its stream, which waits for this launch.
        // In a kernel without checks, an index out of bounds is undefined behaviour of the author's code, as in all
        // CUDA; with checks, it is recorded, and no memory outside of arrays is accessed.
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
    fault::look(launch.program, Fault::from_words(words), launch.dim.len())
}

/// The streams that own the arrays among `args`.
pub(super) fn streams<'a>(args: &'a [KernelArg<'a>]) -> impl Iterator<Item = &'a Arc<CudaStream>> {
    args.iter().filter_map(|arg| match arg {
        KernelArg::Array { buffer, .. } => Some(Buffer::of(*buffer).stream()),
        KernelArg::Value(_) => None,
    })
}

/// Prepares a launch; `None` if it has no threads.
pub(super) fn ready(
    cuda: &Cuda,
    launch: &KernelLaunch<'_>,
    faults: Option<&Buffer>,
) -> Result<Option<Ready>, DeviceError> {
    let KernelLaunch { program, dim, args } = *launch;
    let Some((grid, block)) = grid(dim, program.kernel.block) else { return Ok(None) };
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
            AbiArg::Pointer(id) => {
                let (buffer, shape) = array(id);
                let is_absent = program.kernel.param(id).is_optional() && shape.contains(&0);
                push(&(if is_absent { 0 } else { buffer.pointer() }).to_le_bytes());
            }
            AbiArg::Extent(id, axis) => push(&index(array(id).1[usize::from(axis)])),
            AbiArg::Dim(axis) => push(&index(dim[usize::from(axis)])),
        }
    }
    Ok(Some(ready))
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

    /// Pointers to the arguments, valid until `self` is moved or changed. The driver copies as many bytes as the
    /// function declares. For a 32-bit index it copies the lower half of the word, which comes first in little-endian
    /// order.
    pub(super) fn pointers(&mut self) -> Vec<*mut c_void> {
        let words = self.words.as_mut_ptr();
        // SAFETY: each start is inside `words`.
        self.starts.iter().map(|&start| unsafe { words.add(start) }.cast::<c_void>()).collect()
    }
}

/// Whether a launch has an extent or an index that does not fit 32-bit indices.
fn is_wide(dim: &[usize], args: &[KernelArg]) -> bool {
    // The volume of an empty box is 0, but its other extents may be large.
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

/// The grid and the block of a launch, innermost axis first as in CUDA; `None` if it has no threads. Kernels have a
/// grid-stride loop, so the grid may have fewer threads than the launch. A launch over blocks says how many threads each has.
fn grid(dim: &[usize], of_block: Option<u32>) -> Option<([u32; 3], [u32; 3])> {
    let flat = [volume(dim).unwrap_or(usize::MAX)];
    // Blocks of 256 threads. A launch of four axes is flattened, because CUDA has three.
    let (extents, block) = match dim.len() {
        1 | 4 => (&flat[..], [256, 1, 1]),
        2 => (dim, [32, 8, 1]),
        _ => (dim, [32, 4, 2]),
    };
    if flat[0] == 0 {
        return None;
    }
    if let Some(size) = of_block {
        return Some(([u32::try_from(flat[0].min(WIDE / 256)).unwrap_or(u32::MAX), 1, 1], [size, 1, 1]));
    }
    // CUDA's limits. Along x, also fewer than 2³¹ threads, because the grid-stride loop adds the number of threads in
    // 32 bits.
    let most = [WIDE / 256, 65_535, 65_535];
    let mut grid = [1; 3];
    for (axis, &extent) in extents.iter().rev().enumerate() {
        let blocks = extent.div_ceil(block[axis] as usize).min(most[axis]);
        grid[axis] = u32::try_from(blocks).unwrap_or(u32::MAX);
    }
    Some((grid, block))
}

/// The number of blocks that fill a multiprocessor: 8 × 256 = 2048 threads.
const FULL: u32 = 8;

/// Limits the grid to about `most` blocks, which then loop more often. Each warp ends a grid reduction with one atomic
/// addition, so no more warps should run than the device holds at once.
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
        assert_eq!(grid(&[1000], None), Some(([4, 1, 1], [256, 1, 1])));
        assert_eq!(grid(&[3, 33], None), Some(([2, 1, 1], [32, 8, 1])));
        assert_eq!(grid(&[2, 9, 64], None), Some(([2, 3, 1], [32, 4, 2])));
        assert_eq!(grid(&[2, 3, 4, 5], None), Some(([1, 1, 1], [256, 1, 1])));
        assert_eq!(grid(&[usize::MAX], None), Some(([1 << 23, 1, 1], [256, 1, 1])));
        assert_eq!(grid(&[1 << 30, 1], None), Some(([1, 65_535, 1], [32, 8, 1])));
        assert_eq!(grid(&[7, 0], None), None);
        assert_eq!(grid(&[7], Some(64)), Some(([7, 1, 1], [64, 1, 1])));
        assert_eq!(grid(&[1 << 40], Some(1024)), Some(([1 << 23, 1, 1], [1024, 1, 1])));
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

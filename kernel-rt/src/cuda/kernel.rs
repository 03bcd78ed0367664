//! Launches of emitted functions.

use super::{Buffer, Cuda, compile, failed};
use crate::array::{Bits, volume};
use crate::device::Checks;
use crate::{DeviceError, LaunchError};
use cudarc::driver::result;
use cudarc::driver::sys::CUfunction;
use kernel_ir::analysis::{ExtentPrecondition, extent_preconditions, grid_reductions};
use kernel_ir::back::c::{self, Fault};
use kernel_ir::ir::AbiArg;
use kernel_ir::text;
use kernel_ir::verify::{VerifiedKernel, verify};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::sync::{Arc, Mutex, PoisonError};

/// The emitted functions that a device has run, by the address of a text that is theirs alone and `'static`.
#[derive(Default)]
pub(super) struct Kernels(Mutex<HashMap<usize, Arc<Function>>>);

/// An emitted function.
pub(super) struct Function {
    pub(super) kernel: VerifiedKernel,
    abi: Vec<AbiArg>,
    checked_abi: Vec<AbiArg>,
    /// What every launch needs of its arrays.
    needs: Vec<ExtentPrecondition>,
    /// Whether every warp adds to sums of the whole launch at its end.
    sums: bool,
    entry: CString,
    source: Cow<'static, str>,
    /// The machine code of each variant that was needed.
    loaded: Mutex<Vec<(Variant, Loaded)>>,
}

/// How a function is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variant {
    /// With 64-bit indices.
    wide: bool,
    checks: Checks,
}

/// Machine code on a device. It stays as long as the process: a device is never closed.
#[derive(Clone, Copy)]
struct Loaded(CUfunction);

// SAFETY: the handle is a number to this process. The driver takes it from every thread.
unsafe impl Send for Loaded {}

/// An argument on the device.
pub(crate) enum KernelArg<'a> {
    Value(Bits),
    Array { buffer: &'a Buffer, shape: &'a [usize] },
}

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

impl Cuda {
    /// Runs an emitted function over `dim`. With checks it waits for the end, and gives the fault if there was one.
    pub(super) fn run(
        self: &Arc<Self>,
        function: &Function,
        dim: &[usize],
        args: &[KernelArg],
        checks: Checks,
    ) -> Result<(), RunError> {
        function.check(dim, args)?;
        let record = match checks {
            Checks::Off => None,
            Checks::On => Some(Buffer::zeros(self, Fault::WORDS * size_of::<u64>())?),
        };
        let Some(mut ready) = self.ready(function, dim, args, record.as_ref())? else { return Ok(()) };
        self.bind()?;
        let (code, [gx, gy, gz], [bx, by, bz]) = (ready.function(), ready.grid, ready.block);
        let buffers = args.iter().filter_map(|arg| match arg {
            KernelArg::Array { buffer, .. } => Some(*buffer),
            KernelArg::Value(_) => None,
        });
        self.among(buffers, || {
            // SAFETY: the arguments are as the emitted function declares them, both by its `abi`; every pointer is memory of
            // this device, which lives until its stream, which waits for this one, has passed the launch. An index that is
            // out of bounds is the author's error, as in all CUDA; with checks it is found, and nothing outside of arrays is
            // touched.
            unsafe {
                let stream = self.stream.cu_stream();
                result::launch_kernel(code, (gx, gy, gz), (bx, by, bz), 0, stream, &mut ready.pointers())
            }
            .map_err(failed("cuLaunchKernel"))
        })?;
        match record {
            None => Ok(()),
            Some(record) => function.look(&record, dim.len()),
        }
    }

    /// A launch that only the driver is missing from; `None` if no thread runs.
    pub(super) fn ready(
        &self,
        function: &Function,
        dim: &[usize],
        args: &[KernelArg],
        faults: Option<&Buffer>,
    ) -> Result<Option<Ready>, DeviceError> {
        let Some((grid, block)) = grid(dim) else { return Ok(None) };
        let grid = if function.sums { capped(grid, self.processors * FULL) } else { grid };
        let checks = if faults.is_some() { Checks::On } else { Checks::Off };
        let code = function.load(self, Variant { wide: is_wide(dim, args), checks })?;
        let mut ready = Ready { function: code, grid, block, words: Vec::new(), starts: Vec::new() };
        let mut push = |bytes: &[u8]| ready.push(bytes);
        let index = |index: usize| index as u64;
        let abi = if faults.is_some() { &function.checked_abi } else { &function.abi };
        for arg in abi {
            match *arg {
                AbiArg::Dim(0) if let Some(faults) = faults => {
                    push(&faults.pointer().to_le_bytes());
                    push(&index(dim[0]).to_le_bytes());
                }
                AbiArg::Value(id) => match &args[id.0 as usize] {
                    KernelArg::Value(Bits::Plain(bytes)) => push(bytes),
                    KernelArg::Value(Bits::Index(value)) => push(&index(*value).to_le_bytes()),
                    KernelArg::Array { .. } => unreachable!("arguments have the kinds of their parameters"),
                },
                AbiArg::Pointer(id) => match &args[id.0 as usize] {
                    KernelArg::Array { buffer, .. } => push(&buffer.pointer().to_le_bytes()),
                    KernelArg::Value(_) => unreachable!("arguments have the kinds of their parameters"),
                },
                AbiArg::Extent(id, axis) => match &args[id.0 as usize] {
                    KernelArg::Array { shape, .. } => push(&index(shape[usize::from(axis)]).to_le_bytes()),
                    KernelArg::Value(_) => unreachable!("arguments have the kinds of their parameters"),
                },
                AbiArg::Dim(axis) => push(&index(dim[usize::from(axis)]).to_le_bytes()),
            }
        }
        Ok(Some(ready))
    }

    /// The function of that IR and text.
    pub(super) fn function(&self, ir: &'static str, source: &'static str) -> Arc<Function> {
        let kernel = || {
            let kernel = text::parse(ir).expect("the macro has printed the IR");
            verify(kernel).expect("the macro has checked the kernel")
        };
        self.kernels.get_or(ir.as_ptr().addr(), || Function::new(kernel(), source))
    }
}

impl Kernels {
    /// The function under that address; `make` makes it.
    pub(super) fn get_or(&self, address: usize, make: impl FnOnce() -> Function) -> Arc<Function> {
        let mut functions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(functions.entry(address).or_insert_with(|| Arc::new(make())))
    }
}

impl Function {
    /// `source` is what a writer made of `kernel`.
    pub(super) fn new(kernel: VerifiedKernel, source: impl Into<Cow<'static, str>>) -> Function {
        Function {
            abi: kernel.abi(),
            checked_abi: kernel.checked_abi(),
            needs: extent_preconditions(&kernel),
            sums: !grid_reductions(&kernel).is_empty(),
            entry: CString::new(c::entry_name(&kernel)).expect("a name has no zero byte"),
            kernel,
            source: source.into(),
            loaded: Mutex::default(),
        }
    }

    /// Checks that arrays are as long as every thread needs them: a GPU would go beyond their ends.
    pub(super) fn check(&self, dim: &[usize], args: &[KernelArg]) -> Result<(), RunError> {
        for need in &self.needs {
            let KernelArg::Array { shape, .. } = &args[need.array.0 as usize] else { continue };
            let (threads, extent) = (dim[usize::from(need.tid)], shape[usize::from(need.axis)]);
            if extent < threads && volume(dim) != Some(0) {
                let param = self.kernel.param(need.array).name.clone();
                return Err(RunError::TooShort { param, axis: need.axis, extent, threads });
            }
        }
        Ok(())
    }

    fn load(&self, cuda: &Cuda, variant: Variant) -> Result<Loaded, DeviceError> {
        // A variant is added whole or not at all.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, loaded)) = loaded.iter().find(|(of, _)| *of == variant) {
            return Ok(*loaded);
        }
        let cubin = compile::cubin(&self.kernel.name, &self.text(variant), &cuda.arch)?;
        cuda.bind()?;
        // SAFETY: the image is a whole cubin; the driver copies it. The function is asked of a module that stays loaded.
        let function = unsafe {
            let module =
                result::module::load_data(cubin.as_ptr().cast::<c_void>()).map_err(failed("cuModuleLoadData"))?;
            result::module::get_function(module, self.entry.clone()).map_err(failed("cuModuleGetFunction"))?
        };
        loaded.push((variant, Loaded(function)));
        Ok(Loaded(function))
    }

    /// The text of a variant.
    fn text(&self, Variant { wide, checks }: Variant) -> Cow<'_, str> {
        let text = match checks {
            Checks::Off => Cow::Borrowed(&*self.source),
            Checks::On => Cow::Owned(c::write_checked(&self.kernel)),
        };
        if wide { Cow::Owned(c::with_wide_indices(&text)) } else { text }
    }

    /// Whether a launch over `axes` axes has left a fault in `record`.
    fn look(&self, record: &Buffer, axes: usize) -> Result<(), RunError> {
        let mut words = [0_u64; Fault::WORDS];
        record.download(bytemuck::cast_slice_mut(&mut words))?;
        let fault = Fault::from_words(words);
        let thread = fault.thread[..axes].iter().map(|&index| index as usize).collect();
        let array = self.kernel.params.get(fault.param as usize).map_or("", |param| &param.name);
        let Fault { index, axis, extent, .. } = fault;
        let message = match fault.kind {
            0 => return Ok(()),
            1 => format!(
                "index out of bounds: the index is {index} along axis {axis} of `{array}`, whose extent is {extent}"
            ),
            _ => format!("a NaN is stored to `{array}`"),
        };
        Err(RunError::Fault { thread, message })
    }
}

/// Why a function did not run, or what it ran into.
pub(super) enum RunError {
    Device(DeviceError),
    /// Every thread uses its own index along an axis that is shorter than the launch.
    TooShort {
        param: String,
        axis: u8,
        extent: usize,
        threads: usize,
    },
    /// What checks have found.
    Fault {
        thread: Vec<usize>,
        message: String,
    },
}

impl RunError {
    /// The same for those who launched `kernel`.
    pub(super) fn of(self, kernel: &'static str) -> LaunchError {
        match self {
            RunError::Device(error) => LaunchError::Device { kernel, error },
            RunError::TooShort { param, axis, extent, threads } => {
                LaunchError::TooShort { kernel, param, axis: axis.into(), extent, threads }
            }
            RunError::Fault { thread, message } => LaunchError::Failed { kernel, thread, message },
        }
    }
}

impl From<DeviceError> for RunError {
    fn from(error: DeviceError) -> RunError {
        RunError::Device(error)
    }
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
        let index = |value| [KernelArg::Value(Bits::Index(value))];
        assert!(!is_wide(&[WIDE - 1], &index(7)));
        assert!(is_wide(&[WIDE], &index(7)));
        assert!(is_wide(&[1 << 16, 1 << 15], &index(7)));
        assert!(is_wide(&[usize::MAX, 2], &index(7)));
        assert!(is_wide(&[1], &index(WIDE)));
    }
}

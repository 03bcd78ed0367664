//! Emitted functions: their texts, and their machine code on a device.

use super::compile;
use super::error::failed;
use crate::backend::accelerator::Checks;
use crate::backend::program::{Program, ProgramSource};
use crate::error::DeviceError;
use crate::registry::Pass;
use cudarc::driver::sys::CUfunction;
use cudarc::driver::{CudaContext, result};
use kernel_ir::analysis::grid_reductions;
use kernel_ir::back::c::{self, Dialect};
use kernel_ir::ir::AbiArg;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::sync::{Arc, Mutex, PoisonError};

/// The target whose texts this backend runs.
const TARGET: &str = "cuda";

/// The emitted functions that a device has run, by the addresses of their programs.
#[derive(Default)]
pub(super) struct Functions(Mutex<HashMap<usize, Arc<Function>>>);

/// An emitted function.
pub(super) struct Function {
    pub(super) abi: Vec<AbiArg>,
    pub(super) checked_abi: Vec<AbiArg>,
    /// Whether the kernel has grid reductions: every warp then adds to them once at its end.
    pub(super) sums: bool,
    entry: CString,
    source: Cow<'static, str>,
    /// The machine code of each variant that has been loaded.
    loaded: Mutex<Vec<(Variant, Loaded)>>,
}

/// A variant of the compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variant {
    /// Whether indices have 64 bits.
    pub(super) wide: bool,
    pub(super) checks: Checks,
}

/// Machine code on a device. It lives as long as the process, because a device is never closed.
#[derive(Clone, Copy)]
pub(super) struct Loaded(pub(super) CUfunction);

// SAFETY: the handle is an opaque value. The driver accepts it on every thread.
unsafe impl Send for Loaded {}

impl Functions {
    /// The function of a program.
    pub(super) fn get(&self, program: &Program) -> Arc<Function> {
        let mut functions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let function = functions.entry(std::ptr::from_ref(program).addr());
        Arc::clone(function.or_insert_with(|| Arc::new(Function::new(program))))
    }

    /// Forgets a program. Its machine code stays on the device.
    pub(super) fn forget(&self, program: &Program) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&std::ptr::from_ref(program).addr());
    }
}

impl Function {
    fn new(program: &Program) -> Function {
        let kernel = &program.kernel;
        Function {
            abi: kernel.abi(),
            checked_abi: kernel.checked_abi(),
            sums: !grid_reductions(kernel).is_empty(),
            entry: CString::new(c::entry_name(kernel)).expect("a name has no zero byte"),
            source: match program.source {
                ProgramSource::Registered(info, Pass::Forward) => info.text(TARGET).unwrap_or_default().into(),
                ProgramSource::Registered(info, Pass::Backward) => {
                    info.backward.and_then(|backward| backward.text(TARGET)).unwrap_or_default().into()
                }
                ProgramSource::Runtime => c::write(&program.kernel, Dialect::Cuda).into(),
                ProgramSource::Text(ref text) => text.clone().into(),
            },
            loaded: Mutex::default(),
        }
    }

    /// The machine code of a variant of `program` for the device of `context` with the architecture `arch`.
    pub(super) fn load(
        &self,
        program: &Program,
        variant: Variant,
        context: &CudaContext,
        arch: &str,
    ) -> Result<Loaded, DeviceError> {
        // Poisoning is harmless: a variant is pushed as a whole.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, loaded)) = loaded.iter().find(|(of, _)| *of == variant) {
            return Ok(*loaded);
        }
        let cubin = compile::cubin(&program.kernel.name, &self.text(program, variant), arch)?;
        context.bind_to_thread().map_err(failed("cuCtxSetCurrent"))?;
        // SAFETY: the image is a complete cubin, which the driver copies. The module is never unloaded.
        let function = unsafe {
            let module =
                result::module::load_data(cubin.as_ptr().cast::<c_void>()).map_err(failed("cuModuleLoadData"))?;
            result::module::get_function(module, self.entry.clone()).map_err(failed("cuModuleGetFunction"))?
        };
        loaded.push((variant, Loaded(function)));
        Ok(Loaded(function))
    }

    /// The source text of a variant.
    fn text(&self, program: &Program, Variant { wide, checks }: Variant) -> Cow<'_, str> {
        let text = match checks {
            Checks::Off => Cow::Borrowed(&*self.source),
            Checks::On => Cow::Owned(c::write_checked(&program.kernel)),
        };
        if wide { Cow::Owned(c::with_wide_indices(&text)) } else { text }
    }
}

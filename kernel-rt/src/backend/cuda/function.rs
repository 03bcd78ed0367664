//! Emitted functions: their text, and the machine code that a device has loaded.

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

/// The emitted functions that a device has run, by the address of their program.
#[derive(Default)]
pub(super) struct Functions(Mutex<HashMap<usize, Arc<Function>>>);

/// An emitted function.
pub(super) struct Function {
    pub(super) abi: Vec<AbiArg>,
    pub(super) checked_abi: Vec<AbiArg>,
    /// Whether every warp adds to sums of the whole launch at its end.
    pub(super) sums: bool,
    entry: CString,
    source: Cow<'static, str>,
    /// The machine code of each variant that was needed.
    loaded: Mutex<Vec<(Variant, Loaded)>>,
}

/// How a function is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variant {
    /// With 64-bit indices.
    pub(super) wide: bool,
    pub(super) checks: Checks,
}

/// Machine code on a device. It stays as long as the process: a device is never closed.
#[derive(Clone, Copy)]
pub(super) struct Loaded(pub(super) CUfunction);

// SAFETY: the handle is a number to this process. The driver takes it from every thread.
unsafe impl Send for Loaded {}

impl Functions {
    /// The function of a program.
    pub(super) fn get(&self, program: &Program) -> Arc<Function> {
        let mut functions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let function = functions.entry(std::ptr::from_ref(program).addr());
        Arc::clone(function.or_insert_with(|| Arc::new(Function::new(program))))
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
            },
            loaded: Mutex::default(),
        }
    }

    /// The machine code of a variant of `program` for the device of `context`, whose architecture is `arch`.
    pub(super) fn load(
        &self,
        program: &Program,
        variant: Variant,
        context: &CudaContext,
        arch: &str,
    ) -> Result<Loaded, DeviceError> {
        // A variant is added whole or not at all.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, loaded)) = loaded.iter().find(|(of, _)| *of == variant) {
            return Ok(*loaded);
        }
        let cubin = compile::cubin(&program.kernel.name, &self.text(program, variant), arch)?;
        context.bind_to_thread().map_err(failed("cuCtxSetCurrent"))?;
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
    fn text(&self, program: &Program, Variant { wide, checks }: Variant) -> Cow<'_, str> {
        let text = match checks {
            Checks::Off => Cow::Borrowed(&*self.source),
            Checks::On => Cow::Owned(c::write_checked(&program.kernel)),
        };
        if wide { Cow::Owned(c::with_wide_indices(&text)) } else { text }
    }
}

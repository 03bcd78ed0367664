//! Launches of registered kernels on arguments as data.

use crate::array::{AnyValue, Bits, volume};
use crate::backend::{Accelerator, Buffer, Checks, KernelArg, KernelLaunch, Program};
use crate::device::Device;
use crate::error::{DeviceError, LaunchError};
use crate::registry::{KernelInfo, Pass};
use kernel_ir::columns::{number_of_no_variant, pack, unpack};
use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::{Kernel, Param, Type};
use kernel_ir::verify::VerifiedKernel;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

impl Device {
    /// Runs a registered kernel or its adjoint on arguments as data, which are copied to the device and back. It is
    /// meant for tools that handle all kernels; programs call `launch`.
    ///
    /// # Errors
    /// [`LaunchError::NoAdjoint`] if the kernel has no adjoint; [`LaunchError::DimCount`], [`LaunchError::ArgCount`] or
    /// another variant with `Arg` if the arguments do not fit; otherwise the errors of a launch.
    pub fn run(
        &self,
        kernel: &'static KernelInfo,
        pass: Pass,
        dim: &[usize],
        args: &mut [Arg],
    ) -> Result<(), LaunchError> {
        let _turn = self.queue();
        match (self.accelerator(), pass) {
            (Some(accelerator), _) => run(&**accelerator, &*Program::of(kernel, pass)?, dim, args, self.checks()),
            (None, Pass::Forward) => (kernel.cpu)(dim, args),
            (None, Pass::Backward) => (kernel.adjoint()?.cpu)(dim, args),
        }
    }
}

/// A kernel as a text in the language of a device. [`Device::load`] makes one.
///
/// The text runs as it is, so a launch is unchecked on a bounds-checked device, too.
pub struct LoadedText {
    device: Device,
    accelerator: Arc<dyn Accelerator>,
    /// Behind a pointer, because accelerators know a program by its address.
    program: Arc<Program>,
}

impl Device {
    /// A text in the language of this device, which says what `kernel` does: CUDA C++ or WGSL, with the arguments that
    /// the writers of the language give a kernel. `name` stands in errors. The text is compiled when it first runs, and
    /// is trusted: on a CUDA device it may access any memory.
    ///
    /// # Errors
    /// [`DeviceError::Refused`] on the CPU, which runs no texts.
    pub fn load(&self, name: &'static str, kernel: VerifiedKernel, text: String) -> Result<LoadedText, DeviceError> {
        let Some(accelerator) = self.accelerator() else {
            let reason = "the CPU runs no texts of kernels".to_owned();
            return Err(DeviceError::Refused { backend: "CPU", kernel: name.to_owned(), reason });
        };
        let program = Arc::new(Program::of_text(name, kernel, text));
        Ok(LoadedText { device: self.clone(), accelerator: Arc::clone(accelerator), program })
    }
}

impl LoadedText {
    /// Runs the text on arguments as data, as [`Device::run`] runs a registered kernel.
    ///
    /// # Errors
    /// As for [`Device::run`].
    pub fn run(&self, dim: &[usize], args: &mut [Arg]) -> Result<(), LaunchError> {
        let _turn = self.device.queue();
        run(&*self.accelerator, &self.program, dim, args, Checks::Off)
    }
}

impl Drop for LoadedText {
    fn drop(&mut self) {
        self.accelerator.forget(&self.program);
    }
}

impl fmt::Debug for LoadedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadedText").field("device", &self.device).finish_non_exhaustive()
    }
}

/// Runs a program on copies of the arguments, and copies the mutable ones back. `args` has the columns of structs.
fn run(
    on: &dyn Accelerator,
    program: &Program,
    dim: &[usize],
    args: &mut [Arg],
    checks: Checks,
) -> Result<(), LaunchError> {
    let kernel = program.name;
    let failed = |error| LaunchError::Device { kernel, error };
    check(kernel, &program.kernel, dim, args)?;
    check_variants(kernel, &program.kernel, args)?;
    let params = || program.kernel.params.iter().zip(program.kernel.columns());
    let (mut buffers, mut values) = (Vec::new(), Vec::new());
    for (param, columns) in params() {
        let misfit = || LaunchError::ArgMismatch { kernel, argument: columns.start };
        let columns = &args[columns.clone()];
        match param.rank() {
            0 => values.push(bits(param, columns).ok_or_else(misfit)?),
            _ => buffers.push(on.buffer_from(&memory(param, columns).ok_or_else(misfit)?).map_err(failed)?),
        }
    }
    let (mut arrays, mut by_value) = (buffers.iter(), values.iter());
    let passed = params().filter_map(|(param, columns)| match param.rank() {
        0 => by_value.next().map(KernelArg::Value),
        _ => arrays.next().map(|buffer| KernelArg::Array { buffer: &**buffer, shape: &args[columns.start].shape }),
    });
    KernelLaunch { program, dim, args: &passed.collect::<Vec<_>>() }.run(on, checks)?;
    let arrays = params().filter(|(param, _)| param.rank() > 0).zip(&buffers);
    for ((param, columns), buffer) in arrays.filter(|((param, _), _)| param.is_mutable()) {
        download(&**buffer, param, &mut args[columns]).map_err(failed)?;
    }
    on.synchronize().map_err(failed)
}

/// Checks the arguments against the columns of the declared parameters.
fn check(name: &'static str, kernel: &Kernel, dim: &[usize], args: &[Arg]) -> Result<(), LaunchError> {
    let (expected, found) = (usize::from(kernel.dim), dim.len());
    if expected != found {
        return Err(LaunchError::DimCount { kernel: name, expected, found });
    }
    let columns =
        kernel.params.iter().flat_map(|param| param.elem().leaves().into_iter().map(move |leaf| (param, leaf)));
    let columns: Vec<(&Param, Type)> = columns.collect();
    if columns.len() != args.len() {
        return Err(LaunchError::ArgCount { kernel: name, expected: columns.len(), found: args.len() });
    }
    let fits = |(param, ty): (&Param, Type), arg: &Arg| {
        let scalars = volume(&arg.shape).and_then(|len| len.checked_mul(arg.ty.components()));
        ty == arg.ty
            && param.rank() == arg.shape.len()
            && arg.ty.scalar() == arg.data.scalar()
            && scalars == Some(arg.data.len())
    };
    let misfit = columns.iter().zip(args).position(|(column, arg)| !fits(*column, arg));
    // The columns of an array have one shape.
    let is_torn = |columns: &Range<usize>| args[columns.clone()].windows(2).any(|pair| pair[0].shape != pair[1].shape);
    let torn = || kernel.columns().into_iter().find(is_torn).map(|columns| columns.start);
    match misfit.or_else(torn) {
        Some(argument) => Err(LaunchError::ArgMismatch { kernel: name, argument }),
        None => Ok(()),
    }
}

/// Checks that the numbers of enums are those of variants.
fn check_variants(name: &'static str, kernel: &Kernel, args: &[Arg]) -> Result<(), LaunchError> {
    for (param, columns) in kernel.params.iter().zip(kernel.columns()) {
        let columns: Vec<&Data> = args[columns].iter().map(|column| &column.data).collect();
        if let Some((of, number)) = number_of_no_variant(param.elem(), &columns) {
            let (param, of) = (param.name.clone(), of.name.clone());
            return Err(LaunchError::NotVariant { kernel: name, param, name: of, number });
        }
    }
    Ok(())
}

/// A by-value argument; `None` if it is empty.
fn bits(param: &Param, columns: &[Arg]) -> Option<Bits> {
    match columns {
        [Arg { data: Data::Index(values), .. }] => Some(Bits::Index(*values.first()?)),
        columns => Some(Bits::Plain(memory(param, columns)?.into())),
    }
}

/// The memory of an argument; `None` for scalar types that memory cannot have.
fn memory<'a>(param: &Param, columns: &'a [Arg]) -> Option<Cow<'a, [u8]>> {
    match columns {
        [plain] if !param.elem().is_struct() => bytes(&plain.data),
        columns => Some(pack(param.elem(), &columns.iter().map(|column| &column.data).collect::<Vec<_>>()).into()),
    }
}

/// A by-value argument as data: an argument for each of its columns.
pub(crate) fn value_to_args(value: &dyn AnyValue) -> impl Iterator<Item = Arg> {
    let columns = value.ty().leaves().into_iter().zip(value.columns());
    columns.map(|(ty, data)| Arg { ty, shape: Vec::new(), data })
}

/// The bytes of an array; `None` for scalar types that arrays cannot have.
fn bytes(data: &Data) -> Option<Cow<'_, [u8]>> {
    let bytes = match data {
        Data::F16(_) | Data::BF16(_) => return data.to_bytes().map(Cow::Owned),
        Data::I8(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::U8(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::I16(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::U16(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::I32(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::U32(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::I64(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::U64(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::F32(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::F64(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::Bool(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::Index(_) => None,
    };
    bytes.map(Cow::Borrowed)
}

/// Replaces the scalars of an array by those in `buffer`.
fn download(buffer: &dyn Buffer, param: &Param, columns: &mut [Arg]) -> Result<(), DeviceError> {
    if let [Arg { data, .. }] = columns
        && !param.elem().is_struct()
        && let Some(bytes) = bytes_mut(data)
    {
        return buffer.download(bytes);
    }
    let mut memory = vec![0; buffer.len()];
    buffer.download(&mut memory)?;
    let found = unpack(param.elem(), &memory).ok_or(DeviceError::NotBool)?;
    columns.iter_mut().zip(found).for_each(|(column, data)| column.data = data);
    Ok(())
}

/// The mutable bytes of numbers; `None` for scalar types that arrays cannot have, and for `bool`, which not every byte is.
fn bytes_mut(data: &mut Data) -> Option<&mut [u8]> {
    match data {
        Data::I8(scalars) => Some(bytemuck::cast_slice_mut(scalars)),
        Data::U8(scalars) => Some(bytemuck::cast_slice_mut(scalars)),
        Data::I16(scalars) => Some(bytemuck::cast_slice_mut(scalars)),
        Data::U16(scalars) => Some(bytemuck::cast_slice_mut(scalars)),
        Data::I32(scalars) => Some(bytemuck::cast_slice_mut(scalars)),
        Data::U32(scalars) => Some(bytemuck::cast_slice_mut(scalars)),
        Data::I64(scalars) => Some(bytemuck::cast_slice_mut(scalars)),
        Data::U64(scalars) => Some(bytemuck::cast_slice_mut(scalars)),
        Data::F32(scalars) => Some(bytemuck::cast_slice_mut(scalars)),
        Data::F64(scalars) => Some(bytemuck::cast_slice_mut(scalars)),
        // `Data` has floats of 16 bits as `f32`.
        Data::F16(_) | Data::BF16(_) => None,
        Data::Bool(_) | Data::Index(_) => None,
    }
}

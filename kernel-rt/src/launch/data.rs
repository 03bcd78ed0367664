//! Launches of registered kernels on arguments as data.

use crate::array::{AnyValue, Bits, volume};
use crate::backend::{Accelerator, Buffer, Checks, KernelArg, KernelLaunch, Program};
use crate::device::Device;
use crate::device_array;
use crate::error::{DeviceError, LaunchError};
use crate::registry::{KernelInfo, Pass};
use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::{Kernel, Param};

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

/// Runs a program on copies of the arguments, and copies the mutable ones back.
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
    let misfit = |argument| LaunchError::ArgMismatch { kernel, argument };
    let (mut buffers, mut values) = (Vec::new(), Vec::new());
    for (place, arg) in args.iter().enumerate() {
        if arg.shape.is_empty() {
            values.push(bits(&arg.data).ok_or_else(|| misfit(place))?);
        } else {
            buffers.push(on.buffer_from(bytes(&arg.data).ok_or_else(|| misfit(place))?).map_err(failed)?);
        }
    }
    let (mut arrays, mut by_value) = (buffers.iter(), values.iter());
    let passed = args.iter().filter_map(|arg| match arg.shape.is_empty() {
        true => by_value.next().map(KernelArg::Value),
        false => arrays.next().map(|buffer| KernelArg::Array { buffer: &**buffer, shape: &arg.shape }),
    });
    KernelLaunch { program, dim, args: &passed.collect::<Vec<_>>() }.run(on, checks)?;
    let arrays = program.kernel.params.iter().zip(args).filter(|(_, arg)| !arg.shape.is_empty());
    for ((param, arg), buffer) in arrays.zip(&buffers) {
        if param.is_mutable() {
            download(&**buffer, &mut arg.data).map_err(failed)?;
        }
    }
    on.synchronize().map_err(failed)
}

/// Checks the arguments against the declared parameters.
fn check(name: &'static str, kernel: &Kernel, dim: &[usize], args: &[Arg]) -> Result<(), LaunchError> {
    let (expected, found) = (usize::from(kernel.dim), dim.len());
    if expected != found {
        return Err(LaunchError::DimCount { kernel: name, expected, found });
    }
    if kernel.params.len() != args.len() {
        return Err(LaunchError::ArgCount { kernel: name, expected: kernel.params.len(), found: args.len() });
    }
    let fits = |param: &Param, arg: &Arg| {
        let scalars = volume(&arg.shape).and_then(|len| len.checked_mul(arg.ty.components()));
        param.elem() == arg.ty
            && param.rank() == arg.shape.len()
            && arg.ty.scalar() == arg.data.scalar()
            && scalars == Some(arg.data.len())
    };
    match kernel.params.iter().zip(args).position(|(param, arg)| !fits(param, arg)) {
        Some(argument) => Err(LaunchError::ArgMismatch { kernel: name, argument }),
        None => Ok(()),
    }
}

/// A by-value argument; `None` if `data` is empty.
fn bits(data: &Data) -> Option<Bits> {
    match data {
        Data::Index(values) => Some(Bits::Index(*values.first()?)),
        data => Some(Bits::Plain(bytes(data)?.into())),
    }
}

/// A by-value argument as data: an argument for each of its columns.
pub(crate) fn value_to_args(value: &dyn AnyValue) -> impl Iterator<Item = Arg> {
    let columns = value.ty().leaves().into_iter().zip(value.columns());
    columns.map(|(ty, data)| Arg { ty, shape: Vec::new(), data })
}

/// The bytes of an array; `None` for scalar types that arrays cannot have.
fn bytes(data: &Data) -> Option<&[u8]> {
    match data {
        Data::I32(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::U32(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::I64(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::U64(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::F32(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::F64(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::Bool(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::Index(_) => None,
    }
}

/// Replaces the scalars of an array by those in `buffer`.
fn download(buffer: &dyn Buffer, data: &mut Data) -> Result<(), DeviceError> {
    if let Data::Bool(scalars) = data {
        *scalars = device_array::download(buffer, scalars.len())?;
    } else if let Some(bytes) = bytes_mut(data) {
        buffer.download(bytes)?;
    }
    Ok(())
}

/// The mutable bytes of numbers; `None` for scalar types that arrays cannot have, and for `bool`, which not every byte is.
fn bytes_mut(data: &mut Data) -> Option<&mut [u8]> {
    match data {
        Data::I32(scalars) => Some(bytemuck::cast_slice_mut(scalars)),
        Data::U32(scalars) => Some(bytemuck::cast_slice_mut(scalars)),
        Data::I64(scalars) => Some(bytemuck::cast_slice_mut(scalars)),
        Data::U64(scalars) => Some(bytemuck::cast_slice_mut(scalars)),
        Data::F32(scalars) => Some(bytemuck::cast_slice_mut(scalars)),
        Data::F64(scalars) => Some(bytemuck::cast_slice_mut(scalars)),
        Data::Bool(_) | Data::Index(_) => None,
    }
}

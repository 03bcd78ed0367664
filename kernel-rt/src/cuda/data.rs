//! Launches on arguments as data.

use super::kernel::KernelArg;
use super::{Buffer, Cuda};
use crate::array::{Bits, volume};
use crate::device::Checks;
use crate::{KernelInfo, LaunchError, Pass};
use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::{Kernel, Param};
use std::sync::Arc;

impl Cuda {
    /// Runs a pass of a kernel on copies of the arguments, and brings back those that it may write.
    pub(crate) fn run_on_data(
        self: &Arc<Self>,
        info: &'static KernelInfo,
        pass: Pass,
        dim: &[usize],
        args: &mut [Arg],
        checks: Checks,
    ) -> Result<(), LaunchError> {
        let kernel = info.name;
        let failed = |error| LaunchError::Device { kernel, error };
        let (ir, source) = match pass {
            Pass::Forward => (info.ir, info.cuda_forward),
            Pass::Backward => info.adjoint().map(|adjoint| (adjoint.ir, adjoint.cuda))?,
        };
        let function = self.function(ir, source);
        check(kernel, &function.kernel, dim, args)?;
        let misfit = |argument| LaunchError::ArgMismatch { kernel, argument };
        let mut buffers = Vec::new();
        for (place, arg) in args.iter().enumerate().filter(|(_, arg)| !arg.shape.is_empty()) {
            let bytes = bytes(&arg.data).ok_or_else(|| misfit(place))?;
            buffers.push(Buffer::of(self, bytes).map_err(failed)?);
        }
        let mut arrays = buffers.iter().peekable();
        let mut passed = Vec::new();
        for (place, arg) in args.iter().enumerate() {
            passed.push(match arrays.next_if(|_| !arg.shape.is_empty()) {
                Some(buffer) => KernelArg::Array { buffer, shape: &arg.shape },
                None => KernelArg::Value(bits(&arg.data).ok_or_else(|| misfit(place))?),
            });
        }
        self.run(&function, dim, &passed, checks).map_err(|error| error.of(kernel))?;
        drop(passed);
        let arrays = function.kernel.params.iter().zip(args).filter(|(_, arg)| !arg.shape.is_empty());
        for ((param, arg), buffer) in arrays.zip(&buffers) {
            if param.is_mutable()
                && let Some(bytes) = bytes_mut(&mut arg.data)
            {
                buffer.download(bytes).map_err(failed)?;
            }
        }
        self.synchronize().map_err(failed)
    }
}

/// Checks that the arguments are what the kernel declares.
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

/// A by-value argument; `None` if there is nothing.
fn bits(data: &Data) -> Option<Bits> {
    match data {
        Data::Index(values) => Some(Bits::Index(*values.first()?)),
        Data::Bool(values) => Some(Bits::Plain([u8::from(*values.first()?)].into())),
        data => Some(Bits::Plain(bytes(data)?.into())),
    }
}

/// The elements of an array; `None` of scalars that no array is made of.
fn bytes(data: &Data) -> Option<&[u8]> {
    match data {
        Data::I32(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::U32(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::I64(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::U64(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::F32(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::F64(scalars) => Some(bytemuck::cast_slice(scalars)),
        Data::Bool(_) | Data::Index(_) => None,
    }
}

/// The same, to be changed.
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

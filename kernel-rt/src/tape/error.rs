//! Why there is no gradient.

use crate::device_array::Writer;
use crate::error::{DeviceError, LaunchError};
use kernel_ir::interp::Site;
use kernel_ir::ir::Type;

/// Why there is no gradient.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TapeError {
    /// An array was changed after a launch by something that is not on the tape.
    #[error(
        "`{param}` of kernel `{kernel}` was changed after that launch by {writer}, which is not on the tape\n\
         help: record the launch that changes it on the tape too, or change it after `clear`"
    )]
    Changed {
        /// The kernel of the launch on the tape.
        kernel: &'static str,
        /// Its parameter that got the array.
        param: &'static str,
        /// Who changed the array last.
        writer: Writer,
    },
    /// The gradient depends on an array that a kernel without an adjoint has written.
    #[error("the gradient goes through `{param}`, which the kernel `{kernel}` wrote, and that is marked `no_grad`")]
    NoGrad {
        /// The kernel.
        kernel: &'static str,
        /// Its parameter that got the array.
        param: &'static str,
    },
    /// Backward was to start from an array that no launch on the tape uses.
    #[error("no launch on the tape uses the array from which backward is to start")]
    NotRecorded,
    /// Backward was to start from an array that is not a single number.
    #[error("a loss has one element, and this array has the shape {shape:?}; `backward_from` takes other arrays")]
    NotScalar {
        /// The extents of the array.
        shape: Vec<usize>,
    },
    /// The adjoint to start from has another shape than its array.
    #[error("the adjoint of an array of shape {expected:?} cannot have the shape {found:?}")]
    SeedShape {
        /// The extents of the array.
        expected: Vec<usize>,
        /// The extents of the adjoint.
        found: Vec<usize>,
    },
    /// Backward was to start from a part of an array.
    #[error("backward starts from whole arrays, and this is a view of rows")]
    SeedView,
    /// The adjoint to start from is on another device than its array.
    #[error("the adjoint of an array on {expected} cannot be on {found}")]
    SeedDevice {
        /// The device of the array.
        expected: String,
        /// The device of the adjoint.
        found: String,
    },
    /// The launch is not on this tape: it is on another, or the tape was cleared.
    #[error("this launch is not on the tape")]
    NoSuchLaunch,
    /// The kernel has no by-value parameter of floats of that name.
    #[error("kernel `{kernel}` takes no float called `{param}` by value")]
    NoSuchValue {
        /// The kernel.
        kernel: &'static str,
        /// The name that was asked for.
        param: String,
    },
    /// The by-value parameter has another type.
    #[error("kernel `{kernel}`: `{param}` is a `{}`, not a `{}`", expected.rust_name(), found.rust_name())]
    ValueType {
        /// The kernel.
        kernel: &'static str,
        /// The parameter.
        param: &'static str,
        /// Its type.
        expected: Type,
        /// The type that was asked for.
        found: Type,
    },
    /// The tape is on a bounds-checked device, and the gradient is 0 by convention where its limit may be another.
    #[error(
        "the gradient is in doubt: in the adjoint of `{kernel}`, {site} multiplies a zero that depends on the inputs by an \
         infinite derivative, which gives 0 by convention\n\
         help: keep the inputs off that point, or give the derivative there by `#[device(grad = …)]`"
    )]
    ComputedZero {
        /// The kernel.
        kernel: &'static str,
        /// The operation and the thread.
        site: Site,
    },
    /// The tape is on a bounds-checked device, and an adjoint became infinite or NaN.
    #[error("the gradient is not finite: in the adjoint of `{kernel}`, {site} makes a finite adjoint infinite or NaN")]
    NotFinite {
        /// The kernel.
        kernel: &'static str,
        /// The operation and the thread.
        site: Site,
    },
    /// The tape is on a bounds-checked device, and the interpreter cannot run the adjoint.
    #[error("the adjoint of `{kernel}` cannot be examined: {message}")]
    NotExamined {
        /// The kernel.
        kernel: &'static str,
        /// What the interpreter says.
        message: String,
    },
    /// The adjoint of a launch failed.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The device cannot hold a gradient.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

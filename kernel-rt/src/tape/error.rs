//! Errors of the tape.

use crate::device_array::Writer;
use crate::error::{DeviceError, LaunchError};
use kernel_ir::interp::Site;
use kernel_ir::ir::Type;

/// The reason why there is no gradient.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TapeError {
    /// An array was changed after a recorded launch by something that is not on the tape.
    #[error(
        "`{param}` of kernel `{kernel}` was changed after the recorded launch by {writer}, which is not on the tape\n\
         help: record that change on the tape too, or make it after `clear`"
    )]
    Changed {
        /// The kernel of the recorded launch.
        kernel: &'static str,
        /// The parameter that took the array.
        param: &'static str,
        /// The last writer of the array.
        writer: Writer,
    },
    /// The gradient passes through an array that a kernel with `no_grad` has written.
    #[error(
        "the gradient goes through the array that the kernel `{kernel}` took as `{param}` and wrote, and `{kernel}` is marked \
         `no_grad`"
    )]
    NoGrad {
        /// The name of the kernel.
        kernel: &'static str,
        /// The parameter that took the array.
        param: &'static str,
    },
    /// No launch on the tape uses the array of a seed, or the array whose gradient is asked for.
    #[error("no launch on the tape uses this array, so no backward pass starts from it, and it has no gradient")]
    NotRecorded,
    /// A gradient is asked for, and there was no backward pass.
    #[error("there is no gradient yet\nhelp: call `backward` first")]
    NoBackward,
    /// The loss does not have one element.
    #[error(
        "a loss must have one element, but this array has the shape {shape:?}; use `backward_from` for other arrays"
    )]
    NotScalar {
        /// The extents of the array.
        shape: Vec<usize>,
    },
    /// The adjoint of a seed has another shape than its array.
    #[error("the adjoint of an array of shape {expected:?} cannot have the shape {found:?}")]
    SeedShape {
        /// The extents of the array.
        expected: Vec<usize>,
        /// The extents of the adjoint.
        found: Vec<usize>,
    },
    /// A seed is a view.
    #[error("the backward pass must start from a whole array, but this is a view of rows")]
    SeedView,
    /// The adjoint of a seed is on another device than its array.
    #[error("the adjoint of an array on {expected} cannot be on {found}")]
    SeedDevice {
        /// The device of the array.
        expected: String,
        /// The device of the adjoint.
        found: String,
    },
    /// The launch is not on this tape: it is on another one, or the tape was cleared.
    #[error("this launch is not on the tape: another tape recorded it, or the tape was cleared")]
    NoSuchLaunch,
    /// The kernel has no by-value float parameter with this name.
    #[error("kernel `{kernel}` has no by-value float parameter `{param}`")]
    NoSuchValue {
        /// The name of the kernel.
        kernel: &'static str,
        /// The requested name.
        param: String,
    },
    /// The by-value parameter has another type than the requested one.
    #[error("kernel `{kernel}`: `{param}` is a `{}`, not a `{}`", expected.rust_name(), found.rust_name())]
    ValueType {
        /// The name of the kernel.
        kernel: &'static str,
        /// The parameter.
        param: &'static str,
        /// The type of the parameter.
        expected: Type,
        /// The requested type.
        found: Type,
    },
    /// On a bounds-checked device: the gradient is 0 by convention, but its limit may differ.
    #[error(
        "the gradient is in doubt: in the adjoint of `{kernel}`, {site} multiplies a zero that depends on the inputs by an \
         infinite derivative, which gives 0 by convention\n\
         help: keep the inputs away from that point, or give the derivative with `#[device(grad(x = f_dx))]`"
    )]
    ComputedZero {
        /// The name of the kernel.
        kernel: &'static str,
        /// The operation and the thread.
        site: Site,
    },
    /// On a bounds-checked device: an adjoint became infinite or NaN.
    #[error("the gradient is not finite: in the adjoint of `{kernel}`, {site} makes a finite adjoint infinite or NaN")]
    NotFinite {
        /// The name of the kernel.
        kernel: &'static str,
        /// The operation and the thread.
        site: Site,
    },
    /// On a bounds-checked device: the interpreter cannot run the adjoint.
    #[error("the adjoint of `{kernel}` cannot be examined: {message}")]
    NotExamined {
        /// The name of the kernel.
        kernel: &'static str,
        /// The error of the interpreter.
        message: String,
    },
    /// The launch of an adjoint failed.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// A device error.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

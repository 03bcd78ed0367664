//! The errors of devices and of launches.

use kernel_ir::ir::Type;

/// Why a device, or an array on it, is not available.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The runtime was built without the backend of the device.
    #[error(
        "{backend} device {ordinal} is not available: this build of kernel-rt has no {backend} support\n\
         help: build with the feature `{feature}`"
    )]
    NotBuilt {
        /// The backend.
        backend: &'static str,
        /// The feature of this crate that has the backend.
        feature: &'static str,
        /// The number of the device that was asked for.
        ordinal: usize,
    },
    /// A library of the backend is not installed, or not where the system looks for libraries.
    #[error("{backend} device {ordinal} is not available: {library} is not found\nhelp: {help}")]
    MissingLibrary {
        /// The backend.
        backend: &'static str,
        /// The number of the device that was asked for.
        ordinal: usize,
        /// What is missing.
        library: &'static str,
        /// What to do.
        help: &'static str,
    },
    /// The driver knows no device of that number.
    #[error("{backend} device {ordinal} is not available: the driver reports {count} devices")]
    NoSuchDevice {
        /// The backend.
        backend: &'static str,
        /// The number of the device that was asked for.
        ordinal: usize,
        /// How many devices there are.
        count: usize,
    },
    /// The driver refuses a call. After an error inside a kernel it refuses all that follow.
    #[error("{backend}: {call} fails: {message}")]
    Driver {
        /// The backend.
        backend: &'static str,
        /// What was to be done.
        call: &'static str,
        /// What the driver says.
        message: String,
    },
    /// The backend's compiler rejects a kernel.
    #[error("{compiler} does not compile the kernel `{kernel}`:\n{log}")]
    Compile {
        /// The compiler.
        compiler: &'static str,
        /// The kernel.
        kernel: String,
        /// The compiler's messages, each with the line of the emitted text that it is about.
        log: String,
    },
    /// The array would have more elements than `usize` can count.
    #[error("an array of shape {shape:?} has more elements than `usize` can count")]
    TooLarge {
        /// The extents, outermost first.
        shape: Vec<usize>,
    },
    /// An array was to get another number of elements than it has.
    #[error("an array of {expected} elements cannot take {found}")]
    WrongLength {
        /// The number of elements of the array.
        expected: usize,
        /// The number of elements that were passed.
        found: usize,
    },
    /// A view was to be of rows that the array does not have.
    #[error("an array of {rows} rows has no rows {} to {}", range.start, range.end)]
    NoSuchRows {
        /// The rows that were asked for.
        range: std::ops::Range<usize>,
        /// How many there are.
        rows: usize,
    },
}

/// Why a launch did not happen, or ended early.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// An array that the kernel writes was passed to another parameter too. Nothing has run.
    #[error(
        "kernel `{kernel}`: `{writes}` and `{other}` are the same array, or views of one, and the kernel writes to `{writes}`"
    )]
    Aliased {
        /// The kernel.
        kernel: &'static str,
        /// The parameter through which the kernel writes.
        writes: &'static str,
        /// The parameter that got the same array.
        other: &'static str,
    },
    /// A part of an array, on a tape: gradients are of whole arrays. Nothing has run.
    #[error("kernel `{kernel}`: `{param}` is a view of rows of an array, and a tape takes whole arrays")]
    ViewOnTape {
        /// The kernel.
        kernel: &'static str,
        /// The parameter that got the view.
        param: &'static str,
    },
    /// An array is on another device than the launch. Nothing has run.
    #[error("kernel `{kernel}`: `{param}` is on {found}, and the launch is on {expected}")]
    OtherDevice {
        /// The kernel.
        kernel: &'static str,
        /// The parameter that got the array.
        param: &'static str,
        /// The device of the launch.
        expected: String,
        /// The device of the array.
        found: String,
    },
    /// An array is shorter than the launch, and every thread uses the element of its own index. Nothing has run. (On the
    /// CPU such a launch runs up to the first thread that fails.)
    #[error(
        "kernel `{kernel}`: `{param}` has {extent} elements along axis {axis}, and the launch has {threads} threads along that axis"
    )]
    TooShort {
        /// The kernel.
        kernel: &'static str,
        /// The parameter that got the array.
        param: String,
        /// The axis of the array.
        axis: usize,
        /// The extent along it.
        extent: usize,
        /// The number of threads along the launch axis of which the array is indexed.
        threads: usize,
    },
    /// The device fails.
    #[error("kernel `{kernel}`: {error}")]
    Device {
        /// The kernel.
        kernel: &'static str,
        /// What happened.
        error: DeviceError,
    },
    /// The device fails while it replays a graph.
    #[error("a graph is not replayed: {error}")]
    Replay {
        /// What happened.
        error: DeviceError,
    },
    /// An error of the program: an index out of bounds, an integer overflow, a division by zero. The arrays are as
    /// the threads up to there left them; where groups of threads go through loops in step, those of the group may have run
    /// in part, and twice. Nothing is printed.
    #[error("kernel `{kernel}`, thread {thread:?}{}: {message}{}", named(array.as_ref()), at(location.as_ref()))]
    Failed {
        /// The kernel.
        kernel: &'static str,
        /// The index of the thread in which it happened, outermost axis first.
        thread: Vec<usize>,
        /// The array whose index is out of bounds, where that is known.
        array: Option<String>,
        /// What Rust says about it; of an index, also the extent.
        message: String,
        /// The file, line and column of the author's source, where it is known.
        location: Option<String>,
    },
    /// The launch size has another number of axes than the kernel. Nothing has run.
    #[error("kernel `{kernel}` is launched over {expected} axes, not {found}")]
    DimCount {
        /// The kernel.
        kernel: &'static str,
        /// The number of axes of the kernel.
        expected: usize,
        /// The number of extents that were passed.
        found: usize,
    },
    /// Too many or too few arguments. Nothing has run.
    #[error("kernel `{kernel}` takes {expected} arguments, not {found}")]
    ArgCount {
        /// The kernel.
        kernel: &'static str,
        /// The number of its parameters.
        expected: usize,
        /// The number of arguments that were passed.
        found: usize,
    },
    /// An argument of another type. Nothing has run.
    #[error("kernel `{kernel}`: `{param}` is made of `{}`, not `{}`", expected.rust_name(), found.rust_name())]
    ArgType {
        /// The kernel.
        kernel: &'static str,
        /// The parameter.
        param: &'static str,
        /// The type of the parameter, or of its elements.
        expected: Type,
        /// The type of the argument, or of its elements.
        found: Type,
    },
    /// An array of another number of axes, or an array for a value, or the other way round. Nothing has run.
    #[error("kernel `{kernel}`: `{param}` has {expected} axes, not {found} (a value has 0)")]
    ArgRank {
        /// The kernel.
        kernel: &'static str,
        /// The parameter.
        param: &'static str,
        /// The number of axes of the parameter; 0 for a value.
        expected: usize,
        /// The number of axes of the argument.
        found: usize,
    },
    /// An argument whose data is not what its own type and shape say. Nothing has run.
    #[error("kernel `{kernel}`: the data of `{param}` is not what its type and its shape {shape:?} say")]
    ArgData {
        /// The kernel.
        kernel: &'static str,
        /// The parameter.
        param: &'static str,
        /// The extents of the argument.
        shape: Vec<usize>,
    },
    /// An argument that is not what its parameter takes. Nothing has run.
    #[error("kernel `{kernel}`: argument {argument}, counted from 0, is not what its parameter takes")]
    ArgMismatch {
        /// The kernel.
        kernel: &'static str,
        /// The place of the argument, counted from 0.
        argument: usize,
    },
    /// The adjoint of a kernel without one was to run.
    #[error("kernel `{kernel}` has no adjoint")]
    NoAdjoint {
        /// The kernel.
        kernel: &'static str,
    },
}

fn named(array: Option<&String>) -> String {
    array.map_or_else(String::new, |array| format!(", array `{array}`"))
}

fn at(location: Option<&String>) -> String {
    location.map_or_else(String::new, |location| format!(" ({location})"))
}

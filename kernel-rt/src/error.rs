//! The errors of devices and launches.

use kernel_ir::ir::Type;

/// An error of a device or of an array on it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The crate was built without the backend.
    #[error(
        "{} is not available: this build of kernel-rt has no {backend} support\n\
         help: build with the feature `{feature}`",
        device(backend, *ordinal)
    )]
    NotBuilt {
        /// The backend.
        backend: &'static str,
        /// The feature of this crate that enables the backend.
        feature: &'static str,
        /// The requested ordinal.
        ordinal: usize,
    },
    /// A library of the backend is missing, or not on the system's search path.
    #[error("{} is not available: {library} is not found\nhelp: {help}", device(backend, *ordinal))]
    MissingLibrary {
        /// The backend.
        backend: &'static str,
        /// The requested ordinal.
        ordinal: usize,
        /// The missing library.
        library: &'static str,
        /// A suggestion.
        help: &'static str,
    },
    /// The driver has no device with this ordinal.
    #[error("{} is not available: the driver reports {count} devices", device(backend, *ordinal))]
    NoSuchDevice {
        /// The backend.
        backend: &'static str,
        /// The requested ordinal.
        ordinal: usize,
        /// The number of devices.
        count: usize,
    },
    /// A driver call failed. After an error inside a kernel, all later calls fail too.
    #[error("{backend}: {call} failed: {message}")]
    Driver {
        /// The backend.
        backend: &'static str,
        /// The failed operation.
        call: &'static str,
        /// The driver's message.
        message: String,
    },
    /// The language of the backend, or the device, lacks what a kernel needs.
    #[error(
        "{backend} cannot run the kernel `{kernel}`: {reason}\n\
         help: launch it on `Device::cpu()` or `Device::cuda(0)`"
    )]
    Refused {
        /// The backend.
        backend: &'static str,
        /// The kernel.
        kernel: String,
        /// What is missing.
        reason: String,
    },
    /// A launch or an array is beyond a limit of the device.
    #[error(
        "{backend}: {needed} {what}; the limit of the device is {limit}\nhelp: split the work, or use `Device::cpu()`"
    )]
    Limit {
        /// The backend.
        backend: &'static str,
        /// What is limited.
        what: &'static str,
        /// The needed amount.
        needed: u64,
        /// The limit.
        limit: u64,
    },
    /// The backend's compiler rejects a kernel. It is a bug in a writer.
    #[error("{compiler} cannot compile the kernel `{kernel}`; this is a bug of Weft: please report it\n{log}")]
    Compile {
        /// The compiler.
        compiler: &'static str,
        /// The kernel.
        kernel: String,
        /// The compiler's messages, each with the source line that it refers to.
        log: String,
    },
    /// An array of `bool` on a device has a byte that is neither 0 nor 1. Memory of another library may have one.
    #[error("an array of `bool` has an element whose byte is neither 0 nor 1")]
    NotBool,
    /// An array on a device has an element whose number is that of no variant of an enum. Memory of another library may
    /// have one.
    #[error("an array has a `{name}` with the number {number}, which no variant has")]
    NotVariant {
        /// The enum.
        name: String,
        /// The number.
        number: i64,
    },
    /// The number of elements or bytes of an array overflows `usize`.
    #[error("an array of shape {shape:?} has more elements than `usize` can count")]
    TooLarge {
        /// The extents, outermost first.
        shape: Vec<usize>,
    },
    /// The number of elements in an assignment differs from that of the array.
    #[error("an array of {expected} elements cannot be assigned {found}")]
    WrongLength {
        /// The number of elements of the array.
        expected: usize,
        /// The number of elements that were passed.
        found: usize,
    },
    /// A view was to be of rows that the array does not have.
    #[error("an array of {rows} rows has no rows {}..{}", range.start, range.end)]
    NoSuchRows {
        /// The requested rows.
        range: std::ops::Range<usize>,
        /// The number of rows of the array.
        rows: usize,
    },
    /// A view was to have another number of elements than the array.
    #[error("an array of shape {from:?} cannot be reshaped to {to:?}: the numbers of elements differ")]
    Reshape {
        /// The extents of the array.
        from: Vec<usize>,
        /// The requested extents.
        to: Vec<usize>,
    },
}

/// The reason why a launch did not run, or ended early.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// An array that the kernel writes is an argument for another parameter too. Nothing has run.
    #[error(
        "kernel `{kernel}`: `{writes}` and `{other}` are the same array, or views of one, and the kernel writes to \
         `{writes}`; pass different arrays"
    )]
    Aliased {
        /// The name of the kernel.
        kernel: &'static str,
        /// The parameter that the kernel writes to.
        writes: &'static str,
        /// The other parameter with the same array.
        other: &'static str,
    },
    /// The argument is a view, and a tape takes whole arrays. Nothing has run.
    #[error(
        "kernel `{kernel}`: `{param}` is a view of an array, and a tape takes only whole arrays; pass the whole array"
    )]
    ViewOnTape {
        /// The name of the kernel.
        kernel: &'static str,
        /// The parameter.
        param: &'static str,
    },
    /// An array is not on the device of the launch. Nothing has run.
    #[error(
        "kernel `{kernel}`: `{param}` is on {found}, but the launch is on {expected}; copy the array to {expected}"
    )]
    OtherDevice {
        /// The name of the kernel.
        kernel: &'static str,
        /// The parameter.
        param: &'static str,
        /// The device of the launch.
        expected: String,
        /// The device of the array.
        found: String,
    },
    /// An array is shorter than the launch, and every thread accesses the element of its own index. Nothing has run.
    /// (On the CPU such a launch runs up to the first thread that fails.)
    #[error(
        "kernel `{kernel}`: `{param}` has {extent} elements along axis {axis}, but the launch has {threads} threads along \
         that axis"
    )]
    TooShort {
        /// The name of the kernel.
        kernel: &'static str,
        /// The parameter.
        param: String,
        /// The axis of the array.
        axis: usize,
        /// The extent of that axis.
        extent: usize,
        /// The number of threads along the launch axis that indexes the array.
        threads: usize,
    },
    /// The elements of an array are not as its domain says, and the adjoint of the kernel rests on that. Nothing has run.
    #[error("kernel `{kernel}`: the domain of `{param}` says `{structure}`, but {found}")]
    Promise {
        /// The name of the kernel.
        kernel: &'static str,
        /// The parameter.
        param: &'static str,
        /// The structure in `#[domain(…)]`.
        structure: &'static str,
        /// The elements that break the promise.
        found: String,
    },
    /// The tiles that a kernel loads from an array do not cover it, or it is too short for them. Nothing has run.
    #[error(
        "kernel `{kernel}`: `{param}` has {extent} elements along axis {axis}, and its tiles need {needed}\nhelp: pass an array that \
         fits, or load the tiles with a padding value: `load_tile_or`"
    )]
    TileExtent {
        /// The name of the kernel.
        kernel: &'static str,
        /// The parameter.
        param: &'static str,
        /// The axis.
        axis: u8,
        /// The extent of the array.
        extent: usize,
        /// The extent that is needed, in words.
        needed: String,
    },
    /// A device error.
    #[error("kernel `{kernel}`: {error}")]
    Device {
        /// The name of the kernel.
        kernel: &'static str,
        /// The device error.
        error: DeviceError,
    },
    /// A device error during the replay of a graph.
    #[error("the graph was not replayed: {error}")]
    Replay {
        /// The device error.
        error: DeviceError,
    },
    /// A thread panicked: an index out of bounds, an integer overflow, a division by zero. The arrays hold what the
    /// threads before it have written. In a lockstep group, some threads may have run in part, and twice. The panic
    /// message is not printed.
    #[error("kernel `{kernel}`, thread {thread:?}{}: {message}{}", named(array.as_ref()), at(location.as_ref()))]
    Failed {
        /// The name of the kernel.
        kernel: &'static str,
        /// The index of the thread, outermost axis first.
        thread: Vec<usize>,
        /// The array whose index is out of bounds, if known.
        array: Option<String>,
        /// The panic message; for an index, it includes the extent.
        message: String,
        /// File, line and column in the source of the kernel, if known.
        location: Option<String>,
    },
    /// The number of launch axes differs from that of the kernel. Nothing has run.
    #[error("kernel `{kernel}` takes a launch of {}, not {found}", axes(*expected))]
    DimCount {
        /// The name of the kernel.
        kernel: &'static str,
        /// The number of axes of the kernel.
        expected: usize,
        /// The number of passed extents.
        found: usize,
    },
    /// The number of arguments differs from that of the parameters. Nothing has run.
    #[error("kernel `{kernel}` takes {expected} arguments, not {found}")]
    ArgCount {
        /// The name of the kernel.
        kernel: &'static str,
        /// The number of its parameters.
        expected: usize,
        /// The number of passed arguments.
        found: usize,
    },
    /// The type of an argument differs from that of its parameter. Nothing has run.
    #[error("kernel `{kernel}`: `{param}` takes values of type `{}`, not `{}`", expected.rust_name(), found.rust_name())]
    ArgType {
        /// The name of the kernel.
        kernel: &'static str,
        /// The parameter.
        param: &'static str,
        /// The type of the parameter, or of its elements.
        expected: Type,
        /// The type of the argument, or of its elements.
        found: Type,
    },
    /// The number of axes of an argument differs from that of its parameter; a value has 0. Nothing has run.
    #[error("kernel `{kernel}`: `{param}` takes {}, not {found} (a value has 0)", axes(*expected))]
    ArgRank {
        /// The name of the kernel.
        kernel: &'static str,
        /// The parameter.
        param: &'static str,
        /// The number of axes of the parameter; 0 for a value.
        expected: usize,
        /// The number of axes of the argument.
        found: usize,
    },
    /// The data of an argument does not fit its own type and shape. Nothing has run.
    #[error("kernel `{kernel}`: the data of `{param}` does not match its type and its shape {shape:?}")]
    ArgData {
        /// The name of the kernel.
        kernel: &'static str,
        /// The parameter.
        param: &'static str,
        /// The extents of the argument.
        shape: Vec<usize>,
    },
    /// An argument as data has a number that is that of no variant of an enum. Nothing has run.
    #[error("kernel `{kernel}`: `{param}` has a `{name}` with the number {number}, which no variant has")]
    NotVariant {
        /// The name of the kernel.
        kernel: &'static str,
        /// The parameter.
        param: String,
        /// The enum.
        name: String,
        /// The number.
        number: i64,
    },
    /// An argument does not fit its parameter. Nothing has run.
    #[error("kernel `{kernel}`: argument {argument} (counted from 0) does not match its parameter")]
    ArgMismatch {
        /// The name of the kernel.
        kernel: &'static str,
        /// The position of the argument, from 0.
        argument: usize,
    },
    /// The kernel has no adjoint.
    #[error("kernel `{kernel}` has no adjoint")]
    NoAdjoint {
        /// The name of the kernel.
        kernel: &'static str,
    },
}

/// The ordinal that stands for the device that is likely the fastest, for backends that rank their devices.
pub(crate) const BEST: usize = usize::MAX;

fn device(backend: &str, ordinal: usize) -> String {
    match ordinal {
        BEST => format!("a {backend} device"),
        _ => format!("{backend} device {ordinal}"),
    }
}

/// The number of axes in a message.
pub(crate) fn axes(count: usize) -> String {
    if count == 1 { "1 axis".to_owned() } else { format!("{count} axes") }
}

fn named(array: Option<&String>) -> String {
    array.map_or_else(String::new, |array| format!(", array `{array}`"))
}

fn at(location: Option<&String>) -> String {
    location.map_or_else(String::new, |location| format!(" ({location})"))
}

//! Why a device, or an array on it, is not to be had.

/// Why a device, or an array on it, is not to be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The runtime was built without CUDA.
    #[error(
        "CUDA device {ordinal} is not available: this build of kernel-rt has no CUDA support\n\
         help: build with the feature `cuda`"
    )]
    NoCuda {
        /// The number of the device that was asked for.
        ordinal: usize,
    },
    /// A library of CUDA is not installed, or not where the system looks for libraries.
    #[error("CUDA device {ordinal} is not available: {library} is not found\nhelp: {help}")]
    MissingLibrary {
        /// The number of the device that was asked for.
        ordinal: usize,
        /// What is missing.
        library: &'static str,
        /// What to do.
        help: &'static str,
    },
    /// The driver knows no device of that number.
    #[error("CUDA device {ordinal} is not available: the driver reports {count} devices")]
    NoSuchDevice {
        /// The number of the device that was asked for.
        ordinal: usize,
        /// How many devices there are.
        count: usize,
    },
    /// The driver refuses a call. After an error inside a kernel it refuses all that follow.
    #[error("CUDA: {call} fails: {message}")]
    Driver {
        /// What was to be done.
        call: &'static str,
        /// What the driver says.
        message: String,
    },
    /// NVRTC does not compile a kernel.
    #[error("NVRTC does not compile the kernel `{kernel}`:\n{log}")]
    Compile {
        /// The kernel.
        kernel: String,
        /// NVRTC's messages, each with the line of the emitted text that it is about.
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
    /// The CPU was asked for what only a GPU does.
    #[error("the CPU has no {what}; use a CUDA device")]
    OnlyCuda {
        /// What was asked for.
        what: &'static str,
    },
}

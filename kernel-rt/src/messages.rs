//! Messages of kernels, for debugging.

/// Prints a line from a kernel or device function that is marked `debug`: `#[kernel(debug)]`. In others it does nothing,
/// and costs nothing.
///
/// The text is as in [`println!`]; its places are `{}`, `{name}` and, with digits behind the point, `{:.3}`. The values are
/// numbers and truth values. The lines of different threads come in no order. On a GPU floats have 6 digits.
///
/// ```
/// use kernel_rt::prelude::*;
///
/// #[kernel(debug)]
/// fn square(x: &[f32], y: &mut [f32]) {
///     let i = tid();
///     kernel_print!("thread {i}: x = {:.3}", x[i]);
///     y[i] = x[i] * x[i];
/// }
///
/// square::cpu(2, &[1.0, 3.0], &mut [0.0; 2])?; // thread 0: x = 1.000 …
/// # Ok::<(), LaunchError>(())
/// ```
#[macro_export]
macro_rules! kernel_print {
    ($($message:tt)*) => { ::std::println!($($message)*) };
}

/// Ends the launch with an error if a condition does not hold, in a kernel or device function that is marked `debug`. In
/// others it does nothing, and costs nothing.
///
/// After the condition there may be a message as in [`kernel_print!`](crate::kernel_print). On the CPU the launch returns it
/// with the place in the source; on a GPU it is printed, and the device is lost for the process, as after any trap.
///
/// ```
/// use kernel_rt::prelude::*;
///
/// #[kernel(debug)]
/// fn root(x: &[f32], y: &mut [f32]) {
///     let i = tid();
///     kernel_assert!(x[i] >= 0.0, "x[{i}] is {}", x[i]);
///     y[i] = x[i].sqrt();
/// }
///
/// let error = root::cpu(2, &[4.0, -1.0], &mut [0.0; 2]).unwrap_err();
/// assert!(error.to_string().contains("x[1] is -1"));
/// ```
#[macro_export]
macro_rules! kernel_assert {
    ($($condition:tt)*) => { ::std::assert!($($condition)*) };
}

#[doc(inline)]
pub use {kernel_assert, kernel_print};

//! Panics as values. Kernels panic on run-time errors, as Rust does, so a panic in a CPU version is a result and not a
//! bug.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};

/// Installs an empty panic hook, so that panics print nothing. [`caught`] reports them instead.
pub(crate) fn silence() {
    panic::set_hook(Box::new(|_| {}));
}

/// Runs `f` and catches a panic.
///
/// # Errors
/// The message of the panic.
pub(crate) fn caught<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    // Unwind safety: every caller discards the state that `f` leaves half changed.
    panic::catch_unwind(AssertUnwindSafe(f)).map_err(|payload| words(payload.as_ref()))
}

fn words(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a word").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_panic_are_kept() {
        assert_eq!(caught(|| 1), Ok(1));
        assert_eq!(caught(|| panic!("index {} out of bounds", 3)), Err::<(), _>("index 3 out of bounds".to_owned()));
    }
}

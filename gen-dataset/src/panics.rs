//! Panics of others, turned into values: kernels panic on errors of the program, as Rust does.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};

/// Keeps panics from printing; [`caught`] reports them instead.
pub(crate) fn silence() {
    panic::set_hook(Box::new(|_| {}));
}

/// Runs `f`.
///
/// # Errors
/// The words with which it panicked.
pub(crate) fn caught<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    // What `f` leaves half done is thrown away by every caller.
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
